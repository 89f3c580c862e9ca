// Which formulas look at single paths only.
//
// Two systems with the same traces agree on formulas that speak about all paths at once or about one path at a time,
// but not on formulas of true branching time: AG(EF p) can tell when a choice is made, A[p U q] cannot. A machine that
// makes its choices as late as it can (an AVR chip with unknown bits) has the traces of one that makes them early; it
// may be used for exactly these formulas.
#pragma once

#include "explore/formula.h"

namespace whittle::explore {

/// True only if every two systems with the same traces, up to stuttering, agree on the formula in their initial states:
/// AG p, EF p, A[p U q], AG(p -> AF q), AG(p -> !E[q U r]) and boolean combinations of such. False may be too careful.
bool trace_determined(const Formula& formula);

/// True only if the formula holds wherever it holds in a system with the same traces and more: AG p, A[p U q],
/// AG(p -> AF q). False may be too careful.
bool about_all_paths(const Formula& formula);

/// AG p with a propositional p.
bool is_invariant(const Formula& formula);

}  // namespace whittle::explore
