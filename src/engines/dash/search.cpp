#include "engines/dash/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engines/dash/facts.h"
#include "engines/dash/invariants.h"
#include "engines/dash/project.h"
#include "solve/stack.h"

namespace whittle::engines::dash {

using program::kNone;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Search::Search(const program::Program& program, const verdict::Specification& specification, SearchOptions options,
               whittle::Context& context)
    : program_(program),
      context_(context),
      options_(std::move(options)),
      code_(std::make_shared<exec::Code>(program, specification)),
      space_(program, specification),
      walker_(space_),
      forest_(space_),
      solver_(solve::make_solver(program.terms())),
      random_(options_.seed * 0x9e3779b97f4a7c15u + 1) {}

solve::Result Search::ask(const std::vector<Term>& assumptions) {
  ++counts_.iterations;
  ++counts_.solver_calls;
  double begin = now();
  solver_->set_budget({std::max(0.1, std::min(10.0, context_.limits.remaining())), 0, 0});
  solve::Result result = solver_->check(assumptions);
  counts_.solver_seconds += now() - begin;
  return result;
}

u128 Search::more(size_t number, unsigned width) {
  if (parent_ && number < parent_->inputs.size()) return parent_->inputs[number].value;
  random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
  switch (random_ >> 20 & 3) {
    case 0: return 0;
    case 1: return 1;
    case 2: return (random_ >> 24) % 16;
    default: return u128{random_ >> 8} & mask128(width);
  }
}

/// True if it is a violation that the machine confirms.
bool Search::add_test(const std::vector<u128>& inputs, const Test* parent) {
  parent_ = parent;
  ++counts_.tests;
  Test test = run_test(space_, inputs, [&](size_t n, unsigned width) { return more(n, width); }, {}, context_.limits);
  bool violated = test.end == Test::End::Error && confirm(test);
  if (test.end == Test::End::Unknown) {
    if (cut_.empty()) cut_ = test.reason;
    violated = machine_run(&test);
  }
  uint32_t number = forest_.add(std::move(test));
  if (graph_) graph_->add_states(number);
  return violated;
}

/// What a test cannot follow, the machine may: a run with the same inputs, then any.
bool Search::machine_run(const Test* test) {
  if (++machine_runs_ > 400) return false;
  exec::RunPlan plan;
  if (test)
    for (const auto& input : test->inputs) plan.inputs.push_back(input.value);
  plan.more_inputs = machine_runs_ % 4 == 0 ? exec::RunPlan::Inputs::Zero : exec::RunPlan::Inputs::Random;
  plan.seed = machine_runs_;
  plan.max_statements = 1'000'000;
  exec::RunResult result = exec::run(code_, plan, &context_.limits);
  if (!result.violation) return false;
  violation_ = exec::replay(code_, result.counterexample, &context_.limits);
  return violation_.violation.has_value();
}

bool Search::confirm(const Test& test) {
  verdict::Counterexample counterexample;
  for (const auto& input : test.inputs)
    counterexample.inputs.push_back({input.variable.width(), input.value, "", "", 0});
  violation_ = exec::replay(code_, counterexample, &context_.limits);
  if (violation_.violation) return true;
  if (cut_.empty()) cut_ = "a test found a violation that the machine does not show";
  return false;
}

Search::Answer Search::run() {
  for (const auto& inputs : options_.tests)
    if (add_test(inputs, nullptr)) return Answer::Violated;
  Test zero;
  zero.inputs.resize(4096);
  if (add_test({}, &zero)) return Answer::Violated;
  if (forest_.test(forest_.size() - 1).forked)
    for (int i = 0; i < 3; ++i)
      if (add_test({}, nullptr)) return Answer::Violated;
  graph_ = std::make_unique<Graph>(space_, walker_, forest_);
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
      if (stuck_edges_ > 0 && strengthen()) continue;
      if (stuck_edges_ > 0 || !cut_.empty()) {
        for (int i = 0; i < 200; ++i)
          if (machine_run(nullptr)) return Answer::Violated;
        reason_ =
            stuck_edges_ > 0 ? stuck_ + busiest() : "no violation found, but not everything could be followed: " + cut_;
        return Answer::Unknown;
      }
      return Answer::Proved;
    }
    if (options_.invariants && counts_.splits >= next_strengthening_) {
      next_strengthening_ *= 2;
      if (strengthen()) continue;
    }
    if (extend(*edge) == Step::Violated) return Answer::Violated;
  }
}

