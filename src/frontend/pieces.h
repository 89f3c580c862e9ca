// What is copied at once where other threads look on: scalars of 1, 2, 4 or 8 bytes.
//
// A struct is copied member by member, in order of their offsets; padding is not copied. Where the members are not
// known (unions, arrays of char, memory without a type), they are words as large as the alignment allows, 8 bytes at
// most. What memcpy, memmove and memset are called for are bytes: the models (runtime/src/string.c) promise no alignment.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Type.h>

#include <vector>

namespace whittle::frontend {

/// `count` pieces of `size` bytes, one after the other.
struct Pieces {
  uint64_t offset = 0;
  unsigned size = 1;
  uint64_t count = 1;
  bool operator==(const Pieces&) const = default;
};

/// Memory of `bytes` bytes without a type, at a multiple of `align`.
std::vector<Pieces> untyped_pieces(uint64_t bytes, uint64_t align);
/// A value of this type; `align` is what its address is a multiple of.
std::vector<Pieces> pieces_of(const llvm::Type& type, const llvm::DataLayout& data, uint64_t align);
/// What clang says about the struct that this memcpy copies (`!tbaa.struct` with sizes); nothing if it says nothing.
std::vector<Pieces> copied_members(const llvm::Instruction& copy, uint64_t bytes, uint64_t align);

struct Range {
  uint64_t begin = 0, end = 0;  ///< bytes
};
/// Where the constant that is copied from leaves bytes open: a union's that its initialiser does not name. Nothing if the
/// source is no such constant.
std::vector<Range> open_bytes(const llvm::MemTransferInst& copy, const llvm::DataLayout& data);

}  // namespace whittle::frontend
