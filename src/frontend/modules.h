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
  std::string entry;                     ///< where the program starts: the user's function, or a harness for it
  std::vector<std::string> assumptions;  ///< of the harness and of stubs
};

/// Makes a harness for options.entry from the file that defines it; see write_harness.
std::string harness_text(const std::vector<std::string>& files, const Options& options);

/// Throws Error (usage, bad input) as load_program does.
LinkedModule link_files(const std::vector<std::string>& files, const Options& options);

}  // namespace whittle::frontend
