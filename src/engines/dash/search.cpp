#include "engines/dash/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <unordered_set>

#include "engines/dash/addresses.h"
#include "engines/dash/contracts.h"
#include "engines/dash/elements.h"
#include "engines/dash/facts.h"
#include "engines/dash/invariants.h"
#include "engines/dash/project.h"
#include "solve/in_turn.h"
#include "solve/stack.h"

namespace whittle::engines::dash {

using program::kNone;

namespace {

constexpr double kSecondsPerQuery = 10;
constexpr uint32_t kLongPath = 1000;  ///< conditions on the way of a test
constexpr uint64_t kSteps = 5'000'000, kStepsForSums = 500'000;  ///< about a second, and a tenth of one, before integers are tried

/// Of this process: what an answer costs does not depend on what else the computer does.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Search::Search(const program::Program& program, const verdict::Specification& specification, SearchOptions options,
               whittle::Context& context)
    : program_(program),
      context_(context),
      options_(std::move(options)),
      code_(std::make_shared<exec::Code>(program, specification)),
      space_(code_, program::analysis::analyses_of(context, program)),
      runner_(space_, code_),
      walker_(space_),
      forest_(space_),
      random_(options_.seed * 0x9e3779b97f4a7c15u + 1),
      begun_(now()) {
  std::shared_ptr<solve::Solver> bits = solve::make_solver(context, program.terms());
  solver_ = solve::make_in_turn(
      {{bits, kSecondsPerQuery, true, kSteps, kStepsForSums},
       {solve::make_cvc5_on_integers(program.terms()), kSecondsPerQuery / 2, false},
       {bits, kSecondsPerQuery}});
  solver_->set_budget({.seconds = kSecondsPerQuery});
}

solve::Result Search::ask(const std::vector<Term>& assumptions) {
  ++counts_.iterations;
  ++counts_.solver_calls;
  double begin = now();
  solve::Result result = solver_->check(assumptions);
  counts_.solver_seconds += now() - begin;
  return result;
}

/// Questions for invariants and contracts, until then.
Asking Search::asking(double until) {
  Asking asking;
  asking.ask = [this](const std::vector<Term>& conditions) { return ask(conditions); };
  asking.value = [this](Term t) { return solver_->value(t); };
  asking.core = [this] { return solver_->core(); };
  asking.dropped = [this](uint32_t node, Term t) {
    if (graph_ && !t.is_constant()) closest_[node] = t;
  };
  asking.out_of_budget = [this, until] { return now() > until || context_.limits.poll_now() != Stop::No; };
  return asking;
}

u128 Search::next_input(size_t number, unsigned width) {
  if (parent_ && number < parent_->inputs.size()) return parent_->inputs[number].value;
  random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
  switch (random_ >> 20 & 3) {
    case 0: return 0;
    case 1: return 1;
    case 2: return (random_ >> 24) % 16;
    default: return u128{random_ >> 8} & mask128(width);
  }
}

/// True if it is a violation.
bool Search::add_test(const TestPlan& plan, const Test* parent) {
  parent_ = parent;
  ++counts_.tests;
  Test test = runner_.run(
      plan, [&](size_t n, unsigned width) { return next_input(n, width); }, {}, context_.limits);
  bool violated = test.end == Test::End::Error && shown();
  if (test.end == Test::End::Unknown && cut_.empty()) cut_ = test.reason;
  if (test.end == Test::End::Assumed && assumed_.empty()) assumed_ = test.reason;
  too_long_ |= test.end == Test::End::Long;
  uint32_t number = forest_.add(std::move(test));
  if (graph_) graph_->add_states(number);
  return violated;
}

/// The violation of the last test as users see it: with a trace, at the addresses that every run has.
bool Search::shown() {
  violation_ = exec::replay(code_, runner_.counterexample(), &context_.limits);
  if (violation_.violation) return true;
  if (cut_.empty()) cut_ = "a violation depends on where objects lie";
  return false;
}

/// Before giving up: some more runs. True if one is a violation.
bool Search::look_around() {
  constexpr int kRuns = 200;
  parent_ = nullptr;
  for (int i = 0; i < kRuns && context_.limits.poll_now() == Stop::No; ++i) {
    Test test = runner_.run(
        {}, [&](size_t n, unsigned width) { return next_input(n, width); }, {}, context_.limits);
    if (test.end == Test::End::Error && shown()) return true;
    if (test.inputs.empty()) break;  // they are all the same
  }
  return false;
}

Search::Answer Search::run() {
  for (const auto* tests : {&kept_.tests, &options_.tests})
    for (const auto& inputs : *tests) {
      if (context_.limits.poll_now() != Stop::No) break;
      if (add_test({inputs, {}, {}}, nullptr)) return Answer::Violated;
    }
  Test zero;
  zero.inputs.resize(4096);
  if (add_test({}, &zero)) return Answer::Violated;
  if (forest_.test(forest_.size() - 1).forked())
    for (int i = 0; i < 3; ++i)
      if (add_test({}, nullptr)) return Answer::Violated;
  for (const KeptPredicate& kept : kept_.predicates)
    for (uint32_t c = kept.place.context; space_.context(c).parent != kNone; c = space_.context(c).parent)
      walker_.expand(space_.context(c).parent, space_.context(c).edge);
  if (wants_contracts(space_) && learn_contracts()) return Answer::Violated;
  graph_ = std::make_unique<Graph>(space_, walker_, forest_);
  use_kept_predicates();
  for (;;) {
    if (context_.limits.poll_now() != Stop::No) {
      reason_ =
          fmt::format("{} after {} iterations{}", to_string(context_.limits.stopped()), counts_.iterations, busiest());
      return Answer::Unknown;
    }
    if (counts_.iterations >= options_.iterations) {
      reason_ = fmt::format("{} iterations done{}", counts_.iterations, busiest());
      return Answer::Unknown;
    }
    context_.progress.update([&] {
      return fmt::format("dash: {} iterations, {} tests, {} regions, {:.0f} s", counts_.iterations, counts_.tests,
                         graph_->region_count(), context_.limits.elapsed());
    });
    auto edge = graph_->frontier(Graph::kError);
    if (!edge) edge = graph_->frontier(Graph::kUnknown);
    if (!edge) {
      if (stuck_edges_ > 0 && strengthen()) {
        if (found_) return Answer::Violated;
        continue;
      }
      if (stuck_edges_ > 0 || !cut_.empty()) {
        if (look_around()) return Answer::Violated;
        reason_ =
            stuck_edges_ > 0 ? stuck_ + busiest() : "no violation found, but not everything could be followed: " + cut_;
        return Answer::Unknown;
      }
      return Answer::Proved;
    }
    if (most_splits_ >= next_strengthening_) {
      next_strengthening_ *= 3;
      if (strengthen()) {
        if (found_) return Answer::Violated;
        continue;
      }
    }
    uint64_t tests = counts_.tests, expanded = counts_.expanded;
    if (extend(*edge) == Step::Violated) return Answer::Violated;
    // What a call does is new to the sources of invariants: they need not wait until splits have tripled.
    if (counts_.expanded != expanded && strengthenings_ > 0)
      next_strengthening_ = std::min(next_strengthening_, most_splits_ + 4);
    // Splits and splits, and nothing new is seen: look around.
    idle_ = counts_.tests == tests ? idle_ + 1 : 0;
    if (idle_ % 64 == 63 && forest_.test(0).forked() && counts_.tests < 400 && add_test({}, nullptr))
      return Answer::Violated;
  }
}

/// True if a test that was run for it is a violation.
bool Search::learn_contracts() {
  for (int i = 0; i < 8; ++i)
    if (add_test({}, nullptr)) return true;
  const double until = now() + 2 + 0.1 * context_.limits.remaining();
  Asking asking = this->asking(until);
  find_contracts(space_, forest_, asking);
  if (options_.explain)
    for (const std::string& line : contract_lines(space_))
      fmt::print(stderr, "iteration {}: calls of {}\n", counts_.iterations, line);
  return false;
}

/// What an earlier run proved of nodes, as far as it still holds.
void Search::use_kept_predicates() {
  if (kept_.predicates.empty()) return;
  Asking asking = this->asking();
  std::vector<std::pair<Place, Term>> candidates;
  for (const KeptPredicate& kept : kept_.predicates) candidates.emplace_back(kept.place, kept.predicate);
  if (Invariants(space_, *graph_, forest_, asking).keep(candidates)) graph_->prune();
}

/// For those who can say more than was found: the loop, what was tried, and what came closest.
std::string Search::busiest() const {
  if (!graph_) return {};
  uint32_t most = kNone;
  for (uint32_t n = 2; n < graph_->nodes(); ++n)
    if (graph_->node(n).loop_head && (most == kNone || graph_->node(n).splits > graph_->node(most).splits)) most = n;
  if (most == kNone || graph_->node(most).splits < 4) return {};
  const Node& node = graph_->node(most);
  const auto& function = space_.function(node.place.context);
  const auto& statement = function.edges[function.locations[node.place.location].first_edge].statement;
  std::string text =
      fmt::format("; the loop at {} was split {} times", program_.where(statement.position), node.splits);
  if (strengthenings_ == 0) return text;
  std::string tried = "tests and the shape of loops";
  if (sources_.polyhedra) tried += ", polyhedra";
  if (sources_.readings > 0) tried += ", Horn clauses";
  text += fmt::format(" (invariants were tried from {})", tried);
  auto closest = closest_.find(most);
  if (closest == closest_.end()) return text;
  const std::string candidate = space_.to_c(closest->second);
  constexpr size_t kLongest = 200;
  if (candidate.size() > kLongest) return text;
  const auto variables = term::leaves(closest->second);
  const bool all = std::find(variables.begin(), variables.end(), graph_->space().element()) != variables.end();
  return text + fmt::format("; of these, all tests agree with this one, but it is not inductive: {}{}",
                            all ? "for all n: " : "", candidate);
}

void Search::stuck(uint32_t edge, std::string why) {
  graph_->edge(edge).stuck = true;
  ++stuck_edges_;
  if (stuck_.empty()) stuck_ = std::move(why);
}

StateRef Search::choose(uint32_t edge) const {
  const auto& states = graph_->region(graph_->edge(edge).from).states;
  if (uint32_t misses = graph_->edge(edge).misses) return states[misses * 7919 % states.size()];  // another one
  const auto& steps = graph_->block(graph_->edge(edge).block).block.steps;
  constexpr size_t kLast = 64;
  if (std::any_of(steps.begin(), steps.end(), [](const auto& s) { return s.checked; }))
    for (size_t i = states.size(); i-- > 0 && i + kLast >= states.size();)
      if (in_objects(graph_->edge(edge).block, states[i])) return states[i];
  StateRef best = states[0];
  for (const StateRef& s : states)
    if (s.visit < best.visit) best = s;
  return best;
}

bool Search::same_end(const Block& a, const Block& b) {
  if (a.end == Block::End::Node) return true;
  return !a.steps.empty() && !b.steps.empty() && a.steps.back().context == b.steps.back().context &&
         a.reason == b.reason;
}

/// Does the variable hold the address of one object on the heap in all states that tests have in the region?
bool Search::must_alias(uint32_t region, Term variable) const {
  if (!space_.owner(variable).known() || variable.width() != program_.pointer_width()) return false;
  const auto& states = graph_->region(region).states;
  auto value = [&](StateRef s) { return forest_.test(s.test).evaluate(space_, s.visit, variable); };
  if (states.empty()) return false;
  const u128 first = value(states[0]);
  const auto& sites = space_.sites();
  if (std::none_of(sites.begin(), sites.end(), [&](const Site& s) { return s.heap && s.address == first; }))
    return false;
  const size_t step = std::max<size_t>(1, states.size() / 16);
  for (size_t i = 0; i < states.size(); i += step)
    if (value(states[i]) != first) return false;
  return true;
}

/// The objects that the variable points to where tests were at the region's node, if they are few.
std::vector<u128> Search::places(uint32_t region, Term variable) const {
  if (!space_.owner(variable).known() || variable.width() != program_.pointer_width()) return {};
  constexpr size_t kFew = 3;
  std::vector<u128> values;
  const auto& states = forest_.at(graph_->node(graph_->region(region).node).place);
  const size_t step = std::max<size_t>(1, states.size() / 16);
  for (size_t i = 0; i < states.size(); i += step) {
    u128 v = forest_.test(states[i].test).evaluate(space_, states[i].visit, variable);
    if (std::find(values.begin(), values.end(), v) != values.end()) continue;
    if (values.size() == kFew || !space_.starts_object(static_cast<uint64_t>(v))) return {};
    values.push_back(v);
  }
  std::sort(values.begin(), values.end());
  return values;
}

Reasons Search::reasons_of(const RegionEdge& edge, StateRef state, uint32_t next) {
  const Test& test = forest_.test(state.test);
  Oracle oracle = [&](Term t) { return test.evaluate(space_, state.visit, t); };
  oracle.must_alias = [&](Term v) { return must_alias(edge.from, v); };
  oracle.places = [&](Term v) { return places(edge.from, v); };
  Effect* effect = graph_->effect(edge.block, &oracle);
  Reasons reasons;
  reasons.aliases = effect->aliases();
  for (Term g : effect->guards()) flatten(g, reasons.conditions);
  if (edge.to <= Graph::kUnknown) reasons.label = reasons.conditions;
  bool resolved = graph_->block(edge.block).needs_state;
  auto before = [&](Term t) {
    return resolved ? effect->pre(t, reasons.aliases) : graph_->before(edge.block, t, &oracle, reasons.aliases);
  };
  if (next != kNone)
    for (Term t : graph_->edge(next).why) flatten(before(t), reasons.label);
  for (Term t : graph_->region(edge.to).literals) flatten(before(t), reasons.conditions);
  // (Of a state that a test was in they are known anyway: only what is simple is worth repeating.)
  for (Term t : graph_->node(graph_->region(edge.from).node).invariants)
    if (!solve::has_exact_sums(t)) flatten(t, reasons.conditions);
  reasons.inputs = effect->inputs();
  reasons.accesses = effect->checked_accesses();
  reasons.memory = effect->without_value();
  return reasons;
}

Search::Step Search::extend(const Frontier& frontier) {
  uint32_t e = frontier.edge;
  RegionEdge edge = graph_->edge(e);
  // Where invariants or contracts tell something that tests do not.
  const bool more_is_known = graph_->node(graph_->region(edge.from).node).knows_something() ||
                             graph_->node(graph_->region(edge.to).node).knows_something() || promised(edge.block);
  if (more_is_known && is_infeasible(e)) return Step::Progress;
  // Before the first question about a place: what was asked there in another call of the function?
  if (options_.share && share(graph_->node(graph_->region(edge.from).node).place.context)) return Step::Progress;
  StateRef state = choose(e);
  const Test& test = forest_.test(state.test);
  const Visit visit = test.visits[state.visit];
  if (visit.conditions > kLongPath && !too_long_) {  // questions about it would be hard: what loops preserve comes first
    too_long_ = true;
    next_strengthening_ = std::min(next_strengthening_, most_splits_);
    return Step::Progress;
  }
  Reasons reasons = reasons_of(edge, state, frontier.next);
  for (Term t : reasons.conditions)
    if (t.is_false()) {
      reasons.core = {t};
      return refine(e, state, std::move(reasons), frontier.next);
    }
  std::vector<Term> assumptions, pins;
  for (Term t : reasons.conditions) assumptions.push_back(test.symbolic(space_, state.visit, t, pins));
  // Other aliases may lead there, too, so they are not ruled out unless that led astray.
  if (edge.astray)
    for (Term t : reasons.aliases) assumptions.push_back(test.symbolic(space_, state.visit, t, pins));
  for (const auto& access : reasons.accesses)
    assumptions.push_back(test.symbolic(space_, state.visit, access.in_object, pins));
  assumptions.insert(assumptions.end(), pins.begin(), pins.end());
  assumptions.insert(assumptions.end(), test.conditions.begin(), test.conditions.begin() + visit.conditions);
  ++counts_.iterations_of[space_.context(graph_->node(graph_->region(edge.from).node).place.context).function];
  solve::Result result = ask(assumptions);
  if (result.unknown()) {
    if (context_.limits.poll_now() != Stop::No) return Step::Progress;
    stuck(e, "the solver gave up: " + result.reason);
    return Step::Stuck;
  }
  if (result.sat()) {
    if (graph_->block(edge.block).block.skips_call()) {
      ++counts_.expanded;
      graph_->expand(edge.block);
      return Step::Progress;
    }
    return new_test(e, test, visit, reasons);
  }
  if (!reasons.accesses.empty() && move_into_objects(e, state, reasons))
    return found_ ? Step::Violated : Step::Progress;
  // A core that no state has a part in: nothing goes this way from anywhere.
  auto used = solver_->core();
  bool stateless = reasons.aliases.empty();
  for (Term u : used) {
    bool own = false;
    for (size_t i = 0; i < reasons.conditions.size(); ++i) {
      if (assumptions[i] != u) continue;
      own |= reasons.conditions[i] == u;
      flatten(reasons.conditions[i], reasons.core);
    }
    stateless &= own;
  }
  if (stateless) {
    ++counts_.removed;
    graph_->remove(e);
    return Step::Progress;
  }
  return refine(e, state, std::move(reasons), frontier.next);
}

/// A run that has the inputs of the model up to a visit.
TestPlan Search::plan(const Test& test, const Visit& visit) const {
  TestPlan plan;
  for (uint32_t i = 0; i < visit.inputs; ++i) plan.inputs.push_back(solver_->value(test.inputs[i].variable));
  // Memory that was never written has the value that is asked for when it is first read.
  for (const auto& [address, cell] : space_.cells()) plan.memory[address] = static_cast<uint8_t>(solver_->value(cell));
  for (const auto& lazy : test.lazy)
    if (lazy.input >= visit.inputs)
      plan.memory[lazy.address] =
          static_cast<uint8_t>(solver_->value(test.inputs[lazy.input].variable) >> (8 * lazy.byte));
  return plan;
}

/// Does the state have its pointers in objects where the block uses them, as far as that is checked?
bool Search::in_objects(uint32_t block, StateRef state) const {
  const Test& test = forest_.test(state.test);
  Oracle oracle = [&](Term t) { return test.evaluate(space_, state.visit, t); };
  const auto& accesses = graph_->effect(block, &oracle)->checked_accesses();
  return std::all_of(accesses.begin(), accesses.end(), [&](const auto& a) { return forest_.holds(state, a.in_object); });
}

/// No test can cross the edge from the state, maybe only because a pointer lies in no object there (what is read through
/// it is asked about at the address that it has). So the same path is run with pointers into objects; best where bytes have no
/// value, for these may be anything. True if there is such a test.
bool Search::move_into_objects(uint32_t e, StateRef state, const Reasons& reasons) {
  const RegionEdge edge = graph_->edge(e);
  if (edge.moved || in_objects(edge.block, state)) return false;
  graph_->edge(e).moved = true;
  auto& store = space_.terms();
  const Test& test = forest_.test(state.test);
  const Visit visit = test.visits[state.visit];
  std::vector<Term> assumptions(test.conditions.begin(), test.conditions.begin() + visit.conditions), pins, preferred;
  constexpr uint64_t kRoom = 16;
  const auto runs = test.without_value(state.visit, kRoom);
  for (const auto& access : reasons.accesses) {
    assumptions.push_back(test.symbolic(space_, state.visit, access.in_object, pins));
    Term inside = store.falsity();
    for (const auto& [begin, bytes] : runs) {
      const unsigned w = access.address.width();
      Term offset = store.sub(access.address, store.constant(w, begin));
      if (bytes >= access.bytes) inside = store.bor(inside, store.ule(offset, store.constant(w, bytes - access.bytes)));
    }
    preferred.push_back(test.symbolic(space_, state.visit, inside, pins));
  }
  assumptions.insert(assumptions.end(), pins.begin(), pins.end());
  std::vector<Term> best = assumptions;
  best.insert(best.end(), preferred.begin(), preferred.end());
  if (!ask(best).sat() && !ask(assumptions).sat()) return false;
  found_ = add_test(plan(test, visit), &test);
  return true;
}

Search::Step Search::new_test(uint32_t e, const Test& test, const Visit& visit, const Reasons& reasons) {
  RegionEdge edge = graph_->edge(e);
  TestPlan plan = this->plan(test, visit);
  for (Term t : reasons.inputs) plan.later.push_back(solver_->value(t));
  std::unordered_set<Term> asked;
  for (Term t : reasons.conditions)
    for (Term v : term::variables(t)) asked.insert(v);
  for (const auto& [address, any] : reasons.memory)
    if (asked.contains(any))
      for (unsigned b = 0; b < any.width() / 8; ++b)
        plan.memory[address + b] = static_cast<uint8_t>(solver_->value(any) >> (8 * b));
  const Block& block = graph_->block(edge.block).block;
  plan.watch_context = block.last_context;
  plan.watch_edge = block.last_edge;
  if (add_test(plan, &test)) return Step::Violated;
  const Test& made = forest_.test(forest_.size() - 1);
  if (made.watched && cut_.empty()) cut_ = block.reason;
  // Cut on the way, by what was not asked about: the question is asked again with that in mind.
  if (made.cut_edge != kNone && !made.watched && graph_->check_addresses(edge.block, made.cut_context, made.cut_edge))
    return Step::Progress;
  bool crossed = edge.to > Graph::kUnknown
                     ? graph_->region(edge.to).reached()
                     : made.watched || made.end == Test::End::Unknown || made.end == Test::End::Error;
  if (edge.to <= Graph::kUnknown && crossed) graph_->remove(e);  // known, and said in the end
  if (crossed) return Step::Progress;
  if (!edge.astray && !reasons.aliases.empty() && made.end != Test::End::Long) {
    graph_->edge(e).astray = true;
    return Step::Progress;
  }
  constexpr uint32_t kTries = 4;
  if (made.end != Test::End::Long && edge.misses < kTries && graph_->region(edge.from).states.size() > 1) {
    ++graph_->edge(e).misses;
    graph_->edge(e).astray = false;
    return Step::Progress;
  }
  if (made.end == Test::End::Long)
    stuck(e, fmt::format("a test is too long ({} statements)", made.statements));
  else
    stuck(e, "a test went another way than the model said" + (made.reason.empty() ? "" : ": " + made.reason));
  return Step::Stuck;
}

bool Search::excluded(const std::vector<Term>& conditions, StateRef state) const {
  for (Term c : conditions)
    if (!forest_.holds(state, c)) return true;
  return false;
}

/// Which of the conditions the split is about: what is chosen must be false in the state of the test. The fewer
/// conditions, the more states lose their way to the target. Nothing if the state does not tell.
std::optional<std::vector<Term>> Search::pick(const RegionEdge& edge, StateRef state, const Reasons& reasons) const {
  auto& store = space_.terms();
  auto any = [&](Term v) { return !space_.owner(v).known(); };
  std::vector<Term> chosen = project(store, reasons.label, any);
  bool whole = edge.to > Graph::kUnknown && excluded(chosen, state);
  if (!excluded(chosen, state)) {
    std::vector<Term> both = reasons.label;
    for (Term t : reasons.core) flatten(t, both);
    chosen = project(store, both, any);
  }
  if (!excluded(chosen, state)) chosen = project(store, reasons.conditions, any);
  if (!excluded(chosen, state)) return std::nullopt;
  Facts facts(store);
  for (Term t : graph_->region(edge.from).literals) facts.add(t);
  for (Term t : graph_->node(graph_->region(edge.from).node).invariants) facts.add(t);
  std::vector<Term> kept;
  for (int pass = 0; pass < 2; ++pass)  // equations first: they make others superfluous
    for (Term t : chosen) {
      if ((t.op() == term::Op::Eq) != (pass == 0)) continue;
      Term simple = facts.simplify(t);
      if (simple.is_true()) continue;
      kept.push_back(simple);
      facts.add(t);
    }
  if (facts.contradiction()) return std::vector<Term>{store.falsity()};
  bool loop = graph_->node(graph_->region(edge.from).node).loop_head;
  if (options_.bundles && !whole && edge.to <= Graph::kUnknown && (loop || reasons.siblings))
    drop_needless(edge, reasons.core, kept);
  return kept;
}

/// Branches that do not matter: conditions that no test of the region needs to be kept out.
void Search::drop_needless(const RegionEdge& edge, const std::vector<Term>& core, std::vector<Term>& chosen) const {
  const auto& all = graph_->region(edge.from).states;
  std::vector<StateRef> states;
  size_t step = std::max<size_t>(1, all.size() / 48);
  for (size_t i = 0; i < all.size(); i += step) states.push_back(all[i]);
  if (chosen.size() < 2) return;
  // Which states does each condition keep out? A condition is needless if others keep out all of its states.
  std::vector<std::vector<size_t>> keeps_out(chosen.size());
  std::vector<size_t> keepers(states.size(), 0);
  for (size_t i = 0; i < chosen.size(); ++i)
    for (size_t s = 0; s < states.size(); ++s)
      if (!forest_.holds(states[s], chosen[i])) {
        keeps_out[i].push_back(s);
        ++keepers[s];
      }
  if (std::find(keepers.begin(), keepers.end(), 0u) != keepers.end()) return;
  std::vector<char> kept(chosen.size(), 1);
  size_t left = chosen.size();
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < chosen.size() && left > 1; ++i) {
      if (!kept[i] || (pass == 0 && std::find(core.begin(), core.end(), chosen[i]) != core.end())) continue;
      if (!std::all_of(keeps_out[i].begin(), keeps_out[i].end(), [&](size_t s) { return keepers[s] > 1; })) continue;
      for (size_t s : keeps_out[i]) --keepers[s];
      kept[i] = 0;
      --left;
    }
  std::vector<Term> needed;
  for (size_t i = 0; i < chosen.size(); ++i)
    if (kept[i]) needed.push_back(chosen[i]);
  chosen = std::move(needed);
}

