#include "engines/merge/trail.h"

namespace whittle::engines::merge {

Trails::Trails(term::Store& store) : store_(store) {
  nodes_.push_back({store.truth(), store.truth(), nullptr, 0});
}

Trail Trails::extend(Trail trail, Term condition) {
  if (condition.is_true() || impossible(trail)) return trail;
  Term opposite = store_.bnot(condition);
  unsigned look = kLookBack;
  for (Trail t = trail; t->before != nullptr && look-- > 0; t = t->before) {
    if (t->condition == condition) return trail;
    if (t->condition == opposite) {
      condition = store_.falsity();
      break;
    }
  }
  nodes_.push_back({condition, store_.band(trail->all, condition), trail, trail->depth + 1});
  return &nodes_.back();
}

uint32_t Trails::common_depth(Trail a, Trail b) {
  while (a != b) {
    if (a->depth >= b->depth)
      a = a->before;
    else
      b = b->before;
  }
  return a->depth;
}

Term Trails::conjunction(const std::vector<Term>& conditions, size_t from) {
  Term all = store_.truth();
  for (size_t i = conditions.size(); i-- > from;) all = store_.band(conditions[i], all);
  return all;
}

Trails::Joined Trails::join(Trail a, Trail b) {
  const uint32_t depth = common_depth(a, b);
  auto above = [&](Trail& t) {
    std::vector<Term> conditions;
    for (; t->depth > depth; t = t->before) conditions.push_back(t->condition);
    return std::vector<Term>(conditions.rbegin(), conditions.rend());
  };
  const std::vector<Term> first = above(a), second = above(b);
  Trail shared = a;
  if (first.empty()) return {shared, store_.bnot(conjunction(second, 0))};
  if (second.empty()) return {shared, conjunction(first, 0)};
  if (first[0] == store_.bnot(second[0])) {
    Term yes = store_.implies(first[0], conjunction(first, 1)), no = store_.implies(second[0], conjunction(second, 1));
    return {extend(extend(shared, yes), no), first[0]};
  }
  Term all = conjunction(first, 0);
  return {extend(shared, store_.bor(all, conjunction(second, 0))), all};
}

}  // namespace whittle::engines::merge
