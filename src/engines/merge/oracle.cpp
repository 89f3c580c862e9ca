#include "engines/merge/oracle.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "solve/bits.h"

namespace whittle::engines::merge {

namespace {

// Claims are asked about when that has waited for so many seconds, and for so many times what it took up to now.
constexpr double kPatience = 0.5, kShare = 2;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Oracle::Oracle(const program::Program& program, Context& context)
    : program_(program), context_(context), settled_at_(now()) {}

/// Bit-vectors go to the SAT solver; where floats are, to the general one.
solve::Solver& Oracle::solver_for(Term condition) {
  const bool floats = condition.has_floats();
  std::unique_ptr<solve::Solver>& solver = floats ? general_ : bits_;
  if (!solver) solver = solve::make_bare_solver(context_, program_.terms(), floats);
  return *solver;
}

Possible Oracle::ask(Term condition, uint64_t conflicts) {
  solve::Solver& solver = solver_for(condition);
  solve::Budget budget;
  budget.steps = conflicts;
  solver.set_budget(budget);
  const double start = now();
  const solve::Result result = solver.check(std::array{condition});
  seconds_ += now() - start;
  ++queries_;
  if (result.unknown()) {
    reason_ = result.reason;
    return Possible::Unknown;
  }
  if (result.unsat()) {
    solver.add(program_.terms().bnot(condition));  // what is known makes the next question easier
    return Possible::No;
  }
  std::unordered_map<Term, u128> values;
  for (Term variable : term::variables(condition)) values.emplace(variable, solver.value(variable));
  model_ = std::make_shared<Model>(std::move(values));
  models_.push_front(model_);
  if (models_.size() > kModels) models_.pop_back();
  return Possible::Yes;
}

Possible Oracle::possible(Term condition, uint64_t conflicts) {
  if (condition.is_false()) return Possible::No;
  for (size_t i = 0; i < models_.size(); ++i)
    if (models_[i]->holds(condition)) {
      model_ = models_[i];
      std::rotate(models_.begin(), models_.begin() + static_cast<ptrdiff_t>(i),
                  models_.begin() + static_cast<ptrdiff_t>(i) + 1);
      return Possible::Yes;
    }
  return ask(condition, conflicts);
}

void Oracle::claim(Claim claim) {
  ++claims_;
  if (!claim.wrong.is_false()) pending_.push_back(claim);
}

bool Oracle::first_violated(Model& model) {
  for (size_t i = 0; i < pending_.size(); ++i)
    if (model.holds(pending_[i].wrong)) {
      violated_ = pending_[i];
      pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(i));
      return true;
    }
  return false;
}

Possible Oracle::any_violated() {
  const double start = now();
  Possible answer = Possible::No;
  // A few at a time, oldest first: what holds helps with those that build on it.
  const size_t together = pending_.size() / kQuestions + 1;
  while (!pending_.empty() && answer == Possible::No) {
    const size_t count = std::min(pending_.size(), together);
    std::vector<Term> some;
    for (size_t i = 0; i < count; ++i) some.push_back(pending_[i].wrong);
      answer = possible(program_.terms().disjunction(some));
    if (answer == Possible::No) pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(count));
  }
  if (answer == Possible::Yes && !first_violated(*model_)) {
    reason_ = "a model violates none of the claims";
    answer = Possible::Unknown;
  }
  settled_at_ = now();
  settle_seconds_ += settled_at_ - start;
  return answer;
}

bool Oracle::due() const {
  return !pending_.empty() && now() - settled_at_ > std::max(kPatience, kShare * settle_seconds_);
}

}  // namespace whittle::engines::merge