bool Search::speaks_of_inputs_to_come(const std::vector<Term>& terms) const {
  for (Term t : terms)
    for (Term v : term::variables(t))
      if (!space_.owner(v).known()) return true;
  return false;
}

/// Where pointers have one value, no split need say what they do not point to. Looked for again when calls were looked
/// into since. True if something new is known.
bool Search::learn_pointers() {
  const double begin = now();
  if (pointers_expanded_ == counts_.expanded || pointer_seconds_ > 0.5 + 0.1 * (begin - begun_)) return false;
  pointers_expanded_ = counts_.expanded;
  const bool news = find_pointers(space_, *graph_, [&] { return context_.limits.poll() != Stop::No; });
  if (news) graph_->prune();
  pointer_seconds_ += now() - begin;
  return news;
}

/// Where inputs to come are part of what separates the test from the target, where its pointers point may be enough,
/// whatever these inputs are.
std::optional<std::vector<Term>> Search::excluding_locations(const RegionEdge& edge, StateRef state,
                                                              const Reasons& reasons) {
  auto& store = space_.terms();
  std::vector<Term> places;
  std::unordered_set<Term> seen;
  for (Term t : reasons.conditions)
    for (Term v : term::variables(t)) {
      if (!space_.owner(v).known() || !seen.insert(v).second) continue;
      const u128 value = forest_.test(state.test).evaluate(space_, state.visit, v);
      const bool place = v.width() == program_.pointer_width() && space_.starts_object(static_cast<uint64_t>(value));
      if (place || v.width() == 1) places.push_back(store.eq(v, store.constant(v.width(), value)));
    }
  if (places.empty()) return std::nullopt;
  std::vector<Term> conditions = places;
  conditions.insert(conditions.end(), reasons.conditions.begin(), reasons.conditions.end());
  conditions.insert(conditions.end(), reasons.aliases.begin(), reasons.aliases.end());
  for (Term t : graph_->region(edge.from).literals) conditions.push_back(t);
  if (!ask(conditions).unsat()) return std::nullopt;
  return places;
}

