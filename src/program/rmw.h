// What an atomic read-modify-write statement stores, as a term: one place for all that follow programs symbolically.
#pragma once

#include "program/statement.h"
#include "term/term.h"

namespace whittle::program {

/// `old` and `operand` are equally wide.
term::Term combine(term::Store& store, Rmw rmw, term::Term old, term::Term operand);

}  // namespace whittle::program
