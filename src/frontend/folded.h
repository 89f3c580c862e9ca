// Arithmetic that clang folds without a check: initialisers of static objects and constant ones of arrays and structs,
// values of enumerators, case labels, and constant conditions with a shift into the sign bit.
//
// The rest is checked where clang generates code for it (checks.h). For these places the source is changed before it is
// compiled, on the same line, so that clang does generate code:
//
//     int limit = INT_MAX + 1;      int limit = INT_MAX + 1; __attribute__((constructor(101)))
//                                   static void __whittle_constants_0(void) { (void)(INT_MAX + 1); }
//     int a[] = {1 << 33, 2};       int a[] = {1 << 33, 2}; (void)(1 << 33);
//     case INT_MAX + 1:             switch ((void)(INT_MAX + 1), x)
//     if (1 << 31)                  if ((__whittle_evaluated(), (1 << 31)))
//
// Where the constants are harmless, nothing of this is left in the program.
#pragma once

#include <string>
#include <string_view>

namespace whittle::frontend {

/// Functions that hold the checks of initialisers at file scope begin with this.
inline constexpr std::string_view kConstantsPrefix = "__whittle_constants_";
/// A function that does nothing; clang does not know that.
inline constexpr std::string_view kEvaluated = "__whittle_evaluated";

/// Could there be such arithmetic in this source? Looks at the words only, and says yes when in doubt.
bool may_fold(const std::string& source);

/// The preprocessed source with checks added, or an empty string if there is nothing to add. `tree` is what clang prints
/// for it with -ast-dump=json.
std::string check_folded(const std::string& source, const std::string& tree);

}  // namespace whittle::frontend