Search::Step Search::refine(uint32_t e, StateRef state, Reasons reasons, uint32_t next) {
  auto& store = space_.terms();
  RegionEdge edge = graph_->edge(e);
  if (!reasons.aliases.empty() && learn_pointers()) return Step::Progress;
  if (speaks_of_inputs_to_come(reasons.aliases)) {
    if (is_infeasible(e)) return Step::Progress;
    stuck(e, "an address depends on an input that is not read yet");
    return Step::Stuck;
  }
  std::vector<uint32_t> siblings;
  for (uint32_t other : graph_->region(edge.from).out) {
    const RegionEdge& sibling = graph_->edge(other);
    if (other != e && !sibling.dead && sibling.to == edge.to && siblings.size() < 80 &&
        same_end(graph_->block(edge.block).block, graph_->block(sibling.block).block))
      siblings.push_back(other);
  }
  // (At the head of a loop whose rounds differ, that would tie together what has little to do with each other.)
  if (edge.to > Graph::kUnknown && (siblings.size() > 2 || graph_->node(graph_->region(edge.from).node).loop_head))
    siblings.clear();
  if (!options_.bundles) siblings.clear();
  reasons.siblings = !siblings.empty();
  auto chosen = pick(edge, state, reasons);
  if (!chosen && graph_->block(edge.block).block.skips_call()) {  // it is not enough what is known of the call
    ++counts_.expanded;
    graph_->expand(edge.block);
    return Step::Progress;
  }
  if (!chosen) {
    if (is_infeasible(e)) return Step::Progress;
    if (auto places = excluding_locations(edge, state, reasons)) {
      chosen = std::vector<Term>{store.falsity()};
      reasons.aliases.insert(reasons.aliases.end(), places->begin(), places->end());
      siblings.clear();
    }
  }
  if (!chosen) {
    stuck(e, "nothing that could be said without inputs to come separates a test from a violation");
    return Step::Stuck;
  }
  Term all = store.conjunction(*chosen);
  std::vector<Term> aliases = reasons.aliases;
  std::vector<uint32_t> removed{e};
  // Other ways from here to the same region are closed by the same split, if the test cannot go them either.
  for (uint32_t other : siblings) {
    RegionEdge sibling = graph_->edge(other);
    Reasons own = reasons_of(sibling, state, next);
    own.siblings = true;
    if (speaks_of_inputs_to_come(own.aliases)) continue;
    auto part = pick(sibling, state, own);
    if (!part) continue;
    all = store.bor(all, store.conjunction(*part));
    for (Term t : own.aliases) flatten(t, aliases);
    removed.push_back(other);
  }
  Facts region(store);
  for (Term t : graph_->region(edge.from).literals) region.add(t);
  std::vector<Term> needed;
  for (Term t : aliases) {
    std::vector<Term> parts;
    flatten(t, parts);
    for (Term part : parts)
      if (!region.simplify(part).is_true()) flatten(part, needed);
  }
  Term alias = store.conjunction(needed);
  region.add(all);
  if (region.contradiction()) all = store.falsity();
  if (all.is_false() && alias.is_true()) {
    counts_.removed += removed.size();
    for (uint32_t r : removed) graph_->remove(r);
    return Step::Progress;
  }
  Term predicate = store.bor(store.bnot(alias), all);
  std::vector<Term> yes{predicate}, no{store.bnot(all)};
  if (!alias.is_true()) no.insert(no.begin(), needed.begin(), needed.end());
  if (options_.explain) explain(edge, predicate);
  ++counts_.splits;
  graph_->split(edge.from, predicate, yes, no, removed, {predicate});
  const Node& node = graph_->node(graph_->region(edge.from).node);
  if (node.loop_head) most_splits_ = std::max(most_splits_, node.splits);
  return Step::Progress;
}

