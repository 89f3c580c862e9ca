// Some models come twice: one that may answer in every way the standard allows, and a cheaper one for programs that cannot
// tell the difference. The first has the function's name and is what a pointer or an unusual caller gets; calls that need
// no more are led to the second before models are linked.
#pragma once

#include <llvm/ADT/DenseSet.h>

namespace llvm {
class GlobalValue;
class Module;
}

namespace whittle::frontend {

/// - strcmp and its relatives promise the sign of their result only. Where nothing but the sign is looked at (`== 0`, `< 0`,
///   in a variable, as the result of a comparison for qsort) the call becomes one of __whittle_sign_strcmp, which has one
///   answer; elsewhere the value is any of that sign.
/// - rand repeats its numbers after srand with the same seed. A program that seeds at most once, in main and in no loop,
///   cannot see that; all others call __whittle_rand_remembered.
/// - printf and whatever else writes to files may fail. Calls whose result is not used cannot tell (but by ferror, which
///   decides itself); the others, and pointers to these functions, become __whittle_failing_printf.
void choose_models(llvm::Module& module);

/// Models ask `__whittle_uses("f")` where they need more if the program calls the model f. Once the models that came in are
/// known the answer replaces the call, and the branch that is not taken goes.
void decide_uses(llvm::Module& module, const llvm::DenseSet<const llvm::GlobalValue*>& models);

}  // namespace whittle::frontend
