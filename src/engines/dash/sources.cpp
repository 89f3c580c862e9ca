#include "engines/dash/sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "engines/dash/addresses.h"
#include "engines/dash/elements.h"
#include "engines/dash/facts.h"
#include "engines/dash/values.h"

namespace whittle::engines::dash {

using program::kNone;

Asking Sources::asking(double until) {
  Asking asking = questions_.until(until);
  asking.dropped = [this](uint32_t node, Term t) {
    if (!t.is_constant()) closest_[node] = t;
  };
  return asking;
}

/// Candidates from one source after the other, until something new holds: what tests suggest, then polyhedra, then Horn
/// clauses. Where the first did not suffice, the others are asked besides it.
bool Sources::propose() {
  if (tried_.expanded != questions_.counts().expanded) tried_ = {questions_.counts().expanded, false, false, false, 0};
  if (learn_pointers() || !tried_.values) {
    tried_.values = true;
    const Proposals found = propose_by_values(space_, graph_, forest_, 1 + 0.05 * context_.limits.remaining());
    explain(found, "values");
    Asking judging = asking(Questions::now() + 2 + 0.1 * context_.limits.remaining());
    if (!found.empty() && Invariants(space_, graph_, forest_, judging).keep(found)) return true;
  }
  const ElementProposals elements = propose_elements(space_, graph_, forest_);
  // (There is more to ask about arrays, and what is not asked to its end is of no use.)
  Asking guessing =
      asking(Questions::now() + (elements.facts.empty() ? 1 : 12) + 0.4 * (Questions::now() - questions_.begun()));
  explain(elements.conditions, "loops");
  if (explain_)
    for (const auto& [place, fact] : elements.facts) explain({{place, body(space_, fact)}}, "loops, of all n,");
  const bool news = Invariants(space_, graph_, forest_, guessing).run(elements.conditions, elements.facts);
  if (proposals_++ == 0 && news) return true;
  if (!tried_.polyhedra) {
    tried_.polyhedra = true;
    const Proposals found = propose_by_polyhedra(space_, graph_, 1);
    explain(found, "polyhedra");
    Asking judging = asking(Questions::now() + 2 + 0.1 * context_.limits.remaining());
    if (!found.empty() && Invariants(space_, graph_, forest_, judging).keep(found)) return true;
  }
  if (!tried_.cases) {
    tried_.cases = true;
    const Proposals found = propose_by_cases(space_, graph_, 0.5);
    explain(found, "polyhedra, by cases,");
    Asking judging = asking(Questions::now() + 2 + 0.1 * context_.limits.remaining());
    if (!found.empty() && Invariants(space_, graph_, forest_, judging).keep(found)) return true;
  }
  return propose_by_clauses() || news;
}

/// Horn clauses, in one reading of bits after the other. Integers do not wrap around, so what tests suggest is tried
/// along with a solution: bounds that keep sums from that.
bool Sources::propose_by_clauses() {
  constexpr solve::Reading kReadings[] = {{.is_signed = true, .fits = true},
                                          {.is_signed = true, .fits = false},
                                          {.is_signed = false, .fits = true},
                                          {.is_signed = false, .fits = false}};
  while (tried_.readings < std::size(kReadings) && context_.limits.poll_now() == Stop::No) {
    const double seconds = std::clamp(0.15 * context_.limits.remaining(), 1.0, 10.0);
    const Proposals found = dash::propose_by_clauses(space_, graph_, kReadings[tried_.readings++], seconds);
    if (found.empty()) continue;
    ++questions_.counts().clauses;
    explain(found, "clauses");
    Asking asking = this->asking(Questions::now() + 2 + 0.1 * context_.limits.remaining());
    if (Invariants(space_, graph_, forest_, asking).run(found)) return true;
  }
  return false;
}

/// What an earlier run proved of nodes, as far as it still holds.
void Sources::keep(const std::vector<KeptPredicate>& predicates) {
  if (predicates.empty()) return;
  Asking asking = this->asking();
  std::vector<std::pair<Place, Term>> candidates;
  for (const KeptPredicate& kept : predicates) candidates.emplace_back(kept.place, kept.predicate);
  if (Invariants(space_, graph_, forest_, asking).keep(candidates)) graph_.prune();
}

/// Conditions on a function's own registers that were needed in other calls of it, and on which all tests agree, may
/// hold in this call, too: then they are invariants here. Tried once for every call, where a loop of the function took
/// several splits elsewhere: otherwise splits cost less than questions about invariants.
bool Sources::share(uint32_t context) {
  if (shared_.contains(context)) return false;
  const program::FunctionId function = space_.context(context).function;
  constexpr uint32_t kSplits = 4;
  bool hard = false;
  for (uint32_t n = graph_.entry(); n < graph_.nodes() && !hard; ++n) {
    const Node& node = graph_.node(n);
    hard = node.loop_head && node.splits >= kSplits && node.place.context != context &&
           space_.context(node.place.context).function == function;
  }
  if (!hard) return false;
  shared_.insert(context);
  std::map<program::LocationId, std::vector<Term>> conditions;
  for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
    const Place& place = graph_.node(n).place;
    if (place.context == context || space_.context(place.context).function != function) continue;
    std::vector<Term> found;
    graph_.own_conditions(n, found);
    for (Term t : found)
      if (Term here = graph_.translate(t, place.context, context)) conditions[place.location].push_back(here);
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
  if (!Invariants(space_, graph_, forest_, asking).keep(candidates, false)) return false;
  ++questions_.counts().shared;
  graph_.prune(context);
  return true;
}

bool Sources::keep_branches() {
  constexpr size_t kMost = 24, kMostBlocks = 200;  // of a node; of the graph
  std::vector<std::vector<Term>> holds(graph_.nodes());
  if (graph_.block_count() > kMostBlocks || branch_seconds_ > 0.5 + 0.1 * (Questions::now() - questions_.begun()))
    return false;
  const double begin = Questions::now();
  auto lives_at = [&](const Place& place, Term variable) {
    const Space::Owner owner = space_.owner(variable);
    if (!owner.known() || owner.reg == kNone) return false;
    uint32_t c = place.context;
    while (c != kNone && c != owner.context) c = space_.context(c).parent;
    return c == owner.context;
  };
  Proposals candidates;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      const Block& block = graph_.block(b).block;
      if (graph_.block(b).gone || block.end != Block::End::Node) continue;
      std::vector<Term> known = holds[*graph_.find(block.from)];
      // Inputs of the block are what it stores.
      const Effect& effect = graph_.effect(b);
      auto stored = [&](Term v) -> Term {
        if (!Effect::is_fresh(space_, v)) return {};
        for (const auto& [variable, value] : effect.values())
          if (value == v && lives_at(block.to, variable)) return variable;
        return {};
      };
      // (What a contract says of a call is no branch: whoever looks into the call would have to show it again.)
      const bool passes_over = std::ranges::any_of(block.steps, [](const Step& s) { return s.kind == Step::Kind::Skip; });
      for (Term g : effect.guards())
        if (!g.has_reads() && !passes_over) flatten(space_.terms().substitute(g, stored), known);
      auto& after = holds[*graph_.find(block.to)];
      for (Term t : known) {
        const auto variables = term::variables(t);
        if (t.is_constant() || t.has_reads() || after.size() >= kMost || std::ranges::find(after, t) != after.end() ||
            !std::ranges::all_of(variables, [&](Term v) { return lives_at(block.to, v); }))
          continue;
        after.push_back(t);
        candidates.emplace_back(block.to, t);
        changed = true;
      }
    }
  }
  explain(candidates, "branches");
  if (candidates.empty()) return false;
  Asking asking = this->asking(Questions::now() + 1);
  const bool news = Invariants(space_, graph_, forest_, asking).keep(candidates, false);
  branch_seconds_ += Questions::now() - begin;
  return news;
}

