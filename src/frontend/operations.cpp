// Instructions without effect: arithmetic, comparisons, casts, addresses; and the checks that C demands of them.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "frontend/checks.h"
#include "frontend/function_lowering.h"

namespace whittle::frontend {

using llvm::Instruction;
using term::Op;
using verdict::Property;

FunctionLowering::Term FunctionLowering::element(const llvm::Type* type, Term vector, unsigned i) {
  auto* vector_type = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector_type) return vector;
  unsigned width = vector.width() / vector_type->getNumElements();
  return terms().extract(vector, i * width, width);
}

template <typename F>
FunctionLowering::Term FunctionLowering::elementwise(const llvm::Type* type, F f) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) return f(0);
  Leaves parts;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) parts.push_back(f(i));
  return pack(parts);
}

bool FunctionLowering::lower_pure(const Instruction& instruction) {
  auto done = [&](Term value) {
    if (alive()) set_pure(instruction, {value});
    return true;
  };
  if (llvm::isa<llvm::AllocaInst, llvm::LoadInst, llvm::StoreInst, llvm::CallBase, llvm::AtomicRMWInst,
                llvm::AtomicCmpXchgInst, llvm::FenceInst, llvm::VAArgInst>(instruction) ||
      instruction.isEHPad())
    return false;
  if (!layout(instruction.getType())) return true;
  if (is_wide(instruction.getType()) ||
      (instruction.getNumOperands() > 0 && is_wide(instruction.getOperand(0)->getType())))
    return lower_wide(instruction), true;
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return done(binary(*op));
  if (auto* op = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
    Term a = scalar(op->getOperand(0));
    return done(
        elementwise(op->getType(), [&](unsigned i) { return terms().fop(Op::FNeg, element(op->getType(), a, i)); }));
  }
  if (auto* op = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    const llvm::Type* type = op->getOperand(0)->getType();
    Term a = scalar(op->getOperand(0)), b = scalar(op->getOperand(1));
    if (!alive()) return true;
    return done(elementwise(
        type, [&](unsigned i) { return compare(op->getPredicate(), element(type, a, i), element(type, b, i)); }));
  }
  if (auto* op = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    Term a = scalar(op->getOperand(0));
    if (alive() && is_cut_address(*op)) {
      Term object = terms().band(terms().ule(pointer_constant(program::layout::kStaticBase), a),
                                 terms().ule(a, pointer_constant(UINT32_MAX)));
      refuse_if(object, "an address made from 32 bits");
    }
    return alive() ? done(cast(op->getOpcode(), op->getSrcTy(), op->getDestTy(), a)) : true;
  }
  if (auto* op = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return done(address(llvm::cast<llvm::GEPOperator>(*op)));
  if (auto* op = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    Leaves chosen = select(*op);
    if (alive()) set_pure(*op, std::move(chosen));
    return true;
  }
  if (auto* op = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) {
    Leaves parts = defined(op->getOperand(0));
    if (alive()) set_pure(*op, std::move(parts));
    return true;
  }
  if (auto* op = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    Leaves whole = leaves(op->getAggregateOperand());
    const Layout* part = layout(op->getType());
    size_t first = first_leaf(op->getAggregateOperand()->getType(), op->getIndices());
    if (alive()) set_pure(*op, Leaves(whole.begin() + first, whole.begin() + first + part->size()));
    return true;
  }
  if (auto* op = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    Leaves whole = leaves(op->getAggregateOperand()), part = leaves(op->getInsertedValueOperand());
    size_t first = first_leaf(op->getType(), op->getIndices());
    if (!alive()) return true;
    std::copy(part.begin(), part.end(), whole.begin() + first);
    set_pure(*op, std::move(whole));
    return true;
  }
  if (auto* op = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) return done(extract_element(*op));
  if (auto* op = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) return done(insert_element(*op));
  if (auto* op = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) return done(shuffle(*op));
  return false;
}

/// Number of the leaf where a part of an aggregate begins.
size_t FunctionLowering::first_leaf(llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
  size_t first = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index; ++i)
      if (const Layout* before = layout(llvm::ExtractValueInst::getIndexedType(type, {i}))) first += before->size();
    type = llvm::ExtractValueInst::getIndexedType(type, {index});
  }
  return first;
}

