// A few steps of local search: turns a model that almost satisfies some conditions into one that does, if that is easy.
// Most branches of a path are of that kind: the newest condition fails, and moving one unknown to its boundary mends
// it.
#pragma once

#include <optional>

#include "solve/layer.h"

namespace whittle::solve {

class Repair {
 public:
  Repair(StackContext& context, std::span<const Term> conditions) : context_(context), conditions_(conditions) {}

  /// A model of all conditions near `model`, or nothing after a bounded number of tries.
  std::optional<Model> run(Model model);

 private:
  u128 value(Term t, const Model& model) const;
  bool holds(Term condition, const Model& model) const { return value(condition, model) == 1; }
  /// Conditions that do not hold; those that do not mention `leaf` are known to do as they did.
  unsigned failing(const Model& model) const;
  std::vector<u128> candidates(Term condition, Term leaf, Model& model) const;
  void solve_side(Term side, Term other, Term leaf, Model& model, std::vector<u128>& values) const;

  StackContext& context_;
  std::span<const Term> conditions_;
};

}  // namespace whittle::solve
