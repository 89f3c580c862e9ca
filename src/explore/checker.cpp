#include "explore/checker.h"

#include <algorithm>

namespace whittle::explore {

Truth Checker::truth() {
  const uint32_t root = formula_.root();
  bool must = holds(0, root, Mode::Must);
  if (!three_valued_ && graph_.has_cuts() && !graph_.stopped()) {
    // Labels made so far mix the modes. The graph is kept, so starting again is cheap.
    three_valued_ = true;
    searches_ = std::vector<Search>(2 * formula_.size());
    must = holds(0, root, Mode::Must);
  }
  if (graph_.stopped()) return Truth::Unknown;
  if (must) return Truth::Holds;
  if (!three_valued_) return Truth::Fails;
  bool may = holds(0, root, Mode::May);
  return graph_.stopped() || may ? Truth::Unknown : Truth::Fails;
}

bool Checker::holds(StateId state, uint32_t node, Mode mode) {
  const Formula::Node& n = formula_[node];
  switch (n.op) {
    case Ctl::True: return true;
    case Ctl::Atom: return (graph_.atoms(state) >> n.left & 1) != 0;
    case Ctl::Not: return !holds(state, n.left, mode == Mode::Must ? Mode::May : Mode::Must);
    case Ctl::And: return holds(state, n.left, mode) && holds(state, n.right, mode);
    case Ctl::Or: return holds(state, n.left, mode) || holds(state, n.right, mode);
    case Ctl::ExistsUntil:
    case Ctl::AlwaysUntil: return temporal(state, node, mode);
  }
  return false;
}

bool Checker::temporal(StateId state, uint32_t node, Mode mode) {
  Search& search = search_of(node, mode);
  switch (label(search, state)) {
    case kTrue: return true;
    case kFalse: return false;
    default: break;
  }
  const Formula::Node& n = formula_[node];
  return n.op == Ctl::ExistsUntil ? exists_until(search, n, actual(mode), state)
                                  : always_until(search, n, actual(mode), state);
}

bool Checker::labelled(StateId state, uint32_t node, bool value) {
  Search& search = search_of(node, value ? Mode::Must : Mode::May);
  return label(search, state) == (value ? kTrue : kFalse);
}

/// kOpen if the answer depends on the successors.
Checker::Label Checker::classify(Search& search, const Formula::Node& node, Mode mode, StateId state) {
  Label value = holds(state, node.right, mode) ? kTrue : holds(state, node.left, mode) ? kOpen : kFalse;
  if (value != kOpen) label(search, state) = value;
  return value;
}

void Checker::push(Search& search, StateId state) {
  label(search, state) = kOpen;
  if (search.order.size() <= state) search.order.resize(graph_.size());
  uint32_t order = static_cast<uint32_t>(search.open.size());
  search.order[state] = order;
  search.open.push_back(state);
  search.stack.push_back({state, 0, order});
}

/// Ends a search: all open states get the value.
bool Checker::found(Search& search, Label value) {
  for (StateId state : search.open) label(search, state) = value;
  search.open.clear();
  search.stack.clear();
  return value == kTrue;
}

bool Checker::exists_until(Search& search, const Formula::Node& node, Mode mode, StateId state) {
  if (Label value = classify(search, node, mode, state); value != kOpen) return value == kTrue;
  push(search, state);
  while (!search.stack.empty()) {
    Frame& top = search.stack.back();
    uint32_t degree = graph_.degree(top.state);
    if (graph_.stopped()) return found(search, kFalse);
    if (top.next == degree) {
      Frame left = top;
      search.stack.pop_back();
      if (left.low == search.order[left.state]) {
        for (uint64_t i = left.low; i < search.open.size(); ++i) label(search, search.open[i]) = kFalse;
        search.open.resize(left.low);
      } else {
        search.stack.back().low = std::min(search.stack.back().low, left.low);
      }
      continue;
    }
    StateId target = graph_.target(top.state, top.next++);
    if (target == kPruned) continue;
    if (target == kCut) {
      if (mode == Mode::May) return found(search, kTrue);
      continue;
    }
    Label known = static_cast<Label>(label(search, target));
    if (known == kOpen) {
      top.low = std::min(top.low, search.order[target]);
      continue;
    }
    if (known == kNew) known = classify(search, node, mode, target);
    if (known == kTrue) return found(search, kTrue);
    if (known == kOpen) push(search, target);
  }
  return false;
}

bool Checker::always_until(Search& search, const Formula::Node& node, Mode mode, StateId state) {
  if (Label value = classify(search, node, mode, state); value != kOpen) return value == kTrue;
  push(search, state);
  while (!search.stack.empty()) {
    Frame& top = search.stack.back();
    uint32_t degree = graph_.degree(top.state);
    if (graph_.stopped()) return found(search, kFalse);
    if (top.next == degree) {
      // `low` counts nothing here; it is set when some choice is a behaviour, so that an end is noticed.
      if (top.low != kNoState) return found(search, kFalse);
      label(search, top.state) = kTrue;
      search.open.pop_back();
      search.stack.pop_back();
      continue;
    }
    StateId target = graph_.target(top.state, top.next++);
    if (target == kPruned) continue;
    top.low = kNoState;
    if (target == kCut) {
      if (mode == Mode::Must) return found(search, kFalse);
      continue;
    }
    Label known = static_cast<Label>(label(search, target));
    if (known == kOpen) return found(search, kFalse);  // a cycle without q
    if (known == kNew) known = classify(search, node, mode, target);
    if (known == kFalse) return found(search, kFalse);
    if (known == kOpen) push(search, target);
  }
  return true;
}

uint64_t Checker::bytes() const {
  uint64_t total = 0;
  for (const Search& search : searches_) total += search.labels.bytes() + search.order.bytes();
  return total;
}

}  // namespace whittle::explore
