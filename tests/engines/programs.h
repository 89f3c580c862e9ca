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

/// The same with texts of any kind: `text_of(seed)` has the entry function main_SEED.
void for_each_text(const std::string& prelude, uint64_t first_seed, unsigned count,
                   const std::function<std::string(uint64_t seed)>& text_of,
                   const std::function<void(program::Program&, uint64_t seed, const std::string& text)>& use);

/// A program from its text.
program::Program load_text(const std::string& text,
                           const verdict::Specification& specification = verdict::default_specification());

}  // namespace whittle::test
