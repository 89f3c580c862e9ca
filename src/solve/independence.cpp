// Conditions that share no unknowns, even indirectly, are decided separately: each part is smaller, and most parts have
// been asked before.
#include <algorithm>

#include "solve/layer.h"
#include "solve/stack.h"

namespace whittle::solve {
namespace {

class Independence final : public Layer {
 public:
  using Layer::Layer;

 private:
  size_t find(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  /// Groups in the order of their newest condition, newest first: that is where a query differs from the one before.
  std::vector<std::vector<Term>> groups(std::span<const Term> conditions) {
    parent_.resize(conditions.size());
    std::unordered_map<Term, size_t> owner;
    for (size_t i = 0; i < conditions.size(); ++i) {
      parent_[i] = i;
      for (Term leaf : context_.leaves.of(conditions[i])) {
        auto [it, fresh] = owner.try_emplace(leaf, i);
        if (!fresh) parent_[find(it->second)] = find(i);
      }
    }
    std::unordered_map<size_t, size_t> number;
    std::vector<std::vector<Term>> result;
    for (size_t i = conditions.size(); i-- > 0;) {
      auto [it, fresh] = number.try_emplace(find(i), result.size());
      if (fresh) result.emplace_back();
      result[it->second].push_back(conditions[i]);
    }
    for (auto& group : result) std::reverse(group.begin(), group.end());
    return result;
  }

  Result query(std::span<const Term> conditions) override {
    Result unknown{Answer::Sat, ""};
    for (const std::vector<Term>& group : groups(conditions)) {
      Result result = ask(group);
      if (result.unsat()) return result;
      if (result.unknown()) unknown = result;
    }
    return unknown;
  }

  std::vector<size_t> parent_;
};

}  // namespace

std::unique_ptr<Solver> make_independence(StackContext& context, std::unique_ptr<Solver> inner) {
  return std::make_unique<Independence>(context, std::move(inner));
}

}  // namespace whittle::solve
