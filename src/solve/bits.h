// Solvers of an engine that asks few, large questions, one growing from the other: a bare back end, no layers.
#pragma once

#include "base/context.h"
#include "solve/solver.h"

namespace whittle::solve {

/// CaDiCaL: bit-vectors only, everything else is Unknown. Budget::steps are conflicts. `store` must outlive the solver.
std::unique_ptr<Solver> make_cadical(const term::Store& store);

/// As make_solver(context, store) of stack.h, but without layers: unless the user asks for
/// another, CaDiCaL, or Z3 where there are floats.
std::unique_ptr<Solver> make_bare_solver(Context& context, const term::Store& store, bool floats);

}  // namespace whittle::solve
