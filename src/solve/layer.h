// Solvers that stand before another solver. A layer keeps the assertion stack itself and asks the one behind it whole
// queries, as assumptions: so a query is a set of conditions, and a core is a subset of it.
//
// Writing a layer: derive, implement query(), and say after Sat what leaves are worth by setting model_, or after Unsat
// which conditions suffice by setting core_. stack.h puts layers together.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "base/statistics.h"
#include "solve/solver.h"

namespace whittle::solve {

/// Values of leaves. What is not in it is 0.
using Model = std::unordered_map<Term, u128>;

/// Leaves of conditions, remembered.
class LeafTable {
 public:
  const std::vector<Term>& of(Term t) {
    auto [it, fresh] = table_.try_emplace(t);
    if (fresh) it->second = term::leaves(t);
    return it->second;
  }

 private:
  std::unordered_map<Term, std::vector<Term>> table_;
};

/// What the layers of one stack share.
struct StackContext {
  const term::Store& store;
  Statistics& statistics;
  LeafTable leaves{};
};

class Layer : public Solver {
 public:
  Layer(StackContext& context, std::unique_ptr<Solver> inner) : context_(context), inner_(std::move(inner)) {}

  void add(Term condition) override { asserted_.push_back(condition); }
  void push() override { levels_.push_back(asserted_.size()); }
  void pop() override {
    asserted_.resize(levels_.back());
    levels_.pop_back();
  }
  Result check(std::span<const Term> assumptions) override;
  u128 value(Term t) override;
  std::vector<Term> core() override { return core_; }
  void interrupt() override { inner_->interrupt(); }
  void set_budget(const Budget& budget) override { inner_->set_budget(budget); }
  const Capabilities& capabilities() const override { return inner_->capabilities(); }

 protected:
  virtual Result query(std::span<const Term> conditions) = 0;

  /// Asks the solver behind and takes over its model or core.
  Result ask(std::span<const Term> conditions);
  bool holds(Term condition, const Model& model) const;
  size_t asserted() const { return asserted_.size(); }  ///< so many of a query's conditions, the first ones, were added

  StackContext& context_;
  std::unique_ptr<Solver> inner_;
  Model model_;
  std::vector<Term> core_;

 private:
  std::vector<Term> asserted_;
  std::vector<size_t> levels_;
};

}  // namespace whittle::solve
