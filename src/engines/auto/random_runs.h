// A few quick runs with random inputs and schedules, before and after the race.
#pragma once

#include <random>
#include <vector>

#include "base/limits.h"
#include "engines/engine.h"
#include "exec/machine.h"

namespace whittle::engines::auto_ {

/// From the start of the program to its end, or as far as a quick run goes. Returns the inputs it took.
std::vector<u128> random_run(exec::Machine& machine, std::mt19937_64& random, Limits& limits);

/// Inputs of runs that found nothing and went where none before went: engines that learn from tests begin with them.
/// Takes a small part of a second. Empty for programs without inputs and for those with threads.
std::vector<std::vector<u128>> first_tests(const program::Program& program, const verdict::Specification& specification,
                                           uint64_t seed, Limits& limits);

}  // namespace whittle::engines::auto_
