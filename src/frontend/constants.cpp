// Values of constants, and how types are cut into bit-vectors.
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/module_info.h"

namespace whittle::frontend {
namespace {

u128 to_u128(const llvm::APInt& value) {
  u128 result = value.getRawData()[0];
  if (value.getBitWidth() > 64) result |= static_cast<u128>(value.getRawData()[1]) << 64;
  return result & mask128(value.getBitWidth());
}

bool add_leaves(const llvm::Type* type, const llvm::DataLayout& data, uint64_t offset, Layout& leaves) {
  constexpr size_t kMost = 64;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    if (structure->isOpaque()) return false;
    const llvm::StructLayout* layout = data.getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!add_leaves(structure->getElementType(i), data, offset + layout->getElementOffset(i).getFixedValue(), leaves))
        return false;
    return true;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (array->getNumElements() > kMost) return false;
    uint64_t stride = data.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!add_leaves(array->getElementType(), data, offset + i * stride, leaves)) return false;
    return leaves.size() <= kMost;
  }
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 128 && type->getIntegerBitWidth() <= 1024) {
    // Bit-fields of a packed struct: see wide.cpp.
    unsigned bits = type->getIntegerBitWidth();
    for (unsigned low = 0; low < bits; low += 64) {
      unsigned part = std::min(64u, bits - low);
      leaves.push_back({type, part, (part + 7) / 8 * 8, offset + low / 8});
    }
    return true;
  }
  unsigned width = scalar_width(type, data);
  if (width == 0 || leaves.size() >= kMost) return false;
  unsigned memory = static_cast<unsigned>(data.getTypeStoreSizeInBits(const_cast<llvm::Type*>(type)).getFixedValue());
  leaves.push_back({type, width, memory, offset});
  return true;
}

}  // namespace

unsigned scalar_width(const llvm::Type* type, const llvm::DataLayout& data) {
  unsigned width = 0;
  if (type->isIntegerTy()) {
    width = type->getIntegerBitWidth();
  } else if (type->isFloatTy()) {
    width = 32;
  } else if (type->isDoubleTy() || type->isX86_FP80Ty()) {
    width = 64;  // long_double.cpp
  } else if (type->isPointerTy()) {
    width = data.getPointerSizeInBits(0);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    width =
        vector->getNumElements() > 128 ? 0 : vector->getNumElements() * scalar_width(vector->getElementType(), data);
  }
  return width <= 128 ? width : 0;
}

std::optional<Layout> layout_of(const llvm::Type* type, const llvm::DataLayout& data) {
  Layout leaves;
  if (type->isVoidTy()) return leaves;
  if (!add_leaves(type, data, 0, leaves)) return std::nullopt;
  return leaves;
}

u128 bits_of(const llvm::ConstantFP& constant) { return to_u128(constant.getValueAPF().bitcastToAPInt()); }

std::string type_name(const llvm::Type* type) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  type->print(stream, false, true);
  return name;
}

std::optional<u128> ModuleInfo::constant(const llvm::Constant* constant) const {
  if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant))
    return integer->getBitWidth() <= 128 ? std::optional(to_u128(integer->getValue())) : std::nullopt;
  if (auto* real = llvm::dyn_cast<llvm::ConstantFP>(constant); real && real->getType()->isX86_FP80Ty()) {
    llvm::APFloat value = real->getValueAPF();
    bool inexact = false;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return inexact ? std::nullopt : std::optional(to_u128(value.bitcastToAPInt()));
  }
  if (auto* real = llvm::dyn_cast<llvm::ConstantFP>(constant))
    return scalar_width(real->getType(), data_) != 0 ? std::optional(bits_of(*real))
                                                     : std::nullopt;
  if (constant->isNullValue()) return u128{0};
  if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    const llvm::GlobalValue* target = resolve(global);
    if (!target) {
      // An alias into the middle of something.
      if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(global)) return this->constant(alias->getAliasee());
      return std::nullopt;
    }
    if (auto* function = llvm::dyn_cast<llvm::Function>(target)) {
      std::optional<program::FunctionId> number = id(*function);
      return number ? std::optional<u128>(program::Program::function_address(*number)) : std::nullopt;
    }
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(target);
    if (!variable || variable->isThreadLocal()) return std::nullopt;
    std::optional<program::ObjectId> number = id(*variable);
    return number ? std::optional<u128>(program_.objects[*number].address) : std::nullopt;
  }
  if (auto* made = llvm::dyn_cast<llvm::ConstantExpr>(constant)) return expression(*made);
  if (auto* label = llvm::dyn_cast<llvm::BlockAddress>(constant)) return label_address(*label->getBasicBlock());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType())) {
    unsigned width = scalar_width(vector->getElementType(), data_);
    if (width == 0 || width * vector->getNumElements() > 128) return std::nullopt;
    u128 packed = 0;
    for (unsigned i = vector->getNumElements(); i-- > 0;) {
      const llvm::Constant* element = constant->getAggregateElement(i);
      std::optional<u128> value = element ? this->constant(element) : std::nullopt;
      if (!value) return std::nullopt;
      packed = width == 128 ? *value : (packed << width) | *value;
    }
    return packed;
  }
  return std::nullopt;
}

u128 ModuleInfo::label_address(const llvm::BasicBlock& block) const {
  // Odd addresses below static objects, where no function begins.
  uint64_t number = labels_.try_emplace(&block, labels_.size()).first->second;
  return program::layout::kStaticBase - 1 - 2 * number;
}

std::optional<u128> ModuleInfo::expression(const llvm::ConstantExpr& expression) const {
  unsigned width = scalar_width(expression.getType(), data_);
  if (width == 0) return std::nullopt;
  if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&expression)) {
    llvm::APInt offset(data_.getIndexTypeSizeInBits(gep->getType()), 0);
    std::optional<u128> base = constant(llvm::cast<llvm::Constant>(gep->getPointerOperand()));
    if (!base || !gep->accumulateConstantOffset(data_, offset)) return std::nullopt;
    return (*base + to_u128(offset)) & mask128(width);
  }
  std::optional<u128> first = constant(expression.getOperand(0));
  if (!first) return std::nullopt;
  switch (expression.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast: return *first & mask128(width);
    default: break;
  }
  std::optional<u128> second = expression.getNumOperands() > 1 ? constant(expression.getOperand(1)) : std::nullopt;
  if (!second) return std::nullopt;
  switch (expression.getOpcode()) {
    case llvm::Instruction::Add: return (*first + *second) & mask128(width);
    case llvm::Instruction::Sub: return (*first - *second) & mask128(width);
    case llvm::Instruction::Mul: return (*first * *second) & mask128(width);
    case llvm::Instruction::Xor: return *first ^ *second;
    default: return std::nullopt;
  }
}

}  // namespace whittle::frontend
