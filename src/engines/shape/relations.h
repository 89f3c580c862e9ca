// What numbers that change in a loop have to do with other numbers: facts of the form x < y, x <= y, 0 <= x, x is a multiple of 4.
//
// Where two memories become one (match.h), symbols stand for what differs, and nothing is known about them. All facts of these
// forms that hold in both memories hold in what covers both.
#pragma once

#include "engines/shape/match.h"
#include "solve/solver.h"

namespace whittle::engines::shape {

/// Adds to the memory of `both` what holds in `first` and in `second`, of which it was made. Nothing if the solver gives up.
void relate(General& both, const Memory& first, const Memory& second, solve::Solver& solver);

}  // namespace whittle::engines::shape