void Search::explain(const RegionEdge& edge, Term predicate) const {
  const Place& place = graph_->node(graph_->region(edge.from).node).place;
  const auto& function = space_.function(place.context);
  const auto& statement = function.edges[function.locations[place.location].first_edge].statement;
  std::string text = space_.to_c(predicate);
  if (text.size() > 300) text = text.substr(0, 297) + "...";
  fmt::print(stderr, "iteration {}: {} ({}, context {}): only if {}\n", counts_.iterations,
             program_.where(statement.position), function.name, place.context, text);
}

/// Something that the tests have in common and that all blocks preserve.
bool Search::strengthen() {
  if (!options_.invariants || strengthening_seconds_ > 2 + 0.4 * (now() - begun_)) return false;
  double begin = now();
  for (int i = 0; i < 4; ++i)
    if (forest_.test(0).forked() && !too_long_ && add_test({}, nullptr)) {
      found_ = true;
      return true;
    }
  bool news = false;
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    if (!propose()) break;
    news = true;
    ++counts_.invariants;
    graph_->prune();
    stuck_edges_ = 0;
    stuck_.clear();
    drop_empty_regions();
    if (!close_unreached()) break;
  }
  if (options_.explain) explain_invariants();
  strengthening_seconds_ += now() - begin;
  return news;
}

