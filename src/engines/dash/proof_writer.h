// The finished region graph as a proof that others can check: one entry per context, what the caller knows as ghosts.
#pragma once

#include <optional>
#include <string>

#include "engines/dash/graph.h"
#include "proof/proof.h"

namespace whittle::engines::dash {

/// Nothing if the proof relies on what proof files cannot say; then `why` tells.
std::optional<proof::Proof> make_proof(Space& space, const Walker& walker, Graph& graph, const Forest& forest,
                                       std::string& why);

/// What holds at loop heads, as C: "a.c:12: i <= n".
std::vector<std::string> loop_invariants(Space& space, Graph& graph, const Forest& forest);

}  // namespace whittle::engines::dash
