// Names for the leaves of a formula in SMT-LIB, for whoever writes whole scripts.
#pragma once

#include <string>

#include "term/term.h"

namespace whittle::term {

/// Unique per store: "name!number" of a variable, "read32!id" of a Read, quoted where needed.
std::string smtlib_symbol(const Store& store, Term leaf);
/// "Bool" or "(_ BitVec n)".
std::string smtlib_sort(Term leaf);

}  // namespace whittle::term
