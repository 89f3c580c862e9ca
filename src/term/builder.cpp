#include "term/builder.h"

#include <utility>

#include "term/op.h"

namespace whittle::term {
namespace {

Table::Key key_of(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c) {
  return {op,
          static_cast<uint8_t>(width),
          static_cast<uint8_t>(arity_of(op)),
          aux,
          {reinterpret_cast<uint64_t>(a.node()), reinterpret_cast<uint64_t>(b.node()),
           reinterpret_cast<uint64_t>(c.node())}};
}

/// Constants last, else older first. By number, never by address: runs must repeat exactly.
bool ordered(Term a, Term b) {
  if (a.is_constant() != b.is_constant()) return b.is_constant();
  return a.id() <= b.id();
}

}  // namespace

Term Builder::constant(unsigned width, u128 value) {
  value &= mask128(width);
  Table::Key key{Op::Constant,
                 static_cast<uint8_t>(width),
                 0,
                 0,
                 {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64), 0}};
  uint32_t hash = key.hash();
  const Node* node = table_.find(key, hash);
  return handle(node != nullptr ? node : table_.insert(key, hash));
}

Term Builder::variable(unsigned width, uint32_t number) {
  Table::Key key{Op::Variable, static_cast<uint8_t>(width), 0, number, {0, 0, 0}};
  return handle(table_.insert(key, key.hash()));
}

Term Builder::intern(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c) {
  if (is_commutative(op) && !ordered(a, b)) std::swap(a, b);
  Table::Key key = key_of(op, width, aux, a, b, c);
  uint32_t hash = key.hash();
  const Node* node = table_.find(key, hash);
  return handle(node != nullptr ? node : table_.insert(key, hash));
}

Term Builder::fold(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c) {
  if (op == Op::Read || !a.is_constant() || (b && !b.is_constant()) || (c && !c.is_constant())) return {};
  u128 values[3] = {a.value(), b ? b.value() : 0, c ? c.value() : 0};
  unsigned widths[3] = {a.width(), b ? b.width() : 0, c ? c.width() : 0};
  unsigned arity = arity_of(op);
  return constant(width, apply(op, width, {values, arity}, {widths, arity}, aux));
}

/// A node that is there already was the answer of the rules once, so it is looked up before they are tried.
Term Builder::make(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c) {
  if (simplify_ && is_commutative(op) && !ordered(a, b)) std::swap(a, b);
  Table::Key key = key_of(op, width, aux, a, b, c);
  uint32_t hash = key.hash();
  if (const Node* node = table_.find(key, hash)) return handle(node);
  if (simplify_) {
    if (Term folded = fold(op, width, aux, a, b, c)) return folded;
    if (depth_ < kMaxDepth) {
      ++depth_;
      Term simpler = simplify(op, width, aux, a, b, c);
      --depth_;
      if (simpler) return simpler;
    }
    // The rules may have made this very node on the way.
    if (const Node* node = table_.find(key, hash)) return handle(node);
  }
  return handle(table_.insert(key, hash));
}

Term Builder::simplify(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c) {
  if (!c)
    if (Term t = push_into_constant_ite(op, width, aux, a, b)) return t;
  if (width == 1 && b && !c && a.width() == 1 && !is_float_op(op) && op != Op::Concat)
    if (Term t = simplify_bit(op, a, b)) return t;
  switch (op) {
    case Op::Not: return simplify_not(a);
    case Op::And: return simplify_and(a, b);
    case Op::Or: return simplify_or(a, b);
    case Op::Xor: return simplify_xor(a, b);
    case Op::Neg:
    case Op::Add:
    case Op::Sub: return simplify_sum(op, a, b);
    case Op::Mul: return simplify_mul(a, b);
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem: return simplify_division(op, a, b);
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return simplify_shift(op, a, b);
    case Op::Eq: return simplify_eq(a, b);
    case Op::Ult:
    case Op::Ule:
    case Op::Slt:
    case Op::Sle: return simplify_less(op, a, b);
    case Op::Ite: return simplify_ite(a, b, c);
    case Op::Extract: return simplify_extract(a, aux, width);
    case Op::Concat: return simplify_concat(a, b);
    case Op::ZExt:
    case Op::SExt: return simplify_extension(op, a, width);
    case Op::Constant:
    case Op::Variable:
    case Op::Read: return {};
    default: return simplify_float(op, width, a, b);
  }
}

}  // namespace whittle::term
