// C, LLVM assembly and bitcode to programs: the one function everything else needs, and its options.
//
//   frontend::Options options;
//   options.data_model = program::DataModel::ILP32;
//   program::Program program = frontend::load_program({"task.c"}, options);
//
// The only folder that includes LLVM's IR headers. docs/frontend.md tells how C becomes statements.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/program.h"
#include "verdict/property.h"

namespace whittle::frontend {

/// How the arguments of a function that is not main are made. Names are those of its parameters.
struct HarnessOptions {
  std::map<std::string, uint64_t> buffers;      ///< pointer: most elements of the object that it points to
  std::map<std::string, std::string> lengths;   ///< pointer: the parameter that holds the number of its elements
  std::map<std::string, uint64_t> strings;      ///< pointer: most characters of the text, without its end
  std::set<std::string> may_be_null;            ///< pointers
  unsigned depth = 2;                           ///< of objects that are reached from the arguments
  uint64_t string_bound = 7;                    ///< most characters of a text that is not named in `strings`
  bool any_globals = false;                     ///< global variables start with any value
  bool given() const { return any_globals || !buffers.empty() || !lengths.empty() || !strings.empty() || !may_be_null.empty(); }
};

/// What a function is replaced with.
struct Stub {
  enum class Kind : uint8_t {
    Any,             ///< returns any value, changes nothing
    HavocArguments,  ///< the same, and what its arguments point to has any value afterwards
    Zero,            ///< returns zero
    File,            ///< the function of that name in `file`
  };
  std::string function;
  Kind kind = Kind::Any;
  std::string file;
};

struct Options {
  program::DataModel data_model = program::DataModel::LP64;
  std::string entry = "main";  ///< where the program starts; parameters of another function than main are inputs
  HarnessOptions harness;      ///< of an entry other than main
  std::vector<Stub> stubs;
  std::vector<std::string> clang_flags;  ///< handed to clang as they are: -I, -D, ...
  std::map<std::string, std::vector<std::string>> file_flags;  ///< before them, for one file of the program
  unsigned arguments = 0;        ///< most arguments of main; 0: argc is 1
  unsigned argument_length = 4;  ///< most characters of each
  unsigned text_length = 8;      ///< most characters of texts from the system: getenv, getcwd, ...
  unsigned signals = 0;          ///< most signals that arrive from outside
  bool malloc_may_fail = false;
  bool spurious_wakeups = false;  ///< a wait for a condition variable may end for no reason
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

/// A C file that calls `options.entry` with arguments as `options.harness` says, for the user to change and keep.
/// Throws Error as load_program does.
std::string write_harness(const std::vector<std::string>& files, const Options& options);

}  // namespace whittle::frontend