/// Ends that no test came close to, in the light of what is known now. Where tests are too long to get there, calls on
/// the way are looked into all the same. True if there are new ones.
bool Search::close_unreached() {
  std::set<uint32_t> calls;
  for (uint32_t target : {Graph::kError, Graph::kUnknown})
    for (uint32_t e : std::vector<uint32_t>(graph_->region(target).in)) {
      const RegionEdge& edge = graph_->edge(e);
      if (edge.dead || graph_->region(edge.from).reached() || is_infeasible(e)) continue;
      if (too_long_ && graph_->block(edge.block).block.skips_call()) calls.insert(edge.block);
    }
  for (uint32_t block : calls) {
    if (graph_->block(block).gone) continue;
    ++counts_.expanded;
    graph_->expand(block);
  }
  return !calls.empty() && context_.limits.poll_now() == Stop::No;
}

void Search::explain_invariants() const {
  for (uint32_t n = graph_->entry(); n < graph_->nodes(); ++n) {
    const Node& node = graph_->node(n);
    auto print = [&](const char* what, Term t) {
      fmt::print(stderr, "iteration {}: at location {} of {} {}: {}\n", counts_.iterations, node.place.location,
                 space_.function(node.place.context).name, what, space_.to_c(t));
    };
    for (Term t : node.invariants) print("always", t);
    for (const ElementFact& fact : node.elements) print("always, for all n", body(graph_->space(), fact));
  }
}

