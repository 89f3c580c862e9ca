#include "explore/fair.h"

#include <algorithm>

namespace whittle::explore {
namespace {

/// Tarjan's algorithm over states that `inside` admits, from some of them. `visit` gets every component; true ends it.
template <typename Inside, typename Visit>
class Components {
 public:
  Components(StateGraph& graph, const Inside& inside, const Visit& visit)
      : graph_(graph), inside_(inside), visit_(visit), order_(graph.size(), 0) {}

  /// True: a visit ended it.
  bool from(StateId root) {
    if (order_[root] != 0 || !inside_(root)) return false;
    push(root);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.next < graph_.degree(top.state)) {
        const StateId target = graph_.target(top.state, top.next++);
        if (target >= kCut || !inside_(target)) continue;
        if (order_[target] == 0)
          push(target);
        else if (order_[target] != kDone)
          top.low = std::min(top.low, order_[target]);
        continue;
      }
      const Frame left = top;
      stack_.pop_back();
      if (!stack_.empty()) stack_.back().low = std::min(stack_.back().low, left.low);
      if (left.low == order_[left.state] && complete(left.state)) return true;
    }
    return false;
  }

 private:
  static constexpr uint32_t kDone = UINT32_MAX;
  struct Frame {
    StateId state;
    uint32_t next, low;
  };
  void push(StateId state) {
    order_[state] = ++count_;
    open_.push_back(state);
    stack_.push_back({state, 0, count_});
  }
  bool complete(StateId root) {
    auto begin = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    const std::vector<StateId> component(begin, open_.end());
    open_.erase(begin, open_.end());
    for (StateId state : component) order_[state] = kDone;
    return visit_(component);
  }

  StateGraph& graph_;
  const Inside& inside_;
  const Visit& visit_;
  std::vector<uint32_t> order_;  ///< 0: not seen
  std::vector<Frame> stack_;
  std::vector<StateId> open_;
  uint32_t count_ = 0;
};

bool has_cycle(StateGraph& graph, const std::vector<StateId>& component) {
  if (component.size() > 1) return true;
  for (uint32_t e = 0; e < graph.degree(component[0]); ++e)
    if (graph.target(component[0], e) == component[0]) return true;
  return false;
}

bool is_fair(StateGraph& graph, const Formula& formula, const std::vector<StateId>& component) {
  return has_cycle(graph, component) && std::ranges::all_of(formula.fair(), [&](uint32_t constraint) {
           return std::ranges::any_of(component,
                                      [&](StateId s) { return formula.evaluate(constraint, graph.atoms(s)); });
         });
}

}  // namespace

std::vector<StateId> fair_component(StateGraph& graph, const Formula& formula, StateId from,
                                    const std::function<bool(StateId)>& inside) {
  std::vector<StateId> found;
  auto visit = [&](const std::vector<StateId>& component) {
    if (!is_fair(graph, formula, component)) return false;
    found = component;
    return true;
  };
  Components components(graph, inside, visit);
  components.from(from);
  return found;
}

Truth FairChecker::truth() {
  expand_all();
  if (graph_.stopped()) return Truth::Unknown;
  if (label(formula_.root(), Mode::Must)[0] != 0) return Truth::Holds;
  return label(formula_.root(), Mode::May)[0] != 0 ? Truth::Unknown : Truth::Fails;
}

void FairChecker::expand_all() {
  std::vector<uint64_t> degrees;
  for (StateId s = 0; s < graph_.size(); ++s) {
    const uint32_t degree = graph_.degree(s);
    if (graph_.stopped()) return;
    for (uint32_t e = 0; e < degree; ++e) {
      const StateId target = graph_.target(s, e);
      if (target >= kCut) continue;
      if (target >= degrees.size()) degrees.resize(target + 1);
      ++degrees[target];
    }
  }
  degrees.resize(graph_.size());
  first_.assign(1, 0);
  for (uint64_t degree : degrees) first_.push_back(first_.back() + degree);
  predecessors_.resize(first_.back());
  std::vector<uint64_t> next(first_.begin(), first_.end() - 1);
  for (StateId s = 0; s < graph_.size(); ++s)
    for (uint32_t e = 0; e < graph_.degree(s); ++e)
      if (const StateId target = graph_.target(s, e); target < kCut) predecessors_[next[target]++] = s;
}

