#include "engines/crowd/prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace whittle::engines::crowd {

namespace {

constexpr size_t kMostConstants = 12;  ///< of one width
constexpr size_t kLargest = 60;        ///< terms in a candidate
constexpr unsigned kBack = 3;          ///< steps that preconditions of dangers are carried back

void constants_of(Term t, std::unordered_set<Term>& seen, std::map<unsigned, TermSet>& found) {
  if (!seen.insert(t).second) return;
  if (t.is_constant()) found[t.width()].insert(t);
  for (unsigned i = 0; i < t.arity(); ++i) constants_of(t.kid(i), seen, found);
}

}  // namespace

Prover::Prover(const Automaton& automaton, term::Store& terms, solve::Solver& solver, Limits& limits)
    : automaton_(automaton), terms_(terms), solver_(solver), limits_(limits) {
  nodes_.resize(automaton.nodes().size());
  candidates_.resize(automaton.nodes().size());
  make_candidates();
}

// Candidates

void Prover::make_candidates() {
  std::unordered_set<Term> seen;
  for (const Step& step : automaton_.steps()) {
    for (Term t : step.conditions) constants_of(t, seen, constants_);
    for (const auto& [variable, t] : step.changes) constants_of(t, seen, constants_);
  }
  for (const Node& node : automaton_.nodes())
    for (const Danger& danger : node.dangers) constants_of(danger.condition, seen, constants_);
  for (const Variable& v : automaton_.variables()) {
    constants_[v.term.width()].insert(terms_.constant(v.term.width(), 0));
    if (v.initial) constants_[v.term.width()].insert(v.initial);
  }
  for (uint32_t n = 0; n < candidates_.size(); ++n) add_comparisons(n);
  add_preconditions();
  for (auto& list : candidates_) {
    std::unordered_set<Term> seen;
    std::erase_if(list, [&](Term t) { return t.is_constant() || !seen.insert(t).second; });
    candidates += list.size();
  }
}

bool Prover::closed(Term t) const {
  return std::ranges::all_of(term::variables(t), [&](Term v) { return automaton_.variable(v) != nullptr; });
}

void Prover::add_comparisons(uint32_t n) {
  std::map<unsigned, std::vector<Term>> variables;
  for (const Variable& v : automaton_.variables()) {
    if (v.kind == kNone || automaton_.nodes()[n].live.contains(v.term)) variables[v.term.width()].push_back(v.term);
  }
  std::vector<Term>& out = candidates_[n];
  for (auto& [width, list] : variables) {
    const TermSet& values = constants_[width];
    size_t taken = 0;
    for (Term c : values) {
      if (taken++ >= kMostConstants) break;
      for (Term x : list) {
        out.insert(out.end(), {terms_.eq(x, c), terms_.ne(x, c)});
        if (width > 1) out.insert(out.end(), {terms_.sle(x, c), terms_.sge(x, c), terms_.ule(x, c), terms_.uge(x, c)});
      }
    }
    if (width == 1) continue;
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        Term a = list[i], b = list[j];
        out.insert(out.end(),
                   {terms_.eq(a, b), terms_.ne(a, b), terms_.slt(a, b), terms_.sle(a, b), terms_.slt(b, a),
                    terms_.sle(b, a), terms_.ult(a, b), terms_.ule(a, b), terms_.ult(b, a), terms_.ule(b, a)});
      }
  }
}

/// That a danger does not come about, at its node and some steps before.
void Prover::add_preconditions() {
  std::vector<std::pair<uint32_t, Term>> now;
  for (uint32_t n = 0; n < candidates_.size(); ++n)
    for (const Danger& danger : automaton_.nodes()[n].dangers)
      if (Term safe = terms_.bnot(danger.condition); closed(safe) && term::dag_size(safe) <= kLargest)
        now.emplace_back(n, safe);
  for (unsigned round = 0; round <= kBack; ++round) {
    std::vector<std::pair<uint32_t, Term>> before;
    for (auto& [n, t] : now) {
      candidates_[n].push_back(t);
      for (const Step& step : automaton_.steps()) {
        if (step.to != n) continue;
        Term wp = terms_.implies(terms_.conjunction(step.conditions), after(step, t));
        if (closed(wp) && term::dag_size(wp) <= kLargest) before.emplace_back(step.from, wp);
      }
    }
    now = std::move(before);
  }
}

