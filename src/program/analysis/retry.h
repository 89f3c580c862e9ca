// Compare-and-swap in a loop that just tries again.
//
//   if (retries_without_trace(program, f, cas)) ...    // cas: an edge of the function with an AtomicCas
//
// True: should the compare-and-swap fail although the values are equal, the thread gets back to the head of its loop as
// it was there before, having changed nothing on the round. That is as if it had not gone the round, so failures of that
// kind lead nowhere new.
#pragma once

#include "program/program.h"

namespace whittle::program::analysis {

bool retries_without_trace(const Program& program, FunctionId function, uint32_t cas);

}  // namespace whittle::program::analysis
