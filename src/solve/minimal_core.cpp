#include "solve/core_search.h"

namespace whittle::solve {
namespace {

class Deletion : CoreSearch {
 public:
  using CoreSearch::CoreSearch;

  MinimalCore run() {
    Result all = check(soft_);
    if (!all.unsat()) return {all.answer, {}, false, checks_, all.reason};
    work_ = solver_.core();
    bool proved = true;
    for (Term candidate = next(); candidate; candidate = next()) {
      if (exhausted()) return report(work_, false);
      std::vector<Term> rest;
      for (Term t : work_)
        if (t != candidate) rest.push_back(t);
      Result result = check(rest);
      if (result.unsat()) {
        work_ = solver_.core();
      } else {
        needed_.insert(candidate);
        if (result.sat())
          rotate(model(), candidate, 4);
        else
          proved = false;
      }
    }
    return report(work_, proved);
  }

 private:
  /// Conditions tried last to first: the newest of a path condition is the likeliest to be needed only for itself.
  Term next() const {
    for (size_t i = work_.size(); i-- > 0;)
      if (!needed_.contains(work_[i])) return work_[i];
    return {};
  }

  /// `values` satisfies all of work_ but `violated`. Looks for a neighbour that violates one other condition only.
  void rotate(const Model& values, Term violated, unsigned depth) {
    if (depth == 0) return;
    unsigned tries = 48;
    for (Term leaf : term::leaves(violated)) {
      for (u128 value : candidates(leaf, violated, values)) {
        if (tries-- == 0) return;
        Model changed = values;
        changed[leaf] = value & mask128(leaf.width());
        Term other = only_violated(changed);
        if (!other || needed_.contains(other)) continue;
        needed_.insert(other);
        rotate(changed, other, depth - 1);
      }
    }
  }

  /// The one condition of work_ that the model violates, if it is one and the hard ones hold.
  Term only_violated(const Model& values) const {
    Term found;
    for (Term t : work_) {
      if (holds(t, values)) continue;
      if (found) return {};
      found = t;
    }
    for (Term t : hard_)
      if (!holds(t, values)) return {};
    return found;
  }

  /// Values that may make the condition true: next to its constants, next to the present value, single bits flipped.
  static std::vector<u128> candidates(Term leaf, Term condition, const Model& values) {
    auto it = values.find(leaf);
    const u128 now = it == values.end() ? 0 : it->second;
    std::vector<u128> result{now + 1, now - 1, now ^ 1, now ^ u128{1} << (leaf.width() - 1), 0, ~u128{0}};
    std::vector<Term> stack{condition};
    for (unsigned budget = 24; !stack.empty() && budget > 0; --budget) {
      Term t = stack.back();
      stack.pop_back();
      if (t.is_constant() && t.width() == leaf.width()) {
        result.push_back(t.value());
        result.push_back(t.value() - 1);
        result.push_back(t.value() + 1);
      } else if (t != leaf && values.contains(t) && t.width() == leaf.width()) {
        u128 other = values.at(t);
        result.insert(result.end(), {other, other + 1, other - 1});
      }
      if (t.op() == term::Op::Read) continue;
      for (unsigned i = 0; i < t.arity(); ++i) stack.push_back(t.kid(i));
    }
    return result;
  }

  std::vector<Term> work_;
  std::unordered_set<Term> needed_;  ///< in every core that is a subset of work_
};

}  // namespace

MinimalCore minimal_core(Solver& solver, const term::Store& store, std::span<const Term> hard,
                         std::span<const Term> soft, const CoreBudget& budget) {
  return Deletion(solver, store, hard, soft, budget).run();
}

}  // namespace whittle::solve
