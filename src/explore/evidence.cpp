// Paths that show why. Built over the explored graph, then expanded to every step of the machine and replayed.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "explore/checker.h"
#include "explore/fair.h"
#include "explore/search.h"

namespace whittle::explore {
namespace {

/// A path over the graph, and how it ends.
struct Track {
  std::vector<std::pair<StateId, uint32_t>> edges;  ///< state and choice
  std::optional<size_t> loop;                       ///< index into edges; edges.size(): the last state lasts
  size_t last_part = 0;                             ///< first edge of the last operator's part
  std::vector<std::pair<uint32_t, bool>> goal;      ///< what the last state shows, if that is propositional
};

class Explainer {
 public:
  Explainer(const Formula& formula, StateGraph& graph, Labels& labels)
      : formula_(formula), graph_(graph), labels_(labels) {}

  /// Is there a single path that shows this value?
  bool can_show(uint32_t node, bool value) const {
    const Formula::Node& n = formula_[node];
    switch (n.op) {
      case Ctl::Not: return can_show(n.left, !value);
      case Ctl::And:
      case Ctl::Or: return can_show(n.left, value) || can_show(n.right, value);
      case Ctl::ExistsUntil: return value;
      case Ctl::AlwaysUntil: return !value;
      default: return false;
    }
  }

  void explain(StateId state, uint32_t node, bool value) {
    const Formula::Node& n = formula_[node];
    switch (n.op) {
      case Ctl::Not: return explain(state, n.left, !value);
      case Ctl::And:
      case Ctl::Or: return explain_one_of(state, n, value);
      case Ctl::ExistsUntil:
        if (value) show_until(state, node);
        return;
      case Ctl::AlwaysUntil:
        if (!value) show_avoided(state, node);
        return;
      default: return;
    }
  }

  Track track;

 private:
  void explain_one_of(StateId state, const Formula::Node& n, bool value) {
    // One operand is enough for a false conjunction or a true disjunction, but it must be one that has the value.
    bool enough = (n.op == Ctl::Or) == value;
    bool left = !enough || labels_.certain(state, n.left, value);
    bool right = !enough || labels_.certain(state, n.right, value);
    if (left && (can_show(n.left, value) || !right)) return explain(state, n.left, value);
    explain(state, n.right, value);
  }

  void continue_with(StateId state, std::initializer_list<std::pair<uint32_t, bool>> facts) {
    for (auto [node, value] : facts)
      if (can_show(node, value)) return explain(state, node, value);
    track.goal.assign(facts.begin(), facts.end());
    for (auto [node, value] : facts)
      if (!formula_.is_propositional(node)) track.goal.clear();  // nothing to recognise the first such state by
  }

  /// Shortest way through expanded states with `inside` to one that satisfies `goal`; false if there is none.
  template <typename Inside, typename Goal>
  bool shortest(StateId from, Inside inside, Goal goal, StateId& reached) {
    std::unordered_map<StateId, std::pair<StateId, uint32_t>> parents{{from, {kNoState, 0}}};
    std::vector<StateId> queue{from};
    for (size_t i = 0; i < queue.size(); ++i) {
      StateId state = queue[i];
      if (goal(state)) {
        reached = state;
        size_t begin = track.edges.size();
        for (StateId at = state; parents[at].first != kNoState; at = parents[at].first)
          track.edges.push_back(parents[at]);
        std::reverse(track.edges.begin() + static_cast<std::ptrdiff_t>(begin), track.edges.end());
        return true;
      }
      if (!graph_.expanded(state)) continue;
      for (uint32_t e = 0; e < graph_.degree(state); ++e) {
        StateId target = graph_.target(state, e);
        if (target < kCut && inside(target) && parents.try_emplace(target, state, e).second) queue.push_back(target);
      }
    }
    return false;
  }

  void show_until(StateId state, uint32_t node) {
    const uint32_t right = formula_[node].right;
    track.last_part = track.edges.size();
    StateId reached = state;
    if (!shortest(
            state, [&](StateId s) { return labels_.labelled(s, node, true); },
            [&](StateId s) { return labels_.certain(s, right, true) && labels_.fair(s); }, reached))
      return;
    continue_with(reached, {{right, true}});
  }

  /// The states in which the until fails; each has a successor of the same kind, or is an end.
  void show_avoided(StateId state, uint32_t node) {
    const Formula::Node& n = formula_[node];
    track.last_part = track.edges.size();
    auto fails = [&](StateId s) { return labels_.labelled(s, node, false); };
    auto hopeless = [&](StateId s) {
      return labels_.certain(s, n.left, false) && labels_.certain(s, n.right, false) && labels_.fair(s);
    };
    StateId reached = state;
    if (shortest(state, fails, [&](StateId s) { return hopeless(s) || lasts(s); }, reached)) {
      if (hopeless(reached)) return continue_with(reached, {{n.left, false}, {n.right, false}});
      track.loop = track.edges.size();
      return;
    }
    if (formula_.fair().empty()) return close_loop(state, fails);
    close_fair_loop(state, [&](StateId s) { return labels_.certain(s, n.right, false); });
  }

