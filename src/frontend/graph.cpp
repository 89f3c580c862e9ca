#include "frontend/graph.h"

#include <numeric>

namespace whittle::frontend {

using program::kNone;
using program::LocationId;

std::vector<LocationId> Graph::skip_targets() const {
  std::vector<LocationId> next(location_count_, kNone);
  for (const program::Edge& edge : edges_)
    if (edge.statement.kind == program::Kind::Skip) next[edge.from] = edge.to;
  std::vector<LocationId> target(location_count_);
  std::iota(target.begin(), target.end(), LocationId{0});
  for (LocationId start = 0; start < location_count_; ++start) {
    // Walk at most once through all locations: whoever does not get out is in, or leads into, a loop of Skips.
    LocationId at = start;
    size_t steps = 0;
    while (next[at] != kNone && steps++ < location_count_) at = next[at];
    if (next[at] == kNone) {
      target[start] = at;
      continue;
    }
    // Everything on the loop is represented by its smallest location, which keeps its Skip (to itself).
    LocationId smallest = at;
    for (LocationId i = next[at]; i != at; i = next[i]) smallest = std::min(smallest, i);
    target[start] = smallest;
  }
  return target;
}

void Graph::build(program::Program& program, program::FunctionId function, LocationId entry) {
  std::vector<LocationId> target = skip_targets();
  std::vector<std::vector<size_t>> leaving(location_count_);
  for (size_t i = 0; i < edges_.size(); ++i) leaving[edges_[i].from].push_back(i);

  program::FunctionBuilder builder(program, function);
  std::vector<LocationId> renamed(location_count_, kNone);
  std::vector<LocationId> order;
  auto visit = [&](LocationId old) {
    old = target[old];
    if (renamed[old] == kNone) {
      renamed[old] = builder.location();
      order.push_back(old);
    }
    return renamed[old];
  };
  // Depth first, so that numbers follow paths.
  LocationId first = visit(entry);
  std::vector<LocationId> stack{target[entry]};
  std::vector<bool> done(location_count_, false);
  while (!stack.empty()) {
    LocationId from = stack.back();
    stack.pop_back();
    if (done[from]) continue;
    done[from] = true;
    visit(from);
    for (size_t k = leaving[from].size(); k-- > 0;)
      if (LocationId to = edges_[leaving[from][k]].to; to != kNone && !done[target[to]]) stack.push_back(target[to]);
  }
  for (size_t n = 0; n < order.size(); ++n)
    for (size_t i : leaving[order[n]]) {
      program::Edge& edge = edges_[i];
      LocationId to = edge.to == kNone ? kNone : visit(edge.to);
      builder.edge(renamed[order[n]], to, std::move(edge.statement));
    }
  builder.finish(first);
}

}  // namespace whittle::frontend
