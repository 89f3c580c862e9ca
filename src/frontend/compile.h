// C source to LLVM bitcode, by running clang. No file is written: everything goes through memory.
#pragma once

#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace whittle::frontend {

struct Compiled {
  std::string bitcode;
  std::vector<std::string> warnings;  ///< "a.c:3:5: warning: call to undeclared function 'f' ..."
};

/// Compiles one .c or .i file, with `more` C code after it. Throws Error (bad input) with clang's first error.
Compiled compile(const std::string& file, const Options& options, const std::string& more = {});

/// The whole file. Throws Error (bad input): no such file, a directory, unreadable, empty.
std::string read_input(const std::string& file);

}  // namespace whittle::frontend
