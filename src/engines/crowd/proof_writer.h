// What crowd found out, as a proof that others can check (proof/threads.h).
#pragma once

#include <optional>
#include <string>

#include "base/limits.h"
#include "engines/crowd/automaton.h"
#include "engines/crowd/prover.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::engines::crowd {

/// The text of a proof that its checker has accepted; none, and `why`, if it finds none in the time.
std::optional<std::string> proof_text(const Automaton& automaton, const Prover& prover, const program::Program& program,
                                      const verdict::Specification& specification, Limits& limits, std::string& why);

}  // namespace whittle::engines::crowd
