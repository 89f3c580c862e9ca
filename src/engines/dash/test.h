// Tests: runs with given inputs, kept so that any predicate can be evaluated, concretely or over the inputs, in any
// state in which the run stood at a node.
//
//   Test test = run_test(space, inputs, limits);
//   test.end                                   // Error: a violation, to be replayed on the machine
//   u128 v = test.evaluate(visit, predicate);
//   Term t = test.symbolic(visit, predicate, pins);
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/limits.h"
#include "engines/dash/block.h"

namespace whittle::engines::dash {

struct Visit {
  Place place;
  uint32_t conditions = 0;  ///< of the path up to here
  uint32_t inputs = 0;      ///< consumed up to here
};

class Test {
 public:
  enum class End : uint8_t { Finished, Error, Unknown, Long };
  struct Input {
    Term variable;
    u128 value = 0;
  };

  End end = End::Finished;
  std::string reason;            ///< Unknown: what could not be followed
  std::vector<Input> inputs;     ///< in order of consumption
  std::vector<Term> conditions;  ///< of the path, over inputs
  std::vector<Visit> visits;
  /// Bytes that got their value when they were first read.
  struct Lazy {
    uint64_t address = 0;
    uint32_t input = 0;
    uint32_t byte = 0;  ///< of the input
  };
  std::vector<Lazy> lazy;
  uint64_t statements = 0;
  bool forked = false;  ///< some condition or value depended on an input

  u128 evaluate(const Space& space, uint32_t visit, Term t) const;
  /// Over inputs. What the run took for granted about addresses is added to `pins`.
  Term symbolic(Space& space, uint32_t visit, Term t, std::vector<Term>& pins) const;

 private:
  friend class TestRunner;
  struct Version {
    uint32_t time = 0;
    u128 value = 0;
    Term term;  ///< none: it depends on no input
  };
  struct Byte {
    uint32_t time = 0;
    uint8_t value = 0;
    Term term;
    bool unset = false;  ///< it has no value yet
  };
  const Version* version(Term variable, uint32_t time) const;
  const Byte* byte(uint64_t address, uint32_t time) const;
  u128 bytes(const Space& space, uint64_t address, unsigned count, uint32_t time) const;
  Term bytes_term(Space& space, uint64_t address, unsigned count, uint32_t time) const;

  std::unordered_map<uint32_t, std::vector<Version>> variables_;  ///< by number of the variable
  std::unordered_map<uint64_t, std::vector<Byte>> memory_;
};

struct TestLimits {
  uint64_t statements = 2'000'000;  ///< in all
  uint32_t visits = 20'000;         ///< that are kept
  size_t contexts = 20'000;
};

/// What a test is to be given.
struct TestPlan {
  std::vector<u128> inputs;                        ///< the first ones, whatever asks for them
  std::vector<u128> later;                         ///< for Nondet statements after these
  std::unordered_map<uint64_t, uint8_t> memory{};  ///< for bytes without a value, when they are read after these
};

/// All other inputs are what `more` says for input number n (of a width).
Test run_test(Space& space, const TestPlan& plan, const std::function<u128(size_t, unsigned)>& more,
              const TestLimits& bounds, Limits& limits);

}  // namespace whittle::engines::dash
