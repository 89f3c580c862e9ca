// Tests: runs of the machine with given inputs, kept so that any predicate can be evaluated, concretely or over the
// inputs, in any state in which the run stood at a node.
//
//   u128 v = test.evaluate(space, visit, predicate);
//   Term t = test.symbolic(space, visit, predicate, pins);
//
// test_runner.h makes them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dash/block.h"

namespace whittle::engines::dash {

struct Visit {
  Place place;
  uint32_t conditions = 0;  ///< of the path up to here
  uint32_t inputs = 0;      ///< consumed up to here
  uint32_t time = 0;        ///< changes of registers and memory up to here
};

class Test {
 public:
  enum class End : uint8_t {
    Finished,
    Error,    ///< a violation
    Unknown,  ///< the machine cannot follow it
    Assumed,  ///< an address that depends on inputs lies in no object, and valid-deref is not asked about
    Long,     ///< a limit was reached
  };
  struct Input {
    Term variable;
    u128 value = 0;
  };

  End end = End::Finished;
  std::string reason;            ///< Unknown: what cannot be followed; Assumed: what happened
  /// The statement where undefined behaviour, not asked about, ended the run.
  uint32_t cut_context = program::kNone, cut_edge = program::kNone;
  std::vector<Input> inputs;     ///< in order of consumption
  std::vector<Term> conditions;  ///< of the path, over inputs
  std::vector<Visit> visits;
  /// Bytes that got their value when they were first read.
  struct Lazy {
    uint64_t address = 0;  ///< where the value was first
    uint32_t input = 0;
    uint32_t byte = 0;  ///< of the input
  };
  std::vector<Lazy> lazy;
  /// Accesses through stray pointers (Space::reach) whose address depends on inputs, where it was an object's.
  struct Accident {
    Term address;
    uint64_t bytes = 0;
    uint32_t conditions = 0, inputs = 0;  ///< before it
  };
  std::vector<Accident> accidents;
  std::unordered_map<uint64_t, uint8_t> planned;  ///< for bytes without a value; of copies, by where it was first
  uint64_t statements = 0;
  bool watched = false;  ///< it came to the statement that its plan asked about

  bool forked() const { return !inputs.empty(); }  ///< there are other tests
  u128 evaluate(const Space& space, uint32_t visit, Term t) const { return evaluate(space, visit, t, {}, 0); }
  /// With a value for one variable that no state has.
  u128 evaluate(const Space& space, uint32_t visit, Term t, Term extra, u128 value) const;
  /// Over inputs. What the run took for granted about addresses is added to `pins`.
  Term symbolic(Space& space, uint32_t visit, Term t, std::vector<Term>& pins) const;

  /// Of each object the longest run of bytes without a value, if it is as long as that: where it begins, and its length.
  std::vector<std::pair<uint64_t, uint64_t>> without_value(uint32_t visit, uint64_t least) const;

  // Writing the history. Times grow by one with each change.
  void visit(Place place, size_t path);            ///< `path`: conditions of it
  void set(Term variable, u128 value, Term term);  ///< no term: it depends on no input
  void set_byte(uint64_t address, uint8_t value, Term term);
  /// It has no value (any more): it is a copy of what `first` had none for.
  void unset_byte(uint64_t address, uint64_t first);
  void make_object(uint64_t address, uint64_t size, bool zeroed);
  /// A byte without a value has this one since it has none.
  void settle_byte(uint64_t address, uint8_t value, Term term);
  bool knows(Term variable) const { return variables_.contains(variable.variable()); }
  size_t changes() const { return time_; }

 private:
  struct Version {
    uint32_t time = 0;
    u128 value = 0;
    Term term;
  };
  struct Byte {
    uint32_t time = 0;
    uint8_t value = 0;
    bool unset = false;  ///< it has no value yet
    Term term;
    uint64_t first = 0;  ///< unset: where it had none first
  };
  struct Made {
    uint32_t time = 0;
    bool zeroed = false;
    uint64_t size = 0;
  };
  uint32_t last_visit() const { return visits.empty() ? 0 : visits.back().time; }
  const Version* version(Term variable, uint32_t time) const;
  /// What is known of a byte; of one that was never written in its object, what it was made with.
  std::optional<Byte> byte(uint64_t address, uint32_t time) const;
  const Made* made(uint64_t address, uint32_t time) const;
  uint8_t value(const Space& space, uint64_t address, const std::optional<Byte>& byte) const;
  u128 bytes(const Space& space, uint64_t address, unsigned count, uint32_t time) const;
  Term bytes_term(Space& space, uint64_t address, unsigned count, uint32_t time) const;

  uint32_t time_ = 0;
  std::unordered_map<uint32_t, std::vector<Version>> variables_;  ///< by number of the variable
  std::unordered_map<uint64_t, std::vector<Byte>> memory_;
  std::map<uint64_t, std::vector<Made>> objects_;  ///< by address; apart, or at the same address
};

}  // namespace whittle::engines::dash
