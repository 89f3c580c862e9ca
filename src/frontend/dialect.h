// Functions of the verification dialects (the competition's, CBMC's, KLEE's, ESBMC's): they have their meaning whether a
// program declares them or not.
#pragma once

#include <string>
#include <string_view>

namespace whittle::frontend {

/// Does the name belong to a dialect? Such a function without a body and without a model is Unsupported, by name:
/// "returns any value" would pass over an assertion or an assumption in silence.
bool is_dialect(std::string_view name);

/// Is it a name whose call returns an input: __VERIFIER_nondet_int, nondet_uchar, ...?
bool is_input_name(std::string_view name);

/// The declaration in C of a dialect's function, for files that do not have one; empty if there is none.
std::string dialect_declaration(std::string_view name);

}  // namespace whittle::frontend
