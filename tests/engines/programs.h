// Batches of random programs, ready to run: compiled together, loaded one by one.
#pragma once

#include <functional>
#include <string>

#include "generate/generator.h"
#include "program/program.h"

namespace whittle::test {

/// How many programs a test should go through: `usual`, or `all` when WHITTLE_LONG is set.
unsigned program_count(unsigned usual, unsigned all);

/// Generates `count` programs from the options (their seed is the first one) and calls `use` with each of them.
/// `options_for` may change the options of a seed. Stops at the first fatal failure.
void for_each_program(generate::Options options, unsigned count,
                      const std::function<void(program::Program&, uint64_t seed, const std::string& text)>& use,
                      const std::function<void(generate::Options&)>& options_for = {});

/// A program from its text.
program::Program load_text(const std::string& text);

}  // namespace whittle::test
