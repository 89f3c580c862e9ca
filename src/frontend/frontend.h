// C, LLVM assembly and bitcode to programs: the one function everything else needs, and its options.
//
//   frontend::Options options;
//   options.data_model = program::DataModel::ILP32;
//   program::Program program = frontend::load_program({"task.c"}, options);
//
// The only folder that includes LLVM's IR headers. docs/frontend.md tells how C becomes statements.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"
#include "verdict/property.h"

namespace whittle::frontend {

struct Options {
  program::DataModel data_model = program::DataModel::LP64;
  std::string entry = "main";  ///< where the program starts; parameters of another function than main are inputs
  std::vector<std::string> clang_flags;  ///< handed to clang as they are: -I, -D, ...
  /// Names the error functions; checks for signed overflow are made only if it asks for them.
  verdict::Specification specification;
  bool strict = false;             ///< a call of a function without a body is Unsupported, not an arbitrary value
  std::string runtime;             ///< bitcode of the models of libc and threads for this data model; empty: none
  std::string include;             ///< folder of whittle's own headers (klee/klee.h, ...); empty: none
  std::string clang = "clang-19";  ///< the compiler: a name looked up in PATH, or a path
};

/// Compiles .c and .i files, reads .bc and .ll files, links them with the models they need, and lowers what the entry
/// can reach. Throws Error: usage (no such option or kind of file), bad input (clang's first error with file and line,
/// no entry function, broken or foreign bitcode, ...). Leaves no file behind, whatever happens.
program::Program load_program(const std::vector<std::string>& files, const Options& options);

}  // namespace whittle::frontend
