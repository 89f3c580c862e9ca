// What a verdict takes for granted about the world around the program, as far as this program depends on it.
#pragma once

#include "frontend/frontend.h"
#include "program/program.h"

namespace llvm {
class Module;
}

namespace whittle::frontend {

/// Adds to program.assumptions: calls that never fail, waits that end for a reason only, the time zone, the locale,
/// addresses that are looked at as numbers.
void note_assumptions(const llvm::Module& module, const Options& options, program::Program& program);

}  // namespace whittle::frontend
