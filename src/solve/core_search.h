// What both searches for small cores share: counting checks, and models as values of leaves.
#pragma once

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

#include "solve/core.h"

namespace whittle::solve {

class CoreSearch {
 public:
  CoreSearch(Solver& solver, const term::Store& store, std::span<const Term> hard, std::span<const Term> soft,
             const CoreBudget& budget)
      : solver_(solver), store_(store), hard_(hard), budget_(budget), start_(std::chrono::steady_clock::now()) {
    std::unordered_set<Term> seen;
    for (Term t : soft)
      if (seen.insert(t).second) soft_.push_back(t);
    solver_.push();
    for (Term t : hard) solver_.add(t);
  }
  ~CoreSearch() { solver_.pop(); }
  CoreSearch(const CoreSearch&) = delete;
  CoreSearch& operator=(const CoreSearch&) = delete;

 protected:
  using Model = std::unordered_map<Term, u128>;

  bool exhausted() {
    if (checks_ < budget_.checks &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() < budget_.seconds)
      return false;
    reason_ = "budget";
    return true;
  }
  Result check(const std::vector<Term>& conditions) {
    ++checks_;
    Result result = solver_.check(conditions);
    if (result.unknown()) reason_ = result.reason;
    return result;
  }
  Model model() {
    Model values;
    auto take = [&](Term t) {
      for (Term leaf : term::leaves(t)) values.try_emplace(leaf, solver_.value(leaf));
    };
    for (Term t : hard_) take(t);
    for (Term t : soft_) take(t);
    return values;
  }
  bool holds(Term t, const Model& values) const {
    return store_.evaluate_leaves(t, [&](Term leaf) {
      auto it = values.find(leaf);
      return it == values.end() ? u128{0} : it->second;
    }) == 1;
  }
  /// The conditions in the order in which they were given.
  MinimalCore report(const std::vector<Term>& core, bool minimal) const {
    MinimalCore result{Answer::Unsat, {}, minimal, checks_, minimal ? "" : reason_};
    std::unordered_set<Term> in(core.begin(), core.end());
    for (Term t : soft_)
      if (in.contains(t)) result.conditions.push_back(t);
    return result;
  }

  Solver& solver_;
  const term::Store& store_;
  std::span<const Term> hard_;
  std::vector<Term> soft_;
  CoreBudget budget_;
  std::chrono::steady_clock::time_point start_;
  uint64_t checks_ = 0;
  std::string reason_;
};

}  // namespace whittle::solve
