#include "engines/crowd/prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "engines/crowd/counting.h"

namespace whittle::engines::crowd {

namespace {

constexpr size_t kMostConstants = 12;  ///< of one width
constexpr size_t kLargest = 60;        ///< terms in a candidate
constexpr size_t kMostGuards = 24;    ///< of steps, at one node
constexpr size_t kMostResults = 4000;  ///< facts at one node that hold once a thread is over
constexpr size_t kMostDistinct = 64;   ///< pairs of variables of two threads that are compared
constexpr unsigned kBack = 3;          ///< steps that preconditions of dangers are carried back

void constants_of(Term t, std::unordered_set<Term>& seen, std::map<unsigned, TermSet>& found) {
  if (!seen.insert(t).second) return;
  if (t.is_constant()) found[t.width()].insert(t);
  for (unsigned i = 0; i < t.arity(); ++i) constants_of(t.kid(i), seen, found);
}

}  // namespace

Prover::Prover(const Automaton& automaton, term::Store& terms, solve::Solver& solver, Limits& limits,
               const Prover* known, const Counting* counting, const std::vector<Term>& hints)
    : automaton_(automaton), terms_(terms), solver_(solver), limits_(limits), known_(known), counting_(counting) {
  nodes_.resize(automaton.nodes().size());
  candidates_.resize(automaton.nodes().size());
  if (counting) candidates_ = counting->candidates();
  for (std::vector<Term>& list : candidates_) list.insert(list.end(), hints.begin(), hints.end());
  // Terms of one prover are those of the other.
  if (known) others_ = known->others_, owners_ = known->owners_;
  make_candidates();
}

std::vector<Term> Prover::facts(uint32_t node) const {
  std::vector<Term> all = nodes_[node].kept;
  if (known_) {
    std::vector<Term> known = known_->facts(node);
    all.insert(all.end(), known.begin(), known.end());
  }
  return all;
}

std::vector<Term> Prover::pair_facts(uint32_t low, uint32_t high) const {
  auto found = pairs_.find({low, high});
  std::vector<Term> all = found == pairs_.end() ? std::vector<Term>() : found->second.kept;
  if (known_) {
    std::vector<Term> known = known_->pair_facts(low, high);
    all.insert(all.end(), known.begin(), known.end());
  }
  return all;
}

// Candidates

void Prover::make_candidates() {
  std::unordered_set<Term> seen;
  for (const Transition& step : automaton_.steps()) {
    for (Term t : step.conditions) constants_of(t, seen, constants_);
    for (const auto& [variable, t] : step.changes) constants_of(t, seen, constants_);
  }
  for (const Node& node : automaton_.nodes())
    for (const Danger& danger : node.dangers) constants_of(danger.condition, seen, constants_);
  for (const Variable& v : automaton_.variables()) {
    if (!v.counter) constants_[v.term.width()].insert(terms_.constant(v.term.width(), 0));
    if (v.initial && !v.counter) constants_[v.term.width()].insert(v.initial);
  }
  for (uint32_t n = 0; n < candidates_.size(); ++n) add_comparisons(n);
  add_results();
  add_guards();
  add_strides();
  add_preconditions();
  for (uint32_t n = 0; n < candidates_.size(); ++n) {
    std::vector<Term>& list = candidates_[n];
    seen.clear();
    for (const Prover* before = known_; before; before = before->known_)
      for (Term fact : before->all_[n]) seen.insert(fact);
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
    if (v.counter || (v.kind != kNone && !automaton_.nodes()[n].live.contains(v.term))) continue;
    variables[v.term.width()].push_back(v.term);
  }
  std::vector<Term>& out = candidates_[n];
  for (auto& [width, list] : variables) {
    const TermSet& values = constants_[width];
    size_t taken = 0;
    for (Term c : values) {
      if (taken++ >= kMostConstants) break;
      for (Term x : list) {
        if (automaton_.variable(x)->identity) continue;
        out.insert(out.end(), {terms_.eq(x, c), terms_.ne(x, c)});
        if (width > 1) out.insert(out.end(), {terms_.sle(x, c), terms_.sge(x, c), terms_.ule(x, c), terms_.uge(x, c)});
      }
    }
    if (width == 1) continue;
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        Term a = list[i], b = list[j];
        if (automaton_.variable(a)->identity || automaton_.variable(b)->identity) {
          out.insert(out.end(), {terms_.eq(a, b), terms_.ne(a, b)});
          continue;
        }
        out.insert(out.end(),
                   {terms_.eq(a, b), terms_.ne(a, b), terms_.slt(a, b), terms_.sle(a, b), terms_.slt(b, a),
                    terms_.sle(b, a), terms_.ult(a, b), terms_.ule(a, b), terms_.ult(b, a), terms_.ule(b, a)});
      }
  }
}

