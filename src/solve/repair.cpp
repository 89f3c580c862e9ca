#include "solve/repair.h"

#include "term/op.h"

namespace whittle::solve {

using term::Op;

u128 Repair::value(Term t, const Model& model) const {
  return context_.store.evaluate_leaves(t, [&](Term leaf) {
    auto it = model.find(leaf);
    return it != model.end() ? it->second : u128{0};
  });
}

unsigned Repair::failing(const Model& model) const {
  unsigned count = 0;
  for (Term t : conditions_) count += !holds(t, model);
  return count;
}

/// Each round mends the newest condition that fails; the value that leaves the fewest failing is taken.
std::optional<Model> Repair::run(Model model) {
  unsigned now = failing(model), tries = 40;
  for (int round = 0; round < 4 && now > 0; ++round) {
    if (now > 2) return std::nullopt;
    Term broken;
    for (size_t i = conditions_.size(); i-- > 0 && !broken;)
      if (!holds(conditions_[i], model)) broken = conditions_[i];
    unsigned best = now;
    Term best_leaf;
    u128 best_value = 0;
    for (Term leaf : context_.leaves.of(broken)) {
      const u128 old = model[leaf];
      for (u128 candidate : candidates(broken, leaf, model)) {
        model[leaf] = candidate & mask128(leaf.width());
        if (!holds(broken, model)) continue;
        if (tries-- == 0) return std::nullopt;
        const unsigned left = failing(model);
        if (left == 0) return model;
        if (left < best || !best_leaf) best = left, best_leaf = leaf, best_value = model[leaf];
      }
      model[leaf] = old;
    }
    if (!best_leaf || best > now) return std::nullopt;
    model[best_leaf] = best_value;
    now = best;
  }
  return now == 0 ? std::optional(std::move(model)) : std::nullopt;
}

std::vector<u128> Repair::candidates(Term condition, Term leaf, Model& model) const {
  std::vector<u128> values;
  const Term inner = condition.op() == Op::Not ? condition.kid(0) : condition;
  if (leaf.width() == 1) return {0, 1};
  if (term::is_comparison(inner.op())) {
    solve_side(inner.kid(0), inner.kid(1), leaf, model, values);
    solve_side(inner.kid(1), inner.kid(0), leaf, model, values);
  }
  const u128 now = model[leaf];
  values.insert(values.end(), {now + 1, now - 1, 0, u128{1} << (leaf.width() - 1)});
  return values;
}

/// If `side` grows by an odd step with the leaf, the values of the leaf that bring it to the other side's value, next
/// to it, and to the ends of the range.
void Repair::solve_side(Term side, Term other, Term leaf, Model& model, std::vector<u128>& values) const {
  if (side.is_constant()) return;
  const u128 now = model[leaf], mask = mask128(side.width());
  const u128 goal = value(other, model), here = value(side, model);
  model[leaf] = (now + 1) & mask128(leaf.width());
  u128 slope = (value(side, model) - here) & mask;
  model[leaf] = now;
  if ((slope & 1) == 0) return;
  u128 inverse = slope;
  for (int i = 0; i < 7; ++i) inverse *= 2 - slope * inverse;
  const u128 least = u128{1} << (side.width() - 1);
  for (u128 target : {goal, goal + 1, goal - 1, u128{0}, least, least - 1})
    values.push_back(now + ((target - here) & mask) * inverse);
}

}  // namespace whittle::solve
