// The region graph for Graphviz: what tests reached, what is not ruled out, what is.
#pragma once

#include <string>

#include "engines/dash/graph.h"

namespace whittle::engines::dash {

std::string to_dot(Space& space, const Graph& graph);

}  // namespace whittle::engines::dash
