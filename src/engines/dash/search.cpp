#include "engines/dash/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "engines/dash/contracts.h"
#include "engines/dash/facts.h"

namespace whittle::engines::dash {

using program::kNone;

namespace {

constexpr uint32_t kLongPath = 1000;  ///< conditions on the way of a test

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
      questions_(context, program.terms(), counts_, options_.kept) {}

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
  const std::optional<TestPlan> otherwise = test.end == Test::End::Error ? without_accident(test) : std::nullopt;
  if (otherwise) {
    test.end = Test::End::Unknown;
    test.reason = "a violation needs a pointer that has no value and happens to be the address of an object";
  }
  bool violated = test.end == Test::End::Error && shown();
  if (test.end == Test::End::Unknown && cut_.empty()) cut_ = test.reason;
  if (test.end == Test::End::Assumed && assumed_.empty()) assumed_ = test.reason;
  too_long_ |= test.end == Test::End::Long;
  uint32_t number = forest_.add(std::move(test));
  if (graph_) graph_->add_states(number);
  return otherwise ? add_test(*otherwise, &forest_.test(number)) : violated;
}

/// A violation shows nothing if it needs a pointer that the program gave no value to be the address of an object, by
/// accident: if the run could have come to such an access as well with the pointer in memory of no object. That run's inputs.
std::optional<TestPlan> Search::without_accident(const Test& test) {
  if (context_.limits.poll_now() != Stop::No) return std::nullopt;
  for (const Test::Accident& accident : test.accidents) {
    std::vector<Term> question(test.conditions.begin(), test.conditions.begin() + accident.conditions);
    question.push_back(space_.in_no_object(accident.address, accident.bytes));
    if (questions_.ask(question).sat()) return plan(test, {{}, accident.conditions, accident.inputs, 0});
  }
  return std::nullopt;
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
    if (test.end == Test::End::Error && !without_accident(test) && shown()) return true;
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
  reasons_ = std::make_unique<ReasonFinder>(space_, *graph_, forest_, questions_, options_.bundles);
  sources_ = std::make_unique<Sources>(space_, *graph_, forest_, questions_, context_, options_.explain);
  sources_->keep(kept_.predicates);
  for (;;) {
    if (context_.limits.poll_now() != Stop::No) {
      reason_ = fmt::format("{} after {} iterations{}", to_string(context_.limits.stopped()), counts_.iterations,
                            sources_->busiest());
      return Answer::Unknown;
    }
    if (counts_.iterations >= options_.iterations) {
      reason_ = fmt::format("{} iterations done{}", counts_.iterations, sources_->busiest());
      return Answer::Unknown;
    }
    auto edge = graph_->frontier(Graph::kError);
    if (!edge) edge = graph_->frontier(Graph::kUnknown);
    if (!edge) {
      if (stuck_edges_ > 0 && strengthen()) {
        if (found_) return Answer::Violated;
        continue;
      }
      if (stuck_edges_ > 0 || !cut_.empty()) {
        if (look_around()) return Answer::Violated;
        reason_ = stuck_edges_ > 0 ? stuck_ + sources_->busiest()
                                   : "no violation found, but not everything could be followed: " + cut_;
        return Answer::Unknown;
      }
      // A proof says of every call what those before it were found to keep.
      if (knows_pointers() && sources_->learn_pointers_again()) continue;
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
    if (counts_.expanded != expanded && sources_->was_asked())
      next_strengthening_ = std::min(next_strengthening_, most_splits_ + 4);
    // What is promised of calls is of use where something is known of their arguments.
    if (promises_ && counts_.expanded != expanded && sources_->keep_branches()) graph_->prune();
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
  const double until = Questions::now() + 2 + 0.1 * context_.limits.remaining();
  Asking asking = questions_.until(until);
  promises_ = find_contracts(space_, forest_, asking);
  if (options_.explain)
    for (const std::string& line : contract_lines(space_))
      fmt::print(stderr, "iteration {}: calls of {}\n", counts_.iterations, line);
  return false;
}

void Search::stuck(uint32_t edge, const std::string& why) {
  graph_->edge(edge).stuck = true;
  ++stuck_edges_;
  if (!stuck_.empty()) return;
  const Place& place = graph_->node(graph_->region(graph_->edge(edge).from).node).place;
  const auto& function = space_.function(place.context);
  const auto& statement = function.edges[function.locations[place.location].first_edge].statement;
  stuck_ = fmt::format("{} (from {})", why, program_.where(statement.position));
}

StateRef Search::choose(uint32_t edge) const {
  const auto& states = graph_->region(graph_->edge(edge).from).states;
  if (uint32_t misses = graph_->edge(edge).misses) return states[misses * 7919 % states.size()];  // another one
  const auto& steps = graph_->block(graph_->edge(edge).block).block.steps;
  constexpr size_t kLast = 64;
  if (std::any_of(steps.begin(), steps.end(), [](const auto& s) { return s.checked; }))
    for (size_t i = states.size(); i-- > 0 && i + kLast >= states.size();)
      if (reasons_->in_objects(graph_->edge(edge).block, states[i])) return states[i];
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

/// Does the block pass over a call of which something is known?
bool Search::promised(uint32_t block) {
  const auto& steps = graph_->block(block).block.steps;
  return std::any_of(steps.begin(), steps.end(), [&](const auto& s) {
    return s.kind == dash::Step::Kind::Skip && space_.contract(s.callee) != nullptr;
  });
}

Search::Step Search::extend(const Frontier& frontier) {
  uint32_t e = frontier.edge;
  RegionEdge edge = graph_->edge(e);
  // Where invariants or contracts tell something that tests do not.
  const bool more_is_known = graph_->node(graph_->region(edge.from).node).knows_something() ||
                             graph_->node(graph_->region(edge.to).node).knows_something() || promised(edge.block);
  if (more_is_known && reasons_->is_infeasible(e)) return Step::Progress;
  // Before the first question about a place: what was asked there in another call of the function?
  if (options_.share && sources_->share(graph_->node(graph_->region(edge.from).node).place.context))
    return Step::Progress;
  StateRef state = choose(e);
  const Test& test = forest_.test(state.test);
  const Visit visit = test.visits[state.visit];
  if (visit.conditions > kLongPath &&
      !too_long_) {  // questions about it would be hard: what loops preserve comes first
    too_long_ = true;
    next_strengthening_ = std::min(next_strengthening_, most_splits_);
    return Step::Progress;
  }
  Reasons reasons = reasons_->of(edge, state, frontier.next);
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
  solve::Result result = questions_.ask(assumptions);
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
    prefer_no_object(state, reasons, assumptions);
    return new_test(e, test, visit, reasons);
  }
  const auto used = questions_.core();  // before anything else is asked
  if (!reasons.accesses.empty() && move_into_objects(e, state, reasons, frontier.next))
    return found_ ? Step::Violated : Step::Progress;
  // A core that no state has a part in: nothing goes this way from anywhere.
  bool stateless = !used.empty();
  for (Term u : used) {
    bool own = false;
    for (size_t i = 0; i < reasons.conditions.size(); ++i) {
      if (assumptions[i] != u) continue;
      auto aliases = reasons.aliases_of.find(u);
      own |= reasons.conditions[i] == u && (aliases == reasons.aliases_of.end() || aliases->second.empty());
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

/// Another model, if there is one: stray pointers lead to no object. Where objects lie, where users see a violation, may be
/// elsewhere; and one object is not another by accident.
void Search::prefer_no_object(StateRef state, const Reasons& reasons, const std::vector<Term>& assumptions) {
  const Test& test = forest_.test(state.test);
  std::vector<Term> preferred = assumptions, pins;
  for (const auto& access : reasons.accesses)
    if (access.in_none) preferred.push_back(test.symbolic(space_, state.visit, access.in_none, pins));
  if (preferred.size() == assumptions.size()) return;
  preferred.insert(preferred.end(), pins.begin(), pins.end());
  if (!questions_.ask(preferred).sat()) questions_.ask(assumptions);
}

/// A run that has the inputs of the model up to a visit.
TestPlan Search::plan(const Test& test, const Visit& visit) {
  TestPlan plan;
  for (uint32_t i = 0; i < visit.inputs; ++i) plan.inputs.push_back(questions_.value(test.inputs[i].variable));
  // Memory that was never written has the value that is asked for when it is first read.
  for (const auto& [address, cell] : space_.cells())
    plan.memory[address] = static_cast<uint8_t>(questions_.value(cell));
  for (const auto& lazy : test.lazy)
    if (lazy.input >= visit.inputs)
      plan.memory[lazy.address] =
          static_cast<uint8_t>(questions_.value(test.inputs[lazy.input].variable) >> (8 * lazy.byte));
  return plan;
}

/// No test can cross the edge from the state, maybe only because a pointer lies in no object there (what is read
/// through it is asked about at the address that it has). So the same path is run with pointers into objects; best
/// where bytes have no value, for these may be anything. True if there is such a test.
bool Search::move_into_objects(uint32_t e, StateRef state, const Reasons& reasons, uint32_t next) {
  const RegionEdge edge = graph_->edge(e);
  if (edge.moved || reasons_->in_objects(edge.block, state)) return false;
  graph_->edge(e).moved = true;
  auto& store = space_.terms();
  const Test& test = forest_.test(state.test);
  const Visit visit = test.visits[state.visit];
  std::vector<Term> assumptions(test.conditions.begin(), test.conditions.begin() + visit.conditions), pins, preferred;
  constexpr uint64_t kRoom = 16;
  const auto runs = test.without_value(state.visit, kRoom);
  for (const auto& access : reasons.accesses) {
    assumptions.push_back(test.symbolic(space_, state.visit, access.in_object, pins));
    Term inside = access.in_none ? access.in_none : store.falsity();
    for (const auto& [begin, bytes] : runs) {
      if (access.in_none) break;
      const unsigned w = access.address.width();
      Term offset = store.sub(access.address, store.constant(w, begin));
      if (bytes >= access.bytes) inside = store.bor(inside, store.ule(offset, store.constant(w, bytes - access.bytes)));
    }
    preferred.push_back(test.symbolic(space_, state.visit, inside, pins));
  }
  assumptions.insert(assumptions.end(), pins.begin(), pins.end());
  std::vector<Term> best = assumptions;
  best.insert(best.end(), preferred.begin(), preferred.end());
  if (!questions_.ask(best).sat() && !questions_.ask(assumptions).sat()) return false;
  found_ = add_test(plan(test, visit), &test);
  if (!found_) return_to_region(e, {static_cast<uint32_t>(forest_.size() - 1), state.visit}, next);
  return true;
}

/// The last test was to be at the edge's start with its pointers in objects. If it came there in another region, since other
/// memory is read through these pointers, then that memory is asked for what the region says.
void Search::return_to_region(uint32_t e, StateRef state, uint32_t next) {
  const RegionEdge edge = graph_->edge(e);
  const Test& test = forest_.test(state.test);
  const Place place = graph_->node(graph_->region(edge.from).node).place;
  if (state.visit >= test.visits.size() || !(test.visits[state.visit].place == place)) return;
  const auto& literals = graph_->region(edge.from).literals;
  if (std::ranges::all_of(literals, [&](Term t) { return forest_.holds(state, t); })) return;
  const Visit visit = test.visits[state.visit];
  const Reasons reasons = reasons_->of(edge, state, next);
  std::vector<Term> assumptions(test.conditions.begin(), test.conditions.begin() + visit.conditions), pins;
  auto assume = [&](Term t) { assumptions.push_back(test.symbolic(space_, state.visit, t, pins)); };
  for (Term t : literals) assume(t);
  for (Term t : reasons.conditions) assume(t);
  for (const auto& access : reasons.accesses) assume(access.in_object);
  assumptions.insert(assumptions.end(), pins.begin(), pins.end());
  if (questions_.ask(assumptions).sat()) found_ = add_test(plan(test, visit), &test);
}

Search::Step Search::new_test(uint32_t e, const Test& test, const Visit& visit, const Reasons& reasons) {
  RegionEdge edge = graph_->edge(e);
  TestPlan plan = this->plan(test, visit);
  for (Term t : reasons.inputs) plan.later.push_back(questions_.value(t));
  std::unordered_set<Term> asked;
  for (Term t : reasons.conditions)
    for (Term v : term::variables(t)) asked.insert(v);
  for (const auto& [address, any] : reasons.memory)
    if (asked.contains(any))
      for (unsigned b = 0; b < any.width() / 8; ++b)
        plan.memory[address + b] = static_cast<uint8_t>(questions_.value(any) >> (8 * b));
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

bool Search::knows_pointers() const {
  for (uint32_t n = graph_->entry(); n < graph_->nodes(); ++n)
    if (graph_->node(n).pointers) return true;
  return false;
}

bool Search::reads_what_is_set_once(const std::vector<Term>& conditions) const {
  return std::ranges::any_of(conditions, [&](Term t) {
    return std::ranges::any_of(term::reads(t), [&](Term r) {
      return r.kid(0).is_constant() && space_.is_set_once(r.kid(0).value64());
    });
  });
}

Search::Step Search::refine(uint32_t e, StateRef state, Reasons reasons, uint32_t next) {
  auto& store = space_.terms();
  RegionEdge edge = graph_->edge(e);
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
  auto choice = reasons_->pick(edge, state, reasons);
  const bool about_aliases = !(choice ? choice->aliases : reasons.aliases).empty();
  if ((about_aliases || reads_what_is_set_once(choice ? choice->conditions : reasons.conditions)) && sources_->learn_pointers())
    return Step::Progress;
  if (!choice && graph_->block(edge.block).block.skips_call()) {  // it is not enough what is known of the call
    ++counts_.expanded;
    graph_->expand(edge.block);
    return Step::Progress;
  }
  if (!choice) {
    if (reasons_->is_infeasible(e)) return Step::Progress;
    const bool come = reasons_->speak_of_inputs_to_come(reasons.aliases);
    if (auto places = come ? std::nullopt : reasons_->excluding_values(edge, state, reasons)) {
      choice = Choice{{store.falsity()}, reasons.aliases};
      choice->aliases.insert(choice->aliases.end(), places->begin(), places->end());
      siblings.clear();
    }
    if (!choice) {
      if (options_.explain) explain_stuck(edge, state, reasons);
      stuck(e, come ? "an address depends on an input that is not read yet"
                    : "nothing that could be said without inputs to come separates a test from a violation");
      return Step::Stuck;
    }
  }
  Term all = store.conjunction(choice->conditions);
  std::vector<Term> aliases = choice->aliases;
  std::vector<uint32_t> removed{e};
  // Other ways from here to the same region are closed by the same split, if the test cannot go them either.
  for (uint32_t other : siblings) {
    RegionEdge sibling = graph_->edge(other);
    Reasons own = reasons_->of(sibling, state, next);
    own.siblings = true;
    auto part = reasons_->pick(sibling, state, own);
    if (!part) continue;
    all = store.bor(all, store.conjunction(part->conditions));
    for (Term t : part->aliases) flatten(t, aliases);
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

void Search::explain_stuck(const RegionEdge& edge, StateRef state, const Reasons& reasons) const {
  auto list = [&](const char* what, const std::vector<Term>& terms) {
    for (Term t : terms) {
      const char* here = reasons_->speak_of_inputs_to_come({t}) ? "depends on inputs to come" : forest_.holds(state, t) ? "true" : "false";
      fmt::print(stderr, "  {}, {} in test {}: {}\n", what, here, state.test, space_.to_c(t).substr(0, 300));
    }
  };
  fmt::print(stderr, "iteration {}: no test and no split at an edge of these statements\n", counts_.iterations);
  for (const auto& s : graph_->block(edge.block).block.steps)
    fmt::print(stderr, "  {}\n", program_.where(space_.edge(s.context, s.edge).statement.position));
  list("region", graph_->region(edge.from).literals);
  list("target", graph_->region(edge.to).literals);
  list("condition", reasons.conditions);
  list("alias", reasons.aliases);
  for (const auto& access : reasons.accesses) list("access in an object", {access.in_object});
}

/// Something that the tests have in common and that all blocks preserve.
bool Search::strengthen() {
  if (!options_.invariants || strengthening_seconds_ > 2 + 0.4 * (Questions::now() - questions_.begun())) return false;
  double begin = Questions::now();
  for (int i = 0; i < 4; ++i)
    if (forest_.test(0).forked() && !too_long_ && add_test({}, nullptr)) {
      found_ = true;
      return true;
    }
  bool news = false;
  const bool was_stuck = stuck_edges_ > 0;
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    if (!sources_->propose()) break;
    news = true;
    ++counts_.invariants;
    graph_->prune();
    stuck_edges_ = 0;
    stuck_.clear();
    sources_->drop_empty_regions();
    if (!close_unreached(too_long_ || was_stuck)) break;
  }
  if (options_.explain) sources_->explain_invariants();
  strengthening_seconds_ += Questions::now() - begin;
  return news;
}

/// Ends that no test came close to, in the light of what is known now. Where tests are too long to get there, calls on
/// the way are looked into all the same. True if there are new ones.
bool Search::close_unreached(bool into_calls) {
  constexpr size_t kCalls = 16;  // at a time
  std::set<uint32_t> calls;
  for (uint32_t target : {Graph::kError, Graph::kUnknown})
    for (uint32_t e : std::vector<uint32_t>(graph_->region(target).in)) {
      const RegionEdge& edge = graph_->edge(e);
      if (edge.dead || graph_->region(edge.from).reached() || reasons_->is_infeasible(e)) continue;
      if (into_calls && calls.size() < kCalls && graph_->block(edge.block).block.skips_call()) calls.insert(edge.block);
    }
  for (uint32_t block : calls) {
    if (graph_->block(block).gone) continue;
    ++counts_.expanded;
    graph_->expand(block);
  }
  return !calls.empty() && context_.limits.poll_now() == Stop::No;
}

}  // namespace whittle::engines::dash
