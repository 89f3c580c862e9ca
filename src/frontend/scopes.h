// Objects of inner blocks end with their block.
//
// clang's code keeps every local object for the whole call. For an object whose address could outlive its block,
//
//     { int x; p = &x; }      // p dangles from here on
//
// its alloca is moved to where the variable is declared, and the stack is restored wherever control leaves the block.
// Where control is, is read from the scopes of debug locations.
#pragma once

#include <llvm/IR/Module.h>

namespace whittle::frontend {

/// To be called on the linked module: what a called function does with an address is looked up in its body.
/// Left alone are objects in blocks that are entered by a jump past the declaration.
void end_objects_of_blocks(llvm::Module& module);

}  // namespace whittle::frontend
