// Functions of LLVM itself (llvm.*).
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "frontend/function_lowering.h"

namespace whittle::frontend {

using llvm::Instruction;
using term::Op;
namespace Id = llvm::Intrinsic;

namespace {

/// clang's __builtin_ffs and __builtin_clzg take another value than the count where their argument is zero.
bool only_selected(const llvm::Instruction& count) {
  if (count.use_empty()) return false;
  for (const llvm::User* user : count.users()) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (!llvm::isa<llvm::SelectInst>(user) && !(sum && only_selected(*sum))) return false;
  }
  return true;
}

}  // namespace

void FunctionLowering::lower_intrinsic(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Id::dbg_declare:
    case Id::dbg_value:
    case Id::dbg_label:
    case Id::dbg_assign:
    case Id::lifetime_start:
    case Id::lifetime_end:
    case Id::invariant_start:
    case Id::invariant_end:
    case Id::assume:
    case Id::prefetch:
    case Id::donothing:
    case Id::vaend:
    case Id::var_annotation:
    case Id::experimental_noalias_scope_decl:
    case Id::x86_sse2_pause:
    case Id::x86_sse_sfence:  // memory is sequentially consistent
    case Id::x86_sse2_lfence:
    case Id::x86_sse2_mfence:
    case Id::x86_sse2_clflush:
    case Id::x86_clflushopt:
    case Id::x86_clwb:
    case Id::sideeffect: return;
    case Id::trap:
    case Id::debugtrap:
    case Id::ubsantrap: return halt(terms().constant(32, 132), "abort");
    case Id::vastart: return va_start(call);
    case Id::vacopy: return va_copy(call);
    case Id::returnaddress:
    case Id::frameaddress:
    case Id::addressofreturnaddress:
    case Id::readcyclecounter:
    case Id::readsteadycounter:
    case Id::x86_rdtsc:
    case Id::x86_rdtscp:
    case Id::x86_rdpid: return nondet_result(call, call.getCalledFunction()->getName().str(), false);
    default: break;
  }
  if (lower_memory_intrinsic(call) || !alive()) return;
  if (!layout(call.getType())) return;
  if (lower_integer_intrinsic(call) || !alive()) return;
  if (lower_vector_intrinsic(call) || !alive()) return;
  if (lower_float_intrinsic(call) || !alive()) return;
  unsupported("intrinsic " + call.getCalledFunction()->getName().str());
}

bool FunctionLowering::lower_memory_intrinsic(const llvm::IntrinsicInst& call) {
  unsigned pointer = info_.pointer_width();
  auto size = [&](unsigned i) { return terms().resize_unsigned(scalar(call.getArgOperand(i)), pointer); };
  switch (call.getIntrinsicID()) {
    case Id::memcpy:
    case Id::memcpy_inline:
    case Id::memmove: return lower_copy(llvm::cast<llvm::MemTransferInst>(call)), true;
    case Id::memset:
    case Id::memset_inline:
      fill_bulk(scalar(call.getArgOperand(0)), scalar(call.getArgOperand(1)), size(2),
                llvm::cast<llvm::MemSetInst>(call).getDestAlign().valueOrOne().value(),
                storage_.is_private(call.getArgOperand(0)));
      return true;
    case Id::stacksave: {
      RegisterId mark = fresh(pointer);
      emit(make(Kind::StackSave, {mark}, {}));
      set_stable(call, {var(mark)});
      return true;
    }
    case Id::stackrestore: return emit(make(Kind::StackRestore, {}, {scalar(call.getArgOperand(0))})), true;
    case Id::threadlocal_address: {
      auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(resolve(call.getArgOperand(0)));
      if (!variable) return unsupported("thread-local alias"), true;
      if (!variable->isThreadLocal()) return set_pure(call, leaves(variable)), true;
      RegisterId target = fresh(pointer);
      Statement statement = make(Kind::ThreadLocal, {target}, {});
      statement.object = *info_.id(*variable);
      emit(std::move(statement));
      return set_stable(call, {var(target)}), true;
    }
    case Id::objectsize: {
      // Not known: the largest or the smallest size, as asked.
      bool smallest = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
      unsigned width = scalar_width(call.getType(), info_.data());
      return set_stable(call, {terms().constant(width, smallest ? 0 : mask128(width))}), true;
    }
    default: return false;
  }
}