FunctionLowering::Term FunctionLowering::binary(const llvm::BinaryOperator& op) {
  check_binary(op);
  Term a = scalar(op.getOperand(0)), b = scalar(op.getOperand(1));
  if (!alive()) return a;
  const llvm::Type* type = op.getType();
  if (is_long_double(type)) return long_double_operation(op.getOpcode(), a, b);
  return elementwise(type, [&](unsigned i) {
    return binary(op.getOpcode(), type->getScalarType(), element(type, a, i), element(type, b, i));
  });
}

FunctionLowering::Term FunctionLowering::binary(unsigned opcode, const llvm::Type*, Term a, Term b) {
  switch (opcode) {
    case Instruction::Add: return terms().add(a, b);
    case Instruction::Sub: return terms().sub(a, b);
    case Instruction::Mul: return terms().mul(a, b);
    case Instruction::UDiv: return terms().udiv(a, b);
    case Instruction::SDiv: return terms().sdiv(a, b);
    case Instruction::URem: return terms().urem(a, b);
    case Instruction::SRem: return terms().srem(a, b);
    case Instruction::Shl: return terms().shl(a, b);
    case Instruction::LShr: return terms().lshr(a, b);
    case Instruction::AShr: return terms().ashr(a, b);
    case Instruction::And: return terms().band(a, b);
    case Instruction::Or: return terms().bor(a, b);
    case Instruction::Xor: return terms().bxor(a, b);
    case Instruction::FAdd: return terms().fop(Op::FAdd, a, b);
    case Instruction::FSub: return terms().fop(Op::FSub, a, b);
    case Instruction::FMul: return terms().fop(Op::FMul, a, b);
    case Instruction::FDiv: return terms().fop(Op::FDiv, a, b);
    case Instruction::FRem: return terms().fop(Op::FRem, a, b);
    default: unsupported("operation " + std::string(Instruction::getOpcodeName(opcode))); return a;
  }
}

/// Checks of operations that clang has put none on: on vectors, and in bitcode that was made elsewhere.
void FunctionLowering::check_binary(const llvm::BinaryOperator& op) {
  const llvm::Type* type = op.getType();
  if (!type->isVectorTy() && (info_.is_runtime(function_) || is_checked(function_))) return;
  unsigned opcode = op.getOpcode();
  auto* overflowing = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&op);
  bool overflow = overflowing && overflowing->hasNoSignedWrap() && !op.isShift();
  if (!op.isIntDivRem() && !op.isShift() && !overflow) return;
  Term a = scalar(op.getOperand(0)), b = scalar(op.getOperand(1));
  // An amount that was cut to the width of what is shifted counts as a whole.
  auto* cut = llvm::dyn_cast<llvm::TruncInst>(op.getOperand(1));
  if (op.isShift() && cut && !type->isVectorTy()) b = scalar(cut->getOperand(0));
  if (!alive()) return;
  unsigned count = type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
  for (unsigned i = 0; i < count; ++i) {
    Term x = element(type, a, i), y = count == 1 ? b : element(type, b, i);
    if (op.isIntDivRem()) check_division(x, y, opcode == Instruction::SDiv || opcode == Instruction::SRem);
    if (op.isShift()) check_amount(x, y);
    if (overflow) check_overflow(opcode, x, y);
  }
}

/// A call that gather_checks has made.
void FunctionLowering::lower_check(const llvm::CallBase& call) {
  auto [operation, sign] = call.getCalledFunction()->getName().drop_front(kCheckPrefix.size()).split('.');
  Term a = scalar(call.getArgOperand(0)), b = scalar(call.getArgOperand(1));
  if (!alive()) return;
  if (operation == "div") return check_division(a, b, sign == "s");
  if (operation == "add") return check_overflow(Instruction::Add, a, b);
  if (operation == "sub") return check_overflow(Instruction::Sub, a, b);
  if (operation == "mul") return check_overflow(Instruction::Mul, a, b);
  check_amount(a, b);
  if (operation == "shl" && asked(Property::NoOverflow)) {
    // All bits that leave the value, and its sign, are 0 before and after.
    Term room = terms().sub(terms().constant(a.width(), a.width() - 1), terms().resize_unsigned(b, a.width()));
    Term lost = terms().lshr(a, room);
    check(terms().eq(lost, terms().constant(a.width(), 0)), Property::NoOverflow, "a signed left shift overflows");
  }
}

void FunctionLowering::check_overflow(unsigned opcode, Term a, Term b) {
  if (asked(Property::NoOverflow))
    check(terms().bnot(overflows(opcode, true, a, b)), Property::NoOverflow, "signed integer overflow");
}

