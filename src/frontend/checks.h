// The checks of arithmetic, as clang's undefined-behaviour sanitizer places them.
//
// clang decides from the source what is to be checked, before it folds constants: it puts a branch to a handler around
// every operation that may be undefined. The handler is given the operands and their types. Each such branch becomes one
// call that stays in its block:
//
//     br i1 %fine, label %go_on, label %handler      call void @whittle.check.div.s(i32 %a, i32 %b)
//
// FunctionLowering::lower_check says what the calls mean. docs/decisions/021-checks-from-the-sanitizer.md has the reason.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace whittle::frontend {

/// What clang is to be asked for.
std::vector<std::string> check_flags();

/// All of them begin with this.
inline constexpr llvm::StringLiteral kCheckPrefix = "whittle.check.";

/// Turns clang's checks into calls of functions `whittle.check.OPERATION.SIGN`: add, sub, mul, div, shl or shr, and s or
/// u. Their arguments are the two operands. Nothing of the sanitizer is left behind.
void gather_checks(llvm::Module& module);

/// Notes that clang has put checks into the functions that this module defines, and asks for that. In other functions,
/// those of bitcode that was made elsewhere, checks are made from LLVM's own instructions.
void mark_checked(llvm::Module& module);
bool is_checked(const llvm::Function& function);

}  // namespace whittle::frontend
