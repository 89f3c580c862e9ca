#include "program/analysis/dominators.h"

namespace whittle::program::analysis {

Dominators::Dominators(const Digraph& graph, uint32_t root)
    : root_(root), parent_(graph.size(), kNone), enter_(graph.size()), leave_(graph.size()) {
  std::vector<uint32_t> order = reverse_postorder(graph, root);
  std::vector<uint32_t> position(graph.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) (position[a] > position[b] ? a : b) = parent_[position[a] > position[b] ? a : b];
    return a;
  };
  parent_[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node : order) {
      if (node == root) continue;
      uint32_t best = kNone;
      for (uint32_t from : graph.predecessors[node])
        if (position[from] != kNone && parent_[from] != kNone) best = best == kNone ? from : meet(best, from);
      if (parent_[node] == best) continue;
      parent_[node] = best;
      changed = true;
    }
  }
  // Numbers such that a dominates b exactly if b's interval lies within a's. Children come after parents in the order.
  std::vector<uint32_t> size(graph.size(), 1);
  for (size_t i = order.size(); i-- > 1;) size[parent_[order[i]]] += size[order[i]];
  std::vector<uint32_t> next(graph.size());
  for (uint32_t node : order) {
    enter_[node] = node == root ? 0 : next[parent_[node]];
    if (node != root) next[parent_[node]] += size[node];
    next[node] = enter_[node] + 1;
    leave_[node] = enter_[node] + size[node];
  }
}

bool Dominators::dominates(uint32_t a, uint32_t b) const {
  return reachable(a) && reachable(b) && enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
}

Dominators post_dominators(const Function& function) {
  return {flow_graph_with_exit(function).reversed(), static_cast<uint32_t>(function.locations.size())};
}

}  // namespace whittle::program::analysis
