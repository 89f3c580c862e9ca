// Where lists become segments.
#pragma once

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

/// Makes segments of objects that follow each other in lists and that nothing else points to. Objects with different
/// content stay apart until there are more than so many of one size.
void fold(Memory& memory, unsigned most_different);

}  // namespace whittle::engines::shape
