// Proofs about firmware: going through all states of the chip finds nothing wrong (proof/system.h). The file says what was
// asked of which firmware, how many states there are, and their digest.
#pragma once

#include <string>

#include "app/options.h"
#include "base/limits.h"
#include "proof/proof.h"

namespace whittle::app {

/// Goes through all states of the firmware, as options ask for it: its built-in checks, and --ctl if that says which
/// conditions always hold (AG).
proof::Outcome check_all_states(const Options& options, Limits& limits, proof::StateSpace& space, const proof::Progressed& progressed = {});

std::string write_firmware_proof(const Options& options, const proof::StateSpace& space);

/// Does the text claim to be such a proof?
bool is_firmware_proof(const std::string& text);

struct FirmwareProof {
  Options options;  ///< with which it was made
  proof::StateSpace space;
};
/// `given`: the file, and the environment if there is one. Throws Error (bad input) if the text is damaged, or about others.
FirmwareProof read_firmware_proof(const std::string& text, const Options& given);

}  // namespace whittle::app
