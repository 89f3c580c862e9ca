#include "program/analysis/graph.h"

#include <algorithm>

namespace whittle::program::analysis {

Digraph Digraph::reversed() const {
  Digraph graph;
  graph.successors = predecessors;
  graph.predecessors = successors;
  return graph;
}

Digraph flow_graph(const Function& function) {
  Digraph graph(function.locations.size());
  for (const Edge& edge : function.edges)
    if (edge.to != kNone) graph.add(edge.from, edge.to);
  return graph;
}

Digraph flow_graph_with_exit(const Function& function) {
  auto exit = static_cast<uint32_t>(function.locations.size());
  Digraph graph(exit + 1);
  for (const Edge& edge : function.edges) graph.add(edge.from, edge.to == kNone ? exit : edge.to);
  for (LocationId l = 0; l < exit; ++l)
    if (function.locations[l].edge_count == 0) graph.add(l, exit);
  std::vector<bool> ends(graph.size());
  for (uint32_t node : reverse_postorder(graph.reversed(), exit)) ends[node] = true;
  for (LocationId l = 0; l < exit; ++l)
    if (!ends[l] && function.locations[l].loop_head) graph.add(l, exit);
  return graph;
}

std::vector<uint32_t> reverse_postorder(const Digraph& graph, uint32_t root) {
  std::vector<bool> seen(graph.size());
  std::vector<uint32_t> order;
  struct Frame {
    uint32_t node;
    size_t next;
  };
  std::vector<Frame> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == graph.successors[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    uint32_t to = graph.successors[node][next++];
    if (seen[to]) continue;
    seen[to] = true;
    stack.push_back({to, 0});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Tarjan's algorithm with its own stack, because call graphs and functions can be deep.
Components components(const Digraph& graph) {
  constexpr uint32_t kNew = UINT32_MAX;
  size_t n = graph.size();
  Components answer{std::vector<uint32_t>(n, kNew), 0};
  std::vector<uint32_t> number(n, kNew), low(n), open;
  struct Frame {
    uint32_t node;
    size_t next;
  };
  uint32_t time = 0;
  for (uint32_t root = 0; root < n; ++root) {
    if (number[root] != kNew) continue;
    std::vector<Frame> stack{{root, 0}};
    number[root] = low[root] = time++;
    open.push_back(root);
    while (!stack.empty()) {
      uint32_t node = stack.back().node;
      if (stack.back().next < graph.successors[node].size()) {
        uint32_t to = graph.successors[node][stack.back().next++];
        if (number[to] == kNew) {
          number[to] = low[to] = time++;
          open.push_back(to);
          stack.push_back({to, 0});
        } else if (answer.of[to] == kNew) {
          low[node] = std::min(low[node], number[to]);
        }
        continue;
      }
      stack.pop_back();
      if (!stack.empty()) low[stack.back().node] = std::min(low[stack.back().node], low[node]);
      if (low[node] != number[node]) continue;
      uint32_t member;
      do {
        member = open.back();
        open.pop_back();
        answer.of[member] = answer.count;
      } while (member != node);
      ++answer.count;
    }
  }
  return answer;
}

}  // namespace whittle::program::analysis
