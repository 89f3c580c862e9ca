// Constrained Horn clauses over the integers, for Z3's Spacer: a source of candidates, never a reason.
//
//   Horn horn(store, {.is_signed = true});
//   uint32_t loop = horn.predicate({i, n});                     // variables and Read terms
//   horn.rule(Horn::kStart, {}, loop, {zero, input});           // from, conditions, to, what its parameters become
//   horn.rule(loop, {store.slt(i, n)}, loop, {store.add(i, one), n});
//   horn.error(loop, {...});
//   if (horn.solve(2) == Horn::Outcome::Solved)
//     for (Term t : horn.solution(loop)) ...   // over {i, n}
//
// Bit-vectors are read as integers that never wrap around; what has no integer counterpart (bit operations, floats,
// products of variables) may be anything. So a solution need not hold on bits, and whoever uses it asks a solver for
// bit-vectors first.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solve/linear.h"
#include "term/term.h"

namespace whittle::solve {

class Horn {
 public:
  static constexpr uint32_t kStart = UINT32_MAX;

  Horn(term::Store& store, Reading reading);
  ~Horn();
  uint32_t predicate(std::vector<term::Term> parameters);
  /// Where `from` (kStart: everywhere) and the conditions hold, `to` holds of the arguments. Leaves that are no
  /// parameter of `from` have any value.
  void rule(uint32_t from, std::span<const term::Term> conditions, uint32_t to, std::span<const term::Term> arguments);
  /// Where `from` and the conditions hold something is wrong.
  void error(uint32_t from, std::span<const term::Term> conditions);
  enum class Outcome : uint8_t { Solved, Reached, Unknown };
  Outcome solve(double seconds);
  /// Conditions over the parameters that hold whatever happens (of integers). After Solved they keep errors out. Those
  /// that have no counterpart on bits are left out.
  std::vector<term::Term> solution(uint32_t predicate) const;
  /// After Unknown: what holds for some rounds, the longest first. It may hold longer.
  std::vector<term::Term> lemmas(uint32_t predicate, size_t most) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle::solve
