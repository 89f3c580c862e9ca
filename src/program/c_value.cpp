#include "program/c_value.h"

#include <cassert>

namespace whittle::program {

using term::Op;
using term::Term;
using Class = CValue::Class;

Term CArithmetic::condition(const CValue& v) const {
  Term zero = store_.constant(v.width(), 0);
  // Minus zero is false and not-a-number is true: compare as floats.
  if (v.kind == Class::Float) return store_.bnot(store_.fop(Op::FEq, v.bits, zero));
  return store_.ne(v.bits, zero);
}

CValue CArithmetic::convert(const CValue& v, const CValue& like) const {
  CValue result = like;
  unsigned width = like.width();
  bool from_float = v.kind == Class::Float, to_float = like.kind == Class::Float;
  if (from_float && to_float)
    result.bits = v.width() == width ? v.bits : store_.fconvert(Op::FToFloat, v.bits, width);
  else if (from_float)
    result.bits = store_.fconvert(like.is_signed ? Op::FToSInt : Op::FToUInt, v.bits, width);
  else if (to_float)
    result.bits = store_.fconvert(v.is_signed ? Op::SIntToF : Op::UIntToF, v.bits, width);
  else
    result.bits = v.is_signed ? store_.resize_signed(v.bits, width) : store_.resize_unsigned(v.bits, width);
  return result;
}

CValue CArithmetic::promote(const CValue& v) const {
  if (v.kind != Class::Integer || v.width() >= 32) return v;
  return convert(v, integer(store_.constant(32, 0), true));
}

void CArithmetic::balance(CValue& a, CValue& b) const {
  a = promote(a), b = promote(b);
  if (a.kind == Class::Float || b.kind == Class::Float) {
    bool to_a = b.kind != Class::Float || (a.kind == Class::Float && a.width() >= b.width());
    (to_a ? b : a) = convert(to_a ? b : a, to_a ? a : b);
    return;
  }
  if (a.width() != b.width()) (a.width() > b.width() ? b : a) = a.width() > b.width() ? convert(b, a) : convert(a, b);
  a.is_signed = b.is_signed = a.is_signed && b.is_signed;
}

Term CArithmetic::float_binary(std::string_view op, const CValue& a, const CValue& b) const {
  if (op == "*") return store_.fop(Op::FMul, a.bits, b.bits);
  if (op == "/") return store_.fop(Op::FDiv, a.bits, b.bits);
  if (op == "+") return store_.fop(Op::FAdd, a.bits, b.bits);
  if (op == "-") return store_.fop(Op::FSub, a.bits, b.bits);
  if (op == "==") return store_.fop(Op::FEq, a.bits, b.bits);
  if (op == "<") return store_.fop(Op::FLt, a.bits, b.bits);
  if (op == "<=") return store_.fop(Op::FLe, a.bits, b.bits);
  return {};
}

Term CArithmetic::integer_binary(std::string_view op, const CValue& a, const CValue& b) const {
  bool s = a.is_signed;
  if (op == "*") return store_.mul(a.bits, b.bits);
  if (op == "/") return s ? store_.sdiv(a.bits, b.bits) : store_.udiv(a.bits, b.bits);
  if (op == "%") return s ? store_.srem(a.bits, b.bits) : store_.urem(a.bits, b.bits);
  if (op == "+") return store_.add(a.bits, b.bits);
  if (op == "-") return store_.sub(a.bits, b.bits);
  if (op == "&") return store_.band(a.bits, b.bits);
  if (op == "|") return store_.bor(a.bits, b.bits);
  if (op == "^") return store_.bxor(a.bits, b.bits);
  if (op == "==") return store_.eq(a.bits, b.bits);
  if (op == "<") return s ? store_.slt(a.bits, b.bits) : store_.ult(a.bits, b.bits);
  assert(op == "<=");
  return s ? store_.sle(a.bits, b.bits) : store_.ule(a.bits, b.bits);
}

CValue CArithmetic::binary(std::string_view op, CValue a, CValue b) const {
  balance(a, b);
  Term bits = a.kind == Class::Float ? float_binary(op, a, b) : integer_binary(op, a, b);
  if (op == "==" || op == "<" || op == "<=") return truth(bits);
  CValue result = a;
  result.bits = bits;
  return result;
}

CValue CArithmetic::shift(bool left, const CValue& a, const CValue& b) const {
  CValue value = promote(a), amount = promote(b);
  // The type is that of the left side alone. An amount that does not fit is large all the same.
  Term by = amount.bits;
  if (by.width() > value.width()) {
    Term most = store_.constant(by.width(), value.width());
    by = store_.extract(store_.ite(store_.ult(by, most), by, most), 0, value.width());
  } else {
    by = store_.zext(by, value.width());
  }
  value.bits = left              ? store_.shl(value.bits, by)
               : value.is_signed ? store_.ashr(value.bits, by)
                                 : store_.lshr(value.bits, by);
  return value;
}

CValue CArithmetic::negate(const CValue& v) const {
  CValue value = promote(v);
  value.bits = value.kind == Class::Float ? store_.fop(Op::FNeg, value.bits) : store_.neg(value.bits);
  return value;
}

}  // namespace whittle::program