  /// A loop through states of one kind on which every fairness constraint is true somewhere.
  template <typename Inside>
  void close_fair_loop(StateId state, Inside inside) {
    const std::vector<StateId> component = fair_component(graph_, formula_, state, inside);
    if (component.empty()) return;
    const std::unordered_set<StateId> within(component.begin(), component.end());
    auto in_component = [&](StateId s) { return within.contains(s); };
    StateId at = state;
    if (!shortest(state, inside, in_component, at)) return;
    const StateId first = at;
    const size_t begin = track.edges.size();
    for (uint32_t constraint : formula_.fair())
      shortest(at, in_component, [&](StateId s) { return formula_.evaluate(constraint, graph_.atoms(s)); }, at);
    // One step, so that a component of a single state has its loop, too.
    for (uint32_t e = 0; e < graph_.degree(at); ++e) {
      const StateId target = graph_.target(at, e);
      if (target >= kCut || !in_component(target)) continue;
      track.edges.emplace_back(at, e);
      at = target;
      break;
    }
    shortest(at, in_component, [&](StateId s) { return s == first; }, at);
    track.loop = begin;
  }

  template <typename Inside>
  void close_loop(StateId state, Inside fails) {
    std::unordered_map<StateId, size_t> positions;
    for (;;) {
      auto [it, first] = positions.try_emplace(state, track.edges.size());
      if (!first) {
        track.loop = it->second;
        return;
      }
      uint32_t degree = graph_.degree(state), e = 0;
      while (e < degree && !(graph_.target(state, e) < kCut && fails(graph_.target(state, e)))) ++e;
      if (e == degree) return;
      track.edges.emplace_back(state, e);
      state = graph_.target(state, e);
    }
  }

  bool lasts(StateId state) {
    if (!graph_.expanded(state)) return false;
    for (uint32_t e = 0; e < graph_.degree(state); ++e)
      if (graph_.target(state, e) != kPruned) return false;
    return true;
  }

  const Formula& formula_;
  StateGraph& graph_;
  Labels& labels_;
};

/// The same path in steps of the machine.
Evidence expand(const Track& track, StateGraph& graph, size_t& last_part) {
  Evidence evidence;
  std::vector<size_t> starts;  // of each edge, and of the end
  for (auto [state, choice] : track.edges) {
    starts.push_back(evidence.choices.size());
    extend_path(evidence.choices, choice, graph.steps(state, choice));
  }
  starts.push_back(evidence.choices.size());
  if (track.loop) evidence.loop = starts[*track.loop];
  last_part = starts[track.last_part];
  return evidence;
}

/// Where a graph state stands for several states that differ in dead bytes, the first round of a loop may not end in
/// the very state it began with. It does after another round or two, when all that is written has been written.
void settle_loop(Evidence& evidence, machine::Machine& machine) {
  if (!evidence.loop || *evidence.loop == evidence.choices.size()) return;
  const std::vector<uint32_t> round(evidence.choices.begin() + static_cast<std::ptrdiff_t>(*evidence.loop),
                                    evidence.choices.end());
  for (int more = 0; more < 16; ++more) {
    std::vector<uint8_t> start, end;
    replay(machine, evidence.choices, [&](uint32_t steps) {
      std::span<const uint8_t> bytes = machine.save();
      if (steps == *evidence.loop) start.assign(bytes.begin(), bytes.end());
      if (steps == evidence.choices.size()) end.assign(bytes.begin(), bytes.end());
      return true;
    });
    if (start == end) return;
    evidence.loop = evidence.choices.size();
    evidence.choices.insert(evidence.choices.end(), round.begin(), round.end());
  }
  evidence.loop.reset();
}

}  // namespace

std::optional<Evidence> explain(const Formula& formula, StateGraph& graph, Labels& labels, bool value,
                                machine::Machine& machine) {
  Explainer explainer(formula, graph, labels);
  if (!explainer.can_show(formula.root(), value)) return std::nullopt;
  explainer.explain(0, formula.root(), value);
  const Track& track = explainer.track;
  size_t last_part = 0;
  Evidence evidence = expand(track, graph, last_part);
  if (!evidence.loop && !track.goal.empty()) {
    // Section 3 of the paper: end with the first step that shows it, not where the elementary path ends.
    replay(machine, evidence.choices, [&](uint32_t steps) {
      uint64_t atoms = machine.observe();
      bool there = steps >= last_part && std::ranges::all_of(track.goal, [&](auto fact) {
                     return formula.evaluate(fact.first, atoms) == fact.second;
                   });
      if (there) evidence.choices.resize(steps);
      return !there;
    });
  }
  settle_loop(evidence, machine);
  return evidence;
}

std::vector<uint32_t> path_to(StateGraph& graph, StateId goal) {
  std::vector<std::pair<StateId, uint32_t>> parents(graph.size(), {kNoState, 0});
  std::vector<StateId> queue{0};
  parents[0].first = 0;
  for (size_t i = 0; i < queue.size() && queue[i] != goal; ++i) {
    if (!graph.expanded(queue[i])) continue;
    for (uint32_t e = 0; e < graph.degree(queue[i]); ++e) {
      StateId target = graph.target(queue[i], e);
      if (target >= kCut || parents[target].first != kNoState) continue;
      parents[target] = {queue[i], e};
      queue.push_back(target);
    }
  }
  std::vector<std::pair<StateId, uint32_t>> edges;
  for (StateId at = goal; at != 0; at = parents[at].first) edges.push_back(parents[at]);
  std::vector<uint32_t> path;
  for (size_t i = edges.size(); i-- > 0;)
    extend_path(path, edges[i].second, graph.steps(edges[i].first, edges[i].second));
  return path;
}

}  // namespace whittle::explore
