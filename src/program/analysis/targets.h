// Which functions are run from where, as exactly as the points-to analysis knows it.
#pragma once

#include <functional>
#include <vector>

#include "program/analysis/call_graph.h"
#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

/// Functions that the statement may call or start. An address that is looked up in memory is one that was put there.
std::vector<FunctionId> functions_called(const CallGraph& calls, const PointsTo& points, const Statement& statement);

/// Functions that run in threads other than the first. What only a `closed` function calls is left out.
BitSet functions_of_others(
    const Program& program, const CallGraph& calls, const PointsTo& points,
    const std::function<bool(FunctionId)>& closed = [](FunctionId) { return false; });

}  // namespace whittle::program::analysis