void FunctionLowering::check_division(Term a, Term b, bool is_signed) {
  unsigned width = b.width();
  check(terms().ne(b, terms().constant(width, 0)), Property::NoDivByZero, "division by zero");
  if (!is_signed) return;
  Term smallest = terms().eq(a, terms().constant(width, u128{1} << (width - 1)));
  Term minus_one = terms().eq(b, terms().constant(width, mask128(width)));
  check(terms().bnot(terms().band(smallest, minus_one)),
        asked(Property::NoOverflow) ? Property::NoOverflow : Property::NoDivByZero,
        "the quotient of the smallest integer and -1 overflows");
}

void FunctionLowering::check_amount(Term shifted, Term amount) {
  if (amount.width() < 8) return;
  unsigned width = shifted.width();
  check(terms().ult(amount, terms().constant(amount.width(), width)), Property::NoBadShift,
        "the shift amount is negative or not below the width " + std::to_string(width));
}

/// Does the exact result differ from the one of `width` bits?
FunctionLowering::Term FunctionLowering::overflows(unsigned opcode, bool is_signed, Term a, Term b) {
  unsigned width = a.width();
  term::Store& t = terms();
  Term zero = t.constant(width, 0);
  Term result = binary(opcode, nullptr, a, b);
  if (opcode == Instruction::Add) {
    if (!is_signed) return t.ult(result, a);
    // Both operands have one sign and the result has the other.
    return t.slt(t.band(t.bxor(result, a), t.bxor(result, b)), zero);
  }
  if (opcode == Instruction::Sub) {
    if (!is_signed) return t.ult(a, b);
    return t.slt(t.band(t.bxor(a, b), t.bxor(result, a)), zero);
  }
  if (2 * width <= 128) {
    auto extend = [&](Term x) { return is_signed ? t.sext(x, 2 * width) : t.zext(x, 2 * width); };
    return t.ne(extend(result), t.mul(extend(a), extend(b)));
  }
  // 128 bits: a != 0 and (a * b) / a != b, and the one quotient that overflows itself.
  Term nonzero = t.ne(a, zero);
  if (!is_signed) return t.band(nonzero, t.ne(t.udiv(result, a), b));
  Term minus_one = t.constant(width, mask128(width));
  Term smallest = t.constant(width, u128{1} << (width - 1));
  Term negated = t.band(t.eq(a, minus_one), t.eq(b, smallest));
  return t.bor(negated, t.band(nonzero, t.band(t.bnot(t.eq(a, minus_one)), t.ne(t.sdiv(result, a), b))));
}

FunctionLowering::Term FunctionLowering::compare(llvm::CmpInst::Predicate predicate, Term a, Term b) {
  using P = llvm::CmpInst::Predicate;
  term::Store& t = terms();
  auto unordered = [&] { return t.bor(t.fop(Op::FIsNan, a), t.fop(Op::FIsNan, b)); };
  auto eq = [&] { return t.fop(Op::FEq, a, b); };
  auto lt = [&](Term x, Term y) { return t.fop(Op::FLt, x, y); };
  auto le = [&](Term x, Term y) { return t.fop(Op::FLe, x, y); };
  switch (predicate) {
    case P::ICMP_EQ: return t.eq(a, b);
    case P::ICMP_NE: return t.ne(a, b);
    case P::ICMP_ULT: return t.ult(a, b);
    case P::ICMP_ULE: return t.ule(a, b);
    case P::ICMP_UGT: return t.ugt(a, b);
    case P::ICMP_UGE: return t.uge(a, b);
    case P::ICMP_SLT: return t.slt(a, b);
    case P::ICMP_SLE: return t.sle(a, b);
    case P::ICMP_SGT: return t.sgt(a, b);
    case P::ICMP_SGE: return t.sge(a, b);
    case P::FCMP_FALSE: return t.falsity();
    case P::FCMP_TRUE: return t.truth();
    case P::FCMP_OEQ: return eq();
    case P::FCMP_OLT: return lt(a, b);
    case P::FCMP_OLE: return le(a, b);
    case P::FCMP_OGT: return lt(b, a);
    case P::FCMP_OGE: return le(b, a);
    case P::FCMP_ONE: return t.bor(lt(a, b), lt(b, a));
    case P::FCMP_ORD: return t.bnot(unordered());
    case P::FCMP_UNO: return unordered();
    case P::FCMP_UEQ: return t.bnot(t.bor(lt(a, b), lt(b, a)));
    case P::FCMP_ULT: return t.bnot(le(b, a));
    case P::FCMP_ULE: return t.bnot(lt(b, a));
    case P::FCMP_UGT: return t.bnot(le(a, b));
    case P::FCMP_UGE: return t.bnot(lt(a, b));
    case P::FCMP_UNE: return t.bnot(eq());
    default: unsupported("comparison"); return t.falsity();
  }
}

