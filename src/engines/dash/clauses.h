// The region graph as rules over integers: a predicate for each node over what its blocks need to know, a rule for each
// block. What Spacer or polyhedra say of the nodes are candidates for Invariants, who judges them on bits.
#pragma once

#include <utility>
#include <vector>

#include "engines/dash/graph.h"
#include "solve/horn.h"

namespace whittle::engines::dash {

struct ClauseLimits {
  size_t nodes = 60, blocks = 400;  ///< Spacer does not come to an end on larger systems
  size_t parameters = 24;           ///< of one node
  size_t dimensions = 12;           ///< of a polyhedron: cost doubles with each
  size_t lemmas = 40;               ///< of one node that are tried if there is no solution: each costs a question
};

using Proposals = std::vector<std::pair<Place, Term>>;

/// What keeps errors out, by Horn clauses; none if no solution was found in time.
Proposals propose_by_clauses(Space& space, Graph& graph, solve::Reading reading, double seconds,
                             const ClauseLimits& limits = {});
/// Linear relations that hold as long as nothing wraps around.
Proposals propose_by_polyhedra(Space& space, Graph& graph, double seconds, const ClauseLimits& limits = {});
/// The same for states in which a number that loops leave alone is not negative, or positive: loops that are not
/// entered otherwise have other relations.
Proposals propose_by_cases(Space& space, Graph& graph, double seconds, const ClauseLimits& limits = {});

}  // namespace whittle::engines::dash
