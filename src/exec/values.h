// Values and places as a C programmer writes them.
#pragma once

#include <string>

#include "base/int128.h"
#include "exec/machine.h"
#include "program/program.h"

namespace whittle::exec {

/// "-3", "1.5", "RED", "&buf + 8", "null"; without a type an integer, read as signed.
std::string format_value(const Machine& machine, u128 value, unsigned width, program::TypeId type);

/// "x", "a[3].next", "heap object + 8": the piece of memory, and its type if debug information has it.
struct PlaceName {
  std::string text;
  program::TypeId type = program::kNoType;
};
PlaceName name_place(const Machine& machine, uint64_t address, uint64_t size);

}  // namespace whittle::exec
