// Calls that never come back end their paths.
#pragma once

#include "program/program.h"

namespace whittle::frontend {

/// Finds the functions that cannot return (exit, pthread_exit, ...) and takes away what follows their calls.
void cut_after_endless_calls(program::Program& program);

}  // namespace whittle::frontend
