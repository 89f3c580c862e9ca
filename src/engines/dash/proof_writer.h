// The finished region graph as a proof that others can check: one entry per context, what the caller knows as ghosts.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/dash/graph.h"
#include "proof/proof.h"

namespace whittle::engines::dash {

enum class ProofStyle : uint8_t {
  Regions,     ///< all reachable regions
  Invariants,  ///< of reachable nodes only their invariants: short, but these may not be enough
};
/// Nothing if the proof relies on what proof files cannot say; then `why` tells.
std::optional<proof::Proof> make_proof(Space& space, Graph& graph, ProofStyle style, std::string& why);
/// Does any node have invariants?
bool has_invariants(const Graph& graph);

/// What holds at each node, as far as the graph shows.
std::vector<std::pair<Place, Term>> node_predicates(Space& space, Graph& graph, ProofStyle style = ProofStyle::Regions);

/// What holds at loop heads, as C: "a.c:12: i <= n".
std::vector<std::string> loop_invariants(Space& space, Graph& graph, ProofStyle style = ProofStyle::Regions);

}  // namespace whittle::engines::dash
