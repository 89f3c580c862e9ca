// Memory along one path, for the checker: what was written since the path began, over what was there before.
//
//   Memory m(world);                       // anything
//   Memory after = m.store(address, value);
//   Term x = after.read(address, 32);
//
// Values are cheap to copy. What was there before is one variable per byte address; `consistency()` of the world says
// that equal addresses hold equal bytes. Bytes without a value hold any value, from when their object is made on.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/bit_set.h"
#include "program/program.h"
#include "term/ranges.h"

namespace whittle::proof {

using term::Term;

/// No byte is in both ranges; neither wraps around. In terms of differences, as engines say it, too: what is said in
/// the same words need not be found out by a solver.
Term disjoint(term::Store& store, Term a, Term a_size, Term b, Term b_size);

/// Which places an access may be of, where that is known of the pointer (ProgramFacts::reach); null: any.
using Reach = std::shared_ptr<const BitSet>;

/// Variables for bytes of memory of before, shared by all Memory values of one obligation.
class MemoryWorld {
 public:
  explicit MemoryWorld(const program::Program& program) : program_(program) {}

  const program::Program& program() const { return program_; }
  term::Store& store() const { return program_.terms(); }
  uint32_t new_epoch() { return epochs_++; }
  uint64_t new_node() { return nodes_++; }
  Term byte(uint32_t epoch, Term address);
  /// The byte at this address is what the object holds, if it lies in there.
  void add_table(Term byte, Term address, program::ObjectId object) { tables_.push_back({byte, address, object}); }
  /// The byte at this address is 0 if it lies in the object.
  void add_zeros(Term byte, Term address, program::ObjectId object) { zeros_.push_back({byte, address, object}); }
  /// What was read so far, of more than one byte or of one: addresses and widths, in order.
  struct Reading {
    Term address;
    unsigned width = 0;
  };
  void note_read(Term address, unsigned width) {
    if (noted_.insert({address.id(), width}).second) readings_.push_back({address, width});
  }
  const std::vector<Reading>& readings() const { return readings_; }
  /// The byte that is there at the start of an epoch, if anything asked for it.
  Term known_byte(uint32_t epoch, Term address) const {
    auto it = known_.find({epoch, address.id()});
    return it == known_.end() ? Term() : it->second;
  }
  uint32_t epochs() const { return epochs_; }
  /// Conditions that hold of the byte variables mentioned. Pairs of addresses that are to be left out say nothing.
  std::vector<Term> consistency(const std::unordered_set<Term>& mentioned,
                                const std::function<bool(Term, Term)>& leave_out = {}) const;

  /// An object of this size lies at the address, a variable; all such objects are apart, and static ones too.
  void add_object(Term address, uint64_t size, uint64_t align, uint32_t place) { objects_[address] = {size, align, place}; }
  /// Does the address lie in an object that the access cannot be of?
  bool excludes(const Reach& reach, Term address) const;
  /// Are places of so many bytes that lie so far from each other the same, or apart? Elements of one array are.
  bool equal_or_apart(Term difference, uint64_t bytes) const;
  /// As far as alignment and strides tell.
  bool may_be(Term difference, uint64_t value) const;
  /// Are ranges of this many bytes seen to lie in different objects? (If not, they may all the same.)
  bool apart(Term a, uint64_t a_size, Term b, uint64_t b_size) const;

 private:
  /// The address is this far into an object that was added; a static object if there is no variable.
  struct Rooted {
    Term object;
    uint64_t offset = 0;
  };
  std::optional<Rooted> rooted(Term address, uint64_t size) const;
  term::Range range(Term difference) const;

  struct Lookup {
    Term byte, address;
    program::ObjectId object;
  };

  const program::Program& program_;
  uint32_t epochs_ = 0;
  uint64_t nodes_ = 0;
  std::map<uint32_t, std::vector<std::pair<Term, Term>>> bytes_;  ///< by epoch: address, variable
  std::map<std::pair<uint32_t, uint32_t>, Term> known_;           ///< by epoch and address term
  struct Object {
    uint64_t size = 0, align = 1;
    uint32_t place = 0;
  };
  std::unordered_map<Term, Object> objects_;  ///< by address
  mutable term::Ranges ranges_;
  std::vector<Lookup> tables_;                                    ///< in objects that nothing ever writes
  std::vector<Lookup> zeros_;                                     ///< in objects that hold 0 when the program starts
  std::vector<Reading> readings_;
  std::set<std::pair<uint32_t, unsigned>> noted_;

 public:
  std::map<std::tuple<uint64_t, uint32_t, const void*>, Term> made;  ///< bytes found by Memory, by node, address term, reach
};

class Memory {
 public:
  /// `initial`: static objects hold what they hold when the program starts.
  Memory(MemoryWorld& world, const BitSet& unwritten, bool initial);

  Memory store(Term address, Term value, Reach reach = {}) const;
  /// Anything may have been written, except to these static objects.
  Memory open(std::shared_ptr<const BitSet> kept) const;
  /// Anything may have been written to this range.
  Memory open_range(Term address, Term size) const;
  Memory fill(Term address, Term size, Term byte) const;
  Memory copy(Term to, Term from, Term size) const;
  Term read(Term address, unsigned width, const Reach& reach = {}) const;

 private:
  struct Node {
    enum class Kind : uint8_t { Store, Open, OpenRange, Fill, Copy } kind = Kind::Store;
    std::shared_ptr<const Node> before;
    Term address;                        ///< not of Open
    Term value;                          ///< Store; Fill: a byte; Copy: where from
    Term size;                           ///< of a range, as wide as addresses
    std::shared_ptr<const BitSet> kept;  ///< Open
    Reach reach;                         ///< Store
    uint32_t epoch = 0;                  ///< Open, OpenRange
    bool initial = false;                ///< of the first one
    uint64_t id = 0;                     ///< no other node of the world has it
  };
  Memory with(Node node) const;
  Term byte(const Node* node, Term address, const Reach& reach) const;
  Term make_byte(const Node* node, Term address, const Reach& reach) const;
  /// Is what the node does known to be elsewhere?
  bool elsewhere(const Node& node, Term address, const Reach& reach) const;
  /// A byte of before, whatever is known of it.
  Term old_byte(const Node* node, Term address) const;
  Term bytes(const Node* node, Term address, unsigned count, const Reach& reach) const;
  Term word(const Node* node, Term address, unsigned count, const Reach& reach) const;
  /// The static object that surely holds this byte, if it can be seen.
  std::optional<program::ObjectId> object_of(Term address) const;

  MemoryWorld* world_;
  const BitSet* unwritten_;  ///< static objects that nothing ever writes
  std::shared_ptr<const Node> last_;
};

}  // namespace whittle::proof