/// Where pointers have one value, no split need say what they do not point to. Looked for again when calls were looked
/// into since. True if something new is known.
bool Sources::learn_pointers() {
  const double begin = Questions::now();
  if (pointer_seconds_ > 0.5 + 0.1 * (begin - questions_.begun())) return false;
  return learn_pointers_again();
}

bool Sources::learn_pointers_again() {
  const double begin = Questions::now();
  if (pointers_expanded_ == questions_.counts().expanded) return false;
  pointers_expanded_ = questions_.counts().expanded;
  const bool news = find_pointers(space_, graph_, [&] { return context_.limits.poll() != Stop::No; });
  if (news) graph_.prune();
  pointer_seconds_ += Questions::now() - begin;
  return news;
}

bool Sources::slice(double seconds) {
  Asking asking = this->asking(Questions::now() + seconds);
  const Counts searched = questions_.counts();
  const bool fewer = Invariants(space_, graph_, forest_, asking).slice();
  questions_.counts().iterations = searched.iterations;  // of the search, which is over
  questions_.counts().solver_calls = searched.solver_calls;
  return fewer;
}

bool Sources::explain_calls() {
  std::vector<std::pair<Place, Term>> candidates;
  for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
    const Place& place = graph_.node(n).place;
    for (uint32_t c = place.context; space_.context(c).parent != kNone; c = space_.context(c).parent) {
      const uint32_t parent = space_.context(c).parent;
      const program::Edge& call = space_.edge(parent, space_.context(c).edge);
      for (program::LocationId around : {call.from, call.to})
        if (auto outside = graph_.find({parent, around}))
          for (Term t : graph_.node(*outside).invariants) candidates.emplace_back(place, t);
    }
  }
  if (candidates.empty()) return false;
  Asking asking = this->asking();
  return Invariants(space_, graph_, forest_, asking).keep(candidates, false);
}

