// What the side of a branch that was not taken would have done, up to where both sides meet.
//
// The walk is symbolic but never calls a solver: it follows the other side with terms, merging again at inner joins,
// within a budget of statements. It gives up at anything it cannot account for exactly: choices, allocation, addresses
// that depend on choices, loops that do not end within the budget. Then the caller must require that the branch goes as
// it went.
#pragma once

#include "engines/dpr/regions.h"
#include "engines/dpr/side.h"

namespace whittle::engines::dpr {

enum class Arrival : uint8_t {
  Join,
  Ended,  ///< the run ends before, harmlessly unless it fails
  GaveUp,
};

struct Walk {
  Arrival arrival = Arrival::GaveUp;
  term::Term fails;  ///< when this holds, the side violates a property
};

/// From `start` of the frame's function to `join`, at most `budget` statements; `side` becomes the state there.
Walk sidestep(exec::SymbolicMachine& run, Regions& regions, unsigned budget, Side& side, uint32_t frame,
              program::FunctionId function, program::LocationId start, program::LocationId join);

}  // namespace whittle::engines::dpr
