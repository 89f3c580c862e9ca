// What a program assumes of an input right after it asked for it.
#pragma once

#include <vector>

#include "exec/view.h"
#include "term/term.h"

namespace whittle::exec {

/// The machine stands at an Input pause. Looks ahead over the code after the Nondet statement, as long as it only
/// computes, branches and assumes, and collects what is assumed there, with all other registers replaced by their present
/// values. Every value that is not given up at once satisfies the result, a condition over the register's variable alone;
/// no term if nothing is assumed or it is not a Nondet statement that asks. `used`: registers of that frame on whose
/// values the result depends.
term::Term assumption_after_input(const View& machine, std::vector<program::RegisterId>* used = nullptr);

}  // namespace whittle::exec
