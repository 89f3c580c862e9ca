// Propositional solving: a thin face on CaDiCaL.
//
//   Sat sat;
//   int a = sat.variable(), b = sat.variable();
//   sat.clause({a, b});
//   if (sat.solve({-a}) == Answer::Sat) assert(sat.value(b));
//   else for (int literal : ...) if (sat.failed(literal)) ...     // assumptions that are to blame
//
// Literals are numbers: v is the variable, -v its negation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solve/solver.h"

namespace whittle::solve {

class Sat {
 public:
  Sat();
  ~Sat();
  Sat(Sat&&) noexcept;
  Sat& operator=(Sat&&) noexcept;

  int variable();  ///< a new one
  int variables() const { return variables_; }
  void clause(std::span<const int> literals);
  void clause(std::initializer_list<int> literals) { clause(std::span(literals.begin(), literals.size())); }
  /// Unknown when `seconds` or `conflicts` (negative: no limit) are used up, or after interrupt().
  Answer solve(std::span<const int> assumptions = {}, double seconds = -1, int conflicts = -1);
  Answer solve(std::initializer_list<int> assumptions) {
    return solve(std::span(assumptions.begin(), assumptions.size()));
  }
  bool value(int literal) const;   ///< after Sat: is it true? (Unassigned: its variable is false.)
  bool failed(int literal) const;  ///< after Unsat: was this assumption needed?
  void phase(int literal);         ///< try this value first
  void unphase(int variable);
  void interrupt();  ///< from any thread: the running solve and all later ones are Unknown

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  int variables_ = 0;
};

}  // namespace whittle::solve
