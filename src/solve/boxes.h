// Conditions on floats, decided by intervals: the space of all values is cut into boxes, each of which some condition
// rules out (unsat), or one of which has a point where all hold (sat).
//
// Solvers that look at single bits of products and quotients of floats come to no end where a few thousand intervals
// tell that a polynomial stays below a bound. What intervals do not tell within so many steps is asked of the solver
// behind, and so is everything without floats.
#pragma once

#include <memory>

#include "solve/solver.h"

namespace whittle::solve {

/// Operations on intervals, so the answer does not depend on the machine's speed.
constexpr uint64_t kBoxSteps = 30'000'000;

std::unique_ptr<Solver> make_boxes(const term::Store& store, std::unique_ptr<Solver> inner, uint64_t steps = kBoxSteps);

}  // namespace whittle::solve
