// Bit-vectors as integers: sums, comparisons, extensions, and products, quotients and shifts by constants, exactly. Where a
// result may not fit its bits, an integer says how often it wraps around. What is not linear may be anything, so
// `unsat` holds on bits, and a model has to be evaluated before it is believed.
//
//   IntegerEncoder<Z3Integers> encoder(api);
//   Expr c = encoder.condition(t);               // of width 1
//   for (Expr d : encoder.definitions) ...       // to be asserted, too: what the integers that were made mean
//
// Integers are what bits mean with a sign. Sums are kept as they are until their value matters: they wrap around once.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "solve/backend.h"

namespace whittle::solve {

/// Api: Expr number(i128), integer(), boolean(), plus(Expr, Expr), times(i128, Expr), at_most(Expr, Expr), equal(Expr, Expr),
/// ite(Expr, Expr, Expr), constant(bool), logic(Op, array<Expr, 2>).
template <typename Api>
class IntegerEncoder {
 public:
  using Expr = typename Api::Expr;
  explicit IntegerEncoder(Api& api) : api_(api) {}

  /// Throws Failure where the condition is too large.
  Expr condition(Term root) {
    std::vector<Term> todo{root};
    while (!todo.empty()) {
      Term t = todo.back();
      if (done(t)) {
        todo.pop_back();
        continue;
      }
      const size_t before = todo.size();
      for (unsigned i = 0; t.op() != term::Op::Read && i < t.arity(); ++i)
        if (!done(t.kid(i))) todo.push_back(t.kid(i));
      if (todo.size() > before) continue;
      if (++size_ > kMost) throw Failure{"too large for integers"};
      if (t.width() == 1)
        truths_.emplace(t, truth(t));
      else
        sums_.emplace(t, sum(t));
      todo.pop_back();
    }
    return truths_.at(root);
  }

  /// The symbol of a leaf that conditions mention: an integer, or a Boolean where it has one bit.
  const Expr* leaf(Term t) const {
    if (t.width() == 1) {
      auto it = truths_.find(t);
      return it == truths_.end() ? nullptr : &it->second;
    }
    auto it = sums_.find(t);
    return it == sums_.end() ? nullptr : &it->second.value;
  }

  std::vector<Expr> definitions;

 private:
  using Op = term::Op;
  static constexpr size_t kMost = 20'000;        ///< terms: larger questions are not about sums
  static constexpr unsigned kWidest = 96;        ///< wider values may be anything
  static constexpr i128 kLargest = i128{1} << 120;  ///< what is computed here fits

  /// An integer and what it lies between.
  struct Sum {
    Expr value;
    i128 low = 0, high = 0;
  };
  static constexpr i128 power(unsigned bits) { return i128{1} << bits; }
  static bool fits(i128 low, i128 high) { return low > -kLargest && high < kLargest; }

  bool done(Term t) const { return t.width() == 1 ? truths_.contains(t) : sums_.contains(t); }

  Expr minus(const Expr& a, const Expr& b) { return api_.plus(a, api_.times(-1, b)); }
  Expr negation(const Expr& a) { return api_.logic(Op::Not, {a, a}); }
  Expr below(const Expr& a, const Expr& b) { return negation(api_.at_most(b, a)); }
  Sum number(i128 n) { return {api_.number(n), n, n}; }
  Sum between(i128 low, i128 high) {
    Expr made = api_.integer();
    definitions.push_back(api_.at_most(api_.number(low), made));
    definitions.push_back(api_.at_most(made, api_.number(high)));
    return {made, low, high};
  }
  Sum any(unsigned w) {
    if (w > kWidest) return {api_.integer(), -kLargest, kLargest};
    return between(-power(w - 1), power(w - 1) - 1);
  }

