// What CBMC adds to the syntax of C, as plain C:
//
//   __CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }     a loop over the range, as an expression
//   __CPROVER_exists { int i; 0 <= i && i < n && a[i] == 0 }
//   p ==> q                                                         !p || q
//   unsigned __CPROVER_bitvector[10] x;                             unsigned _BitInt(10) x;
//   int __CPROVER_uninterpreted_f(int);                             a function: any value, the same for the same argument
//   __CPROVER_ASYNC_1: f(x);                                        __CPROVER_async((void*)^{f(x);}); with -fblocks
//
// A quantifier without a range becomes a call of a function that has no model, so that paths to it are not followed.
#pragma once

#include <string>

namespace whittle::frontend {

bool has_cprover_syntax(const std::string& source);

/// Rewrites `source`, which has no comments and keeps its lines. True if something was changed.
bool rewrite_cprover_syntax(std::string& source);

}  // namespace whittle::frontend