/// Candidates from one source after the other, until something new holds: what tests suggest, then polyhedra, then Horn
/// clauses. Where the first did not suffice, the others are asked besides it.
bool Search::propose() {
  if (sources_.expanded != counts_.expanded) sources_ = {counts_.expanded, false, 0};
  const ElementProposals elements = propose_elements(space_, *graph_, forest_);
  // (There is more to ask about arrays, and what is not asked to its end is of no use.)
  Asking guessing = this->asking(now() + (elements.facts.empty() ? 1 : 12) + 0.4 * (now() - begun_));
  explain(elements.conditions, "loops");
  if (options_.explain)
    for (const auto& [place, fact] : elements.facts) explain({{place, body(space_, fact)}}, "loops, of all n,");
  const bool news = Invariants(space_, *graph_, forest_, guessing).run(elements.conditions, elements.facts);
  if (strengthenings_++ == 0 && news) return true;
  if (!sources_.polyhedra) {
    sources_.polyhedra = true;
    const Proposals found = propose_by_polyhedra(space_, *graph_, 1);
    explain(found, "polyhedra");
    Asking judging = this->asking(now() + 2 + 0.1 * context_.limits.remaining());
    if (!found.empty() && Invariants(space_, *graph_, forest_, judging).keep(found)) return true;
  }
  return propose_by_clauses() || news;
}

