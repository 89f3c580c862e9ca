// All states of a program, found again by the executor of the checker: the proof of a program with finitely many of them,
// whichever engine said `true`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/limits.h"
#include "program/program.h"
#include "proof/proof.h"
#include "verdict/property.h"

namespace whittle::proof {

/// Which of the properties proofs by states and by paths say nothing about; empty: none.
std::string not_looked_at(const verdict::Specification& specification);

/// Goes through all states and all steps from them. `valid`: none violates anything, and all are known; `obligations`: how
/// many steps were taken; `states` is set to what was found, and `progressed` told it on the way.
Outcome check_states(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                     StateSpace& states, const std::function<void(const StateSpace&)>& progressed = {});

}  // namespace whittle::proof
