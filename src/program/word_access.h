// Statements that access one word: `width` bits of memory at operands[0].
//
//   if (updates_word(statement.kind)) ...    // an atomic read-modify-write, or compare and swap
#pragma once

#include "program/statement.h"

namespace whittle::program {

/// Update: read and written in one step.
enum class WordAccess : uint8_t { None, Read, Write, Update };
WordAccess word_access(Kind kind);

inline bool accesses_word(Kind kind) { return word_access(kind) != WordAccess::None; }
inline bool updates_word(Kind kind) { return word_access(kind) == WordAccess::Update; }

}  // namespace whittle::program
