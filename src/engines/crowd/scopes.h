// Local objects that end before their function does.
#pragma once

#include "program/program.h"

namespace whittle::engines::crowd {

/// Can nothing use the objects that end with a StackRestore after it? True only where it is plain: one way leads from
/// the StackSave to it, and the addresses of the objects are read on that way only, to access them.
bool nothing_outlives(const program::Program& program, const program::Function& function, uint32_t restore);

}  // namespace whittle::engines::crowd
