// Memory along one path, for the checker: what was written since the path began, over what was there before.
//
//   Memory m(world);                       // anything
//   Memory after = m.store(address, value);
//   Term x = after.read(address, 32);
//
// Values are cheap to copy. What was there before is one variable per byte address; `consistency()` of the world says
// that equal addresses hold equal bytes.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/bit_set.h"
#include "program/program.h"

namespace whittle::proof {

using term::Term;

/// Variables for bytes of memory of before, shared by all Memory values of one obligation.
class MemoryWorld {
 public:
  explicit MemoryWorld(const program::Program& program) : program_(program) {}

  const program::Program& program() const { return program_; }
  term::Store& store() const { return program_.terms(); }
  uint32_t new_epoch() { return epochs_++; }
  Term byte(uint32_t epoch, Term address);
  /// Conditions that hold of all byte variables made so far.
  std::vector<Term> consistency() const;

 private:
  const program::Program& program_;
  uint32_t epochs_ = 0;
  std::map<uint32_t, std::vector<std::pair<Term, Term>>> bytes_;  ///< by epoch: address, variable
  std::map<std::pair<uint32_t, uint32_t>, Term> known_;           ///< by epoch and address term
};

class Memory {
 public:
  /// `initial`: static objects hold what they hold when the program starts.
  Memory(MemoryWorld& world, const BitSet& unwritten, bool initial);

  Memory store(Term address, Term value) const;
  /// Anything may have been written, except to these static objects.
  Memory open(std::shared_ptr<const BitSet> kept) const;
  Term read(Term address, unsigned width) const;

 private:
  struct Node {
    std::shared_ptr<const Node> before;
    Term address, value;                 ///< a store; no address: an opening
    std::shared_ptr<const BitSet> kept;  ///< of an opening
    uint32_t epoch = 0;                  ///< of an opening
    bool initial = false;                ///< of the first one
  };
  Term byte(Term address) const;
  /// The static object that surely holds this byte, if it can be seen.
  std::optional<program::ObjectId> object_of(Term address) const;

  MemoryWorld* world_;
  const BitSet* unwritten_;  ///< static objects that nothing ever writes
  std::shared_ptr<const Node> last_;
};

}  // namespace whittle::proof
