// Is one memory a case of another? And what has both as its cases?
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

/// Is every state that `special` stands for one that `general` stands for, with other names for symbols? `holds` decides
/// whether a fact follows from those of `special`.
bool covers(const Memory& general, const Memory& special, const std::function<bool(Term fact)>& holds);

/// What covers two memories, and how: the symbols that it has instead of what they had.
struct General {
  struct Instead {
    Term symbol;
    Term first, second;  ///< what it stands for in each of them
  };
  Memory memory;
  std::vector<Instead> symbols;
  std::unordered_map<Term, Term> names;  ///< its other symbols, and their names in the second memory
};

/// If both differ in numbers only: the first with a symbol wherever numbers differ. It covers both. With Memory::relations, what
/// changed by a constant from the first to the second gets the same symbol everywhere: how often the loop `place` was gone around.
std::optional<General> generalise(const Memory& general, const Memory& special, size_t place,
                                  const std::function<bool(Term fact)>& holds);

}  // namespace whittle::engines::shape
