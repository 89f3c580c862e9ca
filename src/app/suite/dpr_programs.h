// The programs of the paper's tables, written after their descriptions.
#pragma once

#include <cstdint>
#include <string>

namespace whittle::app::suite {

/// Randomised MAX-3SAT: every variable is set by `if (*)`; the abort needs all clauses satisfied, which no assignment
/// does (the formula is checked to be unsatisfiable; the first seed from `seed` on that is so is taken).
std::string max_3sat_program(unsigned variables, unsigned clauses, uint64_t seed);

/// A nondeterministic automaton for [+]?[0-9]+\.[0-9]+ that reads a sentence; accepting it aborts.
std::string nfa_program(const std::string& sentence);

}  // namespace whittle::app::suite