namespace {

/// Is memory accessed by an address, in this function, or could it be in another one that gets it?
bool may_be_accessed(const llvm::Value& address) {
  llvm::SmallVector<const llvm::Value*> work{&address};
  llvm::SmallPtrSet<const llvm::Value*, 8> seen{&address};
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::Use& use : pointer->uses()) {
      const llvm::User* user = use.getUser();
      auto follow = [&](const llvm::Value* value) {
        if (seen.insert(value).second) work.push_back(value);
      };
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store && use.getOperandNo() == 0) {
        if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()))
          for (const llvm::User* reader : variable->users()) {
            if (llvm::isa<llvm::LoadInst>(reader)) follow(reader);
            if (llvm::isa<llvm::CallBase>(reader) && !llvm::isa<llvm::DbgInfoIntrinsic>(reader)) return true;
          }
        else
          return true;
      } else if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::CallBase, llvm::ReturnInst>(user)) {
        return true;
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) {
        follow(user);
      }
    }
  }
  return false;
}

}  // namespace

/// `(int *)(long)(int)address`: the machine's addresses would fit into 32 bits, those of a computer do not. Numbers that are
/// handed on as pointers, `(void *)(long)i`, are fine as long as they are smaller than any address of an object.
bool FunctionLowering::is_cut_address(const llvm::CastInst& op) const {
  if (op.getOpcode() != Instruction::IntToPtr || info_.pointer_width() <= 32) return false;
  auto* wider = llvm::dyn_cast<llvm::CastInst>(op.getOperand(0));
  return wider && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(wider) && wider->getSrcTy()->getIntegerBitWidth() == 32 &&
         may_be_accessed(op);
}

/// C leaves open what becomes of a value that the type does not hold. Compilers for x86 convert to 32 or 64 bits with a sign (then only the top bit is set) and cut
/// that off, whatever the type is: so (unsigned char)300.5 is 44 and (unsigned)-1.0 is 4294967295.
FunctionLowering::Term FunctionLowering::float_to_integer(bool is_signed, Term x, unsigned width) {
  term::Store& t = terms();
  if (width > 64) return t.fconvert(is_signed ? Op::FToSInt : Op::FToUInt, x, width);
  const unsigned converted = width < 32 || (is_signed && width == 32) ? 32 : 64;
  const Term with_sign = t.fconvert(Op::FToSInt, x, converted);
  if (is_signed || width < 64) return t.extract(with_sign, 0, width);
  const Term minus_one = x.width() == 32 ? t.constant(32, std::bit_cast<uint32_t>(-1.0f)) : t.constant(64, std::bit_cast<uint64_t>(-1.0));
  return t.ite(t.fop(Op::FLe, x, minus_one), with_sign, t.fconvert(Op::FToUInt, x, width));
}

FunctionLowering::Term FunctionLowering::cast(unsigned opcode, const llvm::Type* from, const llvm::Type* to,
                                              Term value) {
  if (opcode == Instruction::BitCast || opcode == Instruction::AddrSpaceCast) {
    unsigned width = scalar_width(to, info_.data());
    if (is_long_double(from) && from != to) return to_memory({from, 64, width, 0}, value, width);
    if (is_long_double(to) && from != to) return from_memory({to, 64, value.width(), 0}, value);
    return value;
  }
  return elementwise(to, [&](unsigned i) -> Term {
    Term x = element(from, value, i);
    unsigned width = scalar_width(to->getScalarType(), info_.data());
    switch (opcode) {
      case Instruction::Trunc: return terms().extract(x, 0, width);
      case Instruction::ZExt: return terms().zext(x, width);
      case Instruction::SExt: return terms().sext(x, width);
      case Instruction::PtrToInt:
      case Instruction::IntToPtr: return terms().resize_unsigned(x, width);
      case Instruction::FPTrunc:
      case Instruction::FPExt:
        if (x.width() == width) return x;  // long double is a double
        return terms().fconvert(Op::FToFloat, x, width);
      case Instruction::FPToUI: return float_to_integer(false, x, width);
      case Instruction::FPToSI: return float_to_integer(true, x, width);
      case Instruction::UIToFP:
      case Instruction::SIToFP:
        if (is_long_double(to)) return long_double_from_integer(opcode == Instruction::SIToFP, x);
        return terms().fconvert(opcode == Instruction::SIToFP ? Op::SIntToF : Op::UIntToF, x, width);
      default:
        unsupported("cast " + std::string(Instruction::getOpcodeName(opcode)));
        return terms().constant(width, 0);
    }
  });
}