/// What holds once a thread is over, for those that can wait for it.
void Prover::add_results() {
  for (uint32_t kind = 0; kind < automaton_.kinds().size(); ++kind) {
    const Term over = automaton_.kinds()[kind].over;
    if (!over) continue;
    const Term yet = terms_.eq(over, terms_.constant(1, 0));
    for (uint32_t n = 0; n < candidates_.size(); ++n) {
      if (automaton_.nodes()[n].kind == kind) continue;
      const std::vector<Term> facts = candidates_[n];
      size_t taken = 0;
      for (Term fact : facts) {
        const std::vector<Term> all = term::variables(fact);
        const bool tells = std::ranges::none_of(all, [&](Term v) { return v == over || automaton_.variable(v)->identity; });
        if (tells && taken++ < kMostResults) candidates_[n].push_back(terms_.bor(yet, fact));
      }
    }
  }
}

/// What a thread has tested may still hold further on: `i < first + 2`, `first % 2 == 0`.
void Prover::add_guards() {
  std::vector<TermSet> guards(automaton_.kinds().size());
  for (const Transition& step : automaton_.steps())
    for (Term t : step.conditions)
      if (closed(t) && term::dag_size(t) <= kLargest) guards[automaton_.nodes()[step.from].kind].insert(t);
  for (uint32_t n = 0; n < candidates_.size(); ++n) {
    const Node& node = automaton_.nodes()[n];
    size_t taken = 0;
    for (Term guard : guards[node.kind]) {
      const bool matters = std::ranges::all_of(term::variables(guard), [&](Term v) {
        const Variable* known = automaton_.variable(v);
        return !known->counter && (known->kind == kNone || node.live.contains(v));
      });
      if (!matters) continue;
      candidates_[n].push_back(guard);
      if (++taken >= kMostGuards) break;
    }
  }
}

/// Where a step adds an even constant to a variable, whether its value is even may never change.
void Prover::add_strides() {
  std::set<unsigned> widths;
  for (const Transition& step : automaton_.steps())
    for (const auto& [variable, now] : step.changes) {
      if (now.op() != term::Op::Add || now.arity() != 2) continue;
      for (unsigned i = 0; i < 2; ++i)
        if (now.kid(i).is_constant() && now.kid(i).value() % 2 == 0) widths.insert(variable.width());
    }
  for (uint32_t n = 0; n < candidates_.size(); ++n)
    for (const Variable& v : automaton_.variables()) {
      if (v.counter || !widths.contains(v.term.width())) continue;
      if (v.kind != kNone && !automaton_.nodes()[n].live.contains(v.term)) continue;
      const unsigned width = v.term.width();
      Term low = terms_.band(v.term, terms_.constant(width, 1)), zero = terms_.constant(width, 0);
      candidates_[n].insert(candidates_[n].end(), {terms_.eq(low, zero), terms_.ne(low, zero)});
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
      for (const Transition& step : automaton_.steps()) {
        if (step.birth != kNone && automaton_.kinds()[step.birth].entry == n)
          if (Term wp = newborn(step, t); !wp.is_constant() && closed(wp)) before.emplace_back(step.from, wp);
        if (step.to != n) continue;
        // It may be needed only where the step is taken, and may hold only if it is needed everywhere.
        Term later = after(step, t);
        for (Term wp : {terms_.implies(terms_.conjunction(step.conditions), later), later})
          if (!wp.is_constant() && closed(wp) && term::dag_size(wp) <= kLargest) before.emplace_back(step.from, wp);
      }
    }
    std::ranges::sort(before, {}, [](const auto& one) { return std::pair(one.first, one.second.id()); });
    before.erase(std::unique(before.begin(), before.end()), before.end());
    now = std::move(before);
  }
}

