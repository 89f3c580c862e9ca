// The function a program starts with, and bodies for functions that have none.
#pragma once

#include "frontend/module_info.h"

namespace whittle::frontend {

/// Adds `__whittle_start`: constructors, the entry with its arguments, exit. Returns its number.
program::FunctionId make_start(ModuleInfo& info);

/// What happens when a function without a body is called through a pointer: an arbitrary result, or an error.
void make_opaque_body(ModuleInfo& info, const llvm::Function& function, program::FunctionId id);

}  // namespace whittle::frontend
