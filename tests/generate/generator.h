// Random small C programs whose every run is short, for tests that compare engines with brute force.
//
//   Generator options{.seed = 7, .threads = 2};
//   std::string text = generate(options, "7");      // entry function main_7, globals end in _7
//
// Many programs fit into one file (each has its own suffix), so that one run of the compiler serves hundreds of tests.
// All arithmetic is unsigned and every loop is bounded unless asked otherwise: the only errors are failing assertions
// (calls of __VERIFIER_error), so two engines can disagree only about reachability.
#pragma once

#include <cstdint>
#include <string>

namespace whittle::generate {

struct Options {
  uint64_t seed = 1;
  unsigned threads = 0;         ///< besides main; 0: a sequential program
  unsigned statements = 6;      ///< roughly, per thread body
  unsigned choices = 4;         ///< at most so many one-bit nondeterministic choices are executed on a path
  unsigned thread_choices = 0;  ///< the same in each thread body; inside an endless loop again in every round
  unsigned choice_bits = 1;     ///< width of a nondeterministic value: 1 (`if (*)`) up to 3 bits
  unsigned asserts = 2;         ///< at least so many assertions in the text
  bool wide_inputs = false;     ///< also 32-bit inputs (for symbolic engines)
  bool pointers = true;         ///< pointers to globals, stores through them
  bool arrays = true;
  bool procedures = true;
  bool loops = true;
  bool endless = false;        ///< threads may loop forever over finite data
  bool locks = true;           ///< with threads: mutexes, sometimes in a deadlocking order
  unsigned nested_locks = 15;  ///< percent of critical sections that take both mutexes, in any order
  bool heap = false;
};

/// The text of one program; its entry function is `main_SUFFIX`.
std::string generate(const Options& options, const std::string& suffix);

/// What every file of generated programs starts with.
std::string prelude();

}  // namespace whittle::generate
