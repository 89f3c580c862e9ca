#include "frontend/pieces.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace whittle::frontend {
namespace {

constexpr uint64_t kWord = 8;  ///< the most that is read or written at once

void add(std::vector<Pieces>& pieces, uint64_t offset, unsigned size, uint64_t count) {
  if (count == 0) return;
  if (!pieces.empty()) {
    Pieces& last = pieces.back();
    if (last.size == size && last.offset + last.size * last.count == offset) {
      last.count += count;
      return;
    }
  }
  pieces.push_back({offset, size, count});
}

/// Words as large as fits at each offset.
void add_untyped(std::vector<Pieces>& pieces, uint64_t offset, uint64_t bytes, uint64_t align) {
  align = std::min(align, kWord);
  for (uint64_t end = offset + bytes; offset < end;) {
    uint64_t size = std::min(align, llvm::MinAlign(align, offset));
    while (size > end - offset) size /= 2;
    uint64_t count = size == align ? (end - offset) / size : 1;
    add(pieces, offset, static_cast<unsigned>(size), count);
    offset += size * count;
  }
}

/// One scalar, or several where it is larger than a word or not aligned.
void add_scalar(std::vector<Pieces>& pieces, uint64_t offset, uint64_t bytes, uint64_t align) {
  add_untyped(pieces, offset, bytes, llvm::MinAlign(align, offset));
}

void add_type(std::vector<Pieces>& pieces, const llvm::Type& type, const llvm::DataLayout& data, uint64_t offset,
              uint64_t align) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    const llvm::StructLayout* layout = data.getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      add_type(pieces, *structure->getElementType(i), data, offset + layout->getElementOffset(i), align);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    uint64_t stride = data.getTypeAllocSize(array->getElementType()).getFixedValue();
    if (array->getElementType()->isIntegerTy(8))
      return add_untyped(pieces, offset, array->getNumElements(), align);
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      add_type(pieces, *array->getElementType(), data, offset + i * stride, align);
  } else {
    add_scalar(pieces, offset, data.getTypeStoreSize(const_cast<llvm::Type*>(&type)).getFixedValue(), align);
  }
}

uint64_t number(const llvm::MDNode& node, unsigned i) {
  return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(i))->getZExtValue();
}

/// A type of the form {parent, size, name, (member, offset, size)...}; null for the old form, which has no sizes.
const llvm::MDNode* sized_type(const llvm::Metadata* metadata) {
  auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(metadata);
  if (!node || node->getNumOperands() < 3 || !llvm::isa_and_nonnull<llvm::MDNode>(node->getOperand(0).get()) ||
      !llvm::mdconst::hasa<llvm::ConstantInt>(node->getOperand(1)))
    return nullptr;
  return node;
}

bool is_char(const llvm::MDNode& type) {
  auto* name = llvm::dyn_cast<llvm::MDString>(type.getOperand(2));
  return name && name->getString() == "omnipotent char";
}

/// Members that share bytes (bit-fields of one unit, which clang lists by their declared types) are one member.
bool add_members(std::vector<Pieces>& pieces, const llvm::MDNode& type, uint64_t offset, uint64_t bytes,
                 uint64_t align) {
  uint64_t size = number(type, 1);
  if (size == 0) return false;
  if (is_char(type) || bytes % size != 0) return add_untyped(pieces, offset, bytes, align), true;
  for (uint64_t end = offset + bytes; offset < end; offset += size) {
    if (type.getNumOperands() == 3) {
      add_scalar(pieces, offset, size, align);
      continue;
    }
    uint64_t done = 0;
    for (unsigned i = 3; i + 2 < type.getNumOperands(); i += 3) {
      const llvm::MDNode* member = sized_type(type.getOperand(i).get());
      if (!member) return false;
      uint64_t at = number(type, i + 1), length = number(type, i + 2);
      if (at + length <= done) continue;
      if (at < done) {
        add_untyped(pieces, offset + done, at + length - done, align);
      } else if (!add_members(pieces, *member, offset + at, length, align)) {
        return false;
      }
      done = at + length;
    }
  }
  return true;
}

}  // namespace

std::vector<Pieces> untyped_pieces(uint64_t bytes, uint64_t align) {
  std::vector<Pieces> pieces;
  add_untyped(pieces, 0, bytes, align);
  return pieces;
}

std::vector<Pieces> pieces_of(const llvm::Type& type, const llvm::DataLayout& data, uint64_t align) {
  std::vector<Pieces> pieces;
  add_type(pieces, type, data, 0, align);
  return pieces;
}

std::vector<Pieces> copied_members(const llvm::Instruction& copy, uint64_t bytes, uint64_t align) {
  std::vector<Pieces> pieces;
  const llvm::MDNode* fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (!fields) return pieces;
  for (unsigned i = 0; i + 2 < fields->getNumOperands(); i += 3) {
    uint64_t at = number(*fields, i), length = number(*fields, i + 1);
    auto* tag = llvm::dyn_cast<llvm::MDNode>(fields->getOperand(i + 2));
    const llvm::MDNode* type = tag && tag->getNumOperands() > 1 ? sized_type(tag->getOperand(1).get()) : nullptr;
    if (!type || at + length > bytes || !add_members(pieces, *type, at, length, align)) return {};
  }
  return pieces;
}

namespace {

void add_open_bytes(const llvm::Constant& constant, uint64_t offset, const llvm::DataLayout& data, std::vector<Range>& found) {
  if (llvm::isa<llvm::UndefValue>(constant)) {
    const uint64_t bytes = data.getTypeAllocSize(constant.getType()).getFixedValue();
    if (bytes > 0) found.push_back({offset, offset + bytes});
    return;
  }
  if (!llvm::isa<llvm::ConstantAggregate>(constant)) return;
  llvm::Type* type = constant.getType();
  auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  const uint64_t stride =
      structure ? 0 : data.getTypeAllocSize(llvm::cast<llvm::Constant>(constant.getOperand(0))->getType()).getFixedValue();
  for (unsigned i = 0; i < constant.getNumOperands(); ++i) {
    const uint64_t inside = structure ? data.getStructLayout(structure)->getElementOffset(i).getFixedValue() : i * stride;
    add_open_bytes(*llvm::cast<llvm::Constant>(constant.getOperand(i)), offset + inside, data, found);
  }
}

}  // namespace

std::vector<Range> open_bytes(const llvm::MemTransferInst& copy, const llvm::DataLayout& data) {
  std::vector<Range> found;
  auto* source = llvm::dyn_cast<llvm::GlobalVariable>(copy.getRawSource());
  // What programs declare is static, and zero where nothing is said; clang makes these for what is not.
  if (source && source->isConstant() && source->hasPrivateLinkage() && source->hasInitializer())
    add_open_bytes(*source->getInitializer(), 0, data, found);
  return found;
}

}  // namespace whittle::frontend
