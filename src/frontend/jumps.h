// setjmp and longjmp as plain control flow, so that nothing after the front end knows of them.
//
// A function that calls setjmp gets a small object on its stack, one byte for each call; setjmp stores the address of its
// byte in the buffer and returns 0. longjmp (runtime/src/jumps.c) notes that address as the target. After every call that
// may lead to a longjmp it is looked whether a jump is under way: the function that owns the target goes on after its
// setjmp, any other returns at once. Objects on the stack end as in any return.
#pragma once

#include "frontend/modules.h"

namespace whittle::frontend {

/// Rewrites the module, models included. `entry`: the function that no other one returns to.
/// True if the program jumps: what a variable holds that was changed after setjmp is then more than C promises.
bool lower_jumps(LinkedModule& linked, const std::string& entry);

}  // namespace whittle::frontend
