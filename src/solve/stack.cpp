#include "solve/stack.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "solve/bits.h"
#include "solve/layer.h"

namespace whittle::solve {
namespace {

/// Owns what the layers share, and passes everything on.
class Stack final : public Solver {
 public:
  /// `bits`: CaDiCaL instead of the back end of the options.
  Stack(const term::Store& store, const StackOptions& options, Statistics* statistics, bool bits = false)
      : context_{store, statistics != nullptr ? *statistics : own_} {
    const bool z3 = options.engine == Engine::Z3;
    auto solver =
        make_statistics(context_, bits ? make_cadical(store) : z3 ? make_z3(store) : make_cvc5(store), "backend");
    if (options.cross_check)
      solver = make_cross_check(context_, std::move(solver), z3 && !bits ? make_cvc5(store) : make_z3(store));
    if (!options.log_directory.empty()) solver = make_smtlib_log(context_, std::move(solver), options.log_directory);
    if (options.reuse_models) solver = make_model_reuse(context_, std::move(solver));
    if (options.cache) solver = make_cache(context_, std::move(solver));
    if (options.independence) solver = make_independence(context_, std::move(solver));
    if (options.split) solver = make_split(context_, std::move(solver));
    top_ = make_statistics(context_, std::move(solver), "all");
  }

  void add(Term condition) override { top_->add(condition); }
  void push() override { top_->push(); }
  void pop() override { top_->pop(); }
  Result check(std::span<const Term> assumptions) override {
    if (interrupted_)
      return {Answer::Unknown, "interrupted"};  // layers might know the answer, but that was not asked for
    return top_->check(assumptions);
  }
  u128 value(Term t) override { return top_->value(t); }
  std::vector<Term> core() override { return top_->core(); }
  void interrupt() override {
    interrupted_ = true;
    top_->interrupt();
  }
  void set_budget(const Budget& budget) override { top_->set_budget(budget); }
  const Capabilities& capabilities() const override { return top_->capabilities(); }

 private:
  Statistics own_;
  StackContext context_;
  std::unique_ptr<Solver> top_;
  std::atomic<bool> interrupted_{false};
};

/// Ends with the limits.
class Limited final : public Solver {
 public:
  Limited(Context& context, const term::Store& store, const StackOptions& options, bool bits = false)
      : context_(context),
        inner_(std::make_unique<Stack>(store, options, &layers_, bits)),
        hook_(context.limits, [this] { inner_->interrupt(); }) {}

  void add(Term condition) override { inner_->add(condition); }
  void push() override { inner_->push(); }
  void pop() override { inner_->pop(); }
  Result check(std::span<const Term> assumptions) override {
    if (Stop stop = context_.limits.poll_now(); stop != Stop::No) return {Answer::Unknown, whittle::to_string(stop)};
    Budget budget = budget_;
    budget.seconds = std::min(budget.seconds, std::max(context_.limits.remaining(), kLeastSeconds));
    inner_->set_budget(budget);
    const auto start = std::chrono::steady_clock::now();
    Result result = inner_->check(assumptions);
    Statistics& figures = context_.statistics;
    figures.add("solver_queries");
    if (const uint64_t checked = layers_.count("solver.cross_check.checked"); checked != 0)
      figures.set("solver_cross_checked", checked);
    figures.add_seconds("solver_query_seconds",
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!result.unknown()) return result;
    figures.add("solver_unknown");
    if (Stop stop = context_.limits.poll_now(); stop != Stop::No) result.reason = whittle::to_string(stop);
    return result;
  }
  u128 value(Term t) override { return inner_->value(t); }
  std::vector<Term> core() override { return inner_->core(); }
  void interrupt() override { inner_->interrupt(); }
  void set_budget(const Budget& budget) override { budget_ = budget; }
  const Capabilities& capabilities() const override { return inner_->capabilities(); }

 private:
  static constexpr double kLeastSeconds = 0.001;  ///< a budget of nothing means none to some libraries

  Context& context_;
  Budget budget_;
  Statistics layers_;  ///< of the stack
  std::unique_ptr<Solver> inner_;
  Limits::Hook hook_;
};

}  // namespace

namespace {

StackOptions wanted_options(const Context& context) {
  StackOptions options;
  if (const SolverOptions* wanted = context.solver_options) {
    options.engine = wanted->engine;
    options.cross_check = wanted->cross_check;
    options.log_directory = wanted->log_directory;
  }
  return options;
}

}  // namespace

std::unique_ptr<Solver> make_solver(Context& context, const term::Store& store) {
  return std::make_unique<Limited>(context, store, wanted_options(context));
}

std::unique_ptr<Solver> make_bare_solver(Context& context, const term::Store& store, bool floats) {
  StackOptions options = wanted_options(context);
  options.split = options.independence = options.cache = options.reuse_models = false;
  return std::make_unique<Limited>(context, store, options, !floats);
}

std::unique_ptr<Solver> make_solver(const term::Store& store, const StackOptions& options, Statistics* statistics) {
  return std::make_unique<Stack>(store, options, statistics);
}

}  // namespace whittle::solve
