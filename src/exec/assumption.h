// What a program assumes of an input right after it asked for it.
#pragma once

#include "exec/machine.h"
#include "term/term.h"

namespace whittle::exec {

/// The machine stands at an Input pause. Looks ahead over the straight line of code behind the Nondet statement and
/// collects what is assumed there, with all other registers replaced by their present values. The result is a condition
/// over the register's variable alone; no term if nothing is assumed or it is not a Nondet statement that asks.
term::Term assumption_after_input(const Machine& machine);

}  // namespace whittle::exec