  /// What the lowest bits of an integer mean with a sign.
  Sum wrapped(const Sum& s, unsigned w) {
    if (w > kWidest || (s.low >= -power(w - 1) && s.high < power(w - 1))) return s;
    if (!fits(s.low, s.high)) return any(w);
    auto rounds = [&](i128 n) { return (n + power(w - 1)) >> w; };
    if (rounds(s.low) == rounds(s.high)) {
      const i128 shift = -rounds(s.low) * power(w);
      return {api_.plus(s.value, api_.number(shift)), s.low + shift, s.high + shift};
    }
    Sum result = between(-power(w - 1), power(w - 1) - 1);
    Sum times = between(rounds(s.low), rounds(s.high));
    definitions.push_back(api_.equal(s.value, api_.plus(result.value, api_.times(power(w), times.value))));
    return result;
  }
  /// With a sign; in place of the sum from now on.
  Sum value(Term t) {
    if (t.width() == 1) return {api_.ite(truths_.at(t), api_.number(-1), api_.number(0)), -1, 0};
    auto [it, fresh] = values_.try_emplace(t);
    if (fresh) it->second = wrapped(sums_.at(t), t.width());
    return it->second;
  }
  Sum without_sign(Term t) {
    if (t.width() == 1) return {api_.ite(truths_.at(t), api_.number(1), api_.number(0)), 0, 1};
    const Sum s = value(t);
    if (s.low >= 0 || t.width() > kWidest) return s.low >= 0 ? s : any(t.width() + 1);
    const i128 all = power(t.width());
    Expr shifted = api_.plus(s.value, api_.number(all));
    if (s.high < 0) return {shifted, s.low + all, s.high + all};
    return {api_.ite(below(s.value, api_.number(0)), shifted, s.value), 0, all - 1};
  }

  struct Divided {
    Sum quotient, rest;
  };
  static i128 floor_of(i128 a, i128 b) { return a / b - (a % b < 0 ? 1 : 0); }
  /// Rounded down, by a positive number; the rest is not negative.
  Divided divided(const Sum& s, i128 by) {
    Divided d{between(floor_of(s.low, by), floor_of(s.high, by)), between(0, by - 1)};
    definitions.push_back(api_.equal(s.value, api_.plus(api_.times(by, d.quotient.value), d.rest.value)));
    return d;
  }
  /// Rounded towards zero: the rest has the sign of the dividend.
  Divided divided_to_zero(const Sum& s, i128 by) {
    if (s.low >= 0) return divided(s, by);
    Divided d{between(s.low / by, std::max<i128>(s.high / by, 0)), between(1 - by, by - 1)};
    definitions.push_back(api_.equal(s.value, api_.plus(api_.times(by, d.quotient.value), d.rest.value)));
    Expr negative = below(s.value, api_.number(0));
    definitions.push_back(
        api_.ite(negative, api_.at_most(d.rest.value, api_.number(0)), api_.at_most(api_.number(0), d.rest.value)));
    return d;
  }

  Sum plus(const Sum& a, const Sum& b, i128 factor, unsigned w) {
    const i128 x = factor * b.low, y = factor * b.high;
    const i128 low = a.low + std::min(x, y), high = a.high + std::max(x, y);
    if (!fits(low, high)) return any(w);
    return {api_.plus(a.value, factor == 1 ? b.value : api_.times(factor, b.value)), low, high};
  }
  Sum times(const Sum& a, i128 factor, unsigned w) {
    const i128 most = std::max(a.high < 0 ? -a.high : a.high, a.low < 0 ? -a.low : a.low);
    const i128 size = factor < 0 ? -factor : factor;
    if (factor == 0) return number(0);
    if (most > kLargest / size) return any(w);
    const i128 x = factor * a.low, y = factor * a.high;
    return {api_.times(factor, a.value), std::min(x, y), std::max(x, y)};
  }