// Terms of other threads and other moments

Term Prover::other(Term t) {
  return terms_.substitute(t, [&](Term v) -> Term {
    const Variable* known = automaton_.variable(v);
    if (!known || known->kind == kNone) return {};
    Term& copy = others_[v];
    if (!copy) {
      copy = terms_.variable(v.width(), known->name + "'");
      owners_[copy] = v;
    }
    return copy;
  });
}

Term Prover::after(const Transition& step, Term t) {
  return terms_.substitute(t, [&](Term v) {
    auto found = step.changes.find(v);
    return found == step.changes.end() ? Term{} : found->second;
  });
}

Term Prover::after_shared(const Transition& step, Term t) {
  return terms_.substitute(t, [&](Term v) {
    auto found = step.changes.find(v);
    const Variable* known = automaton_.variable(v);
    return found == step.changes.end() || !known || known->kind != kNone ? Term{} : found->second;
  });
}

// The fixpoint

solve::Result Prover::check(Term condition) {
  ++queries;
  return solver_.check(std::array{condition});
}

bool Prover::weaken(NodeFacts& facts, uint32_t node, const std::function<Term(Term)>& now) {
  if (!facts.alive) {
    solve::Result result = check(terms_.truth());
    if (result.unsat()) return true;
    facts.alive = true;
    facts.version = ++clock_;
    for (Term t : candidates_[node])
      if (!result.sat() || solver_.value(now(t)) != 0) facts.kept.push_back(t);
  }
  return keep(facts.kept, facts.version, now);
}

/// Takes away what need not hold, and what the solver cannot tell.
bool Prover::keep(std::vector<Term>& kept, uint64_t& version, const std::function<Term(Term)>& now) {
  for (;;) {
    if (limits_.poll_now() != Stop::No) return false;
    std::vector<Term> open, then;
    for (Term t : kept) {
      Term later = now(t);
      if (later.is_true()) continue;
      open.push_back(t);
      then.push_back(later);
    }
    if (open.empty()) return true;
    solve::Result result = check(terms_.bnot(terms_.conjunction(then)));
    if (result.unsat()) return true;
    std::unordered_set<Term> gone;
    for (size_t i = 0; i < open.size(); ++i) {
      bool holds = result.sat() ? solver_.value(then[i]) != 0 : check(terms_.bnot(then[i])).unsat();
      if (!holds) gone.insert(open[i]);
      if (!result.sat() && limits_.poll_now() != Stop::No) return false;
    }
    if (gone.empty()) {
      if (result.sat()) problem = "the solver contradicts itself";
      return !result.sat();
    }
    std::erase_if(kept, [&](Term t) { return gone.contains(t); });
    version = ++clock_;
    if (!result.sat()) return true;
  }
}

bool Prover::possible(uint32_t a, uint32_t b) const {
  const Node &first = automaton_.nodes()[a], &second = automaton_.nodes()[b];
  return first.kind != second.kind || !automaton_.kinds()[first.kind].unique;
}

