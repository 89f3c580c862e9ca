// Arithmetic that clang folds without a check: initialisers of static objects and constant ones of arrays and structs,
// values of enumerators, case labels, lengths of arrays, widths of bit-fields, designators, static assertions, alignments, and
// constant conditions with a shift into the sign bit.
//
// The rest is checked where clang generates code for it (checks.h). For these places the source is changed before it is
// compiled, on the same line, so that clang does generate code:
//
//     int limit = INT_MAX + 1;      int limit = INT_MAX + 1; __attribute__((constructor(101)))
//                                   static void __whittle_constants_0(void) { (void)(INT_MAX + 1); }
//     int a[] = {1 << 33, 2};       int a[] = {1 << 33, 2}; (void)(1 << 33);
//     for (int a[] = {1 << 33};;)   { (void)(1 << 33); for (int a[] = {1 << 33};;) }
//     (int[]){1 << 33}              (*((void)(1 << 33), &(int[]){1 << 33}))
//     case INT_MAX + 1:             switch ((void)(INT_MAX + 1), x)
//     if (1 << 31)                  if ((__whittle_evaluated(), (1 << 31)))
//
// Where the constants are harmless, nothing of this is left in the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::frontend {

/// Functions that hold the checks of initialisers at file scope begin with this.
inline constexpr std::string_view kConstantsPrefix = "__whittle_constants_";
/// A function that does nothing; clang does not know that.
inline constexpr std::string_view kEvaluated = "__whittle_evaluated";

/// What makes clang warn of undefined arithmetic between constants. It is silent about most of what is inside `? :`.
std::vector<std::string> fold_warnings();
/// Has it done so in this line, or somewhere in these lines?
bool warns_of_fold(std::string_view diagnostics);

/// Could there be such arithmetic in this source? Looks at the words only, and says yes when in doubt about initialisers, labels
/// and conditions; clang's warnings speak for the other places.
bool may_fold(const std::string& source);

/// The preprocessed source with checks added; empty if there is nothing to add, nothing at all if one is needed and there is no way to
/// add it. `tree` and `diagnostics` are what clang prints with -ast-dump and `fold_warnings` for the source with its line
/// markers blanked, after kTreeMarker (syntax_tree.h).
std::optional<std::string> check_folded(const std::string& source, std::string_view tree, std::string_view diagnostics);

/// A function that ends every path at the start of the program as not followed.
std::string refuse_folded(const std::string& file);

}  // namespace whittle::frontend
