// From files to one LLVM module: compile or read each, link them, and pull in the models they need.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace whittle::frontend {

/// Everything that is to be lowered, in one module.
struct LinkedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::DenseSet<const llvm::GlobalValue*> runtime;  ///< functions and variables that came from whittle's models
  std::vector<std::string> warnings;
};

/// Throws Error (usage, bad input) as load_program does.
LinkedModule link_files(const std::vector<std::string>& files, const Options& options);

}  // namespace whittle::frontend
