#include "engines/dash/clauses.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_set>

#include "solve/polyhedra.h"

namespace whittle::engines::dash {

using program::kNone;
using term::Op;

namespace {

class Clauses {
 public:
  Clauses(Space& space, Graph& graph, const ClauseLimits& limits)
      : space_(space), graph_(graph), limits_(limits), parameters_(graph.nodes()) {}

  /// Is something compared, divided or shifted without a sign?
  bool has_unsigned() const {
    std::unordered_set<Term> seen;
    std::vector<Term> todo;
    for (const Rule& rule : rules_) {
      todo.insert(todo.end(), rule.conditions.begin(), rule.conditions.end());
      todo.insert(todo.end(), rule.arguments.begin(), rule.arguments.end());
    }
    while (!todo.empty()) {
      Term t = todo.back();
      todo.pop_back();
      if (!seen.insert(t).second) continue;
      const Op op = t.op();
      if (op == Op::Ult || op == Op::Ule || op == Op::UDiv || op == Op::URem || op == Op::LShr) return true;
      for (unsigned i = 0; op != Op::Read && i < t.arity(); ++i) todo.push_back(t.kid(i));
    }
    return false;
  }

  /// False: too large.
  bool read_graph() {
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      const BlockInfo& info = graph_.block(b);
      // (Calls that were not looked into are not errors: whether they matter is decided elsewhere.)
      if (info.gone || (info.block.end == Block::End::Unknown && info.block.skips_call())) continue;
      Rule& rule = rules_.emplace_back();
      rule.from = *graph_.find(info.block.from);
      if (info.block.end == Block::End::Node) rule.to = *graph_.find(info.block.to);
      rule.effect = std::make_unique<Effect>(space_, info.block);
      rule.conditions = rule.effect->guards();
      for (Term t : graph_.node(rule.from).invariants) rule.conditions.push_back(t);
    }
    if (graph_.nodes() > limits_.nodes || rules_.size() > limits_.blocks) return false;
    for (Rule& rule : rules_)
      for (Term t : rule.conditions) need(rule.from, t);
    for (uint32_t b = 0; b < graph_.block_count(); ++b)
      if (!graph_.block(b).gone) need_arguments(graph_.block(b).block);
    for (bool changed = true; changed;) {
      changed = false;
      for (Rule& rule : rules_) {
        if (rule.to == kNone) continue;
        for (; rule.arguments.size() < parameters_[rule.to].size(); changed = true) {
          Term before = rule.effect->pre(parameters_[rule.to][rule.arguments.size()]);
          rule.arguments.push_back(before);
          need(rule.from, before);
        }
      }
    }
    return std::all_of(parameters_.begin(), parameters_.end(),
                       [&](const auto& p) { return p.size() <= limits_.parameters; });
  }

  size_t most_parameters() const {
    size_t most = 0;
    for (const auto& p : parameters_) most = std::max(most, p.size());
    return most;
  }

  Proposals by_clauses(solve::Reading reading, double seconds) {
    solve::Horn horn(space_.terms(), reading);
    const auto predicates = tell(horn, [&](uint32_t n) { return horn.predicate(parameters_[n]); });
    for (const Rule& rule : rules_)
      if (rule.to == kNone) horn.error(predicates[rule.from], rule.conditions);
    const auto outcome = horn.solve(seconds);
    Proposals found;
    if (outcome == solve::Horn::Outcome::Reached) return found;
    for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
      for (Term t : horn.solution(predicates[n])) found.emplace_back(graph_.node(n).place, t);
      if (outcome == solve::Horn::Outcome::Solved) continue;
      for (Term t : horn.lemmas(predicates[n], limits_.lemmas)) found.emplace_back(graph_.node(n).place, t);
    }
    return found;
  }

