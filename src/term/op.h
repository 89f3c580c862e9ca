// Facts about operators that several files of this folder need.
#pragma once

#include "term/term.h"

namespace whittle::term {

constexpr bool is_leaf(Op op) { return op == Op::Constant || op == Op::Variable; }
constexpr bool is_comparison(Op op) { return op >= Op::Eq && op <= Op::Sle; }
constexpr bool is_float_op(Op op) { return op >= Op::FAdd; }
constexpr bool is_float_predicate(Op op) { return op >= Op::FEq && op <= Op::FIsNan; }
constexpr bool is_float_conversion(Op op) { return op >= Op::FToFloat; }

constexpr bool is_commutative(Op op) {
  switch (op) {
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Add:
    case Op::Mul:
    case Op::Eq:
    case Op::FAdd:
    case Op::FMul:
    case Op::FEq: return true;
    default: return false;
  }
}

constexpr unsigned arity_of(Op op) {
  switch (op) {
    case Op::Constant:
    case Op::Variable: return 0;
    case Op::Read:
    case Op::Not:
    case Op::Neg:
    case Op::Extract:
    case Op::ZExt:
    case Op::SExt:
    case Op::FNeg:
    case Op::FAbs:
    case Op::FSqrt:
    case Op::FRound:
    case Op::FFloor:
    case Op::FCeil:
    case Op::FTrunc:
    case Op::FIsNan:
    case Op::FToFloat:
    case Op::FToUInt:
    case Op::FToSInt:
    case Op::UIntToF:
    case Op::SIntToF: return 1;
    case Op::Ite: return 3;
    default: return 2;
  }
}

/// Does the operator's result width have to be told (true), or does it follow from the kids?
constexpr bool width_is_told(Op op) {
  return op == Op::Read || op == Op::Extract || op == Op::ZExt || op == Op::SExt || is_float_conversion(op);
}

/// A width-1 term that is a truth value by nature, so solvers and printers take it as a Boolean rather than one bit.
inline bool is_boolean(Term t) {
  if (t.width() != 1) return false;
  switch (t.op()) {
    case Op::Constant:
    case Op::Variable:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Ite: return true;
    default: return is_comparison(t.op()) || is_float_predicate(t.op());
  }
}

}  // namespace whittle::term
