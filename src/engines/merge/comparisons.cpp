#include "engines/merge/comparisons.h"

#include <array>

namespace whittle::engines::merge {

using term::Op;

/// A choice, or an operation with a constant on one.
Comparisons::Choice Comparisons::as_choice(Term t) {
  switch (t.op()) {
    case Op::Ite: return {t.kid(0), t.kid(1), t.kid(2)};
    case Op::ZExt:
    case Op::SExt:
    case Op::Extract: {
      const Choice inner = as_choice(t.kid(0));
      if (!inner.condition) return {};
      auto with = [&](Term kid) {
        return t.op() == Op::Extract ? store_.extract(kid, t.low(), t.width())
               : t.op() == Op::ZExt  ? store_.zext(kid, t.width())
                                     : store_.sext(kid, t.width());
      };
      return {inner.condition, with(inner.yes), with(inner.no)};
    }
    case Op::Add:
    case Op::Sub:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Mul:
    case Op::Shl:
    case Op::LShr:
      for (unsigned i = 0; i < 2; ++i) {
        if (!t.kid(1 - i).is_constant()) continue;
        const Choice inner = as_choice(t.kid(i));
        if (!inner.condition) return {};
        auto with = [&](Term kid) {
          const std::array<Term, 2> kids = i == 0 ? std::array{kid, t.kid(1)} : std::array{t.kid(0), kid};
          return store_.make(t.op(), kids, t.width());
        };
        return {inner.condition, with(inner.yes), with(inner.no)};
      }
      return {};
    default: return {};
  }
}

Term Comparisons::compare(Op op, Term a, Term b, size_t& left) {
  auto plain = [&] { return store_.make(op, std::array{a, b}, 1); };
  if (a.is_constant() && b.is_constant()) return plain();
  if (const std::optional<bool> answer = ranges_.compared(op, a, b)) return store_.boolean(*answer);
  if (auto it = compared_.find({op, a, b}); it != compared_.end()) return it->second;
  if (left == 0) return plain();
  --left;
  const Choice x = as_choice(a), y = as_choice(b);
  Term result;
  if (!x.condition && !y.condition) {
    result = plain();
  } else {
    // Of two choices the one that was made later is outside; by the same condition, both are taken at once.
    const bool both = x.condition == y.condition;
    const bool first = both || !y.condition || (x.condition && x.condition.id() > y.condition.id());
    const bool second = both || !first;
    Term condition = first ? x.condition : y.condition;
    Term yes = compare(op, first ? x.yes : a, second ? y.yes : b, left);
    Term no = compare(op, first ? x.no : a, second ? y.no : b, left);
    result = store_.ite(condition, yes, no);
  }
  if (left > 0) compared_.emplace(Key{op, a, b}, result);
  return result;
}

Term Comparisons::resolved(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term t = stack.back();
    const bool connects = t.width() == 1 && (t.op() == Op::And || t.op() == Op::Or || t.op() == Op::Not);
    bool ready = true;
    if (connects && !resolved_.contains(t))
      for (unsigned i = t.arity(); i-- > 0;)
        if (!resolved_.contains(t.kid(i))) stack.push_back(t.kid(i)), ready = false;
    if (!ready) continue;
    stack.pop_back();
    if (resolved_.contains(t)) continue;
    Term result = t;
    if (connects) {
      Term first = resolved_.at(t.kid(0));
      result = t.op() == Op::Not   ? store_.bnot(first)
               : t.op() == Op::And ? store_.band(first, resolved_.at(t.kid(1)))
                                   : store_.bor(first, resolved_.at(t.kid(1)));
    } else if (t.op() == Op::Eq || t.op() == Op::Ult || t.op() == Op::Ule || t.op() == Op::Slt || t.op() == Op::Sle) {
      if (t.kid(0).width() > 1 && !t.has_floats()) {
        size_t left = kMost;
        result = compare(t.op(), t.kid(0), t.kid(1), left);
      }
    }
    resolved_.emplace(t, result);
  }
  return resolved_.at(root);
}

}  // namespace whittle::engines::merge
