// Where lists become segments.
#pragma once

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

/// Makes segments of objects that follow each other in lists and that nothing else points to. Objects with different
/// content stay apart until there are too many of them.
void fold(Memory& memory);

}  // namespace whittle::engines::shape
