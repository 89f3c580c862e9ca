// Which values flags and states have together: programs whose variables take few values, and decide by them where to go on.
//
//   for (auto& [place, disjunction] : propose_by_values(space, graph, forest, seconds)) ...
//
// All combinations of values are followed through the blocks of the region graph. What comes to a node is a candidate for
// Invariants: "state == 3 && flag == 0, or state == 4 && flag == 1 && hit != 0". Splits find the same one value at a time.
#pragma once

#include "engines/dash/clauses.h"

namespace whittle::engines::dash {

struct ValueLimits {
  size_t leaves = 40;   ///< variables and cells that are followed
  size_t tuples = 400;  ///< of one node; where there are more, a variable is not followed
};

Proposals propose_by_values(Space& space, Graph& graph, const Forest& forest, double seconds,
                            const ValueLimits& limits = {});

}  // namespace whittle::engines::dash