void Sources::drop_empty_regions() {
  unsigned asked = 0;
  for (uint32_t n = 2; n < graph_.nodes(); ++n) {
    if (graph_.node(n).invariants.empty()) continue;
    for (uint32_t r : std::vector<uint32_t>(graph_.node(n).regions)) {
      const Region& region = graph_.region(r);
      if (region.reached() || region.literals.empty() || asked >= 60) continue;
      std::vector<Term> conditions = region.literals;
      const auto& invariants = graph_.node(n).invariants;
      conditions.insert(conditions.end(), invariants.begin(), invariants.end());
      ++asked;
      if (questions_.ask(conditions).unsat()) graph_.clear(r);
    }
  }
}

/// For those who can say more than was found: the loop, what was tried, and what came closest.
std::string Sources::busiest() const {
  uint32_t most = kNone;
  for (uint32_t n = 2; n < graph_.nodes(); ++n)
    if (graph_.node(n).loop_head && (most == kNone || graph_.node(n).splits > graph_.node(most).splits)) most = n;
  if (most == kNone || graph_.node(most).splits < 4) return {};
  const Node& node = graph_.node(most);
  const auto& function = space_.function(node.place.context);
  const auto& statement = function.edges[function.locations[node.place.location].first_edge].statement;
  std::string text =
      fmt::format("; the loop at {} was split {} times", space_.program().where(statement.position), node.splits);
  if (proposals_ == 0) return text;
  std::string tried = "tests and the shape of loops";
  if (tried_.polyhedra) tried += ", polyhedra";
  if (tried_.readings > 0) tried += ", Horn clauses";
  text += fmt::format(" (invariants were tried from {})", tried);
  auto closest = closest_.find(most);
  if (closest == closest_.end()) return text;
  const std::string candidate = space_.to_c(closest->second);
  constexpr size_t kLongest = 200;
  if (candidate.size() > kLongest) return text;
  const auto variables = term::leaves(closest->second);
  const bool all = std::find(variables.begin(), variables.end(), space_.element()) != variables.end();
  return text + fmt::format("; of these, all tests agree with this one, but it is not inductive: {}{}",
                            all ? "for all n: " : "", candidate);
}

void Sources::explain_invariants() const {
  for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
    const Node& node = graph_.node(n);
    auto print = [&](const char* what, Term t) {
      fmt::print(stderr, "iteration {}: at location {} of {} {}: {}\n", questions_.counts().iterations,
                 node.place.location, space_.function(node.place.context).name, what, space_.to_c(t));
    };
    for (Term t : node.invariants) print("always", t);
    for (const ElementFact& fact : node.elements) print("always, for all n", body(space_, fact));
  }
}

void Sources::explain(const Proposals& proposals, const char* source) const {
  if (!explain_) return;
  for (const auto& [place, t] : proposals)
    fmt::print(stderr, "iteration {}: {} propose at location {} of {}: {}\n", questions_.counts().iterations, source,
               place.location, space_.function(place.context).name, space_.to_c(t));
}

}  // namespace whittle::engines::dash
