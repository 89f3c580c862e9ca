#include "engines/crowd/counting.h"

#include <algorithm>
#include <array>
#include <set>

#include "engines/crowd/prover.h"

namespace whittle::engines::crowd {

namespace {

constexpr unsigned kWidth = 40;
constexpr unsigned kWidest = 32;   ///< variables that are compared with quantities
constexpr int64_t kHeaviest = 60;  ///< weights times threads fit into kWidth bits

bool countable(const Variable& v) { return !v.counter && v.term.width() >= 8 && v.term.width() <= kWidest; }

}  // namespace

Counting::Counting(Automaton& automaton, term::Store& terms, const Prover& before, solve::Solver& solver)
    : automaton_(automaton), terms_(terms), before_(before), solver_(solver) {
  for (uint32_t n = 0; n < automaton_.nodes().size(); ++n)
    if (automaton_.nodes()[n].kind != 0) add_progress(n);
  std::vector<Variable> variables = automaton_.variables();
  for (const Variable& v : variables)
    if (v.kind == kNone && v.initial && countable(v)) add_balance(v);
  for (uint32_t s = 0; s < automaton_.steps_.size(); ++s) {
    Transition& step = automaton_.steps_[s];
    for (const Quantity& q : quantities_) {
      int64_t by = -q.at[step.from] + (step.to == kNone ? q.ended[s] : q.at[step.to]);
      if (step.birth == q.kind) by += q.at[automaton_.kinds_[q.kind].entry];
      if (by != 0) step.changes[q.variable] = terms_.add(q.variable, number(by));
    }
    if (step.birth == kNone) continue;
    for (Term total : totals_) step.conditions.push_back(terms_.slt(total, number(kMostThreads)));
  }
}

Term Counting::number(int64_t value) const { return terms_.constant(kWidth, static_cast<u128>(i128{value})); }
Term Counting::wide(Term t) const { return terms_.sext(t, kWidth); }

Counting::Quantity Counting::nothing(uint32_t kind) const {
  return {kind, std::vector<int64_t>(automaton_.nodes().size()), std::vector<int64_t>(automaton_.steps().size()), {}};
}

Term Counting::add(Quantity quantity) {
  auto found = std::ranges::find(quantities_, quantity);
  if (found != quantities_.end()) return found->variable;
  std::string name = "#" + std::to_string(quantities_.size());
  bool main = quantity.kind == 0;
  Term initial = number(main ? quantity.at[automaton_.kinds_[0].entry] : 0);
  quantity.variable = terms_.variable(kWidth, name);
  automaton_.numbers_[quantity.variable] = automaton_.variables_.size();
  automaton_.variables_.push_back({quantity.variable, kNone, name, initial, true});
  quantities_.push_back(std::move(quantity));
  return quantities_.back().variable;
}

/// Threads that stand at a node or where one can come to from there.
void Counting::add_progress(uint32_t node) {
  uint32_t kind = automaton_.nodes()[node].kind;
  Quantity quantity = nothing(kind);
  std::vector<uint32_t> work{node};
  quantity.at[node] = 1;
  while (!work.empty()) {
    uint32_t at = work.back();
    work.pop_back();
    for (uint32_t s : automaton_.nodes()[at].steps) {
      uint32_t to = automaton_.steps()[s].to;
      if (to == kNone) {
        quantity.ended[s] = 1;
      } else if (quantity.at[to] == 0) {
        quantity.at[to] = 1;
        work.push_back(to);
      }
    }
  }
  Term term = add(std::move(quantity));
  if (std::ranges::find(progress_, term) == progress_.end()) progress_.push_back(term);
  for (uint32_t s : automaton_.nodes()[node].steps)
    for (const auto& [variable, now] : automaton_.steps()[s].changes)
      if (const Variable* v = automaton_.variable(variable); v && v->kind == kNone && v->initial && !v->counter)
        first_changes_.emplace(variable, term);
  if (node == automaton_.kinds()[kind].entry && !automaton_.kinds()[kind].unique) totals_.push_back(term);
}

/// What a step adds to a variable, if that is always the same; 0 if it is never taken.
std::optional<int64_t> Counting::added(const Transition& step, Term variable) const {
  auto change = step.changes.find(variable);
  if (change == step.changes.end()) return 0;
  Term difference = terms_.sub(change->second, variable);
  solver_.push();
  for (Term fact : before_.facts(step.from)) solver_.add(fact);
  for (Term condition : step.conditions) solver_.add(condition);
  std::optional<int64_t> found;
  solve::Result result = solver_.check();
  if (result.unsat()) found = 0;
  if (result.sat()) {
    u128 value = solver_.value(difference);
    if (solver_.check(std::array{terms_.ne(difference, terms_.constant(variable.width(), value))}).unsat()) {
      unsigned unused = 64 - variable.width();
      found = static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
    }
  }
  solver_.pop();
  return found;
}

/// variable == constant + what each thread has added so far, which is told by where it stands.
void Counting::add_balance(const Variable& variable) {
  size_t nodes = automaton_.nodes().size();
  std::vector<std::optional<int64_t>> at(nodes);
  std::vector<int64_t> ended(automaton_.steps().size());
  std::vector<uint32_t> work;
  for (const ThreadKind& kind : automaton_.kinds()) at[kind.entry] = 0, work.push_back(kind.entry);
  std::set<u128> constants{0, variable.initial.value()};
  std::vector<bool> done(nodes);
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    if (done[n] || !before_.reached(n)) continue;
    done[n] = true;
    for (uint32_t s : automaton_.nodes()[n].steps) {
      const Transition& step = automaton_.steps()[s];
      std::optional<int64_t> by = added(step, variable.term);
      // Main gives variables their first values, before there are other threads.
      auto change = step.changes.find(variable.term);
      if (automaton_.nodes()[n].kind == 0 && change != step.changes.end()) {
        if (change->second.is_constant()) constants.insert(change->second.value());
        if (change->second.is_constant() || !by) by = 0;
      }
      if (!by || std::abs(*at[n] + *by) > kHeaviest) return;
      int64_t now = *at[n] + *by;
      if (step.to == kNone) {
        ended[s] = now;
      } else if (!at[step.to]) {
        at[step.to] = now;
        work.push_back(step.to);
      } else if (*at[step.to] != now) {
        return;
      }
    }
  }
  Term sum = number(0);
  for (uint32_t kind = 0; kind < automaton_.kinds().size(); ++kind) {
    Quantity quantity = nothing(kind);
    for (uint32_t n = 0; n < nodes; ++n)
      if (automaton_.nodes()[n].kind == kind) quantity.at[n] = at[n].value_or(0);
    for (uint32_t s = 0; s < ended.size(); ++s)
      if (automaton_.nodes()[automaton_.steps()[s].from].kind == kind) quantity.ended[s] = ended[s];
    if (quantity == nothing(kind)) continue;
    // What was added and what was taken away, apart: each can only be more where more threads are.
    for (int64_t sign : {1, -1}) {
      Quantity part = nothing(kind);
      for (size_t n = 0; n < part.at.size(); ++n) part.at[n] = std::max(int64_t{0}, sign * quantity.at[n]);
      for (size_t s = 0; s < part.ended.size(); ++s) part.ended[s] = std::max(int64_t{0}, sign * quantity.ended[s]);
      if (part == nothing(kind)) continue;
      Term term = add(std::move(part));
      sum = sign > 0 ? terms_.add(sum, term) : terms_.sub(sum, term);
    }
  }
  if (sum.is_constant()) return;
  for (u128 c : constants)
    balances_.push_back(
        terms_.eq(wide(variable.term), terms_.add(wide(terms_.constant(variable.term.width(), c)), sum)));
}

