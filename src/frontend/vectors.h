// Vectors of more than 128 bits (GCC's vector_size, AVX types).
//
// A value of the program has at most 128 bits. Operations on longer vectors are taken apart into operations on their
// elements, on LLVM's code and before anything is lowered. What cannot be taken apart (a call of an instruction of the
// processor) stays as it is and is refused by name where a run reaches it.
#pragma once

namespace llvm {
class Module;
}

namespace whittle::frontend {

/// Functions without such vectors are not touched.
void split_long_vectors(llvm::Module& module);

}  // namespace whittle::frontend
