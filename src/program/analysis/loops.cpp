#include "program/analysis/loops.h"

#include <algorithm>
#include <map>

#include "program/analysis/dominators.h"

namespace whittle::program::analysis {
namespace {

std::vector<LocationId> body_of(const Digraph& graph, const Dominators& dominators, const Loop& loop,
                                const Function& function) {
  std::vector<bool> inside(graph.size());
  std::vector<LocationId> body{loop.head}, stack;
  inside[loop.head] = true;
  auto add = [&](LocationId l) {
    if (inside[l] || !dominators.reachable(l)) return;
    inside[l] = true;
    body.push_back(l);
    stack.push_back(l);
  };
  for (uint32_t edge : loop.back_edges) add(function.edges[edge].from);
  while (!stack.empty()) {
    LocationId l = stack.back();
    stack.pop_back();
    for (LocationId from : graph.predecessors[l]) add(from);
  }
  std::sort(body.begin(), body.end());
  return body;
}

}  // namespace

Loops::Loops(const Function& function) : innermost_(function.locations.size(), kNone) {
  Digraph graph = flow_graph(function);
  Dominators dominators(graph, function.entry);
  std::vector<uint32_t> position(graph.size(), kNone);
  std::vector<uint32_t> order = reverse_postorder(graph, function.entry);
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;

  std::map<LocationId, std::vector<uint32_t>> by_head;
  for (uint32_t i = 0; i < function.edges.size(); ++i) {
    const Edge& edge = function.edges[i];
    if (edge.to == kNone || position[edge.from] == kNone || position[edge.to] > position[edge.from]) continue;
    if (dominators.dominates(edge.to, edge.from))
      by_head[edge.to].push_back(i);
    else
      irreducible_.push_back(edge.to);
  }
  std::sort(irreducible_.begin(), irreducible_.end());
  irreducible_.erase(std::unique(irreducible_.begin(), irreducible_.end()), irreducible_.end());

  for (auto& [head, edges] : by_head) {
    Loop loop{.head = head, .back_edges = std::move(edges)};
    loop.body = body_of(graph, dominators, loop, function);
    loops_.push_back(std::move(loop));
  }
  // A loop around another has the larger body; equal bodies have equal heads and are one loop.
  std::stable_sort(loops_.begin(), loops_.end(),
                   [](const Loop& a, const Loop& b) { return a.body.size() > b.body.size(); });
  for (uint32_t i = 0; i < loops_.size(); ++i) {
    Loop& loop = loops_[i];
    loop.parent = innermost_[loop.head];
    loop.depth = loop.parent == kNone ? 1 : loops_[loop.parent].depth + 1;
    for (LocationId l : loop.body) innermost_[l] = i;
  }
  for (uint32_t i = 0; i < loops_.size(); ++i)
    for (LocationId l : loops_[i].body) {
      const Location& location = function.locations[l];
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e)
        if (function.edges[e].to == kNone || !contains(i, function.edges[e].to)) loops_[i].exits.push_back(e);
    }
}

bool Loops::contains(uint32_t loop, LocationId location) const {
  return std::binary_search(loops_[loop].body.begin(), loops_[loop].body.end(), location);
}

}  // namespace whittle::program::analysis
