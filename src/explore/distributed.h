// One search by several processes: every state belongs to one of them, by its hash.
//
// Each process stores and expands its own states. A successor that belongs to another one is sent there, many in one
// message, and no one waits for an answer. The search ends when all are idle and no message is under way: Safra's
// algorithm, a token that goes round and adds up how many messages were sent and received.
//
// Reductions are those of parallel.h, and are sound for the same reason: where a path ends depends on the path alone
// (docs/decisions/207-one-search-by-several-processes.md). Each stored state knows the hash of the state it was first
// reached from, and so whom that belongs to. Process 0 asks for the states on the way to a violation, and walks that way
// again.
//
// States must be the same bytes in all processes. Memory adds up: no process knows the states of others.
//
// For a checkpoint (distributed_files.h) all pause until no state is under way, which the same token finds out.
#pragma once

#include "cluster/group.h"
#include "explore/intern_table.h"
#include "explore/run.h"

namespace whittle::explore {

/// Called by all processes of options.group. Requires the exact store, depth-first order, no dynamic dead variables.
/// Concludes the run: process 0 has the answer, the others have Unknown.
void search_distributed(Run& run, Budget& budget);

}  // namespace whittle::explore
