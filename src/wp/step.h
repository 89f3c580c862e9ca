// An executed path, as weakest preconditions need it: which statements ran, in which frames, and where in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace whittle::wp {

/// Numbers an activation of a function. Frames that are alive at the same time, in whatever thread, have different
/// numbers; otherwise numbers may be used again, so a number per thread and depth does.
using FrameId = uint32_t;

/// One statement that was executed.
struct Step {
  program::FunctionId function = program::kNone;
  uint32_t edge = 0;  ///< of that function
  uint32_t thread = 0;
  FrameId frame = 0;  ///< whose registers the statement reads and writes; of a Return: the frame that ends

  /// Call, IndirectCall, Spawn: the function that starts and its frame. Return: unused.
  program::FunctionId callee = program::kNone;
  FrameId callee_frame = 0;
  /// Return: the call that it returns from, and the frame that goes on. kNone: it ends the thread.
  program::FunctionId caller = program::kNone;
  uint32_t call_edge = 0;
  FrameId caller_frame = 0;

  uint64_t address = 0;        ///< of a word that is accessed (program::accesses_word). Copy, Fill: the destination.
                               ///< StackAlloc, HeapAlloc: of the new object
  uint64_t source = 0;         ///< Copy
  uint64_t size = 0;           ///< Copy, Fill, StackAlloc, HeapAlloc: in bytes. ThreadLocal: not 0 if its copy is new
  u128 value = 0;              ///< Spawn, Self, ThreadLocal: what the target got
  bool uninitialised = false;  ///< Load: the memory held nothing yet, so the value was nondeterministic

  /// Its condition is demanded, because what happens if it does not hold is not known. Else nothing is said about states
  /// in which it does not.
  bool firm = false;
  bool skipped = false;             ///< the statement was not executed: only `demands` count
  /// Further conditions before the step, over the registers of its function: also that addresses and sizes are these.
  std::vector<term::Term> demands;
};

using Path = std::vector<Step>;

}  // namespace whittle::wp
