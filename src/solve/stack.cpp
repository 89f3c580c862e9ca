#include "solve/stack.h"

#include <atomic>

#include "solve/layer.h"

namespace whittle::solve {
namespace {

/// Owns what the layers share, and passes everything on.
class Stack final : public Solver {
 public:
  Stack(const term::Store& store, const StackOptions& options, Statistics* statistics)
      : context_{store, statistics != nullptr ? *statistics : own_} {
    const bool z3 = options.engine == Engine::Z3;
    auto solver = make_statistics(context_, z3 ? make_z3(store) : make_cvc5(store), "backend");
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

}  // namespace

std::unique_ptr<Solver> make_solver(const term::Store& store, const StackOptions& options, Statistics* statistics) {
  return std::make_unique<Stack>(store, options, statistics);
}

}  // namespace whittle::solve
