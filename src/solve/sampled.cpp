#include "solve/sampled.h"

#include <algorithm>

namespace whittle::solve {

namespace {

class Sampled final : public Solver {
 public:
  Sampled(const term::Store& store, std::unique_ptr<Solver> inner, unsigned every)
      : store_(store), inner_(std::move(inner)), every_(every) {}

  void add(Term condition) override {
    asserted_.push_back(condition);
    inner_->add(condition);
  }
  void push() override {
    levels_.push_back(asserted_.size());
    inner_->push();
  }
  void pop() override {
    asserted_.resize(levels_.back());
    levels_.pop_back();
    inner_->pop();
  }
  Result check(std::span<const Term> assumptions) override {
    Result result = inner_->check(assumptions);
    if (!result.unsat() || unsat_++ % every_ != 0) return result;
    // As a new solver: what went wrong may be what was kept.
    constexpr double kSeconds = 5;
    const std::unique_ptr<Solver> other = make_z3(store_);
    other->set_budget({.seconds = std::min(kSeconds, seconds_)});
    for (Term condition : asserted_) other->add(condition);
    if (other->check(assumptions).sat()) return {Answer::Unknown, "solvers disagree: " + inner_->capabilities().name + " says unsat, z3 has a model"};
    return result;
  }
  u128 value(Term t) override { return inner_->value(t); }
  std::vector<Term> core() override { return inner_->core(); }
  void interrupt() override { inner_->interrupt(); }
  void set_budget(const Budget& budget) override {
    seconds_ = budget.seconds;
    inner_->set_budget(budget);
  }
  const Capabilities& capabilities() const override { return inner_->capabilities(); }

 private:
  const term::Store& store_;
  std::unique_ptr<Solver> inner_;
  const unsigned every_;
  unsigned unsat_ = 0;
  double seconds_ = std::numeric_limits<double>::infinity();
  std::vector<Term> asserted_;
  std::vector<size_t> levels_;
};

}  // namespace

std::unique_ptr<Solver> make_sampled(const term::Store& store, std::unique_ptr<Solver> solver, unsigned every) {
  return std::make_unique<Sampled>(store, std::move(solver), every);
}

}  // namespace whittle::solve
