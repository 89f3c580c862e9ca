// What a program of the tiny language does, by definition: every interleaving of its steps is tried. Nothing of whittle
// is used here.
//
// A step is one access of a shared integer or member, or one call of a thread function. What POSIX leaves undefined
// (unlocking a normal mutex that the thread does not hold, waiting without the mutex) makes a program undefined.
//
// A data race is a pair of accesses of one plain integer or member by two threads, one of them a write, that
// happens-before does not order. That comes from program order, from creating and joining threads, from unlocking a mutex
// to locking it, from posting a semaphore to waiting for it, and from writing an atomic to reading it.
#pragma once

#include <cstddef>

#include "interleavings/language.h"

namespace whittle::interleavings {

struct Outcome {
  bool assertion = false;  ///< some run fails an assertion
  bool deadlock = false;   ///< in some run all threads that are left wait forever
  bool race = false;       ///< some run has a data race; only if asked for
  bool undefined = false;  ///< some run does what POSIX leaves undefined: nothing else is known then
  bool complete = true;    ///< all runs were tried
  size_t states = 0;
};

enum class Races : bool { Ignored, LookedFor };
/// `most_states`: after so many the search ends, and is not complete. With races there are more.
Outcome explore(const Program& program, size_t most_states, Races races = Races::Ignored);

}  // namespace whittle::interleavings
