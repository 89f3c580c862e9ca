#include "program/analysis/control_dependence.h"

#include <algorithm>

#include "program/analysis/dominators.h"

namespace whittle::program::analysis {

ControlDependence::ControlDependence(const Function& function)
    : function_(function), edges_(function.locations.size()) {
  Dominators post = post_dominators(function);
  for (uint32_t i = 0; i < function.edges.size(); ++i) {
    const Edge& edge = function.edges[i];
    if (edge.to == kNone || !post.reachable(edge.from) || !post.reachable(edge.to)) continue;
    // Everything on the tree from the target up to, not including, the closest post-dominator of the source.
    uint32_t end = post.immediate(edge.from);
    for (uint32_t l = edge.to; l != end && l != kNone && l < function.locations.size(); l = post.immediate(l))
      edges_[l].push_back(i);
  }
}

std::vector<uint32_t> ControlDependence::all_edges(LocationId location) const {
  std::vector<uint32_t> answer;
  std::vector<bool> seen(function_.locations.size());
  std::vector<LocationId> stack{location};
  seen[location] = true;
  while (!stack.empty()) {
    LocationId l = stack.back();
    stack.pop_back();
    for (uint32_t edge : edges_[l]) {
      answer.push_back(edge);
      LocationId from = function_.edges[edge].from;
      if (!seen[from]) seen[from] = true, stack.push_back(from);
    }
  }
  std::sort(answer.begin(), answer.end());
  answer.erase(std::unique(answer.begin(), answer.end()), answer.end());
  return answer;
}

}  // namespace whittle::program::analysis
