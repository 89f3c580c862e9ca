// Is one memory a case of another? And what has both as its cases?
#pragma once

#include <optional>

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

/// Is every state that `special` stands for one that `general` stands for, with other names for symbols? `holds` decides
/// whether a fact follows from those of `special`.
bool covers(const Memory& general, const Memory& special, const std::function<bool(Term fact)>& holds);

/// If both differ in numbers only: the first with a symbol wherever numbers differ. It covers both.
std::optional<Memory> generalise(const Memory& general, const Memory& special, const std::function<bool(Term fact)>& holds);

}  // namespace whittle::engines::shape
