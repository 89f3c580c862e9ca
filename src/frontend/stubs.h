// Functions that the user replaces: --stub NAME=any, havoc-arguments, zero, or a file.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace whittle::frontend {

/// Takes their bodies away, in a file of the program.
void drop_stubbed(llvm::Module& module, const std::vector<Stub>& stubs);

/// Gives bodies to those that are in no file, in the whole program without the models. Throws Error (usage) for a name
/// that the program does not have, and for a file without the function.
void make_stubs(llvm::Module& module, const std::vector<Stub>& stubs, std::vector<std::string>& assumptions);

}  // namespace whittle::frontend
