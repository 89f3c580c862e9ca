#include "engines/merge/model.h"

#include <array>

#include "term/op.h"

namespace whittle::engines::merge {

using term::Op;

u128 Model::value(Term root) {
  stack_.push_back(root);
  while (!stack_.empty()) {
    Term t = stack_.back();
    if (known_.contains(t)) {
      stack_.pop_back();
      continue;
    }
    if (t.is_constant() || t.is_variable()) {
      known_.emplace(t, t.is_constant() ? t.value() : 0);
      stack_.pop_back();
      continue;
    }
    // A choice needs only the side that is chosen.
    if (t.op() == Op::Ite) {
      auto condition = known_.find(t.kid(0));
      if (condition == known_.end()) {
        stack_.push_back(t.kid(0));
        continue;
      }
      Term chosen = t.kid(condition->second == 1 ? 1 : 2);
      if (auto it = known_.find(chosen); it != known_.end()) {
        known_.emplace(t, u128{it->second});
        stack_.pop_back();
      } else {
        stack_.push_back(chosen);
      }
      continue;
    }
    std::array<u128, 3> kids{};
    std::array<unsigned, 3> widths{};
    bool ready = true;
    for (unsigned i = 0; i < t.arity(); ++i) {
      auto it = known_.find(t.kid(i));
      if (it == known_.end()) {
        stack_.push_back(t.kid(i));
        ready = false;
      } else {
        kids[i] = it->second;
        widths[i] = t.kid(i).width();
      }
    }
    if (!ready) continue;
    stack_.pop_back();
    known_.emplace(t, term::apply(t.op(), t.width(), std::span(kids.data(), t.arity()),
                                  std::span(widths.data(), t.arity()), t.op() == Op::Extract ? t.low() : 0));
  }
  return known_.at(root);
}

}  // namespace whittle::engines::merge
