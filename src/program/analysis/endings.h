// Can a run come to its end without a place that is not modelled?
//
//   if (!can_end(program, calls)) ...   // nothing can be proved
//
// Looks at the control flow alone: conditions may hold or not, an indirect call enters any of its targets. A violation is no end here: what
// comes before the place can still go wrong.
#pragma once

#include "program/analysis/call_graph.h"
#include "program/program.h"

namespace whittle::program::analysis {

/// False: each run of the main thread meets an Unsupported statement, goes wrong, or never ends.
bool can_end(const Program& program, const CallGraph& calls);

}  // namespace whittle::program::analysis
