// Verdicts as bytes, to get them out of a child process.
#pragma once

#include <string>
#include <string_view>

#include "verdict/verdict.h"

namespace whittle::engines::auto_ {

std::string encode(verdict::Verdict verdict);

/// What encode() wrote. Throws Error (internal) if the bytes are no verdict: a child may have gone wild.
verdict::Verdict decode(std::string_view bytes);

}  // namespace whittle::engines::auto_
