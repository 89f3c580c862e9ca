// Names, C types and source positions from LLVM's debug information.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

#include <filesystem>
#include <string>

#include "program/program.h"

namespace whittle::frontend {

class DebugInfo {
 public:
  explicit DebugInfo(program::Program& program) : program_(program) {}

  /// Entry of the program's type table for a debug type; kNoType for null.
  program::TypeId type(const llvm::DIType* type);
  /// Of pointers to such a thing.
  program::TypeId pointer_to(const llvm::DIType* type);
  program::SourcePosition position(const llvm::DebugLoc& location);
  program::SourcePosition position(const llvm::DIFile* file, unsigned line);

 private:
  uint32_t file(const llvm::DIFile* file);
  void basic(const llvm::DIBasicType& from, program::Type& to);
  void derived(const llvm::DIDerivedType& from, program::Type& to);
  void composite(const llvm::DICompositeType& from, program::TypeId id);
  program::TypeId array(const llvm::DICompositeType& from);
  void members(const llvm::DICompositeType& from, program::TypeId id);

  program::Program& program_;
  llvm::DenseMap<const llvm::DIType*, program::TypeId> types_;
  llvm::DenseMap<program::TypeId, program::TypeId> pointers_;  ///< by what they point to
  llvm::DenseMap<const llvm::DIFile*, uint32_t> files_;
  std::string current_folder_ = std::filesystem::current_path().string();
};

}  // namespace whittle::frontend
