// Store: checks widths, then lets the builder work.
#include <array>
#include <cassert>

#include "term/store_impl.h"

namespace whittle::term {

Term Builder::handle(const Node* node) { return Store::handle(node); }

Store::Store() : Store(Options{}) {}
Store::Store(Options options) : impl_(std::make_unique<Impl>(options)) {}
Store::~Store() = default;
void Store::set_simplify(bool on) { impl_->builder.set_simplify(on); }

Term Store::constant(unsigned width, u128 value) {
  assert(width >= 1 && width <= 128);
  return impl_->builder.constant(width, value);
}

Term Store::variable(unsigned width, std::string_view name) {
  assert(width >= 1 && width <= 128);
  Term v = impl_->builder.variable(width, static_cast<uint32_t>(impl_->variables.size()));
  impl_->variables.push_back(v);
  impl_->names.emplace_back(name);
  return v;
}

Term Store::variable_by_number(uint32_t number) const { return impl_->variables.at(number); }
uint32_t Store::variable_count() const { return static_cast<uint32_t>(impl_->variables.size()); }
const std::string& Store::variable_name(Term variable) const { return impl_->names.at(variable.variable()); }
size_t Store::size() const { return impl_->builder.table().size(); }

Term Store::read(Term address, unsigned width) {
  assert(width % 8 == 0 && width >= 8 && width <= 128);
  return impl_->builder.make(Op::Read, width, 0, address);
}

Term Store::make(Op op, std::span<const Term> kids, unsigned width, unsigned low) {
  assert(kids.size() == arity_of(op) && !is_leaf(op));
  switch (op) {
    case Op::Read: return read(kids[0], width);
    case Op::Ite: return ite(kids[0], kids[1], kids[2]);
    case Op::Extract: return extract(kids[0], low, width);
    case Op::Concat: return concat(kids[0], kids[1]);
    case Op::ZExt: return zext(kids[0], width);
    case Op::SExt: return sext(kids[0], width);
    default: break;
  }
  if (is_float_conversion(op)) return fconvert(op, kids[0], width);
  if (is_float_op(op)) return kids.size() == 2 ? fop(op, kids[0], kids[1]) : fop(op, kids[0]);
  if (kids.size() == 1) return impl_->unary(op, kids[0]);
  return impl_->binary(op, kids[0], kids[1]);
}

Term Store::bnot(Term a) { return impl_->unary(Op::Not, a); }
Term Store::neg(Term a) { return impl_->unary(Op::Neg, a); }
Term Store::band(Term a, Term b) { return impl_->binary(Op::And, a, b); }
Term Store::bor(Term a, Term b) { return impl_->binary(Op::Or, a, b); }
Term Store::bxor(Term a, Term b) { return impl_->binary(Op::Xor, a, b); }
Term Store::add(Term a, Term b) { return impl_->binary(Op::Add, a, b); }
Term Store::sub(Term a, Term b) { return impl_->binary(Op::Sub, a, b); }
Term Store::mul(Term a, Term b) { return impl_->binary(Op::Mul, a, b); }
Term Store::udiv(Term a, Term b) { return impl_->binary(Op::UDiv, a, b); }
Term Store::sdiv(Term a, Term b) { return impl_->binary(Op::SDiv, a, b); }
Term Store::urem(Term a, Term b) { return impl_->binary(Op::URem, a, b); }
Term Store::srem(Term a, Term b) { return impl_->binary(Op::SRem, a, b); }
Term Store::shl(Term a, Term b) { return impl_->binary(Op::Shl, a, b); }
Term Store::lshr(Term a, Term b) { return impl_->binary(Op::LShr, a, b); }
Term Store::ashr(Term a, Term b) { return impl_->binary(Op::AShr, a, b); }
Term Store::eq(Term a, Term b) { return impl_->binary(Op::Eq, a, b); }
Term Store::ult(Term a, Term b) { return impl_->binary(Op::Ult, a, b); }
Term Store::ule(Term a, Term b) { return impl_->binary(Op::Ule, a, b); }
Term Store::slt(Term a, Term b) { return impl_->binary(Op::Slt, a, b); }
Term Store::sle(Term a, Term b) { return impl_->binary(Op::Sle, a, b); }

Term Store::ite(Term condition, Term then, Term otherwise) {
  assert(condition.width() == 1 && then.width() == otherwise.width());
  return impl_->builder.make(Op::Ite, then.width(), 0, condition, then, otherwise);
}

Term Store::extract(Term a, unsigned low, unsigned width) {
  assert(width >= 1 && low + width <= a.width());
  if (width == a.width()) return a;
  return impl_->builder.make(Op::Extract, width, low, a);
}

Term Store::concat(Term high, Term low) {
  assert(high.width() + low.width() <= 128);
  return impl_->builder.make(Op::Concat, high.width() + low.width(), 0, high, low);
}

Term Store::zext(Term a, unsigned width) {
  assert(width >= a.width() && width <= 128);
  return width == a.width() ? a : impl_->builder.make(Op::ZExt, width, 0, a);
}

Term Store::sext(Term a, unsigned width) {
  assert(width >= a.width() && width <= 128);
  return width == a.width() ? a : impl_->builder.make(Op::SExt, width, 0, a);
}

Term Store::resize_unsigned(Term a, unsigned width) {
  return width < a.width() ? extract(a, 0, width) : zext(a, width);
}
Term Store::resize_signed(Term a, unsigned width) { return width < a.width() ? extract(a, 0, width) : sext(a, width); }

Term Store::conjunction(std::span<const Term> terms) {
  Term all = truth();
  for (Term t : terms) all = band(all, t);
  return all;
}

Term Store::disjunction(std::span<const Term> terms) {
  Term any = falsity();
  for (Term t : terms) any = bor(any, t);
  return any;
}

Term Store::fop(Op op, Term a, Term b) {
  assert((op >= Op::FAdd && op <= Op::FRem) || (op >= Op::FEq && op <= Op::FLe));
  assert(a.width() == b.width() && (a.width() == 32 || a.width() == 64));
  return impl_->builder.make(op, is_float_predicate(op) ? 1 : a.width(), 0, a, b);
}

Term Store::fop(Op op, Term a) {
  assert((op >= Op::FNeg && op <= Op::FTrunc) || op == Op::FIsNan);
  assert(a.width() == 32 || a.width() == 64);
  return impl_->builder.make(op, is_float_predicate(op) ? 1 : a.width(), 0, a);
}

Term Store::fconvert(Op op, Term a, unsigned width) {
  [[maybe_unused]] auto is_float_width = [](unsigned w) { return w == 32 || w == 64; };
  assert(is_float_conversion(op));
  assert(op == Op::UIntToF || op == Op::SIntToF || is_float_width(a.width()));
  assert(op == Op::FToUInt || op == Op::FToSInt || is_float_width(width));
  assert(width >= 1 && width <= 128);
  return impl_->builder.make(op, width, 0, a);
}

}  // namespace whittle::term
