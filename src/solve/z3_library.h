// What all that use Z3's C API share: contexts whose errors are codes, failures, limits of a check, cores.
#pragma once

#include <z3.h>

#include <span>
#include <vector>

#include "solve/backend.h"

namespace whittle::solve {

/// `counted`: expressions live as long as they are referred to; otherwise as long as the context.
Z3_context make_z3_context(bool counted);

/// What Z3 says went wrong.
Failure z3_failure(Z3_context context);
/// Throws if Z3 has reported an error.
inline void throw_if_failed(Z3_context context) {
  if (Z3_get_error_code(context) != Z3_OK) throw z3_failure(context);
}

/// Seconds and steps of the next check.
void set_z3_limits(Z3_context context, Z3_solver solver, const Budget& budget);

/// After unsat: which of the names of assumptions were needed, by index; of a name that stands twice, the first.
std::vector<size_t> z3_core(Z3_context context, Z3_solver solver, std::span<const Z3_ast> names);

}  // namespace whittle::solve