std::vector<Term> Prover::pair_candidates(uint32_t low, uint32_t high) {
  const Node &first = automaton_.nodes()[low], &second = automaton_.nodes()[high];
  std::vector<Term> out;
  auto compare = [&](Term v, Term named) {
    size_t taken = 0;
    for (Term c : constants_[v.width()]) {
      if (taken++ >= kMostConstants) break;
      out.insert(out.end(), {terms_.eq(named, c), terms_.ne(named, c)});
    }
  };
  for (Term v : first.live)
    if (!automaton_.variable(v)->identity) compare(v, v);
  for (Term v : second.live)
    if (!automaton_.variable(v)->identity) compare(v, other(v));
  // Numbers that threads draw are all different, whatever function they are drawn in.
  const bool few = first.live.size() * second.live.size() <= kMostDistinct;
  for (Term v : first.live)
    for (Term w : second.live)
      if (v.width() > 1 && v.width() == w.width() && (v == w || (few && first.kind != second.kind)))
        out.push_back(terms_.ne(v, other(w)));
  return out;
}

Term Prover::said_of(Term fact, const std::function<Term(Term)>& first, const std::function<Term(Term)>& second) {
  return terms_.substitute(fact, [&](Term v) {
    auto owner = owners_.find(v);
    return owner == owners_.end() ? first(v) : second(owner->second);
  });
}

bool Prover::meet(uint32_t a, uint32_t b, const std::function<Term(Term)>& first,
                  const std::function<Term(Term)>& second) {
  if (!possible(a, b)) return true;
  if (a > b) return meet(b, a, second, first);
  // Two threads at one node: whatever is said of them holds both ways round.
  auto said = [&](Term fact) {
    Term one = said_of(fact, first, second);
    return a == b ? terms_.band(one, said_of(fact, second, first)) : one;
  };
  Pair& met = pair(a, b);
  if (!met.alive) {
    solve::Result result = check(terms_.truth());
    if (result.unsat()) return true;
    met.alive = true;
    met.version = ++clock_;
    // What is known of quantities depends on who can be where.
    if (counting_) nodes_[a].version = nodes_[b].version = clock_;
    for (Term fact : pair_candidates(a, b))
      if (!result.sat() || solver_.value(said(fact)) != 0) met.kept.push_back(fact);
  }
  return keep(met.kept, met.version, said);
}

