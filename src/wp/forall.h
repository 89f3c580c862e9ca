// Universal quantification over one variable, without a quantifier in the result.
#pragma once

#include "term/term.h"

namespace whittle::wp {

/// Implies that `t` holds for every value of the variable, which it does not mention: exact where `t` has a shape that
/// says so, else false.
term::Term for_all(term::Store& store, term::Term t, term::Term variable);

}  // namespace whittle::wp
