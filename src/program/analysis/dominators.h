// Dominators: a dominates b if every way from the root to b goes through a.
//
//   Dominators dominators(flow_graph(f), f.entry);
//   if (dominators.dominates(head, l)) ...
//   Dominators post = post_dominators(f);        // the root is the exit: node f.locations.size()
//
// After Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
#pragma once

#include <cstdint>
#include <vector>

#include "program/analysis/graph.h"

namespace whittle::program::analysis {

class Dominators {
 public:
  Dominators(const Digraph& graph, uint32_t root);

  bool reachable(uint32_t node) const { return parent_[node] != kNone; }
  /// The closest strict dominator; kNone for the root and for what the root does not reach.
  uint32_t immediate(uint32_t node) const { return node == root_ ? kNone : parent_[node]; }
  /// Every node dominates itself. Requires that both can be reached, otherwise false.
  bool dominates(uint32_t a, uint32_t b) const;

 private:
  uint32_t root_;
  std::vector<uint32_t> parent_;         ///< of the root: itself
  std::vector<uint32_t> enter_, leave_;  ///< of a walk over the tree
};

/// b is post-dominated by a if every way from b to the exit goes through a. See flow_graph_with_exit for loops that
/// never end.
Dominators post_dominators(const Function& function);

}  // namespace whittle::program::analysis