/// The first thread's variables have their own names, the second one's those of another.
void Prover::stand(const std::vector<uint32_t>& threads) {
  std::vector<Term> selves;
  for (size_t i = 0; i < threads.size(); ++i)
    if (const Term self = automaton_.kinds()[automaton_.nodes()[threads[i]].kind].self)
      selves.push_back(i == 0 ? self : other(self));
  for (Term self : selves) solver_.add(terms_.ult(self, terms_.constant(self.width(), Automaton::kMostAtOnce)));
  if (selves.size() == 2) solver_.add(terms_.ne(selves[0], selves[1]));
  if (!counting_) return;
  auto together = [&](uint32_t a, uint32_t b) { return possible(a, b) && pair(a, b).alive; };
  for (Term known : counting_->known(threads, together)) solver_.add(known);
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
bool Prover::follow(const Transition& step) {
  const NodeFacts& before = nodes_[step.from];
  uint64_t& seen = seen_[{&step, kNone}];
  if (seen >= before.version) return true;
  seen = before.version;
  solver_.push();
  stand({step.from});
  std::vector<Term> held = facts(step.from);
  for (Term t : held) solver_.add(t);
  for (Term t : step.conditions) solver_.add(t);
  std::unordered_set<Term> given(held.begin(), held.end());
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

/// Said of the thread that a step starts, before the step.
Term Prover::newborn(const Transition& step, Term t) {
  const ThreadKind& kind = automaton_.kinds()[step.birth];
  return terms_.substitute(t, [&](Term v) {
    const Variable* known = automaton_.variable(v);
    if (known->kind == kNone) return after_shared(step, v);
    if (v == kind.parameter) return terms_.resize_unsigned(step.argument, v.width());
    return known->initial ? known->initial : other(v);
  });
}

/// The thread that a step starts, alone and beside the one that started it.
bool Prover::born(const Transition& step) {
  const ThreadKind& kind = automaton_.kinds()[step.birth];
  auto begun = [&](Term t) { return newborn(step, t); };
  if (!weaken(nodes_[kind.entry], kind.entry, begun)) return false;
  if (step.to == kNone) return true;
  return meet(
      step.to, kind.entry, [&](Term t) { return after(step, t); }, begun);
}

/// What is known where one thread stands at `a`, and another one, whose variables have other names, at `b`.
void Prover::add_both(uint32_t a, uint32_t b, const std::function<void(Term)>& add) {
  stand({a, b});
  for (Term t : facts(a)) add(t);
  for (Term t : facts(b)) add(other(t));
  auto mine = [](Term t) { return t; };
  auto theirs = [&](Term t) { return other(t); };
  for (Term fact : pair_facts(std::min(a, b), std::max(a, b))) {
    if (a <= b) add(said_of(fact, mine, theirs));
    if (a >= b) add(said_of(fact, theirs, mine));
  }
}

/// What a step means for another thread.
bool Prover::follow_beside(const Transition& step, uint32_t there) {
  const NodeFacts &before = nodes_[step.from], &beside = nodes_[there];
  const Pair& both = pair(step.from, there);
  if (!both.alive || automaton_.nodes()[there].atomic) return true;
  uint64_t version = std::max({before.version, beside.version, both.version});
  uint64_t& seen = seen_[{&step, there}];
  if (seen >= version) return true;
  seen = version;
  solver_.push();
  std::unordered_set<Term> given;
  auto add = [&](Term t) { solver_.add(t), given.insert(t); };
  add_both(step.from, there, add);
  for (Term t : step.conditions) add(t);
  auto theirs = [&](Term t) { return other(t); };
  bool done = weaken(nodes_[there], there, [&](Term t) {
    Term named = other(t), later = after_shared(step, named);
    return later == named || given.contains(later) ? terms_.truth() : later;
  });
  if (done && step.to != kNone)
    done = meet(
        step.to, there, [&](Term t) { return after(step, t); }, theirs);
  if (done && step.birth != kNone) {
    // The newborn's variables are its own, named like no other's here.
    const ThreadKind& kind = automaton_.kinds()[step.birth];
    std::unordered_map<Term, Term> names;
    auto begun = [&](Term v) {
      if (v == kind.parameter) return terms_.resize_unsigned(step.argument, v.width());
      if (Term initial = automaton_.variable(v)->initial) return initial;
      Term& name = names[v];
      if (!name) name = terms_.variable(v.width(), "newborn");
      return name;
    };
    done = meet(kind.entry, there, begun, theirs);
  }
  solver_.pop();
  return done;
}

bool Prover::run() {
  if (!start()) return false;
  for (uint64_t before = 0; before != clock_;) {
    before = clock_;
    ++rounds;
    for (const Transition& step : automaton_.steps()) {
      if (!nodes_[step.from].alive) continue;
      if (limits_.poll_now() != Stop::No) return false;
      if (!follow(step)) return false;
      for (uint32_t there = 0; there < nodes_.size(); ++there)
        if (nodes_[there].alive && !follow_beside(step, there)) return false;
    }
  }
  return true;
}

/// Takes away facts that follow from the others.
void Prover::tidy() {
  for (const NodeFacts& facts : nodes_) all_.push_back(facts.kept);
  for (NodeFacts& facts : nodes_) {
    for (size_t i = facts.kept.size(); i-- > 0;) {
      Term fact = facts.kept[i];
      solver_.push();
      for (size_t j = 0; j < facts.kept.size(); ++j)
        if (j != i) solver_.add(facts.kept[j]);
      bool follows = check(terms_.bnot(fact)).unsat();
      solver_.pop();
      if (follows) facts.kept.erase(facts.kept.begin() + static_cast<ptrdiff_t>(i));
      if (limits_.poll_now() != Stop::No) return;
    }
  }
}

const Danger* Prover::unproved() {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].alive) continue;
    for (const Danger& danger : automaton_.nodes()[n].dangers) {
      solver_.push();
      stand({n});
      for (Term t : facts(n)) solver_.add(t);
      solve::Result result = check(danger.condition);
      solver_.pop();
      if (!result.unsat()) return &danger;
    }
  }
  return nullptr;
}

}  // namespace whittle::engines::crowd
