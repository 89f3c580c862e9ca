// Search with several threads over one store: every reachable state is visited once, by one of them.
//
// Each thread has its own machine (Machine::twin) and its own list of states that are stored but not yet expanded, the
// last one first, and gives a part of it to threads that have nothing to do. A state belongs to the thread that stored
// it; whoever arrives there later passes by. The search ends when all lists are empty.
//
// Reductions are those of a search with one thread: where a path ends depends on the path alone (walker.h), never on a
// stack, so the same states are stored whatever the order (docs/decisions/191-all-cores-in-explicit.md). Each stored
// state knows the state it was first reached from; the path to a violation is walked again from these.
//
// Only the exact store and depth-first order; dynamic dead variables need one stack, and are left to one thread.
#pragma once

#include "explore/intern_table.h"
#include "explore/run.h"

namespace whittle::explore {

/// Requires options.cores > 1, the exact store, depth-first order, no dynamic dead variables. Concludes the run.
void search_in_parallel(Run& run, Budget& budget);

}  // namespace whittle::explore
