// Tests that someone else has run, for engines that begin with tests: one list of inputs per test, in the order in
// which the program asks for them (bytes without a value included, as in counterexamples).
//
//   settings.tests = ...;                                  // handed over inside the program
//   settings.tests = parse_tests(text, "inputs.txt");      // from a file: a test a line, `5,-1 0x1f`, # for comments
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"

namespace whittle::engines {

/// Throws Error (bad input) that names file and line.
std::vector<std::vector<u128>> parse_tests(std::string_view text, const std::string& file);

/// The same as text.
std::string tests_text(const std::vector<std::vector<u128>>& tests);

}  // namespace whittle::engines
