// Waiting that always ends, whatever the schedule.
//
// Waiting for a mutex ends if whoever holds one gives it back without waiting for anything; waiting for a thread ends
// if that thread does not wait, either. Such waiting does not decide whether a thread gets on, only when: a search that
// does not care about the order of what is done under the locks need not care about the order in which they are taken.
#pragma once

#include <functional>

#include "program/analysis/call_graph.h"
#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

/// Is all waiting of the program of that kind, and is nothing that matters done under a lock or in any thread but the
/// first? Mutexes and joins only; everything else that waits says no, as does all that is not obvious.
///   matters: is it a statement whose order among threads matters?
///   lingers: does the loop condition depend on memory, so that it is not known when the loop is left?
bool waits_end(const Program& program, const CallGraph& calls, const PointsTo& points,
               const std::function<bool(FunctionId, uint32_t)>& matters,
               const std::function<bool(FunctionId, uint32_t)>& lingers);

}  // namespace whittle::program::analysis
