// Conditions that hold together, made smaller by what some of them plainly say about others. Aliases are decided here
// more often than not: a proof says that two ranges are apart, and every read asks the same in the same words.
#pragma once

#include <vector>

#include "term/term.h"

namespace whittle::proof {

/// The conjunction stays equivalent. If it is seen to be false, one of the conditions is.
void simplify_together(term::Store& store, std::vector<term::Term>& conditions);

}  // namespace whittle::proof
