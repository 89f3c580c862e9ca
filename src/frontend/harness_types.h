// Types as the debug information has them, for the C code of a harness.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>

#include <string>
#include <string_view>

namespace whittle::frontend {

const llvm::DIDerivedType* derived(const llvm::DIType* type);

/// Without qualifiers, and without names of types if `names` is false.
const llvm::DIType* plain(const llvm::DIType* type, bool names = false);

bool is_pointer(const llvm::DIType* type);
const llvm::DIType* pointee(const llvm::DIType* type);
const llvm::DICompositeType* composite(const llvm::DIType* type);
bool is_struct(const llvm::DIType* type);
bool is_incomplete(const llvm::DIType* type);
bool is_character(const llvm::DIType* type);

/// Does its size depend on a variable?
bool has_variable_size(const llvm::DIType* type);

/// The declaration of `name` with this type: "char *name", "int (*name)(int, void *)".
std::string declare(const llvm::DIType* type, const std::string& name);

/// Can a declaration outside of the function name this type? Not a struct that has no name.
bool can_be_named(const llvm::DIType* type);

/// An object that only the library's own functions can make.
struct LibraryObject {
  std::string_view type;  ///< "pthread_mutex_t"
  std::string_view maker;  ///< "pthread_mutex_init(&$, 0)", where $ is the object; "tmpfile()" if `by_pointer`
  std::string_view what;   ///< "an unlocked mutex"
  bool by_pointer;         ///< the library hands out pointers to them; programs never have the object itself
};

/// Null if it is none. Looks through qualifiers and names of types.
const LibraryObject* library_object(const llvm::DIType* type);

}  // namespace whittle::frontend
