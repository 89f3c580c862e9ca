// From a proof in which sections under locks are single steps to one in which they are not.
#pragma once

#include <vector>

#include "engines/crowd/automaton.h"
#include "engines/crowd/prover.h"

namespace whittle::engines::crowd {

/// What holds of shared variables wherever threads stand holds, statement by statement, as long as a lock is free: that it does,
/// for each lock, in the variables of `plain`, an automaton of the same program without sections.
std::vector<Term> hints(const Automaton& sections, const Prover& prover, const Automaton& plain, term::Store& terms);

}  // namespace whittle::engines::crowd
