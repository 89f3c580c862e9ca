// Two states at one place as one, for proofs by paths.
//
//   Join join(executor);
//   if (place_of(a) == place_of(b)) a = join(std::move(a), b);
//
// A state stands for a set of states with plain values: those that its terms have, for the values of symbols with which all
// holds that is decided. The joined state stands for what either of the two stands for, and nothing else. What tells them
// apart is a term that is decided in both, with different values, or a new symbol of one bit.
#pragma once

#include "program/program.h"
#include "proof/executor.h"
#include "proof/state.h"

namespace whittle::proof {

class Join {
 public:
  /// Keeps references.
  Join(const program::Program& program, const Executor& executor)
      : program_(program), executor_(executor), symbols_(executor.symbols()), store_(symbols_.store()) {}

  /// Both have the same threads, standing at the same locations, and the same objects.
  State operator()(State a, const State& b);

 private:
  /// Bytes that lie at an address, in both states.
  struct Bytes {
    uint64_t address = 0, size = 0;
    uint8_t* a = nullptr;
    const uint8_t* b = nullptr;
    Made* made_a = nullptr;  ///< none: static
    const Made* made_b = nullptr;
  };
  /// True where the first of the states is meant.
  Term tell_apart(State& a, const State& b);
  Term choice(Term if_a, Term if_b) { return if_a == if_b ? if_a : store_.ite(first_, if_a, if_b); }
  void join_registers(State& a, const State& b);
  void join_memory(State& a, const State& b);
  void join_bytes(State& a, const State& b, const Bytes& bytes);

  const program::Program& program_;
  const Executor& executor_;
  Symbols& symbols_;
  term::Store& store_;
  Term first_;
  uint32_t fresh_ = 0;  ///< symbols with lower numbers are in use
};

}  // namespace whittle::proof
