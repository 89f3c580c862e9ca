// Pointers that have one value wherever a run gets to a node: constants found by going through the blocks, with terms
// alone. What is read and written through them then has a constant address, which needs no condition on aliases.
// Numbers in static objects that are set once (Space::is_set_once) are found with them.
//
//   if (find_pointers(space, graph, [&] { return out_of_time; })) ...   // some node knows more than before
#pragma once

#include <functional>

#include "engines/dash/graph.h"

namespace whittle::engines::dash {

/// Sets Node::pointers of all nodes. False: nothing new, or `stop` said stop; nothing changes then.
bool find_pointers(Space& space, Graph& graph, const std::function<bool()>& stop);

/// Can the register still be read after a run got to the place?
bool is_live(const Space& space, Term variable, const Place& place);

}  // namespace whittle::engines::dash
