#include "solve/layer.h"

#include <algorithm>

namespace whittle::solve {

Result Layer::check(std::span<const Term> assumptions) {
  model_.clear();
  core_.clear();
  if (asserted_.empty()) return query(assumptions);
  std::vector<Term> conditions = asserted_;
  conditions.insert(conditions.end(), assumptions.begin(), assumptions.end());
  Result result = query(conditions);
  if (result.unsat()) {
    // The caller knows what was added; only assumptions are news.
    std::unordered_set<Term> assumed(assumptions.begin(), assumptions.end());
    std::erase_if(core_, [&](Term t) { return !assumed.contains(t); });
  }
  return result;
}

u128 Layer::value(Term t) {
  return context_.store.evaluate_leaves(t, [&](Term leaf) {
    auto it = model_.find(leaf);
    return it != model_.end() ? it->second : u128{0};
  });
}

Result Layer::ask(std::span<const Term> conditions) {
  Result result = inner_->check(conditions);
  if (result.sat()) {
    for (Term t : conditions)
      for (Term leaf : context_.leaves.of(t)) model_.try_emplace(leaf, inner_->value(leaf));
  } else if (result.unsat()) {
    core_ = inner_->core();
  }
  return result;
}

bool Layer::holds(Term condition, const Model& model) const {
  return context_.store.evaluate_leaves(condition, [&](Term leaf) {
    auto it = model.find(leaf);
    return it != model.end() ? it->second : u128{0};
  }) == 1;
}

}  // namespace whittle::solve
