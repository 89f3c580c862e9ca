#include "engines/dash/questions.h"

#include <ctime>

#include "solve/in_turn.h"
#include "solve/stack.h"

namespace whittle::engines::dash {

namespace {

constexpr double kSecondsPerQuery = 10;
constexpr uint64_t kSteps = 5'000'000,
                   kStepsForSums = 500'000;  ///< about a second, and a tenth of one, before integers are tried

}  // namespace

Questions::Questions(whittle::Context& context, term::Store& terms, Counts& counts, solve::Answers* kept)
    : context_(context), counts_(counts), begun_(now()) {
  std::shared_ptr<solve::Solver> bits = solve::make_solver(context, terms, solve::Asked::Induction);
  solver_ = solve::make_in_turn({{solve::make_z3_linear(terms), kSecondsPerQuery / 5, false, kSteps, kSteps, true},
                                 {bits, kSecondsPerQuery, true, kSteps, kStepsForSums},
                                 {solve::make_cvc5_on_integers(terms), kSecondsPerQuery / 2, false},
                                 {bits, kSecondsPerQuery}});
  solver_->set_budget({.seconds = kSecondsPerQuery});
  if (kept != nullptr) solver_ = solve::make_remembering(terms, *kept, std::move(solver_));
}

double Questions::now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

solve::Result Questions::ask(const std::vector<Term>& conditions) {
  ++counts_.iterations;
  ++counts_.solver_calls;
  const double begin = now();
  solve::Result result = solver_->check(conditions);
  counts_.solver_seconds += now() - begin;
  return result;
}

Asking Questions::until(double second) {
  Asking asking;
  asking.ask = [this](const std::vector<Term>& conditions) { return ask(conditions); };
  asking.value = [this](Term t) { return value(t); };
  asking.core = [this] { return core(); };
  asking.out_of_budget = [this, second] { return now() > second || context_.limits.poll_now() != Stop::No; };
  return asking;
}

}  // namespace whittle::engines::dash