  /// An integer that has the lowest bits of the term.
  Sum sum(Term t) {
    const unsigned w = t.width();
    if (w > kWidest) return any(w);
    auto kid = [&](unsigned i) { return sums_.at(t.kid(i)); };
    const bool by_constant = t.arity() == 2 && t.kid(1).is_constant();
    auto constant = [&](unsigned i) { return sign_extend128(t.kid(i).value(), w); };
    switch (t.op()) {
      case Op::Constant: return number(sign_extend128(t.value(), w));
      case Op::Add: return plus(kid(0), kid(1), 1, w);
      case Op::Sub: return plus(kid(0), kid(1), -1, w);
      case Op::Neg: return times(kid(0), -1, w);
      case Op::Not: return plus(number(-1), kid(0), -1, w);
      case Op::Mul:
        if (by_constant) return times(kid(0), constant(1), w);
        if (t.kid(0).is_constant()) return times(kid(1), constant(0), w);
        break;
      case Op::Shl:
        if (by_constant && t.kid(1).value() < w) return times(kid(0), power(static_cast<unsigned>(t.kid(1).value())), w);
        break;
      case Op::LShr:
      case Op::AShr:
        if (by_constant && t.kid(1).value() < w)
          return divided(t.op() == Op::LShr ? without_sign(t.kid(0)) : value(t.kid(0)),
                         power(static_cast<unsigned>(t.kid(1).value())))
              .quotient;
        break;
      case Op::UDiv:
      case Op::URem:
        if (by_constant && t.kid(1).value() > 0) {
          const Divided d = divided(without_sign(t.kid(0)), static_cast<i128>(t.kid(1).value()));
          return t.op() == Op::UDiv ? d.quotient : d.rest;
        }
        break;
      case Op::SDiv:
      case Op::SRem:
        if (by_constant && constant(1) > 0) {
          const Divided d = divided_to_zero(value(t.kid(0)), constant(1));
          return t.op() == Op::SDiv ? d.quotient : d.rest;
        }
        break;
      case Op::And: return masked(t);
      case Op::Ite: {
        const Sum a = value(t.kid(1)), b = value(t.kid(2));
        return {api_.ite(truths_.at(t.kid(0)), a.value, b.value), std::min(a.low, b.low), std::max(a.high, b.high)};
      }
      case Op::ZExt: return t.kid(0).width() > kWidest ? any(w) : without_sign(t.kid(0));
      case Op::SExt: return value(t.kid(0));
      case Op::Extract:
        if (t.kid(0).width() > kWidest) break;
        return t.low() == 0 ? kid(0) : divided(value(t.kid(0)), power(t.low())).quotient;
      case Op::Concat:
        return plus(without_sign(t.kid(1)), value(t.kid(0)), power(t.kid(1).width()), w);
      default: break;
    }
    return any(w);
  }

  /// With a mask of low bits, or of all others.
  Sum masked(Term t) {
    const unsigned w = t.width();
    for (unsigned i = 0; i < 2; ++i) {
      if (!t.kid(i).is_constant()) continue;
      const u128 mask = t.kid(i).value(), others = ~mask & mask128(w);
      const bool low = (mask & (mask + 1)) == 0, high = (others & (others + 1)) == 0;
      if ((!low && !high) || mask == 0 || others == 0) continue;
      const Sum s = value(t.kid(1 - i));
      const Divided d = divided(s, static_cast<i128>((low ? mask : others) + 1));
      return low ? d.rest : plus(s, d.rest, -1, w);
    }
    return any(w);
  }

  Expr truth(Term t) {
    auto bit = [&](unsigned i) { return truths_.at(t.kid(i)); };
    switch (t.op()) {
      case Op::Constant: return api_.constant(t.is_true());
      case Op::Not: return negation(bit(0));
      case Op::And:
      case Op::Or:
      case Op::Xor: return api_.logic(t.op(), {bit(0), bit(1)});
      case Op::Ite: return api_.ite(bit(0), bit(1), bit(2));
      case Op::Eq:
        if (t.kid(0).width() == 1) return api_.equal(bit(0), bit(1));
        if (t.kid(0).width() > kWidest) break;
        return api_.equal(value(t.kid(0)).value, value(t.kid(1)).value);
      case Op::Slt:
      case Op::Sle:
      case Op::Ult:
      case Op::Ule: {
        if (t.kid(0).width() > kWidest) break;
        const bool with_sign = t.op() == Op::Slt || t.op() == Op::Sle, or_equal = t.op() == Op::Sle || t.op() == Op::Ule;
        const Expr a = (with_sign ? value(t.kid(0)) : without_sign(t.kid(0))).value;
        const Expr b = (with_sign ? value(t.kid(1)) : without_sign(t.kid(1))).value;
        return or_equal ? api_.at_most(a, b) : below(a, b);
      }
      case Op::Extract: {
        const unsigned w = t.kid(0).width();
        if (w == 1 || w > kWidest) break;
        const Sum s = value(t.kid(0));
        if (t.low() == w - 1) return below(s.value, api_.number(0));
        const Sum rest = divided(s, power(t.low() + 1)).rest;
        return api_.at_most(api_.number(power(t.low())), rest.value);
      }
      default: break;
    }
    return api_.boolean();
  }

  Api& api_;
  size_t size_ = 0;
  std::unordered_map<Term, Expr> truths_;  ///< of terms of one bit
  std::unordered_map<Term, Sum> sums_;     ///< equal to the term but for wrap-around; of a leaf its value
  std::unordered_map<Term, Sum> values_;
};

}  // namespace whittle::solve
