// long double has 80 bits in memory and is a double where it is computed with: none of the solvers' floats and none of our own has
// its 64 bits of precision. Whatever a double holds exactly is followed; a constant, a result or a value from memory that needs
// more ends the path as not followed (docs/decisions/023-long-double.md).
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>

#include <bit>

#include "frontend/function_lowering.h"

namespace whittle::frontend {

using llvm::Instruction;
using term::Op;

namespace {

constexpr unsigned kBits = 80, kFraction = 52, kExponent = 11, kBias = 16383 - 1023;
constexpr const char* kTooPrecise = "a long double that double cannot hold";

/// Terms over bit patterns of double.
struct Doubles {
  term::Store& t;

  term::Term number(double value) const { return t.constant(64, std::bit_cast<uint64_t>(value)); }
  term::Term exponent(term::Term x) const { return t.extract(x, kFraction, kExponent); }
  term::Term finite(term::Term x) const {
    return t.bnot(t.eq(exponent(x), t.constant(kExponent, mask128(kExponent))));
  }
  term::Term zero(term::Term x) const { return t.fop(Op::FEq, x, number(0)); }
  /// Is the exponent so small, either way, that the products below neither overflow nor lose bits at the lower end?
  term::Term moderate(term::Term x) const {
    constexpr unsigned kMost = 450;
    return t.band(t.ule(t.constant(kExponent, 1023 - kMost), exponent(x)),
                  t.ule(exponent(x), t.constant(kExponent, 1023 + kMost)));
  }
  term::Term add(term::Term a, term::Term b) const { return t.fop(Op::FAdd, a, b); }
  term::Term sub(term::Term a, term::Term b) const { return t.fop(Op::FSub, a, b); }
  term::Term mul(term::Term a, term::Term b) const { return t.fop(Op::FMul, a, b); }

