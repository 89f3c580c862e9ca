// Names that belong to the C library: C17, POSIX, and what else the headers of glibc declare. A function or variable of
// these that no model defines is Unsupported where it is reached; "returns any value, changes nothing" is a guess that is
// right only for functions of the program's own.
#pragma once

#include <string>
#include <string_view>

namespace whittle::frontend {

/// The table is library_names.inc; library_test.cpp holds it to the headers of the system.
bool is_library_name(std::string_view name);

/// Is a declaration without a body and without a model no stub but something with a meaning that we do not have?
bool needs_model(std::string_view name);

/// "library function `wcscpy` has no model", "function `klee_x` has no model".
std::string no_model(std::string_view name);

}  // namespace whittle::frontend