/// Horn clauses, in one reading of bits after the other. Integers do not wrap around, so what tests suggest is tried along
/// with a solution: bounds that keep sums from that.
bool Search::propose_by_clauses() {
  constexpr solve::Reading kReadings[] = {{.is_signed = true, .fits = true},
                                          {.is_signed = true, .fits = false},
                                          {.is_signed = false, .fits = true},
                                          {.is_signed = false, .fits = false}};
  while (sources_.readings < std::size(kReadings) && context_.limits.poll_now() == Stop::No) {
    const double seconds = std::clamp(0.15 * context_.limits.remaining(), 1.0, 10.0);
    const Proposals found = dash::propose_by_clauses(space_, *graph_, kReadings[sources_.readings++], seconds);
    if (found.empty()) continue;
    ++counts_.clauses;
    explain(found, "clauses");
    Asking asking = this->asking(now() + 2 + 0.1 * context_.limits.remaining());
    if (Invariants(space_, *graph_, forest_, asking).run(found)) return true;
  }
  return false;
}

void Search::explain(const Proposals& proposals, const char* source) const {
  if (!options_.explain) return;
  for (const auto& [place, t] : proposals)
    fmt::print(stderr, "iteration {}: {} propose at location {} of {}: {}\n", counts_.iterations, source, place.location,
               space_.function(place.context).name, space_.to_c(t));
}

