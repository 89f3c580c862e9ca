// A second opinion on some answers: that conditions contradict each other is asked of Z3, too, the first time and then
// every so often. Where Z3 has a model, the answer is Unknown.
#pragma once

#include <memory>

#include "solve/solver.h"

namespace whittle::solve {

/// `every`: of so many answers Unsat one is asked again, for at most five seconds.
std::unique_ptr<Solver> make_sampled(const term::Store& store, std::unique_ptr<Solver> solver, unsigned every);

}  // namespace whittle::solve
