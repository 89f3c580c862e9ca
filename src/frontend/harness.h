// A function as the start of a program: C code that makes its arguments and calls it.
//
//   HarnessOptions options;
//   options.buffers["data"] = 64;
//   options.lengths["data"] = "len";
//   Harness harness = make_harness(module, "parse", options);
//
// Scalars are any value; a pointer leads to a new object of its type, and so do pointers in that object, down to a depth;
// below it they are null. What such objects hold is not initialised, so it is any value, chosen when it is first read.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace whittle::frontend {

struct Harness {
  std::string declarations, body;        ///< C code, after the source that defines the function
  std::vector<std::string> assumptions;  ///< "data: an object of up to 64 elements", ...
};

/// `module` has the function and its debug information. Throws Error (usage) if an option names no parameter.
Harness make_harness(const llvm::Module& module, const std::string& function, const HarnessOptions& options);

/// As a function without parameters, for the program that is checked. Its lines have the numbers that they have in the file of their own.
std::string harness_function(const Harness& harness, const std::string& name, bool has_main);

/// As a file of its own, to be changed and kept: it includes `source`. `has_main`: the source has a main, too.
std::string harness_file(const Harness& harness, const std::string& source, const std::string& function, bool has_main);

}  // namespace whittle::frontend
