// Vectors of more than 128 bits (GCC's vector_size, AVX types).
//
// A value of the program has at most 128 bits. Operations on longer vectors are taken apart into operations on their
// elements, on LLVM's code and before anything is lowered. What cannot be taken apart (a call of an instruction of the
// processor) stays as it is and is refused by name where a run reaches it.
#pragma once

namespace llvm {
class DataLayout;
class Module;
class Type;
}  // namespace llvm

namespace whittle::frontend {

bool is_long_vector(const llvm::Type* type, const llvm::DataLayout& data);

/// Parameters and results of functions first, then what is in them. Functions without such vectors are not touched.
void pass_long_vectors_as_elements(llvm::Module& module);
void split_long_vectors(llvm::Module& module);

}  // namespace whittle::frontend
