// What is wrong with a command line, in our words rather than the library's.
#pragma once

#include <CLI/CLI.hpp>

namespace whittle::app {

/// Throws Error (usage): one sentence that names the option, the value and what would be right; the nearest name if one is
/// not known. `root` is the parser that threw `error`.
[[noreturn]] void complain(const CLI::App& root, const CLI::ParseError& error);

}  // namespace whittle::app