const FairChecker::Set& FairChecker::label(uint32_t node, Mode mode) {
  if (!graph_.has_cuts()) mode = Mode::Must;
  std::optional<Set>& known = labels_[2 * node + static_cast<uint32_t>(mode)];
  if (!known) known = compute(node, mode);
  return *known;
}

const FairChecker::Set& FairChecker::fair_states(Mode mode) {
  std::optional<Set>& known = fair_[static_cast<uint32_t>(mode)];
  if (!known) known = stay(Set(graph_.size(), 1), mode);
  return *known;
}

FairChecker::Set FairChecker::compute(uint32_t node, Mode mode) {
  const Formula::Node n = formula_[node];
  Set out(graph_.size());
  auto each = [&](auto value) {
    for (StateId s = 0; s < out.size(); ++s) out[s] = value(s) ? 1 : 0;
  };
  switch (n.op) {
    case Ctl::True: return Set(graph_.size(), 1);
    case Ctl::Atom: each([&](StateId s) { return (graph_.atoms(s) >> n.left & 1) != 0; }); return out;
    case Ctl::Not: {
      const Set& of = label(n.left, other(mode));
      each([&](StateId s) { return of[s] == 0; });
      return out;
    }
    case Ctl::And:
    case Ctl::Or: {
      const Set left = label(n.left, mode), &right = label(n.right, mode);
      each([&](StateId s) { return n.op == Ctl::And ? left[s] && right[s] : left[s] || right[s]; });
      return out;
    }
    case Ctl::ExistsUntil: {
      const Set left = label(n.left, mode), right = label(n.right, mode);
      const Set& fair = fair_states(mode);
      each([&](StateId s) { return right[s] && fair[s]; });
      return reach(left, out, mode);
    }
    case Ctl::AlwaysUntil: break;
  }
  // What makes it fail, in the other mode.
  const Mode fails = other(mode);
  const Set left = label(n.left, mode), right = label(n.right, mode);
  const Set& fair = fair_states(fails);
  Set not_yet(graph_.size()), neither(graph_.size());
  for (StateId s = 0; s < out.size(); ++s) {
    not_yet[s] = right[s] ? 0 : 1;
    neither[s] = !right[s] && !left[s] && fair[s] ? 1 : 0;
  }
  const Set lost = reach(not_yet, neither, fails), avoided = stay(not_yet, fails);
  each([&](StateId s) { return !lost[s] && !avoided[s]; });
  return out;
}

FairChecker::Set FairChecker::reach(const Set& inside, Set goal, Mode mode) const {
  std::vector<StateId> open;
  for (StateId s = 0; s < goal.size(); ++s) {
    if (mode == Mode::May && inside[s] && cut(s)) goal[s] = 1;
    if (goal[s]) open.push_back(s);
  }
  while (!open.empty()) {
    const StateId state = open.back();
    open.pop_back();
    for (uint64_t i = first_[state]; i < first_[state + 1]; ++i) {
      const StateId before = predecessors_[i];
      if (!inside[before] || goal[before]) continue;
      goal[before] = 1;
      open.push_back(before);
    }
  }
  return goal;
}

FairChecker::Set FairChecker::stay(const Set& inside, Mode mode) const {
  Set good(graph_.size());
  auto admits = [&](StateId s) { return inside[s] != 0; };
  auto visit = [&](const std::vector<StateId>& component) {
    if (is_fair(graph_, formula_, component))
      for (StateId s : component) good[s] = 1;
    return false;
  };
  Components components(graph_, admits, visit);
  for (StateId s = 0; s < good.size(); ++s) {
    components.from(s);
    if (inside[s] && ends(s)) good[s] = 1;
  }
  return reach(inside, std::move(good), mode);
}

bool FairChecker::ends(StateId state) const {
  for (uint32_t e = 0; e < graph_.degree(state); ++e)
    if (graph_.target(state, e) != kPruned) return false;
  return true;
}

bool FairChecker::cut(StateId state) const {
  for (uint32_t e = 0; e < graph_.degree(state); ++e)
    if (graph_.target(state, e) == kCut) return true;
  return false;
}

uint64_t FairChecker::bytes() const {
  uint64_t total = first_.size() * sizeof(uint64_t) + predecessors_.size() * sizeof(StateId);
  for (const auto& set : labels_) total += set ? set->size() : 0;
  for (const auto& set : fair_) total += set ? set->size() : 0;
  return total;
}

}  // namespace whittle::explore