  /// What the rounded sum is off by (Knuth). No number if the sum overflows.
  term::Term sum_error(term::Term a, term::Term b, term::Term sum) const {
    term::Term second = sub(sum, a);
    return add(sub(a, sub(sum, second)), sub(b, second));
  }
  /// What the rounded product of moderate numbers is off by (Dekker, Veltkamp).
  term::Term product_error(term::Term a, term::Term b, term::Term product) const {
    auto high = [&](term::Term x) {
      term::Term scaled = mul(x, number(0x1p27 + 1));
      return sub(scaled, sub(scaled, x));
    };
    term::Term ah = high(a), bh = high(b), al = sub(a, ah), bl = sub(b, bh);
    return add(add(add(sub(mul(ah, bh), product), mul(ah, bl)), mul(al, bh)), mul(al, bl));
  }
};

}  // namespace

bool FunctionLowering::is_long_double(const llvm::Type* type) { return type->isX86_FP80Ty(); }

void FunctionLowering::refuse_if(Term condition, const char* what) {
  if (!alive() || (condition.is_constant() && !condition.is_true())) return;
  program::LocationId fork = here_;
  if (!condition.is_true()) emit(make(Kind::Assume, {}, {condition}));
  unsupported(what);
  if (condition.is_true()) return;
  here_ = fork;
  emit(make(Kind::Assume, {}, {terms().bnot(condition)}));
}

FunctionLowering::Term FunctionLowering::long_double_operation(unsigned opcode, Term a, Term b) {
  Doubles d{terms()};
  a = settled(a), b = settled(b);
  Term zero = terms().bor(d.zero(a), d.zero(b)), special = terms().bnot(terms().band(d.finite(a), d.finite(b)));
  Term result, exact;
  switch (opcode) {
    case Instruction::FAdd:
    case Instruction::FSub: {
      if (opcode == Instruction::FSub) b = terms().fop(Op::FNeg, b);
      result = settled(d.add(a, b));
      exact = d.zero(d.sum_error(a, b, result));
      break;
    }
    case Instruction::FMul:
      result = settled(d.mul(a, b));
      exact = terms().bor(zero, terms().band(terms().band(d.moderate(a), d.moderate(b)),
                                             d.zero(d.product_error(a, b, result))));
      break;
    case Instruction::FDiv: {
      result = settled(terms().fop(Op::FDiv, a, b));
      Term back = d.mul(result, b);
      Term whole = terms().band(terms().fop(Op::FEq, back, a), d.zero(d.product_error(result, b, back)));
      exact = terms().bor(zero, terms().band(terms().band(d.moderate(result), d.moderate(b)), whole));
      break;
    }
    case Instruction::FRem: return terms().fop(Op::FRem, a, b);  // always exact
    default: unsupported("operation on long double"); return a;
  }
  refuse_if(terms().bnot(terms().bor(special, exact)), kTooPrecise);
  return result;
}

FunctionLowering::Term FunctionLowering::long_double_from_integer(bool is_signed, Term value) {
  value = settled(value);
  Term result = settled(terms().fconvert(is_signed ? Op::SIntToF : Op::UIntToF, value, 64));
  if (value.width() > 53) {
    Term back = terms().fconvert(is_signed ? Op::FToSInt : Op::FToUInt, result, value.width());
    refuse_if(terms().bnot(terms().eq(back, value)), kTooPrecise);
  }
  return result;
}

FunctionLowering::Term FunctionLowering::to_memory(const Leaf& leaf, Term value, unsigned width) {
  if (!is_long_double(leaf.type)) return terms().zext(value, width);
  term::Store& t = terms();
  value = settled(value);
  Term exponent = t.extract(value, kFraction, kExponent), fraction = t.extract(value, 0, kFraction);
  Term none = t.eq(exponent, t.constant(kExponent, 0)), all = t.eq(exponent, t.constant(kExponent, mask128(kExponent)));
  Term wide = t.ite(all, t.constant(15, 0x7fff), t.add(t.zext(exponent, 15), t.constant(15, kBias)));
  // A number below the normal ones of double keeps its leading zeros, which no processor would do.
  Term small = t.ite(t.eq(fraction, t.constant(kFraction, 0)), t.constant(15, 0), t.constant(15, kBias + 1));
  Term significand = t.concat(t.concat(t.bnot(none), fraction), t.constant(kExponent, 0));
  Term bits = t.concat(t.concat(t.extract(value, 63, 1), t.ite(none, small, wide)), significand);
  return t.zext(bits, width);
}

FunctionLowering::Term FunctionLowering::from_memory(const Leaf& leaf, Term bits) {
  term::Store& t = terms();
  if (!is_long_double(leaf.type)) return t.extract(bits, 0, leaf.width);
  Term exponent = t.extract(bits, 64, 15), one = t.extract(bits, 63, 1);
  Term fraction = t.extract(bits, kExponent, kFraction);
  auto is = [&](unsigned value) { return t.eq(exponent, t.constant(15, value)); };
  Term zero = t.band(is(0), t.eq(t.extract(bits, 0, 64), t.constant(64, 0))), all = is(0x7fff);
  Term fits = t.band(t.ule(t.constant(15, kBias + 1), exponent), t.ule(exponent, t.constant(15, kBias + 2046)));
  Term known = t.bor(zero, t.bor(t.band(one, t.bor(all, fits)), t.band(t.bnot(one), is(kBias + 1))));
  Term short_enough = t.eq(t.extract(bits, 0, kExponent), t.constant(kExponent, 0));
  refuse_if(t.bnot(t.band(known, short_enough)), kTooPrecise);
  Term narrow = t.extract(t.sub(exponent, t.constant(15, kBias)), 0, kExponent);
  Term result = t.ite(all, t.constant(kExponent, mask128(kExponent)), t.ite(one, narrow, t.constant(kExponent, 0)));
  return t.concat(t.concat(t.extract(bits, kBits - 1, 1), result), fraction);
}

}  // namespace whittle::frontend