// Terms of other threads and other moments

Term Prover::other(Term t) {
  return terms_.substitute(t, [&](Term v) -> Term {
    const Variable* known = automaton_.variable(v);
    if (!known || known->kind == kNone) return {};
    Term& copy = others_[v];
    if (!copy) copy = terms_.variable(v.width(), known->name + "'");
    return copy;
  });
}

Term Prover::after(const Step& step, Term t) {
  return terms_.substitute(t, [&](Term v) {
    auto found = step.changes.find(v);
    return found == step.changes.end() ? Term{} : found->second;
  });
}

Term Prover::after_shared(const Step& step, Term t) {
  return terms_.substitute(t, [&](Term v) {
    auto found = step.changes.find(v);
    const Variable* known = automaton_.variable(v);
    return found == step.changes.end() || !known || known->kind != kNone ? Term{} : found->second;
  });
}

// The fixpoint

solve::Result Prover::check(Term condition) {
  ++queries;
  solve::Result result = solver_.check(std::array{condition});
  if (result.unknown()) problem = "the solver gives up: " + result.reason;
  return result;
}

bool Prover::weaken(Facts& facts, uint32_t node, const std::function<Term(Term)>& now) {
  if (!facts.alive) {
    solve::Result result = check(terms_.truth());
    if (result.unknown()) return false;
    if (result.unsat()) return true;
    facts.alive = true;
    facts.version = ++clock_;
    for (Term t : candidates_[node])
      if (solver_.value(now(t)) != 0) facts.kept.push_back(t);
  }
  for (;;) {
    std::vector<Term> open, then;
    for (Term t : facts.kept) {
      Term later = now(t);
      if (later.is_true()) continue;
      open.push_back(t);
      then.push_back(later);
    }
    Term all = terms_.conjunction(then);
    if (all.is_true()) return true;
    solve::Result result = check(terms_.bnot(all));
    if (result.unknown()) return false;
    if (result.unsat()) return true;
    std::unordered_set<Term> gone;
    for (size_t i = 0; i < open.size(); ++i)
      if (solver_.value(then[i]) == 0) gone.insert(open[i]);
    if (gone.empty()) return problem = "the solver contradicts itself", false;
    std::erase_if(facts.kept, [&](Term t) { return gone.contains(t); });
    facts.version = ++clock_;
  }
}

bool Prover::possible(uint32_t a, uint32_t b) const {
  const Node &first = automaton_.nodes()[a], &second = automaton_.nodes()[b];
  return first.kind != second.kind || !automaton_.kinds()[first.kind].unique;
}

bool Prover::meet(uint32_t a, uint32_t b, const std::function<Term(Term)>& first,
                  const std::function<Term(Term)>& second) {
  if (!possible(a, b)) return true;
  Pair& met = pair(a, b);
  if (!met.alive) {
    solve::Result result = check(terms_.truth());
    if (result.unknown()) return false;
    if (result.unsat()) return true;
    met.alive = true;
    met.version = ++clock_;
    const Node &here = automaton_.nodes()[a], &there = automaton_.nodes()[b];
    if (here.kind == there.kind)
      for (Term v : here.live)
        if (v.width() > 1 && there.live.contains(v) && solver_.value(terms_.ne(first(v), second(v))) != 0)
          met.differ.push_back(v);
  }
  while (!met.differ.empty()) {
    std::vector<Term> then;
    for (Term v : met.differ) then.push_back(terms_.ne(first(v), second(v)));
    solve::Result result = check(terms_.bnot(terms_.conjunction(then)));
    if (result.unknown()) return false;
    if (result.unsat()) break;
    std::vector<Term> kept;
    for (size_t i = 0; i < then.size(); ++i)
      if (solver_.value(then[i]) != 0) kept.push_back(met.differ[i]);
    met.differ = std::move(kept);
    met.version = ++clock_;
  }
  return true;
}

