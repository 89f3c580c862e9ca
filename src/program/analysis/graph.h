// Plain directed graphs, and the control flow of a function as one.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace whittle::program::analysis {

struct Digraph {
  explicit Digraph(size_t nodes = 0) : successors(nodes), predecessors(nodes) {}
  size_t size() const { return successors.size(); }
  void add(uint32_t from, uint32_t to) {
    successors[from].push_back(to);
    predecessors[to].push_back(from);
  }
  Digraph reversed() const;

  std::vector<std::vector<uint32_t>> successors;
  std::vector<std::vector<uint32_t>> predecessors;
};

/// Nodes are the locations.
Digraph flow_graph(const Function& function);

/// The same with one more node, the exit (its number is the count of locations): edges that end the path and locations
/// without edges lead there. A part of the function that never ends has no way to the exit; then its loop heads get
/// one, so that every location that can be reached has.
Digraph flow_graph_with_exit(const Function& function);

/// Nodes that can be reached from the root, in an order where a node comes before its successors except over back edges
/// (reverse postorder). The same on every run.
std::vector<uint32_t> reverse_postorder(const Digraph& graph, uint32_t root);

/// Strongly connected components: number of each node's component. Components are numbered such that an edge between
/// two of them goes from the higher to the lower number.
struct Components {
  std::vector<uint32_t> of;
  uint32_t count = 0;
};
Components components(const Digraph& graph);

}  // namespace whittle::program::analysis
