// Calls through pointers of another function type than the function has: undefined in C, and done by many programs (a
// callback that takes `struct item *` called with `void *` fits anyway; one that returns `void` where `int` is expected,
// takes `int` where `long` is given, or one parameter more, does not).
//
// They are followed as the ABI does it: arguments that are not taken are dropped, narrower ones are cut, and what is
// missing (an argument, the upper half of one, a result) is any value.
#pragma once

#include "frontend/module_info.h"

namespace whittle::frontend {

/// Adds a branch to each indirect call for each function that, as far as points-to analysis knows, may be called by it
/// and does not fit. Notes each such function as an assumption. Only integers and pointers are passed so: numbers with a
/// point and structs have registers of their own, and calls with them stay as they are.
void follow_other_types(const ModuleInfo& info, program::Program& program);

}  // namespace whittle::frontend