std::string Search::busiest() const {
  if (!graph_) return {};
  const Node* most = nullptr;
  for (uint32_t n = 2; n < graph_->nodes(); ++n)
    if (graph_->node(n).loop_head && (!most || graph_->node(n).splits > most->splits)) most = &graph_->node(n);
  if (!most || most->splits < 4) return {};
  const auto& function = space_.function(most->place.context);
  const auto& statement = function.edges[function.locations[most->place.location].first_edge].statement;
  return fmt::format("; the loop at {} was split {} times", program_.where(statement.position), most->splits);
}

void Search::stuck(uint32_t edge, std::string why) {
  graph_->edge(edge).stuck = true;
  ++stuck_edges_;
  if (stuck_.empty()) stuck_ = std::move(why);
}

StateRef Search::choose(uint32_t edge) const {
  const auto& states = graph_->region(graph_->edge(edge).from).states;
  StateRef best = states[0];
  for (const StateRef& s : states)
    if (s.visit < best.visit) best = s;
  return best;
}

Search::Step Search::extend(const Frontier& frontier) {
  uint32_t e = frontier.edge;
  RegionEdge edge = graph_->edge(e);
  StateRef state = choose(e);
  const Test& test = forest_.test(state.test);
  const Visit visit = test.visits[state.visit];
  Oracle oracle = [&](Term t) { return test.evaluate(space_, state.visit, t); };
  Effect* effect = graph_->effect(edge.block, &oracle);
  std::vector<Term> aliases = effect->aliases(), conditions;
  for (Term g : effect->guards()) flatten(g, conditions);
  std::vector<Term> label;
  if (edge.to <= Graph::kUnknown) label = conditions;
  auto before = [&](Term t) {
    return graph_->block(edge.block).needs_state ? effect->pre(t, aliases)
                                                 : graph_->before(edge.block, t, &oracle, aliases);
  };
  if (frontier.next != kNone)
    for (Term t : graph_->edge(frontier.next).why) flatten(before(t), label);
  for (Term t : graph_->region(edge.to).literals) flatten(before(t), conditions);
  std::vector<Term> inputs = effect->inputs();
  for (Term t : graph_->node(graph_->region(edge.from).node).invariants) flatten(t, conditions);
  bool impossible = std::any_of(conditions.begin(), conditions.end(), [](Term t) { return t.is_false(); });
  if (impossible) return refine(e, state, conditions, {space_.terms().falsity()}, label, aliases);

  std::vector<Term> assumptions, pins, sources;
  for (Term t : conditions) {
    Term over_inputs = test.symbolic(space_, state.visit, t, pins);
    assumptions.push_back(over_inputs);
    sources.push_back(t);
  }
  assumptions.insert(assumptions.end(), pins.begin(), pins.end());
  assumptions.insert(assumptions.end(), test.conditions.begin(), test.conditions.begin() + visit.conditions);
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
    return new_test(e, test, visit, inputs);
  }
  std::vector<Term> core;
  auto used = solver_->core();
  for (size_t i = 0; i < sources.size(); ++i)
    if (std::find(used.begin(), used.end(), assumptions[i]) != used.end() &&
        std::find(core.begin(), core.end(), sources[i]) == core.end())
      core.push_back(sources[i]);
  return refine(e, state, conditions, core, label, aliases);
}

