// Do the atomic operations of a program order all that they can?
#pragma once

#include "program/program.h"

namespace whittle::program {

/// Each atomic read acquires, each atomic write releases. A data race may need more than two steps otherwise (docs/decisions/024).
bool orders_all(const Program& program);

}  // namespace whittle::program