bool FunctionLowering::lower_integer_intrinsic(const llvm::IntrinsicInst& call) {
  term::Store& t = terms();
  auto in = [&](unsigned i) { return scalar(call.getArgOperand(i)); };
  auto done = [&](Term value) { return set_pure(call, {value}), true; };
  auto with_overflow = [&](unsigned opcode, bool is_signed) {
    Term a = in(0), b = in(1);
    if (alive()) set_pure(call, {binary(opcode, nullptr, a, b), overflows(opcode, is_signed, a, b)});
    return true;
  };
  auto saturating = [&](unsigned opcode, bool is_signed) {
    Term a = in(0), b = in(1);
    unsigned width = a.width();
    u128 high = is_signed ? mask128(width - 1) : mask128(width), low = is_signed ? u128{1} << (width - 1) : 0;
    // A signed overflow goes the way of the first operand, an unsigned one up for a sum and down for a difference.
    Term up = is_signed ? t.sge(a, t.constant(width, 0)) : t.boolean(opcode == Instruction::Add);
    Term limit = t.ite(up, t.constant(width, high), t.constant(width, low));
    return done(t.ite(overflows(opcode, is_signed, a, b), limit, binary(opcode, nullptr, a, b)));
  };
  if (call.getType()->isVectorTy()) return false;
  switch (call.getIntrinsicID()) {
    case Id::expect:
    case Id::expect_with_probability:
    case Id::launder_invariant_group:
    case Id::strip_invariant_group:
    case Id::annotation:
    case Id::ptr_annotation:
    case Id::ssa_copy: return done(in(0));
    case Id::is_constant: return done(t.falsity());
    case Id::ptrmask: return done(t.band(in(0), t.resize_unsigned(in(1), info_.pointer_width())));
    case Id::ctpop: return done(count_ones(in(0)));
    case Id::ctlz:
    case Id::cttz: {
      const bool leading = call.getIntrinsicID() == Id::ctlz;
      Term value = in(0);
      if (llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne() && !only_selected(call))  // __builtin_clz, __builtin_ctz
        check(t.bnot(t.eq(value, t.constant(value.width(), 0))), verdict::Property::NoBadShift,
              leading ? "count of leading zeros of zero" : "count of trailing zeros of zero");
      return !alive() || done(count_leading_zeros(leading ? value : reverse(value, 1)));
    }
    case Id::bswap: return done(reverse(in(0), 8));
    case Id::bitreverse: return done(reverse(in(0), 1));
    case Id::fshl:
    case Id::fshr: {
      Term a = in(0), b = in(1), amount = in(2);
      unsigned width = a.width();
      if (2 * width > 128) return false;
      Term both = t.concat(a, b);
      Term by = t.zext(t.urem(amount, t.constant(width, width)), 2 * width);
      bool left = call.getIntrinsicID() == Id::fshl;
      return done(left ? t.extract(t.shl(both, by), width, width) : t.extract(t.lshr(both, by), 0, width));
    }
    case Id::abs: {
      Term a = in(0);
      return done(t.ite(t.slt(a, t.constant(a.width(), 0)), t.neg(a), a));
    }
    case Id::smax: {
      Term a = in(0), b = in(1);
      return done(t.ite(t.slt(a, b), b, a));
    }
    case Id::smin: {
      Term a = in(0), b = in(1);
      return done(t.ite(t.slt(a, b), a, b));
    }
    case Id::umax: {
      Term a = in(0), b = in(1);
      return done(t.ite(t.ult(a, b), b, a));
    }
    case Id::umin: {
      Term a = in(0), b = in(1);
      return done(t.ite(t.ult(a, b), a, b));
    }
    case Id::sadd_with_overflow: return with_overflow(Instruction::Add, true);
    case Id::uadd_with_overflow: return with_overflow(Instruction::Add, false);
    case Id::ssub_with_overflow: return with_overflow(Instruction::Sub, true);
    case Id::usub_with_overflow: return with_overflow(Instruction::Sub, false);
    case Id::smul_with_overflow: return with_overflow(Instruction::Mul, true);
    case Id::umul_with_overflow: return with_overflow(Instruction::Mul, false);
    case Id::sadd_sat: return saturating(Instruction::Add, true);
    case Id::uadd_sat: return saturating(Instruction::Add, false);
    case Id::ssub_sat: return saturating(Instruction::Sub, true);
    case Id::usub_sat: return saturating(Instruction::Sub, false);
    default: return false;
  }
}

