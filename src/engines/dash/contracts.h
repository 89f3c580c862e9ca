// What calls of recursive functions promise: facts about arguments and result, and that nothing goes wrong inside.
//
// A recursion whose depth depends on inputs cannot be looked into call by call. So facts are guessed from the calls
// that tests made (result == n + m, n > 100 implies result == n - 10, ...) and kept as far as all of them together are
// inductive: on every way through every such function, they hold at the return if they hold of the calls on the way.
//
//   if (find_contracts(space, forest, asking)) ...     // space.contract(f) from now on; before there is a region graph
#pragma once

#include <string>
#include <vector>

#include "engines/dash/graph.h"
#include "engines/dash/invariants.h"

namespace whittle::engines::dash {

/// Is there a recursion that contracts can be found for at all?
bool wants_contracts(const Space& space);

/// True if there is one that says something.
bool find_contracts(Space& space, const Forest& forest, const Asking& asking);

/// Those found, for people: "sum(n, m): result == m + n".
std::vector<std::string> contract_lines(const Space& space);

}  // namespace whittle::engines::dash