bool Prover::start() {
  solver_.push();
  for (const Variable& v : automaton_.variables())
    if (v.initial) solver_.add(terms_.eq(v.term, v.initial));
  uint32_t entry = automaton_.kinds()[0].entry;
  bool done = weaken(nodes_[entry], entry, [](Term t) { return t; });
  solver_.pop();
  return done;
}

/// What a step means for the thread that takes it.
bool Prover::follow(const Step& step) {
  const Facts& before = nodes_[step.from];
  uint64_t& seen = seen_[{&step, kNone}];
  if (seen >= before.version) return true;
  seen = before.version;
  solver_.push();
  for (Term t : before.kept) solver_.add(t);
  for (Term t : step.conditions) solver_.add(t);
  std::unordered_set<Term> given(before.kept.begin(), before.kept.end());
  bool done = true;
  if (step.to != kNone)
    done = weaken(nodes_[step.to], step.to, [&](Term t) {
      Term later = after(step, t);
      return given.contains(later) ? terms_.truth() : later;
    });
  if (done && step.birth != kNone) done = born(step);
  solver_.pop();
  return done;
}

/// The thread that a step starts, alone and beside the one that started it.
bool Prover::born(const Step& step) {
  const ThreadKind& kind = automaton_.kinds()[step.birth];
  auto newborn = [&](Term t) {
    Term named = other(t);
    if (kind.parameter) {
      Term parameter = other(kind.parameter), argument = terms_.resize_unsigned(step.argument, parameter.width());
      named = terms_.substitute(named, [&](Term v) { return v == parameter ? argument : Term{}; });
    }
    return after_shared(step, named);
  };
  if (!weaken(nodes_[kind.entry], kind.entry, newborn)) return false;
  if (step.to == kNone) return true;
  return meet(step.to, kind.entry, [&](Term t) { return after(step, t); }, newborn);
}

/// What a step means for another thread.
bool Prover::follow_beside(const Step& step, uint32_t there) {
  const Facts &before = nodes_[step.from], &beside = nodes_[there];
  const Pair& both = pair(step.from, there);
  if (!both.alive || automaton_.nodes()[there].atomic) return true;
  uint64_t version = std::max({before.version, beside.version, both.version});
  uint64_t& seen = seen_[{&step, there}];
  if (seen >= version) return true;
  seen = version;
  solver_.push();
  std::unordered_set<Term> given;
  auto add = [&](Term t) { solver_.add(t), given.insert(t); };
  for (Term t : before.kept) add(t);
  for (Term t : step.conditions) add(t);
  for (Term t : beside.kept) add(other(t));
  for (Term v : both.differ) add(terms_.ne(v, other(v)));
  bool done = weaken(nodes_[there], there, [&](Term t) {
    Term named = other(t), later = after_shared(step, named);
    return later == named || given.contains(later) ? terms_.truth() : later;
  });
  if (done && step.to != kNone)
    done = meet(step.to, there, [&](Term t) { return after(step, t); }, [&](Term t) { return other(t); });
  // The newborn's variables are its own: nothing is known of them beside a third thread.
  if (done && step.birth != kNone) {
    uint32_t entry = automaton_.kinds()[step.birth].entry;
    Term any = {};
    done = meet(
        entry, there, [&](Term t) { return any = t, terms_.variable(t.width(), "newborn"); },
        [&](Term t) { return other(t); });
  }
  solver_.pop();
  return done;
}

bool Prover::run() {
  if (!start()) return false;
  for (uint64_t before = 0; before != clock_;) {
    before = clock_;
    ++rounds;
    for (const Step& step : automaton_.steps()) {
      if (!nodes_[step.from].alive) continue;
      if (limits_.poll_now() != Stop::No) return false;
      if (!follow(step)) return false;
      for (uint32_t there = 0; there < nodes_.size(); ++there)
        if (nodes_[there].alive && !follow_beside(step, there)) return false;
    }
  }
  return true;
}

const Danger* Prover::unproved() {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].alive) continue;
    for (const Danger& danger : automaton_.nodes()[n].dangers) {
      solver_.push();
      for (Term t : nodes_[n].kept) solver_.add(t);
      solve::Result result = check(danger.condition);
      solver_.pop();
      if (!result.unsat()) return &danger;
    }
  }
  return nullptr;
}

}  // namespace whittle::engines::crowd
