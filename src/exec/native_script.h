// A run of the machine as instructions for its native twin: which thread goes on, and up to which moment.
//
//   NativeScript script = native_script(code, counterexample, limits);
//   for (const NativeScript::Turn& turn : script.turns) ...   // thread 1 until "w bank.c:checking+0", the second time
//
// A moment is told in words that both sides understand, because their addresses, locks and numbers of steps differ: the
// n-th time that this thread is about to
//   r FILE:NAME+OFFSET, w ...      read, write a static object (an atomic update is a write)
//   r heap, w heap                 read, write some heap object
//   r stack, w stack               read, write the stack of another thread
//   c NAME                         call a function of the thread library
// or that it is back from such a call: "a NAME". "block" and "end": it goes on until it waits, or ends, by itself;
// "rest": until it is about to do any of these, or does nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/limits.h"
#include "exec/code.h"
#include "verdict/verdict.h"

namespace whittle::exec {

struct NativeScript {
  struct Turn {
    uint32_t thread = 0;   ///< numbered in the order of their start
    std::string until;     ///< empty: the last turn, up to the violation
    uint64_t count = 0;    ///< the how manieth time; 0 for "block" and "end"
  };
  std::vector<Turn> turns;
  std::optional<verdict::Violation> violation;
  verdict::Counterexample counterexample;  ///< as it was run
  std::vector<uint32_t> input_threads;     ///< by input: who asked for it
  std::string callback;     ///< a library function that called one of the program: qsort; empty: none did
  std::string library;      ///< a library function in which the violation happened, or half of a race; empty: none
  std::string interrupted;  ///< a library function in the middle of which another thread went on; empty: none
  std::string unscheduled;  ///< a library function about threads that the program calls and a native run leaves alone; empty: none
  std::string torn;         ///< an access in the middle of which another thread went on: "a.c:12"; empty: none
  struct Position {
    std::string file;
    uint32_t line = 0, column = 0;
  };
  std::vector<Position> inside;  ///< where another thread went on between two steps of one source statement
  uint32_t threads = 1;     ///< as many were alive at the end of the run
  bool atomics = false;     ///< atomic operations were executed
  bool constant = false;    ///< what is violated does not depend on the run: `1 << 31`
  std::vector<std::string> formats;  ///< by input: of the scanf that asked for it
  std::vector<bool> asked;  ///< by input: the program asked for it, so a native run can be given it
  /// What an object of a harness holds that was read before it was written.
  struct Held {
    size_t object = 0;  ///< numbered in the order in which the harness makes them
    uint64_t offset = 0;
    unsigned bytes = 0;
    u128 value = 0;
  };
  std::vector<Held> held;
  std::set<size_t> placed;  ///< inputs that are there
};

/// Functions of the library that a native run does in a way of its own: runtime/native/calls.txt.
struct NativeCalls {
  std::map<std::string, std::string> moments;  ///< the program's word for a call, and the moment's (mtx_lock: pthread_mutex_lock)
  std::set<std::string> copies;                ///< done a byte at a time: their accesses count as the program's own
  std::set<std::string> makers;                ///< make the objects of a harness
  std::set<std::string> all;
};

/// Runs the counterexample. `limits` may be null.
NativeScript native_script(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample,
                           const NativeCalls& calls, Limits* limits = nullptr);

}  // namespace whittle::exec
