// Terms of proofs as text: prefix form, one line, shared parts written once.
//
//   (slt i.0 10:32)      register number 0 (its name is for people), constant of 32 bits
//   (read.32 1048576:32)  memory;  ?2 is ghost 2, ?result the value returned
//   (let (add i.0 j.1) (mul $0 $0))   a part that occurs more than once
#pragma once

#include <string>
#include <string_view>

#include "proof/proof.h"

namespace whittle::proof {

std::string to_text(const program::Program& program, const FunctionProof& scope, term::Term term);

/// Throws Error (bad input).
term::Term parse_term(const program::Program& program, const FunctionProof& scope, std::string_view text);

}  // namespace whittle::proof
