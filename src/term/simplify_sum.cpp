// Sums, products with constants, division.
//
// A sum of up to 8 monomials (term times constant) plus a constant has one normal form: monomials in the order of their
// terms' numbers, the first positive one leading, the others added or subtracted, the constant last. So p + 4*i + 8 and
// p + 8 + 4*i are one term, and the difference of two addresses is a constant whenever it can be seen to be one.
// Bigger sums are left as they were asked for.
#include <algorithm>
#include <array>

#include "term/builder.h"
#include "term/op.h"

namespace whittle::term {

struct Builder::Sum {
  struct Monomial {
    Term term;
    u128 factor = 0;
  };
  std::array<Monomial, 8> items;
  unsigned count = 0;
  u128 constant = 0;
  unsigned budget = 32;  ///< nodes that may still be looked at

  bool add(Term term, u128 factor) {
    for (unsigned i = 0; i < count; ++i)
      if (items[i].term == term) {
        items[i].factor += factor;
        return true;
      }
    if (count == items.size()) return false;
    items[count++] = {term, factor};
    return true;
  }
  /// Factors cut to the width, zeros dropped, in the order of the terms' numbers.
  void normalise(unsigned width) {
    for (unsigned i = 0; i < count; ++i) items[i].factor &= mask128(width);
    constant &= mask128(width);
    auto end = std::remove_if(items.begin(), items.begin() + count, [](const Monomial& m) { return m.factor == 0; });
    count = static_cast<unsigned>(end - items.begin());
    std::sort(items.begin(), end, [](const Monomial& x, const Monomial& y) { return x.term.id() < y.term.id(); });
  }
};

namespace {

/// Is it better written as something subtracted?
bool is_negative(u128 factor, unsigned width) {
  return sign_extend128(factor, width) < 0 && factor != u128{1} << (width - 1);
}

/// Inverse of an odd number modulo 2^128 (Newton: each step doubles the number of right bits).
u128 inverse(u128 odd) {
  u128 x = odd;
  for (int i = 0; i < 7; ++i) x *= 2 - odd * x;
  return x;
}

}  // namespace

/// Adds factor * t to the sum; false if that would be too much to look at.
bool Builder::collect(Term t, u128 factor, Sum& sum) const {
  if (sum.budget == 0) return false;
  --sum.budget;
  switch (t.op()) {
    case Op::Constant: sum.constant += factor * t.value(); return true;
    case Op::Add: return collect(t.kid(1), factor, sum) && collect(t.kid(0), factor, sum);
    case Op::Sub: return collect(t.kid(1), u128{0} - factor, sum) && collect(t.kid(0), factor, sum);
    case Op::Neg: return collect(t.kid(0), u128{0} - factor, sum);
    case Op::Not:  // ~x is -x - 1
      sum.constant -= factor;
      return collect(t.kid(0), u128{0} - factor, sum);
    case Op::Mul:
      if (t.kid(1).is_constant()) return sum.add(t.kid(0), factor * t.kid(1).value());
      return sum.add(t, factor);
    default: return sum.add(t, factor);
  }
}

/// The normal form of a normalised sum.
Term Builder::build(const Sum& sum, unsigned width) {
  auto product = [&](Term t, u128 factor) {
    return (factor & mask128(width)) == 1 ? t : intern(Op::Mul, width, 0, t, constant(width, factor));
  };
  if (sum.count == 0) return constant(width, sum.constant);
  Term result;
  unsigned leading = 0;
  while (leading < sum.count && is_negative(sum.items[leading].factor, width)) ++leading;
  bool constant_used = sum.constant == 0;
  if (leading < sum.count) {
    result = product(sum.items[leading].term, sum.items[leading].factor);
  } else if (!constant_used) {
    result = constant(width, sum.constant);
    constant_used = true;
  } else {
    leading = 0;
    result = intern(Op::Neg, width, 0, product(sum.items[0].term, u128{0} - sum.items[0].factor));
  }
  for (unsigned i = 0; i < sum.count; ++i) {
    if (i == leading) continue;
    u128 factor = sum.items[i].factor;
    if (is_negative(factor, width))
      result = intern(Op::Sub, width, 0, result, product(sum.items[i].term, u128{0} - factor));
    else
      result = intern(Op::Add, width, 0, result, product(sum.items[i].term, factor));
  }
  return constant_used ? result : intern(Op::Add, width, 0, result, constant(width, sum.constant));
}

Term Builder::simplify_sum(Op op, Term a, Term b) {
  const unsigned w = a.width();
  if (w == 1) return op == Op::Neg ? a : Term{};
  Sum sum;
  bool small = op == Op::Neg ? collect(a, ~u128{0}, sum)
                             : collect(b, op == Op::Add ? u128{1} : ~u128{0}, sum) && collect(a, 1, sum);
  if (small) {
    sum.normalise(w);
    return build(sum, w);
  }
  if (op == Op::Neg) return a.op() == Op::Neg ? a.kid(0) : Term{};
  if (b.is_constant(0)) return a;
  if (op == Op::Sub && a == b) return constant(w, 0);
  if (op == Op::Sub && b.is_constant()) return make(Op::Add, w, 0, a, constant(w, u128{0} - b.value()));
  if (op == Op::Add && b.is_constant() && a.op() == Op::Add && a.kid(1).is_constant())
    return make(Op::Add, w, 0, a.kid(0), constant(w, a.kid(1).value() + b.value()));
  return {};
}

Term Builder::simplify_mul(Term a, Term b) {
  const unsigned w = a.width();
  if (!b.is_constant()) return {};
  if (b.is_constant(0)) return b;
  if (b.is_constant(1)) return a;
  Sum sum;
  if (!collect(a, b.value(), sum)) return {};
  sum.normalise(w);
  return sum.count <= 1 ? build(sum, w) : Term{};
}

/// a == b as a statement about a - b: what both sides have cancels, one monomial is solved for, else the positive part
/// equals the negative part.
Term Builder::simplify_eq_sums(Term a, Term b) {
  auto is_sum = [](Term t) {
    return t.op() == Op::Add || t.op() == Op::Sub || t.op() == Op::Neg || t.op() == Op::Not ||
           (t.op() == Op::Mul && t.kid(1).is_constant());
  };
  const unsigned w = a.width();
  if (w == 1 || (!is_sum(a) && !is_sum(b))) return {};
  Sum sum;
  if (!collect(a, 1, sum) || !collect(b, ~u128{0}, sum)) return {};
  sum.normalise(w);
  if (sum.count == 0) return bit(sum.constant == 0);
  if (sum.count == 1) {
    // 2^k * m * t == c, m odd: the low bits of c are zero, and the rest tells the low bits of t.
    const u128 factor = sum.items[0].factor, c = (u128{0} - sum.constant) & mask128(w);
    unsigned k = 0;
    while ((factor >> k & 1) == 0) ++k;
    if ((c & mask128(k)) != 0) return bit(false);
    const unsigned rest = w - k;
    u128 solution = (c >> k) * inverse(factor >> k);
    return eq(extract(sum.items[0].term, 0, rest), constant(rest, solution));
  }
  Sum left, right;
  const bool flip = is_negative(sum.items[0].factor, w);
  for (unsigned i = 0; i < sum.count; ++i) {
    u128 factor = sum.items[i].factor;
    bool negative = is_negative(factor, w);
    (negative == flip ? left : right).add(sum.items[i].term, negative ? u128{0} - factor : factor);
  }
  right.constant = flip ? sum.constant : u128{0} - sum.constant;
  left.normalise(w);
  right.normalise(w);
  Term l = build(left, w), r = build(right, w);
  if ((l == a && r == b) || (l == b && r == a)) return {};
  return eq(l, r);
}

Term Builder::simplify_division(Op op, Term a, Term b) {
  const unsigned w = a.width();
  const bool remainder = op == Op::URem || op == Op::SRem;
  if (remainder && (a.is_constant(0) || a == b)) return constant(w, 0);
  if (!b.is_constant()) return {};
  const u128 d = b.value();
  if (d == 0) {
    if (remainder) return a;
    return op == Op::UDiv ? ones(w) : ite(slt(a, constant(w, 0)), constant(w, 1), ones(w));
  }
  if (d == 1) return remainder ? constant(w, 0) : a;
  if (op == Op::SDiv || op == Op::SRem) {
    if (d == mask128(w)) return remainder ? constant(w, 0) : make(Op::Neg, w, 0, a);
    return {};
  }
  if ((d & (d - 1)) == 0) {
    unsigned k = 0;
    while ((d >> k & 1) == 0) ++k;
    return remainder ? zext(extract(a, 0, k), w) : zext(extract(a, k, w - k), w);
  }
  if (a.op() == Op::ZExt) {
    const unsigned kw = a.kid(0).width();
    if (d > mask128(kw)) return remainder ? a : constant(w, 0);
    return zext(make(op, kw, 0, a.kid(0), constant(kw, d)), w);
  }
  return {};
}

}  // namespace whittle::term
