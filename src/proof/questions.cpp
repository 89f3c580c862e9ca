#include "proof/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "proof/proof.h"
#include "solve/sampled.h"

namespace whittle::proof {

namespace {
constexpr size_t kMostValues = 256;  ///< of an address or a size that depends on inputs: all are tried
constexpr double kSecondsPerQuestion = 10;
constexpr unsigned kQuestionsPerSolver = 2000;  ///< then a new one takes over: it keeps what it was asked
}  // namespace

std::vector<u128> Questions::values(const State& state, const End& asked, std::string& problem) {
  if (asked.kind == End::Kind::Input) return {0, 1};
  term::Store& store = symbols_.store();
  const std::vector<Term> conditions = about(state, asked.term);
  std::vector<u128> found;
  if (asked.term.width() == 1) {
    if (const auto known = plainly(asked.term)) return {*known};
    if (possible(conditions, store.bnot(asked.term))) found.push_back(0);
    if (found.empty() || possible(conditions, asked.term)) found.push_back(1);  // one of them is: there is such a state
    return found;
  }
  solver().push();
  for (Term c : conditions) solver_->add(c);
  solve::Result result = solver_->check();
  for (; result.sat() && found.size() < kMostValues; result = solver_->check()) {
    found.push_back(solver_->value(asked.term));
    solver_->add(store.ne(asked.term, store.constant(asked.term.width(), found.back())));
  }
  solver_->pop();
  if (!result.unsat())
    problem = fmt::format("an address or a size depends on inputs, and {}", result.sat() ? "has too many values" : "which values it has could not be decided");
  std::ranges::sort(found);
  return found;
}

/// What is decided of the inputs of a term, and of those that depend on these.
std::vector<Term> Questions::about(const State& state, Term t) const {
  std::unordered_set<Term> inputs;
  for (Term v : term::variables(t)) inputs.insert(v);
  std::vector<Term> conditions;
  std::unordered_set<uint32_t> taken;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [id, known] : state.decided) {
      if (taken.contains(id)) continue;
      const std::vector<Term> own = term::variables(known.first);
      if (!std::ranges::any_of(own, [&](Term v) { return inputs.contains(v); })) continue;
      inputs.insert(own.begin(), own.end());
      term::Store& store = symbols_.store();
      conditions.push_back(store.eq(known.first, store.constant(known.first.width(), known.second)));
      more = taken.insert(id).second;
    }
  }
  return conditions;
}

/// What intervals say of a comparison, whatever is decided.
std::optional<bool> Questions::plainly(Term condition) {
  const bool negated = condition.op() == term::Op::Not;
  const Term t = negated ? condition.kid(0) : condition;
  if (t.op() < term::Op::Eq || t.op() > term::Op::Sle) return std::nullopt;
  const std::optional<bool> known = ranges_.compared(t.op(), t.kid(0), t.kid(1));
  return known ? std::optional(*known != negated) : std::nullopt;
}

bool Questions::possible(std::vector<Term> conditions, Term more) {
  if (more.is_constant()) return more.is_true();
  conditions.push_back(more);
  std::ranges::sort(conditions, {}, &Term::id);
  std::vector<uint32_t> question;
  for (Term c : conditions) question.push_back(c.id());
  auto [known, fresh] = answers_.try_emplace(question, false);
  if (!fresh) return known->second;
  const solve::Result result = solver().check(conditions);
  doubt_ |= result.unknown();
  return known->second = !result.unsat();
}

solve::Solver& Questions::solver() {
  term::Store& store = symbols_.store();
  if (!solver_ || ++questions_ % kQuestionsPerSolver == 0) solver_ = solve::make_sampled(store, solve::make_cvc5(store), kAskedTwice);
  solver_->set_budget({.seconds = std::min(kSecondsPerQuestion, limits_.remaining())});
  return *solver_;
}

}  // namespace whittle::proof
