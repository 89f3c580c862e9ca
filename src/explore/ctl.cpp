#include "explore/ctl.h"

#include <bit>

#include "explore/checker.h"
#include "explore/depth_first.h"
#include "explore/fair.h"

namespace whittle::explore {
namespace {

/// AG p or EF p with propositional p: the node that a search looks for.
struct Reachability {
  uint32_t goal = 0;
  bool wanted = false;  ///< EF: reaching it makes the formula true
};
std::optional<Reachability> as_reachability(const Formula& formula) {
  const Formula::Node* node = &formula[formula.root()];
  bool negated = node->op == Ctl::Not;
  if (negated) node = &formula[node->left];
  if (node->op != Ctl::ExistsUntil || formula[node->left].op != Ctl::True || !formula.is_propositional(node->right))
    return std::nullopt;
  return Reachability{node->right, !negated};
}

CtlResult check_reachability(machine::Machine& machine, const Formula& formula, const Reachability& what,
                             const Options& options, Context& context) {
  Result found = search(machine, options, context, [&](uint64_t atoms) { return formula.evaluate(what.goal, atoms); });
  CtlResult result;
  result.plain_search = true;
  result.reason = found.reason;
  result.notes = std::move(found.notes);
  result.figures = found.figures;
  switch (found.outcome) {
    case Outcome::BadState:
      result.truth = what.wanted ? Truth::Holds : Truth::Fails;
      result.evidence = Evidence{std::move(found.path), std::nullopt};
      break;
    case Outcome::Holds: result.truth = what.wanted ? Truth::Fails : Truth::Holds; break;
    case Outcome::ProbablyHolds:
      result.truth = what.wanted ? Truth::Unknown : Truth::ProbablyHolds;
      if (what.wanted) result.reason = "no such state was found, but the store may have dropped some";
      break;
    case Outcome::Violation:
      result.violation = true;
      result.reason = "the machine's own property is violated";
      result.evidence = Evidence{std::move(found.path), std::nullopt};
      break;
    case Outcome::Deadlock:
    case Outcome::Unknown: break;
  }
  return result;
}

CtlResult check_locally(Run& run, const Formula& formula) {
  Budget budget{run.context.limits.memory()};
  TreeStore store(&budget);
  CtlResult result;
  std::vector<uint32_t> violation;
  StateGraph graph(run, store, static_cast<unsigned>(64 - std::countl_zero(formula.atoms() | 1)));
  if (run.options.dead == Dead::Dynamic) {
    StateGraph::Sink sink(graph);
    DepthFirst<TreeStore, true, StateGraph::Sink> order(run, store, sink);
    order();
    if (run.result.outcome == Outcome::Violation && run.done()) violation = run.result.path;
  } else {
    graph.begin();
  }
  Checker locally(formula, graph);
  FairChecker fairly(formula, graph);
  const bool fair = !formula.fair().empty();
  Labels& labels = fair ? static_cast<Labels&>(fairly) : locally;
  if (!run.done()) result.truth = fair ? fairly.truth() : locally.truth();
  if (fair && !run.done() && !fairly.starts()) {
    result.truth = Truth::Unknown;
    run.give_up("no path is fair: what --fair asks for does not come again and again on any of them");
  }
  if (run.done() && run.result.outcome == Outcome::Violation) {
    if (graph.violation_state() != kNoState) {
      violation = path_to(graph, graph.violation_state());
      extend_path(violation, graph.violation_choice(), graph.violation_steps());
    }
    result.violation = true;
    result.evidence = Evidence{std::move(violation), std::nullopt};
    run.give_up("the machine's own property is violated");
  }
  if (result.truth == Truth::Holds || result.truth == Truth::Fails)
    result.evidence = explain(formula, graph, labels, result.truth == Truth::Holds, run.machine);
  else if (!run.done())
    run.give_up(fmt::format("the answer depends on {} paths that were cut", run.figures.cuts));
  run.figures.states_created += graph.created();
  run.reduce_ticks += graph.ticks();
  run.figures.search_bytes += graph.bytes() + locally.bytes() + fairly.bytes();
  run.conclude(store, false);
  result.reason = result.truth == Truth::Unknown ? run.result.reason : "";
  result.notes = std::move(run.result.notes);
  result.figures = run.result.figures;
  return result;
}

}  // namespace

CtlResult check(machine::Machine& machine, const Formula& formula, const Options& asked, Context& context) {
  Options options = asked;
  options.deadlock_is_violation = false;
  if (std::optional<Reachability> what = as_reachability(formula); what && formula.fair().empty())
    return check_reachability(machine, formula, *what, options, context);
  std::vector<std::string> notes;
  if (asked.store != StoreKind::Exact || asked.order != Order::DepthFirst)
    notes.push_back("temporal formulas are checked in depth-first order with the exact store");
  options.store = StoreKind::Exact;
  options.order = Order::DepthFirst;
  Run run(machine, options, context, {}, true);
  CtlResult result = check_locally(run, formula);
  result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
  result.figures.put(context.statistics);
  return result;
}

const char* to_string(Truth truth) {
  switch (truth) {
    case Truth::Holds: return "holds";
    case Truth::Fails: return "fails";
    case Truth::ProbablyHolds: return "probably holds";
    case Truth::Unknown: return "unknown";
  }
  return "?";
}

}  // namespace whittle::explore
