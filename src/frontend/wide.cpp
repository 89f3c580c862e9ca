// Integers of more than 128 bits. C has none, but clang reads and writes a packed struct of bit-fields as one: loads,
// masks and shifts by constants are all that happens to it. Such a value is cut into leaves of 64 bits (constants.cpp).
#include "frontend/function_lowering.h"

namespace whittle::frontend {

using llvm::Instruction;

/// Bits low .. low+width-1 of limbs (width at most 64); what lies beyond them is `fill`, of one bit.
FunctionLowering::Term FunctionLowering::wide_bits(llvm::ArrayRef<Term> limbs, unsigned low, unsigned width,
                                                   Term fill) {
  Leaves pieces;
  unsigned position = 0, end = low + width;
  for (Term limb : limbs) {
    unsigned from = std::max(low, position), to = std::min(end, position + limb.width());
    if (from < to) pieces.push_back(terms().extract(limb, from - position, to - from));
    position += limb.width();
  }
  unsigned from = std::max(low, position);
  if (from < end) pieces.push_back(fill.is_false() ? terms().constant(end - from, 0) : terms().sext(fill, end - from));
  return pack(pieces);
}

/// Cuts a window that starts at bit `offset` (zeros below bit 0) into leaves like those of `layout`.
FunctionLowering::Leaves FunctionLowering::wide_window(llvm::ArrayRef<Term> limbs, int64_t offset, const Layout& layout,
                                                       Term fill) {
  Leaves result;
  int64_t low = offset;
  for (const Leaf& leaf : layout) {
    int64_t zeros = std::clamp<int64_t>(-low, 0, leaf.width);
    Leaves pieces;
    if (zeros > 0) pieces.push_back(terms().constant(static_cast<unsigned>(zeros), 0));
    if (zeros < leaf.width)
      pieces.push_back(
          wide_bits(limbs, static_cast<unsigned>(low + zeros), static_cast<unsigned>(leaf.width - zeros), fill));
    result.push_back(pack(pieces));
    low += leaf.width;
  }
  return result;
}

bool FunctionLowering::is_wide(const llvm::Type* type) const {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 128;
}

void FunctionLowering::lower_wide(const Instruction& instruction) {
  const Layout* parts = layout(instruction.getType());
  if (!parts) return;
  Leaves a = defined(instruction.getOperand(0));
  if (!alive()) return;
  Term no = terms().falsity();
  switch (instruction.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: {
      Leaves b = defined(instruction.getOperand(1));
      if (!alive()) return;
      for (size_t i = 0; i < a.size(); ++i) a[i] = binary(instruction.getOpcode(), nullptr, a[i], b[i]);
      return set_pure(instruction, std::move(a));
    }
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      auto* amount = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      if (!amount || amount->getValue().uge(instruction.getType()->getIntegerBitWidth())) break;
      auto by = static_cast<int64_t>(amount->getValue().getLimitedValue());
      Term top = a.back();
      Term sign = instruction.getOpcode() == Instruction::AShr ? terms().extract(top, top.width() - 1, 1) : no;
      return set_pure(instruction,
                      wide_window(a, instruction.getOpcode() == Instruction::Shl ? -by : by, *parts, sign));
    }
    case Instruction::Trunc:
    case Instruction::ZExt: return set_pure(instruction, wide_window(a, 0, *parts, no));
    case Instruction::SExt: {
      Term top = a.back();
      return set_pure(instruction, wide_window(a, 0, *parts, terms().extract(top, top.width() - 1, 1)));
    }
    default: break;
  }
  unsupported("operation " + std::string(instruction.getOpcodeName()) + " on integers of more than 128 bits");
}

}  // namespace whittle::frontend