std::optional<int64_t> Counting::excess(const Quantity& more, const Quantity& less,
                                        const std::vector<uint32_t>& threads) const {
  for (size_t n = 0; n < more.at.size(); ++n)
    if (more.at[n] < less.at[n]) return std::nullopt;
  for (size_t s = 0; s < more.ended.size(); ++s)
    if (more.ended[s] < less.ended[s]) return std::nullopt;
  int64_t least = 0;
  for (uint32_t n : threads) least += more.at[n] - less.at[n];
  return least;
}

/// Can only those of a quantity's kind that are known of make it more than 0?
bool Counting::no_others(const Quantity& q, const std::vector<uint32_t>& threads, const Together& together) const {
  if (std::ranges::any_of(q.ended, [](int64_t weight) { return weight != 0; })) return false;
  for (uint32_t n = 0; n < q.at.size(); ++n)
    if (q.at[n] != 0 && std::ranges::all_of(threads, [&](uint32_t thread) { return together(thread, n); }))
      return false;
  return true;
}

std::vector<Term> Counting::known(const std::vector<uint32_t>& threads, const Together& together) const {
  std::vector<Term> out;
  for (const Quantity& q : quantities_) {
    Quantity zero = nothing(q.kind);
    int64_t low = 0, high = 0;  // there may be no steps at all: where the first thing is one that cannot be followed
    for (const std::vector<int64_t>* weights : {&q.at, &q.ended})
      for (int64_t weight : *weights) low = std::min(low, weight), high = std::max(high, weight);
    int64_t most = unique(q) ? 1 : int64_t{kMostThreads};
    out.push_back(terms_.sle(number(low * most), q.variable));
    out.push_back(terms_.sle(q.variable, number(high * most)));
    if (unique(q)) {
      auto here = std::ranges::find_if(threads, [&](uint32_t n) { return automaton_.nodes()[n].kind == q.kind; });
      if (here != threads.end()) out.push_back(terms_.eq(q.variable, number(q.at[*here])));
      continue;
    }
    if (auto least = excess(q, zero, threads)) out.push_back(terms_.sle(number(*least), q.variable));
    if (no_others(q, threads, together)) out.push_back(terms_.sle(q.variable, number(*excess(q, zero, threads))));
    for (const Quantity& other : quantities_)
      if (&other != &q && other.kind == q.kind)
        if (auto least = excess(q, other, threads))
          out.push_back(terms_.sle(terms_.add(other.variable, number(*least)), q.variable));
  }
  return out;
}