/// Conditions on a function's own registers that were needed in other calls of it, and on which all tests agree, may
/// hold in this call, too: then they are invariants here. Tried once for every call, where a loop of the function took
/// several splits elsewhere: otherwise splits cost less than questions about invariants.
bool Search::share(uint32_t context) {
  if (shared_.contains(context)) return false;
  const program::FunctionId function = space_.context(context).function;
  constexpr uint32_t kSplits = 4;
  bool hard = false;
  for (uint32_t n = graph_->entry(); n < graph_->nodes() && !hard; ++n) {
    const Node& node = graph_->node(n);
    hard = node.loop_head && node.splits >= kSplits && node.place.context != context &&
           space_.context(node.place.context).function == function;
  }
  if (!hard) return false;
  shared_.insert(context);
  std::map<program::LocationId, std::vector<Term>> conditions;
  for (uint32_t n = graph_->entry(); n < graph_->nodes(); ++n) {
    const Place& place = graph_->node(n).place;
    if (place.context == context || space_.context(place.context).function != function) continue;
    std::vector<Term> found;
    graph_->own_conditions(n, found);
    for (Term t : found)
      if (Term here = graph_->translate(t, place.context, context)) conditions[place.location].push_back(here);
  }
  std::vector<std::pair<Place, Term>> candidates;
  for (auto& [location, terms] : conditions) {
    const auto& states = forest_.at({context, location});
    std::set<uint32_t> once;
    for (Term t : terms) {
      if (!once.insert(t.id()).second || once.size() > 16 || states.empty()) continue;
      candidates.emplace_back(Place{context, location}, forest_.holds(states[0], t) ? t : space_.terms().bnot(t));
    }
  }
  if (candidates.empty()) return false;
  Asking asking = this->asking();
  if (!Invariants(space_, *graph_, forest_, asking).keep(candidates, false)) return false;
  ++counts_.shared;
  graph_->prune(context);
  return true;
}

bool Search::slice_invariants(double seconds) {
  Asking asking = this->asking(now() + seconds);
  const auto searched = counts_;
  const bool fewer = Invariants(space_, *graph_, forest_, asking).slice();
  counts_.iterations = searched.iterations;  // of the search, which is over
  counts_.solver_calls = searched.solver_calls;
  return fewer;
}

bool Search::explain_calls() {
  std::vector<std::pair<Place, Term>> candidates;
  for (uint32_t n = graph_->entry(); n < graph_->nodes(); ++n) {
    const Place& place = graph_->node(n).place;
    for (uint32_t c = place.context; space_.context(c).parent != kNone; c = space_.context(c).parent) {
      const uint32_t parent = space_.context(c).parent;
      const program::Edge& call = space_.edge(parent, space_.context(c).edge);
      for (program::LocationId around : {call.from, call.to})
        if (auto outside = graph_->find({parent, around}))
          for (Term t : graph_->node(*outside).invariants) candidates.emplace_back(place, t);
    }
  }
  if (candidates.empty()) return false;
  Asking asking = this->asking();
  return Invariants(space_, *graph_, forest_, asking).keep(candidates, false);
}

void Search::drop_empty_regions() {
  unsigned asked = 0;
  for (uint32_t n = 2; n < graph_->nodes(); ++n) {
    if (graph_->node(n).invariants.empty()) continue;
    for (uint32_t r : std::vector<uint32_t>(graph_->node(n).regions)) {
      const Region& region = graph_->region(r);
      if (region.reached() || region.literals.empty() || asked >= 60) continue;
      std::vector<Term> conditions = region.literals;
      const auto& invariants = graph_->node(n).invariants;
      conditions.insert(conditions.end(), invariants.begin(), invariants.end());
      ++asked;
      if (ask(conditions).unsat()) graph_->clear(r);
    }
  }
}

/// Does the block pass over a call of which something is known?
bool Search::promised(uint32_t block) {
  const auto& steps = graph_->block(block).block.steps;
  return std::any_of(steps.begin(), steps.end(), [&](const auto& s) {
    return s.kind == dash::Step::Kind::Skip && space_.contract(s.callee) != nullptr;
  });
}

/// Looks at the edge alone, wherever a run may come from, once; if it is impossible, it goes.
bool Search::is_infeasible(uint32_t e) {
  RegionEdge edge = graph_->edge(e);
  if (edge.asked) return false;
  graph_->edge(e).asked = true;
  const auto& after = graph_->node(graph_->region(edge.to).node).invariants;
  const Node& from = graph_->node(graph_->region(edge.from).node);
  Effect effect(space_, graph_->block(edge.block).block, Oracle());
  std::vector<Term> conditions = from.invariants, none;
  for (Term t : graph_->region(edge.from).literals) conditions.push_back(t);
  for (Term t : effect.guards()) conditions.push_back(t);
  for (Term t : graph_->region(edge.to).literals) conditions.push_back(effect.pre(t, none));
  for (Term t : after) conditions.push_back(effect.pre(t, none));
  if (!from.elements.empty()) {
    use_addresses(space_, from.invariants, conditions);
    const std::vector<Term> more = instances(space_, from.elements, conditions);
    conditions.insert(conditions.end(), more.begin(), more.end());
  }
  if (!ask(conditions).unsat()) return false;
  ++counts_.removed;
  graph_->remove(e);
  return true;
}

}  // namespace whittle::engines::dash
