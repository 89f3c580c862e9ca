#include "solve/stack.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "solve/bits.h"
#include "solve/boxes.h"
#include "solve/layer.h"

namespace whittle::solve {
namespace {

/// One back end for bits, another for questions with floats.
class FloatsApart final : public Solver {
 public:
  FloatsApart(std::unique_ptr<Solver> bits, std::unique_ptr<Solver> floats)
      : bits_(std::move(bits)), floats_(std::move(floats)), asked_(bits_.get()) {}

  void add(Term condition) override {
    if (condition.has_floats()) ++with_floats_.back();
    bits_->add(condition);
    floats_->add(condition);
  }
  void push() override {
    with_floats_.push_back(with_floats_.back());
    bits_->push();
    floats_->push();
  }
  void pop() override {
    with_floats_.pop_back();
    bits_->pop();
    floats_->pop();
  }
  Result check(std::span<const Term> assumptions) override {
    const bool floats = with_floats_.back() > 0 ||
                        std::any_of(assumptions.begin(), assumptions.end(), [](Term t) { return t.has_floats(); });
    asked_ = floats ? floats_.get() : bits_.get();
    return asked_->check(assumptions);
  }
  u128 value(Term t) override { return asked_->value(t); }
  std::vector<Term> core() override { return asked_->core(); }
  void interrupt() override {
    bits_->interrupt();
    floats_->interrupt();
  }
  void set_budget(const Budget& budget) override {
    bits_->set_budget(budget);
    floats_->set_budget(budget);
  }
  const Capabilities& capabilities() const override { return floats_->capabilities(); }

 private:
  std::unique_ptr<Solver> bits_, floats_;
  Solver* asked_;
  std::vector<size_t> with_floats_{0};  ///< conditions that hold at each level
};

std::unique_ptr<Solver> make_backend(const term::Store& store, Engine engine) {
  switch (engine) {
    case Engine::Cvc5: return make_boxes(store, make_cvc5(store));
    case Engine::Cadical: return std::make_unique<FloatsApart>(make_cadical(store), make_boxes(store, make_z3(store)));
    case Engine::Measured:
    case Engine::Z3: break;
  }
  return make_boxes(store, make_z3(store));
}

/// Owns what the layers share, and passes everything on.
class Stack final : public Solver {
 public:
  Stack(const term::Store& store, const StackOptions& options, Statistics* statistics)
      : context_{store, statistics != nullptr ? *statistics : own_} {
    const bool z3 = options.engine == Engine::Measured || options.engine == Engine::Z3;
    auto solver = make_statistics(context_, make_backend(store, options.engine), "backend");
    if (options.cross_check)
      solver = make_cross_check(context_, std::move(solver), z3 ? make_cvc5(store) : make_z3(store));
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
  Limited(Context& context, const term::Store& store, const StackOptions& options)
      : context_(context),
        inner_(std::make_unique<Stack>(store, options, &layers_)),
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

/// `measured`: where the user leaves it to us.
StackOptions wanted_options(const Context& context, Engine measured) {
  StackOptions options;
  if (const SolverOptions* wanted = context.solver_options) {
    options.engine = wanted->engine;
    options.cross_check = wanted->cross_check;
    options.log_directory = wanted->log_directory;
  }
  if (options.engine == Engine::Measured) options.engine = measured;
  return options;
}

}  // namespace

Engine engine_named(std::string_view name) {
  const auto found = std::find(kEngineNames.begin(), kEngineNames.end(), name);
  return found == kEngineNames.end() ? Engine::Measured : static_cast<Engine>(found - kEngineNames.begin());
}

std::unique_ptr<Solver> make_solver(Context& context, const term::Store& store, Asked asked) {
  return std::make_unique<Limited>(context, store,
                                   wanted_options(context, asked == Asked::Paths ? Engine::Cadical : Engine::Z3));
}

std::unique_ptr<Solver> make_bare_solver(Context& context, const term::Store& store, bool floats) {
  StackOptions options = wanted_options(context, floats ? Engine::Z3 : Engine::Cadical);
  options.split = options.independence = options.cache = options.reuse_models = false;
  return std::make_unique<Limited>(context, store, options);
}

std::unique_ptr<Solver> make_solver(const term::Store& store, const StackOptions& options, Statistics* statistics) {
  return std::make_unique<Stack>(store, options, statistics);
}

}  // namespace whittle::solve
