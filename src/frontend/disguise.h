// Addresses of static objects and functions that are computed with before anybody stores them: `(uintptr_t)&x ^ key`.
#pragma once

namespace llvm {
class Module;
}

namespace whittle::frontend {

/// Is there one that later analyses would not recognise, because it becomes a number that is no address of its object?
/// (Indexing, comparing, aligning, and differences of pointers are no disguise.)
bool disguises_addresses(const llvm::Module& module);

}  // namespace whittle::frontend