std::vector<std::vector<Term>> Counting::candidates() const {
  std::vector<Term> everywhere = balances_;
  for (Term total : totals_)
    if (auto constants = before_.constants().find(32); constants != before_.constants().end())
      for (Term c : constants->second)
        if (c.value() < kMostThreads) everywhere.push_back(terms_.sle(total, wide(c)));
  for (const Quantity& q : quantities_)
    if (const Term over = automaton_.kinds()[q.kind].over) {
      const std::set<int64_t> weights(q.ended.begin(), q.ended.end());
      for (int64_t weight : weights)
        everywhere.push_back(terms_.bor(terms_.eq(over, terms_.constant(1, 0)), terms_.eq(q.variable, number(weight))));
    }
  // What no thread has come to change is what it was.
  for (const auto& [variable, count] : first_changes_)
    everywhere.push_back(terms_.bor(terms_.eq(variable, automaton_.variable(variable)->initial), terms_.slt(number(0), count)));
  std::vector<std::vector<Term>> out(automaton_.nodes().size(), everywhere);
  for (uint32_t n = 0; n < out.size(); ++n)
    for (const Variable& v : automaton_.variables()) {
      if (!countable(v) || (v.kind != kNone && !automaton_.nodes()[n].live.contains(v.term))) continue;
      Term x = wide(v.term);
      for (Term count : progress_)
        out[n].insert(out[n].end(), {terms_.sle(x, count), terms_.slt(x, count), terms_.sle(count, x)});
      for (Term count : totals_) {
        Term one_less = terms_.sub(count, number(1));
        out[n].insert(out[n].end(), {terms_.slt(count, x), terms_.eq(count, x), terms_.eq(one_less, x)});
      }
    }
  return out;
}

}  // namespace whittle::engines::crowd