bool FunctionLowering::lower_float_intrinsic(const llvm::IntrinsicInst& call) {
  term::Store& t = terms();
  auto in = [&](unsigned i) { return scalar(call.getArgOperand(i)); };
  auto done = [&](Term value) { return set_pure(call, {value}), true; };
  auto host = [&](const char* name) {
    RegisterId target = fresh(scalar_width(call.getType(), info_.data()));
    Statement statement = make(Kind::HostMath, {target}, {});
    for (const llvm::Value* argument : call.args())
      if (argument->getType()->isFloatingPointTy()) statement.operands.push_back(scalar(argument));
    statement.text = name;
    if (call.getType()->isFloatTy()) statement.text += 'f';
    emit(std::move(statement));
    return set_stable(call, {var(target)}), true;
  };
  if (call.getType()->isVectorTy() || (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isVectorTy()))
    return false;
  if (is_long_double(call.getType()) || (call.arg_size() > 0 && is_long_double(call.getArgOperand(0)->getType()))) {
    bool exact = false;
    for (llvm::Intrinsic::ID id : {Id::fabs, Id::floor, Id::ceil, Id::trunc, Id::rint, Id::nearbyint, Id::roundeven, Id::copysign, Id::maxnum,
                                  Id::minnum, Id::round, Id::is_fpclass})
      exact |= call.getIntrinsicID() == id;
    if (!exact) return unsupported(call.getCalledFunction()->getName().str()), true;
  }
  switch (call.getIntrinsicID()) {
    case Id::fabs: return done(t.fop(Op::FAbs, in(0)));
    case Id::sqrt: return done(t.fop(Op::FSqrt, in(0)));
    case Id::floor: return done(t.fop(Op::FFloor, in(0)));
    case Id::ceil: return done(t.fop(Op::FCeil, in(0)));
    case Id::trunc: return done(t.fop(Op::FTrunc, in(0)));
    case Id::rint:
    case Id::nearbyint:
    case Id::roundeven: return done(t.fop(Op::FRound, in(0)));
    case Id::fmuladd: return done(t.fop(Op::FAdd, t.fop(Op::FMul, in(0), in(1)), in(2)));
    case Id::copysign: {
      Term a = in(0), b = in(1);
      unsigned width = a.width();
      return done(t.concat(t.extract(b, width - 1, 1), t.extract(a, 0, width - 1)));
    }
    case Id::maxnum:
    case Id::minnum: {
      Term a = in(0), b = in(1);
      Term first = call.getIntrinsicID() == Id::maxnum ? t.fop(Op::FLe, b, a) : t.fop(Op::FLe, a, b);
      return done(t.ite(t.fop(Op::FIsNan, a), b, t.ite(t.bor(t.fop(Op::FIsNan, b), first), a, b)));
    }
    case Id::is_fpclass: {
      auto mask = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
      // What is below the normal numbers of double is normal as a long double.
      if (is_long_double(call.getArgOperand(0)->getType())) mask = (mask & ~0x90u) | (mask >> 3 & 1) << 4 | (mask >> 8 & 1) << 7;
      return done(fp_class(in(0), mask));
    }
    case Id::fptosi_sat:
    case Id::fptoui_sat: return false;
    case Id::round: return host("round");
    case Id::fma: return host("fma");
    case Id::sin: return host("sin");
    case Id::cos: return host("cos");
    case Id::tan: return host("tan");
    case Id::exp: return host("exp");
    case Id::exp2: return host("exp2");
    case Id::log: return host("log");
    case Id::log2: return host("log2");
    case Id::log10: return host("log10");
    case Id::pow: return host("pow");
    default: return false;
  }
}

/// LLVM's classes: bits 0, 1 NaN; 2, 9 infinite; 3, 8 normal; 4, 7 subnormal; 5, 6 zero; the smaller one is the
/// negative.
FunctionLowering::Term FunctionLowering::fp_class(Term value, unsigned mask) {
  term::Store& t = terms();
  unsigned width = value.width(), fraction = width == 32 ? 23 : 52;
  unsigned exponent_width = width - 1 - fraction;
  Term negative = t.extract(value, width - 1, 1);
  Term exponent = t.extract(value, fraction, exponent_width), significand = t.extract(value, 0, fraction);
  Term low = t.eq(exponent, t.constant(exponent_width, 0)),
       high = t.eq(exponent, t.constant(exponent_width, mask128(exponent_width)));
  Term none = t.eq(significand, t.constant(fraction, 0));
  Term quiet = t.extract(value, fraction - 1, 1);
  auto band = [&](Term a, Term b) { return t.band(a, b); };
  Term nan = band(high, t.bnot(none));
  const Term classes[] = {band(nan, t.bnot(quiet)),        band(nan, quiet),        band(high, none),
                          band(t.bnot(low), t.bnot(high)), band(low, t.bnot(none)), band(low, none)};
  Term result = t.falsity();
  for (unsigned bit = 0; bit < 10; ++bit) {
    if (!(mask >> bit & 1)) continue;
    unsigned which = bit < 6 ? bit : 11 - bit;
    Term sign = bit < 2 ? t.truth() : bit < 6 ? negative : t.bnot(negative);
    result = t.bor(result, band(classes[which], sign));
  }
  return result;
}

FunctionLowering::Term FunctionLowering::count_ones(Term value) {
  term::Store& t = terms();
  // Adds neighbouring groups of bits, twice as wide each time.
  unsigned width = value.width();
  Term sum = value;
  for (unsigned group = 1; group < width; group *= 2) {
    u128 pattern = 0;
    for (unsigned i = 0; i < width; i += 2 * group) pattern |= mask128(std::min(group, width - i)) << i;
    Term mask = t.constant(width, pattern);
    sum = t.add(t.band(sum, mask), t.band(t.lshr(sum, t.constant(width, group)), mask));
  }
  return sum;
}

FunctionLowering::Term FunctionLowering::count_leading_zeros(Term value) {
  term::Store& t = terms();
  unsigned width = value.width();
  // Fill all bits below the highest one, then count those above.
  Term filled = value;
  for (unsigned by = 1; by < width; by *= 2) filled = t.bor(filled, t.lshr(filled, t.constant(width, by)));
  return count_ones(t.bnot(filled));
}

FunctionLowering::Term FunctionLowering::reverse(Term value, unsigned chunk) {
  Term result = terms().extract(value, 0, chunk);
  for (unsigned low = chunk; low < value.width(); low += chunk)
    result = terms().concat(result, terms().extract(value, low, chunk));
  return result;
}

}  // namespace whittle::frontend