Search::Step Search::new_test(uint32_t e, const Test& test, const Visit& visit, const std::vector<Term>& block_inputs) {
  RegionEdge edge = graph_->edge(e);
  std::vector<u128> inputs;
  for (uint32_t i = 0; i < visit.inputs; ++i) inputs.push_back(solver_->value(test.inputs[i].variable));
  for (Term t : block_inputs) inputs.push_back(solver_->value(t));
  if (add_test(inputs, &test)) return Step::Violated;
  const Test& made = forest_.test(forest_.size() - 1);
  bool crossed = edge.to > Graph::kUnknown ? graph_->region(edge.to).reached()
                                           : made.end == Test::End::Unknown || made.end == Test::End::Error;
  if (edge.to <= Graph::kUnknown && crossed) graph_->remove(e);  // known, and said in the end
  if (!crossed) {
    if (made.end == Test::End::Long)
      stuck(e, fmt::format("a test is too long ({} statements)", made.statements));
    else
      stuck(e, "a test went another way than the model said");
    return Step::Stuck;
  }
  return Step::Progress;
}

bool Search::excluded(const std::vector<Term>& conditions, StateRef state) const {
  for (Term c : conditions)
    if (!forest_.holds(state, c)) return true;
  return false;
}

/// Which of the conditions the split is about. Whatever is chosen must be false in the state of the test; the fewer
/// conditions, the more states lose their way to the target.
Search::Step Search::refine(uint32_t e, StateRef state, const std::vector<Term>& conditions,
                            const std::vector<Term>& core, const std::vector<Term>& label,
                            const std::vector<Term>& aliases) {
  auto& store = space_.terms();
  RegionEdge edge = graph_->edge(e);
  auto any = [&](Term v) { return !space_.owner(v).known(); };
  for (Term a : aliases)
    for (Term v : term::variables(a))
      if (any(v)) {
        stuck(e, "an address depends on an input that is not read yet");
        return Step::Stuck;
      }
  std::vector<Term> chosen = project(store, label, any);
  if (!excluded(chosen, state)) {
    std::vector<Term> both = label;
    for (Term t : core) flatten(t, both);
    chosen = project(store, both, any);
  }
  if (!excluded(chosen, state)) chosen = project(store, conditions, any);
  if (!excluded(chosen, state)) {
    stuck(e, "nothing that could be said without inputs to come separates a test from a violation");
    return Step::Stuck;
  }
  Facts facts(store);
  std::vector<Term> kept;
  for (int pass = 0; pass < 2; ++pass)  // equations first: they make others superfluous
    for (Term t : chosen) {
      if ((t.op() == term::Op::Eq) != (pass == 0)) continue;
      Term simple = facts.simplify(t);
      if (simple.is_true()) continue;
      kept.push_back(simple);
      facts.add(t);
    }
  chosen = kept;
  Term all = store.conjunction(chosen);
  Term alias = store.conjunction(aliases);
  Facts region(store);
  for (Term t : graph_->region(edge.from).literals) region.add(t);
  for (Term t : chosen) region.add(t);
  if (region.contradiction()) all = store.falsity();
  if (all.is_false() && alias.is_true()) {
    ++counts_.removed;
    graph_->remove(e);
    return Step::Progress;
  }
  Term predicate = store.bor(store.bnot(alias), all);
  std::vector<Term> yes{predicate}, no{store.bnot(all)};
  if (!alias.is_true()) no.insert(no.begin(), aliases.begin(), aliases.end());
  if (options_.explain) explain(edge, predicate);
  ++counts_.splits;
  graph_->split(edge.from, predicate, yes, no, e, {predicate});
  return Step::Progress;
}

void Search::explain(const RegionEdge& edge, Term predicate) const {
  const Place& place = graph_->node(graph_->region(edge.from).node).place;
  const auto& function = space_.function(place.context);
  const auto& statement = function.edges[function.locations[place.location].first_edge].statement;
  std::string text = term::to_c(space_.terms(), predicate);
  if (text.size() > 300) text = text.substr(0, 297) + "...";
  fmt::print(stderr, "iteration {}: {} ({}, context {}): only if {}\n", counts_.iterations,
             program_.where(statement.position), function.name, place.context, text);
}

bool Search::strengthen() { return false; }

}  // namespace whittle::engines::dash
