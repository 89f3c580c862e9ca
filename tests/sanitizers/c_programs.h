// Random C programs of all sorts whose every run is short and that sometimes do what C leaves undefined.
//
//   std::string text = c_program(7);
//
// A program reads four one-bit inputs, and its entry is `int main_7(void)`. All names at file scope end in _7, so that many
// programs fit into one file. Every statement has a line of its own, and the word HERE stands in each full expression: natively
// it notes the line, for whittle it is empty (c_prelude). Apart from what the sanitizers see (native.h), nothing in a program
// is undefined or depends on the compiler.
#pragma once

#include <cstdint>
#include <string>

namespace whittle::sanitizers {

inline constexpr unsigned kInputBits = 4;

std::string c_program(uint64_t seed);

/// What a file with one program for whittle begins with. It has no line end: lines count from the program's first.
std::string c_prelude();

}  // namespace whittle::sanitizers
