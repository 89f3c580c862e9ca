// All states of a system that is no program, firmware on a chip, gone through without any reduction.
//
//   Outcome outcome = check_system(machine, [](uint64_t atoms) { return (atoms & 1) == 0; }, limits, states);
//
// Nothing of a search is used: no path reduction, no dead variables, no store. What a state is and what a step does is the
// machine's: the chip has one definition (src/avr), which is held against simavr.
#pragma once

#include <cstdint>
#include <functional>

#include "base/limits.h"
#include "machine/machine.h"
#include "proof/proof.h"

namespace whittle::proof {

/// `valid`: no step violates what the machine checks, and no state's atomic propositions (Machine::observe) are `bad`.
/// `obligations`: how many steps were made. `states` is set to what was found, and `progressed` told it on the way.
Outcome check_system(machine::Machine& machine, const std::function<bool(uint64_t atoms)>& bad, Limits& limits,
                     StateSpace& states, const std::function<void(const StateSpace&)>& progressed = {});

}  // namespace whittle::proof
