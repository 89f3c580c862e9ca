// Runs clang on one file: as a library, in a process of its own, or as the program of that name.
//
//   compiler::Outcome outcome = compiler::run({"clang-19", "-c", "-emit-llvm", "-o", "-", "a.c"}, "");
//
// There are two of this function, and every program links one. Loading and relocating LLVM's shared library takes longer
// than compiling a small file, so whittle itself has clang inside (inside.cpp) where clang's static libraries are to be had;
// tests, of which there are many, and builds without those libraries start the program (program.cpp).
#pragma once

#include <string>
#include <vector>

namespace whittle::compiler {

/// The name of the compiler that whittle was built for: clang-19.
std::string default_program();

struct Outcome {
  bool success = false;
  std::string output;       ///< standard output
  std::string diagnostics;  ///< standard error
};

/// `command` is what a shell would run, the compiler first; `input` is its standard input. Throws Error (usage) if there
/// is no such compiler. A crash of clang is an outcome like any other.
Outcome run(const std::vector<std::string>& command, const std::string& input);

}  // namespace whittle::compiler
