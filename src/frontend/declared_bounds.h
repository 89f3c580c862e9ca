// The lengths that array parameters are declared with. To the compiler `char line[16]` is a pointer; whoever wrote it meant more.
#pragma once

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <string>

namespace whittle::frontend {

/// The text between the first brackets after the parameter, as in `int m[static ROWS][4]`: "ROWS". Empty: it has none, or its place
/// in the source (`at`: where its name is) cannot be read.
std::string declared_bound(const llvm::DILocalVariable& parameter, const llvm::DebugLoc& at);

/// Is `name` a word of the text?
bool mentions(const std::string& text, const std::string& name);

}  // namespace whittle::frontend
