// Reads at base + scale * n: which n is at a given address?
//
// Whoever knows something for all n, and wants to know it of one read, needs that n. What is found here need not be
// right: every instance of what holds for all n holds.
#pragma once

#include <vector>

#include "term/term.h"

namespace whittle::term {

struct Stride {
  Term base;
  u128 scale = 0;
  unsigned width = 0;  ///< of the read
};

/// Of all reads in `t` whose addresses are linear in the variable.
std::vector<Stride> strides(Store& store, Term t, Term variable);

/// t / by where that can be seen to be exact; another term otherwise.
Term quotient(Store& store, Term t, u128 by);

/// The constant of a sum, 0 if there is none.
u128 constant_part(Term t);

}  // namespace whittle::term
