#include "frontend/library.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/dialect.h"

namespace whittle::frontend {
namespace {

/// Sorted, so that a name is found by bisection.
constexpr std::string_view kLibraryNames[] = {
#include "frontend/library_names.inc"
};

}  // namespace

bool is_library_name(std::string_view name) {
  return std::binary_search(std::begin(kLibraryNames), std::end(kLibraryNames), name);
}

bool needs_model(std::string_view name) { return is_dialect(name) || is_library_name(name); }

std::string no_model(std::string_view name) {
  return fmt::format("{}function `{}` has no model", is_library_name(name) ? "library " : "", name);
}

}  // namespace whittle::frontend