FunctionLowering::Term FunctionLowering::address(const llvm::GEPOperator& gep) {
  unsigned width = info_.pointer_width();
  if (gep.getType()->isVectorTy()) {
    unsupported("vector of pointers");
    return terms().constant(width, 0);
  }
  Term result = scalar(gep.getPointerOperand());
  u128 constant = 0;
  for (auto step = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); step != end; ++step) {
    const llvm::Value* index = step.getOperand();
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      uint64_t field = llvm::cast<llvm::ConstantInt>(index)->getZExtValue();
      constant +=
          info_.data().getStructLayout(structure)->getElementOffset(static_cast<unsigned>(field)).getFixedValue();
      continue;
    }
    uint64_t stride = step.getSequentialElementStride(info_.data()).getFixedValue();
    Term at = scalar(index);
    if (!alive()) return result;
    at = terms().resize_signed(at, width);
    if (at.is_constant()) {
      constant += at.value() * stride;
    } else {
      result = terms().add(result, stride == 1 ? at : terms().mul(at, terms().constant(width, stride)));
    }
  }
  return terms().add(result, terms().constant(width, constant));
}

FunctionLowering::Leaves FunctionLowering::select(const llvm::SelectInst& op) {
  Term condition = scalar(op.getCondition());
  Leaves yes = defined(op.getTrueValue()), no = defined(op.getFalseValue());
  if (!alive()) return {};
  if (const llvm::Type* type = op.getCondition()->getType(); type->isVectorTy()) {
    const llvm::Type* whole = op.getType();
    return {elementwise(whole, [&](unsigned i) {
      return terms().ite(element(type, condition, i), element(whole, yes[0], i), element(whole, no[0], i));
    })};
  }
  Leaves chosen;
  for (size_t i = 0; i < yes.size(); ++i) chosen.push_back(terms().ite(condition, yes[i], no[i]));
  return chosen;
}

FunctionLowering::Term FunctionLowering::extract_element(const llvm::ExtractElementInst& op) {
  Term vector = scalar(op.getVectorOperand()), index = scalar(op.getIndexOperand());
  if (!alive()) return vector;
  const llvm::Type* type = op.getVectorOperandType();
  unsigned count = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  if (index.is_constant())
    return element(type, vector, static_cast<unsigned>(std::min<uint64_t>(index.value64(), count - 1)));
  Term chosen = element(type, vector, count - 1);
  for (unsigned i = count - 1; i-- > 0;)
    chosen = terms().ite(terms().eq(index, terms().constant(index.width(), i)), element(type, vector, i), chosen);
  return chosen;
}

FunctionLowering::Term FunctionLowering::insert_element(const llvm::InsertElementInst& op) {
  Term vector = scalar(op.getOperand(0)), value = scalar(op.getOperand(1)), index = scalar(op.getOperand(2));
  if (!alive()) return vector;
  const llvm::Type* type = op.getType();
  return elementwise(type, [&](unsigned i) {
    return terms().ite(terms().eq(index, terms().constant(index.width(), i)), value, element(type, vector, i));
  });
}

FunctionLowering::Term FunctionLowering::shuffle(const llvm::ShuffleVectorInst& op) {
  const llvm::Type* type = op.getOperand(0)->getType();
  Term a = scalar(op.getOperand(0)), b = scalar(op.getOperand(1));
  if (!alive()) return a;
  int count = static_cast<int>(llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
  return elementwise(op.getType(), [&](unsigned i) {
    int from = op.getMaskValue(i);
    if (from < 0) from = 0;  // anything will do
    return from < count ? element(type, a, static_cast<unsigned>(from))
                        : element(type, b, static_cast<unsigned>(from - count));
  });
}

}  // namespace whittle::frontend
