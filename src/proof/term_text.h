// Terms of proofs as text: prefix form, one line, shared parts written once.
//
//   (slt i.0 10:32)      register number 0 (its name is for people), constant of 32 bits
//   i.4.0                the same of function 4, where the scope is no function
//   (read.32 1048576:32)  memory;  ?2 is ghost 2, ?result the value returned, ?n the number of any element, @3 where object 3 lies,
//                         @3.there whether it is allocated now, @3.size how large it is then
//   (let (add i.0 j.1) (mul $0 $0))   a part that occurs more than once
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "proof/proof.h"

namespace whittle::proof {

/// Text of a proof as it is echoed in messages: its beginning.
std::string shorten(std::string_view text);

std::string to_text(const program::Program& program, const FunctionProof& scope, term::Term term,
                    std::span<const Object> objects = {});

/// Throws Error (bad input).
term::Term parse_term(const program::Program& program, const FunctionProof& scope, std::string_view text,
                      std::span<const Object> objects = {});

}  // namespace whittle::proof
