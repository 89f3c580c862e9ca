// Translates terms into the expressions of a back end. Which terms are Booleans there, how floats come and go as bit
// patterns, and the order of the walk are decided here once; the back end only makes single expressions.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "solve/solver.h"
#include "term/float_apply.h"
#include "term/op.h"

namespace whittle::solve {

/// Api: type Expr, and the methods used below. `boolean` says that operands and result are Bool rather than one bit.
template <typename Api>
class Encoder {
 public:
  using Expr = typename Api::Expr;
  explicit Encoder(Api& api) : api_(api) {}

  /// A Bool that says the condition holds.
  Expr condition(Term t) {
    encode(t);
    return as_bool(t);
  }
  /// A leaf that has been encoded; null if it has not.
  const Expr* leaf(Term t) const {
    auto it = done_.find(t);
    return it == done_.end() ? nullptr : &it->second;
  }
  void clear() { done_.clear(); }

 private:
  void encode(Term root) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      Term t = stack_.back();
      bool ready = true;
      if (t.op() != term::Op::Read && !done_.contains(t))
        for (unsigned i = t.arity(); i-- > 0;)
          if (!done_.contains(t.kid(i))) stack_.push_back(t.kid(i)), ready = false;
      if (!ready) continue;
      stack_.pop_back();
      if (!done_.contains(t)) done_.emplace(t, one(t));
    }
  }

  Expr as_bits(Term t) {
    const Expr& e = done_.at(t);
    return term::is_boolean(t) ? api_.ite(e, api_.bits(1, 1), api_.bits(1, 0)) : e;
  }
  Expr as_bool(Term t) {
    const Expr& e = done_.at(t);
    return term::is_boolean(t) ? e : api_.equal(e, api_.bits(1, 1));
  }
  Expr as_float(Term t) { return api_.to_fp(as_bits(t), t.width()); }

  Expr one(Term t) {
    using term::Op;
    const Op op = t.op();
    const unsigned w = t.width();
    switch (op) {
      case Op::Constant: return w == 1 ? api_.boolean(t.is_true()) : api_.bits(w, t.value());
      case Op::Variable:
      case Op::Read: return api_.symbol(t, term::is_boolean(t));
      case Op::Ite:
        if (w == 1) return api_.ite(as_bool(t.kid(0)), as_bool(t.kid(1)), as_bool(t.kid(2)));
        return api_.ite(as_bool(t.kid(0)), as_bits(t.kid(1)), as_bits(t.kid(2)));
      case Op::Extract: return api_.extract(as_bits(t.kid(0)), t.low(), w);
      case Op::ZExt:
      case Op::SExt: return api_.extend(as_bits(t.kid(0)), w - t.kid(0).width(), op == Op::SExt);
      default: break;
    }
    if (term::is_float_op(op)) return floating(t);
    if (op == Op::Eq) {
      bool boolean = t.kid(0).width() == 1;
      return boolean ? api_.equal(as_bool(t.kid(0)), as_bool(t.kid(1)))
                     : api_.equal(as_bits(t.kid(0)), as_bits(t.kid(1)));
    }
    const bool boolean = term::is_boolean(t) && !term::is_comparison(op);
    std::array<Expr, 2> kids{};
    for (unsigned i = 0; i < t.arity(); ++i) kids[i] = boolean ? as_bool(t.kid(i)) : as_bits(t.kid(i));
    return boolean ? api_.logic(op, kids) : api_.operate(op, kids);
  }

  Expr floating(Term t) {
    using term::Op;
    const unsigned w = t.width();
    Term a = t.kid(0);
    switch (t.op()) {
      case Op::FNeg: return api_.operate(Op::Xor, {as_bits(a), api_.bits(w, u128{1} << (w - 1))});
      case Op::FAbs: return api_.operate(Op::And, {as_bits(a), api_.bits(w, mask128(w - 1))});
      case Op::FToFloat: return api_.from_fp(api_.fp_to_fp(as_float(a), w), w);
      case Op::UIntToF:
      case Op::SIntToF: return api_.from_fp(api_.integer_to_fp(as_bits(a), w, t.op() == Op::SIntToF), w);
      case Op::FToUInt:
      case Op::FToSInt: return to_integer(t);
      default: break;
    }
    std::array<Expr, 2> kids{};
    for (unsigned i = 0; i < t.arity(); ++i) kids[i] = as_float(t.kid(i));
    Expr result = api_.fp_operate(t.op(), kids);
    return term::is_float_predicate(t.op()) ? result : api_.from_fp(result, w);
  }

  /// The theory leaves conversions out of range open; we do not.
  Expr to_integer(Term t) {
    using term::Op;
    const bool is_signed = t.op() == Op::FToSInt;
    const unsigned w = t.width(), f = t.kid(0).width();
    const u128 half =
        term::apply(Op::UIntToF, f, std::array<u128, 1>{u128{1} << (w - 1)}, std::array<unsigned, 1>{128u});
    const u128 two = f == 32 ? 0x40000000u : 0x4000000000000000u;
    const u128 upper =
        is_signed ? half : term::apply(Op::FMul, f, std::array<u128, 2>{half, two}, std::array<unsigned, 2>{f, f});
    const u128 lower = is_signed ? half | u128{1} << (f - 1) : 0;
    Expr whole = api_.fp_operate(Op::FTrunc, {as_float(t.kid(0)), Expr{}});
    Expr at_least = api_.fp_operate(Op::FLe, {api_.to_fp(api_.bits(f, lower), f), whole});
    Expr below = api_.fp_operate(Op::FLt, {whole, api_.to_fp(api_.bits(f, upper), f)});
    return api_.ite(api_.logic(Op::And, {at_least, below}), api_.fp_to_integer(whole, w, is_signed),
                    api_.bits(w, term::out_of_range_integer(w)));
  }

  Api& api_;
  std::unordered_map<Term, Expr> done_;
  std::vector<Term> stack_;
};

}  // namespace whittle::solve
