// Terms to instructions. Values up to 64 bits have instructions of their own; wider ones and rare operations go through
// Apply, which calls term::apply, the meaning of all operators.
#include "exec/term_compiler.h"

#include <algorithm>

namespace whittle::exec {

using term::Op;
using term::Term;

void TermCompiler::begin_statement(uint32_t reserved) {
  done_.clear();
  next_ = function_.register_slots + reserved;
  function_.total_slots = std::max(function_.total_slots, next_);
}

uint16_t TermCompiler::temporary(unsigned width) {
  uint32_t slot = next_;
  next_ += width > 64 ? 2 : 1;
  function_.total_slots = std::max(function_.total_slots, next_);
  if (next_ >= kNoSlot) {
    overflowed_ = true;
    return 0;
  }
  return static_cast<uint16_t>(slot);
}

uint16_t TermCompiler::slot_of(Term variable) const { return function_.slot[impl_.program.register_of(variable).reg]; }

uint32_t TermCompiler::emit(Opcode op, uint32_t d, uint32_t a, uint32_t b, uint64_t imm) {
  Instruction in{op, static_cast<uint16_t>(d), static_cast<uint16_t>(a), static_cast<uint16_t>(b)};
  in.imm = imm;
  stream_.code.push_back(in);
  return static_cast<uint32_t>(stream_.code.size() - 1);
}

uint32_t TermCompiler::emit(Opcode op, uint32_t d, uint32_t a, uint32_t b, uint32_t lo, uint32_t hi) {
  return emit(op, d, a, b, uint64_t{hi} << 32 | lo);
}

uint16_t TermCompiler::value(Term t) {
  if (t.is_variable()) return slot_of(t);
  if (t.op() == Op::ZExt && t.width() <= 64) return value(t.kid(0));
  if (auto it = done_.find(t.id()); it != done_.end()) return it->second;
  uint16_t d = temporary(t.width());
  into(t, d);
  done_.emplace(t.id(), d);
  return d;
}

void TermCompiler::constant(unsigned width, u128 value, uint16_t d) {
  emit(Opcode::Const, d, 0, 0, static_cast<uint64_t>(value));
  if (width > 64) emit(Opcode::Const, d + 1u, 0, 0, static_cast<uint64_t>(value >> 64));
}

void TermCompiler::into(Term t, uint16_t d) {
  if (t.is_constant()) return constant(t.width(), t.value(), d);
  if (t.is_variable()) {
    uint16_t slot = slot_of(t);
    if (slot != d) emit(t.width() > 64 ? Opcode::Move2 : Opcode::Move, d, slot, 0, uint64_t{0});
    return;
  }
  if (t.op() == Op::Extract && t.width() <= 64 && t.kid(0).width() > 64) {
    uint16_t a = value(t.kid(0));
    if (t.low() + t.width() <= 64)
      emit(Opcode::Extract, d, a, t.low(), mask64(t.width()));
    else if (t.low() >= 64)
      emit(Opcode::Extract, d, a + 1u, t.low() - 64, mask64(t.width()));
    else
      apply(t, d);
    return;
  }
  if (t.op() == Op::ZExt && t.width() > 64 && t.kid(0).width() <= 64) {
    uint16_t a = value(t.kid(0));
    if (a != d) emit(Opcode::Move, d, a, 0, uint64_t{0});
    emit(Opcode::Const, d + 1u, 0, 0, uint64_t{0});
    return;
  }
  bool wide = t.width() > 64;
  for (unsigned i = 0; i < t.arity(); ++i) wide |= t.kid(i).width() > 64;
  if (wide) return apply(t, d);
  switch (t.op()) {
    case Op::Not:
    case Op::Neg:
    case Op::Ite:
    case Op::Extract:
    case Op::Concat:
    case Op::ZExt:
    case Op::SExt: return structural(t, d);
    case Op::Add: return add(t, d);
    case Op::Mul: return multiply(t, d);
    case Op::Sub:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem:
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
    case Op::Eq:
    case Op::Ult:
    case Op::Ule:
    case Op::Slt:
    case Op::Sle: return binary(t, d);
    default:
      if (!native_float(t, d)) apply(t, d);
  }
}

void TermCompiler::structural(Term t, uint16_t d) {
  uint16_t a = value(t.kid(0));
  uint64_t mask = mask64(t.width());
  switch (t.op()) {
    case Op::Not: emit(Opcode::XorI, d, a, 0, mask); break;
    case Op::Neg: emit(Opcode::NegM, d, a, 0, mask); break;
    case Op::Extract:
      if (t.low() == 0)
        emit(Opcode::AndI, d, a, 0, mask);
      else
        emit(Opcode::Extract, d, a, t.low(), mask);
      break;
    case Op::ZExt: emit(Opcode::Move, d, a, 0, uint64_t{0}); break;
    case Op::SExt: emit(Opcode::SExt, d, a, t.kid(0).width(), mask); break;
    case Op::Concat: {
      uint16_t b = value(t.kid(1));
      emit(Opcode::Concat, d, a, b, uint64_t{t.kid(1).width()});
      break;
    }
    default: {  // Ite
      uint16_t b = value(t.kid(1)), c = value(t.kid(2));
      emit(Opcode::Ite, d, a, b, uint64_t{c});
    }
  }
}

void TermCompiler::add(Term t, uint16_t d) {
  Term x = t.kid(0), y = t.kid(1);
  unsigned w = t.width();
  if (x.is_constant()) std::swap(x, y);
  if (y.is_constant()) {
    uint16_t a = value(x);
    Opcode op = w == 32 ? Opcode::Add32I : w == 64 ? Opcode::Add64I : Opcode::AddMI;
    emit(op, d, a, w, y.value64());
    return;
  }
  // base + index * size, the usual address of an array element
  if (w == 64 && x.op() == Op::Mul && !(y.op() == Op::Mul)) std::swap(x, y);
  if (w == 64 && y.op() == Op::Mul && y.kid(1).is_constant() && !done_.contains(y.id())) {
    Term index = y.kid(0);
    uint16_t a = value(x);
    if (index.op() == Op::SExt && index.kid(0).width() == 32)
      emit(Opcode::SExtMulAdd64, d, a, value(index.kid(0)), y.kid(1).value64());
    else
      emit(Opcode::MulAdd64, d, a, value(index), y.kid(1).value64());
    return;
  }
  uint16_t a = value(x), b = value(y);
  if (w == 32)
    emit(Opcode::Add32, d, a, b, uint64_t{0});
  else if (w == 64)
    emit(Opcode::Add64, d, a, b, uint64_t{0});
  else
    emit(Opcode::AddM, d, a, b, mask64(w));
}

void TermCompiler::multiply(Term t, uint16_t d) {
  Term x = t.kid(0), y = t.kid(1);
  unsigned w = t.width();
  if (x.is_constant()) std::swap(x, y);
  uint16_t a = value(x);
  if (y.is_constant() && (w == 32 || w == 64)) {
    emit(w == 32 ? Opcode::Mul32I : Opcode::Mul64I, d, a, 0, y.value64());
    return;
  }
  uint16_t b = value(y);
  if (w == 32)
    emit(Opcode::Mul32, d, a, b, uint64_t{0});
  else if (w == 64)
    emit(Opcode::Mul64, d, a, b, uint64_t{0});
  else
    emit(Opcode::MulM, d, a, b, mask64(w));
}

bool TermCompiler::with_constant(Term t, uint16_t d) {
  Opcode op;
  switch (t.op()) {
    case Op::And: op = Opcode::AndI; break;
    case Op::Or: op = Opcode::OrI; break;
    case Op::Xor: op = Opcode::XorI; break;
    case Op::Eq: op = Opcode::EqI; break;
    default: return false;
  }
  unsigned c = t.kid(1).is_constant() ? 1 : t.kid(0).is_constant() ? 0 : 2;
  if (c == 2) return false;
  emit(op, d, value(t.kid(1 - c)), 0, t.kid(c).value64());
  return true;
}

void TermCompiler::binary(Term t, uint16_t d) {
  if (with_constant(t, d)) return;
  uint16_t a = value(t.kid(0)), b = value(t.kid(1));
  unsigned w = t.kid(0).width();
  uint64_t mask = mask64(w);
  switch (t.op()) {
    case Op::Sub:
      if (w == 32)
        emit(Opcode::Sub32, d, a, b, uint64_t{0});
      else if (w == 64)
        emit(Opcode::Sub64, d, a, b, uint64_t{0});
      else
        emit(Opcode::SubM, d, a, b, mask);
      break;
    case Op::And: emit(Opcode::And, d, a, b, uint64_t{0}); break;
    case Op::Or: emit(Opcode::Or, d, a, b, uint64_t{0}); break;
    case Op::Xor: emit(Opcode::Xor, d, a, b, uint64_t{0}); break;
    case Op::UDiv: emit(Opcode::UDiv, d, a, b, mask); break;
    case Op::URem: emit(Opcode::URem, d, a, b, mask); break;
    case Op::SDiv: emit(w == 32 ? Opcode::SDiv32 : Opcode::SDivW, d, a, b, uint64_t{w}); break;
    case Op::SRem: emit(w == 32 ? Opcode::SRem32 : Opcode::SRemW, d, a, b, uint64_t{w}); break;
    case Op::Shl: emit(Opcode::ShlW, d, a, b, uint64_t{w}); break;
    case Op::LShr: emit(Opcode::LShrW, d, a, b, uint64_t{w}); break;
    case Op::AShr: emit(Opcode::AShrW, d, a, b, uint64_t{w}); break;
    case Op::Eq: emit(Opcode::Eq, d, a, b, uint64_t{0}); break;
    case Op::Ult: emit(Opcode::Ult, d, a, b, uint64_t{0}); break;
    case Op::Ule: emit(Opcode::Ule, d, a, b, uint64_t{0}); break;
    case Op::Slt: emit(Opcode::SltS, d, a, b, uint64_t{64 - w}); break;
    default: emit(Opcode::SleS, d, a, b, uint64_t{64 - w}); break;
  }
}

bool TermCompiler::native_float(Term t, uint16_t d) {
  bool single = t.kid(0).width() == 32;
  Opcode op;
  switch (t.op()) {
    case Op::FAdd: op = single ? Opcode::FAdd32 : Opcode::FAdd64; break;
    case Op::FSub: op = single ? Opcode::FSub32 : Opcode::FSub64; break;
    case Op::FMul: op = single ? Opcode::FMul32 : Opcode::FMul64; break;
    case Op::FDiv: op = single ? Opcode::FDiv32 : Opcode::FDiv64; break;
    case Op::FLt: op = single ? Opcode::FLt32 : Opcode::FLt64; break;
    case Op::FLe: op = single ? Opcode::FLe32 : Opcode::FLe64; break;
    case Op::FEq: op = single ? Opcode::FEq32 : Opcode::FEq64; break;
    default: return false;
  }
  uint16_t a = value(t.kid(0)), b = value(t.kid(1));
  emit(op, d, a, b, uint64_t{0});
  return true;
}

void TermCompiler::apply(Term t, uint16_t d) {
  Application application{t.op(), static_cast<uint16_t>(t.width()), 0, static_cast<uint16_t>(t.arity()), {}, {}};
  if (t.op() == Op::Extract) application.low = static_cast<uint16_t>(t.low());
  application.result = {d, static_cast<uint16_t>(t.width())};
  for (unsigned i = 0; i < t.arity(); ++i) application.kids[i] = place(t.kid(i));
  function_.applications.push_back(application);
  emit(Opcode::Apply, d, 0, 0, static_cast<uint64_t>(function_.applications.size() - 1));
}

bool TermCompiler::compare_branch(Term c, uint16_t count, Branch& result) {
  Term x = c.arity() == 2 ? c.kid(0) : Term{};
  if (!x || x.width() > 64) return false;
  Term y = c.kid(1);
  unsigned w = x.width();
  auto fits = [](int64_t v) { return v >= INT16_MIN && v <= INT16_MAX; };
  auto done = [&](Opcode op, uint16_t a, uint32_t b) {
    result.instruction = emit(op, count, a, b, uint64_t{0});
    return true;
  };
  auto registers = [&](Opcode op) {
    uint16_t a = value(x), b = value(y);
    return done(op, a, b);
  };
  switch (c.op()) {
    case Op::Eq:
      if (x.is_constant()) std::swap(x, y);
      if (y.is_constant() && y.value64() <= 0xffff)
        return done(Opcode::BrEqI, value(x), static_cast<uint32_t>(y.value64()));
      return registers(Opcode::BrEq);
    case Op::Ult:
      if (y.is_constant() && y.value64() <= 0xffff)
        return done(Opcode::BrUltI, value(x), static_cast<uint32_t>(y.value64()));
      if (x.is_constant() && x.value64() <= 0xffff)
        return done(Opcode::BrUgtI, value(y), static_cast<uint32_t>(x.value64()));
      return registers(Opcode::BrUlt);
    case Op::Slt:
      if (w != 32 && w != 64) return false;
      if (y.is_constant() && fits(sign_extend64(y.value64(), w)))
        return done(w == 32 ? Opcode::BrSlt32I : Opcode::BrSlt64I, value(x), static_cast<uint16_t>(y.value64()));
      if (x.is_constant() && fits(sign_extend64(x.value64(), w)))
        return done(w == 32 ? Opcode::BrSgt32I : Opcode::BrSgt64I, value(y), static_cast<uint16_t>(x.value64()));
      return registers(w == 32 ? Opcode::BrSlt32 : Opcode::BrSlt64);
    default: return false;
  }
}

TermCompiler::Branch TermCompiler::branch(Term condition, uint16_t count) {
  Branch result{0, false};
  while (condition.op() == Op::Not) condition = condition.kid(0), result.swapped = !result.swapped;
  if (compare_branch(condition, count, result)) return result;
  result.instruction = emit(Opcode::Br, count, value(condition), 0, uint64_t{0});
  return result;
}

}  // namespace whittle::exec
