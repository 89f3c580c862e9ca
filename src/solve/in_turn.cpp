#include "solve/in_turn.h"

#include <algorithm>
#include <unordered_map>

#include "solve/linear.h"

namespace whittle::solve {
namespace {

class InTurn final : public Solver {
 public:
  explicit InTurn(std::vector<Turn> turns) : turns_(std::move(turns)) {
    for (const Turn& turn : turns_)
      if (std::find(solvers_.begin(), solvers_.end(), turn.solver) == solvers_.end()) solvers_.push_back(turn.solver);
  }

  void add(Term condition) override {
    floats_ += condition.has_floats() ? 1 : 0;
    asserted_.push_back(condition);
    for (auto& solver : solvers_) solver->add(condition);
  }
  void push() override {
    levels_.push_back(asserted_.size());
    for (auto& solver : solvers_) solver->push();
  }
  void pop() override {
    for (; asserted_.size() > levels_.back(); asserted_.pop_back()) floats_ -= asserted_.back().has_floats() ? 1 : 0;
    levels_.pop_back();
    for (auto& solver : solvers_) solver->pop();
  }
  Result check(std::span<const Term> assumptions) override {
    const bool floats =
        floats_ > 0 || std::any_of(assumptions.begin(), assumptions.end(), [](Term t) { return t.has_floats(); });
    const bool sums = !floats && (std::any_of(asserted_.begin(), asserted_.end(), [&](Term t) { return widened(t); }) ||
                                  std::any_of(assumptions.begin(), assumptions.end(), [&](Term t) { return widened(t); }));
    Result result;
    for (const Turn& turn : turns_) {
      if ((floats && !turn.floats) || (turn.only_sums && !sums)) continue;
      // Where the others have nothing to say, the first one need not hurry.
      const bool alone = std::none_of(turns_.begin(), turns_.end(),
                                      [&](const Turn& t) { return t.solver != turn.solver && (t.floats || !floats); });
      Budget budget = budget_;
      if (!alone) {
        budget.seconds = std::min(budget.seconds, turn.seconds);
        budget.steps = sums ? turn.steps_for_sums : turn.steps;
      }
      turn.solver->set_budget(budget);
      answered_ = turn.solver.get();
      result = turn.solver->check(assumptions);
      if (!result.unknown() || result.reason == "interrupted" || alone) break;
    }
    return result;
  }
  u128 value(Term t) override { return answered_->value(t); }
  std::vector<Term> core() override { return answered_->core(); }
  void interrupt() override {
    for (auto& solver : solvers_) solver->interrupt();
  }
  void set_budget(const Budget& budget) override { budget_ = budget; }
  const Capabilities& capabilities() const override { return turns_[0].solver->capabilities(); }

 private:
  bool widened(Term root) {
    auto [it, fresh] = widened_.try_emplace(root, false);
    if (fresh) it->second = is_about_sums(root);
    return it->second;
  }

  std::vector<Turn> turns_;
  std::vector<std::shared_ptr<Solver>> solvers_;  ///< each once
  Solver* answered_ = nullptr;
  Budget budget_;
  std::vector<Term> asserted_;
  std::vector<size_t> levels_;
  size_t floats_ = 0;  ///< conditions with floats
  std::unordered_map<Term, bool> widened_;
};

}  // namespace

std::unique_ptr<Solver> make_in_turn(std::vector<Turn> turns) { return std::make_unique<InTurn>(std::move(turns)); }

}  // namespace whittle::solve
