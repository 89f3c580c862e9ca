// What a program is made of, as far as it matters for choosing how to search it.
//
//   Features features(program, calls);
//   if (features.concurrent && !features.inputs) ...
//   fmt::print("{}\n", features.text());     // "2 threads started, 3 loops, 1 input of 32 bits, heap"
//
// Only what can be reached from the entry counts. Loops and recursion are those of the user's functions: the models of
// libc have their own, which say nothing about the program.
#pragma once

#include <string>

#include "program/analysis/call_graph.h"
#include "program/program.h"

namespace whittle::program::analysis {

struct Features {
  Features(const Program& program, const CallGraph& calls);

  bool concurrent = false;       ///< a second thread may exist
  unsigned spawns = 0;           ///< places that start threads
  bool spawns_in_loops = false;  ///< so their number may have no bound
  unsigned loops = 0;
  bool endless_loop = false;  ///< one that is left only by failing
  bool recursion = false;
  unsigned inputs = 0;        ///< places that ask for a nondeterministic value, uninitialised storage too
  unsigned widest_input = 0;  ///< bits
  bool unset_memory = false;  ///< a run was seen to read memory without a value: not found here, for whoever runs it to say
  bool heap = false;
  bool floats = false;
  bool indirect_calls = false;
  unsigned assertions = 0;  ///< Error and Check statements of the user's functions
  unsigned statements = 0;  ///< of the user's functions

  std::string text() const;
};

}  // namespace whittle::program::analysis