  void by_polyhedra(solve::Reading reading, double seconds, Proposals& found) {
    solve::Polyhedra polyhedra(space_.terms(), reading);
    const auto predicates =
        tell(polyhedra, [&](uint32_t n) { return polyhedra.predicate(parameters_[n], graph_.node(n).loop_head); });
    if (!polyhedra.solve(seconds)) return;
    for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n)
      for (Term t : polyhedra.solution(predicates[n])) found.emplace_back(graph_.node(n).place, t);
  }

  /// What holds at nodes where a value that loops leave alone is not negative, or positive.
  void by_cases(double seconds, Proposals& found) {
    auto& store = space_.terms();
    const std::vector<Term> values = left_alone();
    for (Term value : values)
      for (u128 least : {0, 1}) {
        auto in_case = [&](Term t) { return store.sge(t, store.constant(t.width(), least)); };
        solve::Polyhedra polyhedra(store, {.is_signed = true});
        const auto predicates = tell(
            polyhedra, [&](uint32_t n) { return polyhedra.predicate(parameters_[n], graph_.node(n).loop_head); },
            [&](const Rule& rule) {
              if (position(rule.from, value)) return in_case(value);
              const auto made = position(rule.to, value);
              return made ? in_case(rule.arguments[*made]) : store.truth();
            });
        if (!polyhedra.solve(seconds)) return;
        for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
          if (!position(n, value)) continue;
          for (Term t : polyhedra.solution(predicates[n])) {
            const Term candidate = store.bor(store.bnot(in_case(value)), t);
            if (!candidate.is_true()) found.emplace_back(graph_.node(n).place, candidate);
          }
        }
      }
  }

 private:
  struct Rule {
    uint32_t from = 0, to = kNone;
    std::unique_ptr<Effect> effect;
    std::vector<Term> conditions, arguments;
  };

  std::optional<size_t> position(uint32_t node, Term parameter) const {
    const auto& all = parameters_[node];
    const auto it = std::find(all.begin(), all.end(), parameter);
    return it == all.end() ? std::nullopt : std::optional<size_t>(it - all.begin());
  }

  /// Numbers that heads of loops need to know and that no rule changes.
  std::vector<Term> left_alone() const {
    constexpr size_t kMost = 3;
    std::vector<Term> found;
    for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
      if (!graph_.node(n).loop_head) continue;
      for (Term t : parameters_[n]) {
        if (found.size() >= kMost || t.width() < 8 || std::find(found.begin(), found.end(), t) != found.end()) continue;
        const bool changed = std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
          if (rule.to == kNone || !position(rule.from, t)) return false;
          const auto after = position(rule.to, t);
          return after && rule.arguments[*after] != t;
        });
        if (!changed) found.push_back(t);
      }
    }
    return found;
  }

  /// All rules from node to node; the predicates by node. `more`: a condition besides those of the rule.
  template <typename To, typename MakePredicate>
  std::vector<uint32_t> tell(To& to, const MakePredicate& make, const std::function<Term(const Rule&)>& more = {}) {
    std::vector<uint32_t> predicates(graph_.nodes());
    for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) predicates[n] = make(n);
    std::vector<Term> start;
    for (Term t : parameters_[graph_.entry()]) start.push_back(initially(t));
    to.rule(To::kStart, {}, predicates[graph_.entry()], start);
    for (const Rule& rule : rules_) {
      if (rule.to == kNone) continue;
      std::vector<Term> conditions = rule.conditions;
      if (more) conditions.insert(conditions.begin(), more(rule));
      to.rule(predicates[rule.from], conditions, predicates[rule.to], rule.arguments);
    }
    return predicates;
  }

  /// What a call that is not looked into yet is given may matter inside.
  void need_arguments(const Block& block) {
    if (block.steps.empty() || block.steps[0].kind != Step::Kind::Skip) return;
    const Step& call = block.steps[0];
    if (!space_.can_fail(call.callee)) return;
    for (Term t : space_.edge(call.context, call.edge).statement.operands)
      need(*graph_.find(block.from), space_.in(call.context, t));
  }

  void need(uint32_t node, Term t) {
    auto& known = parameters_[node];
    for (Term leaf : term::leaves(t)) {
      const bool nameable = leaf.is_variable() ? space_.owner(leaf).known() : leaf.kid(0).is_constant();
      if (nameable && known.size() <= limits_.parameters && std::find(known.begin(), known.end(), leaf) == known.end())
        known.push_back(leaf);
    }
  }

  Term initially(Term leaf) {
    if (leaf.is_variable() || !space_.program().object_at(leaf.kid(0).value64())) return leaf;
    u128 value = 0;
    for (unsigned i = 0; i < leaf.width() / 8; ++i)
      value |= u128{space_.initial_byte(leaf.kid(0).value64() + i)} << (8 * i);
    return space_.terms().constant(leaf.width(), value);
  }

  Space& space_;
  Graph& graph_;
  const ClauseLimits& limits_;
  std::vector<std::vector<Term>> parameters_;  ///< by node
  std::vector<Rule> rules_;
};

}  // namespace

Proposals propose_by_clauses(Space& space, Graph& graph, solve::Reading reading, double seconds,
                             const ClauseLimits& limits) {
  Clauses clauses(space, graph, limits);
  if (!clauses.read_graph() || (!reading.is_signed && !clauses.has_unsigned())) return {};
  return clauses.by_clauses(reading, seconds);
}

Proposals propose_by_polyhedra(Space& space, Graph& graph, double seconds, const ClauseLimits& limits) {
  Clauses clauses(space, graph, limits);
  Proposals found;
  if (!clauses.read_graph() || clauses.most_parameters() > limits.dimensions) return found;
  clauses.by_polyhedra({.is_signed = true}, seconds, found);
  if (clauses.has_unsigned()) clauses.by_polyhedra({.is_signed = false}, seconds, found);
  return found;
}

Proposals propose_by_cases(Space& space, Graph& graph, double seconds, const ClauseLimits& limits) {
  Clauses clauses(space, graph, limits);
  Proposals found;
  if (clauses.read_graph() && clauses.most_parameters() <= limits.dimensions) clauses.by_cases(seconds, found);
  return found;
}

}  // namespace whittle::engines::dash
