// Solvers that are asked one after the other until one knows: bits first, then integers.
//
// Sums that are compared are hard for solvers that look at single bits and easy over integers; with bit operations it is
// the other way round.
#pragma once

#include <memory>
#include <vector>

#include "solve/solver.h"

namespace whittle::solve {

struct Turn {
  std::shared_ptr<Solver> solver;  ///< may have several turns
  double seconds = 0;              ///< of this turn, if the budget allows that
  bool floats = true;              ///< it is asked about floats, too
  uint64_t steps = 0;              ///< of the solver's own counting in this turn; 0: unlimited
  uint64_t steps_for_sums = 0;     ///< the same where there are sums in more bits than a type of C has
  bool only_sums = false;          ///< asked only where there are such sums
};

/// Budget::seconds holds for each turn, not for all together.
std::unique_ptr<Solver> make_in_turn(std::vector<Turn> turns);

/// Linear arithmetic of Z3 and of cvc5: `unsat` and models are exact, but what is not linear is Unknown (integers.h).
/// Without floats.
std::unique_ptr<Solver> make_z3_linear(const term::Store& store);
std::unique_ptr<Solver> make_cvc5_linear(const term::Store& store);
/// cvc5, which translates bit-vectors into integers, exactly. Without floats.
std::unique_ptr<Solver> make_cvc5_on_integers(const term::Store& store);

}  // namespace whittle::solve
