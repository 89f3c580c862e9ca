#include "program/analysis/weak_order.h"

#include <algorithm>

namespace whittle::program::analysis {

namespace {
constexpr uint32_t kDone = UINT32_MAX;
}

WeakOrder::WeakOrder(const Function& function)
    : function_(function),
      slot_(function.locations.size(), kNone),
      innermost_(function.locations.size(), kNone),
      headed_(function.locations.size(), kNone),
      predecessors_(function.locations.size(), 0),
      number_(function.locations.size(), 0) {
  for (const Edge& edge : function.edges)
    if (edge.to != kNone) ++predecessors_[edge.to];
  ++predecessors_[function.entry];
  Sequence all;
  visit(function.entry, all);
  lay_out(all, kNone);
}

uint32_t WeakOrder::visit(LocationId l, Sequence& into) {
  stack_.push_back(l);
  uint32_t least = number_[l] = ++counter_;
  bool loop = false;
  const Location& location = function_.locations[l];
  // The last edge first: sequences are built from the end.
  for (uint32_t i = location.edge_count; i-- > 0;) {
    const LocationId to = function_.edges[location.first_edge + i].to;
    if (to == kNone) continue;
    const uint32_t reached = number_[to] == 0 ? visit(to, into) : number_[to];
    if (reached <= least) least = reached, loop = true;
  }
  if (least != number_[l]) return least;
  number_[l] = kDone;
  LocationId top = stack_.back();
  stack_.pop_back();
  Element element{l, loop, {}};
  if (loop) {
    for (; top != l; stack_.pop_back()) {
      number_[top] = 0;
      top = stack_.back();
    }
    for (uint32_t i = location.edge_count; i-- > 0;) {
      const LocationId to = function_.edges[location.first_edge + i].to;
      if (to != kNone && number_[to] == 0) visit(to, element.body);
    }
  }
  into.push_back(std::move(element));
  return least;
}

void WeakOrder::lay_out(const Sequence& sequence, uint32_t parent) {
  for (size_t i = sequence.size(); i-- > 0;) {
    const Element& element = sequence[i];
    slot_[element.location] = static_cast<uint32_t>(of_slot_.size());
    of_slot_.push_back({element.location, kNone});
    innermost_[element.location] = parent;
    if (!element.loop) continue;
    const auto loop = static_cast<uint32_t>(loops_.size());
    loops_.push_back({element.location, 0, parent});
    headed_[element.location] = innermost_[element.location] = loop;
    lay_out(element.body, loop);
    loops_[loop].end = static_cast<uint32_t>(of_slot_.size());
    of_slot_.push_back({kNone, loop});
  }
}

}  // namespace whittle::program::analysis
