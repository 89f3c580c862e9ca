// Reads back what program/print.h's to_text writes. For tests and for looking at one program with several tools.
#pragma once

#include <string>
#include <string_view>

#include "program/program.h"

namespace whittle::program {

/// The program that the text describes: to_text of it is the text again, up to spaces, comments (`//`) and empty lines.
/// It has been validated. Throws Error (bad input) with `file`, line and column of the first thing not understood.
Program parse_text(std::string_view text, const std::string& file = "text");

}  // namespace whittle::program
