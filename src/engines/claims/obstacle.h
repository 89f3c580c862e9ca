// A place that is not modelled and that every run meets: nothing can be proved, and a search need not be long.
//
//   if (std::optional<Obstacle> obstacle = find_obstacle(program, specification, limits)) ...
#pragma once

#include <optional>
#include <string>

#include "base/limits.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::engines {

struct Obstacle {
  std::string reason;    ///< "every run meets ... (a.c:12), which is not modelled"
  std::string advice;    ///< "--stub ..."
  bool at_once = false;  ///< no input and no schedule comes before it: nothing can be found, either
};

/// Takes a fraction of a second. Nothing: some run may end well, as far as control flow tells.
std::optional<Obstacle> find_obstacle(const program::Program& program, const verdict::Specification& specification, Limits& limits);

/// What to do about a reason that names a library function without a model; empty: it names none.
std::string stub_advice(std::string_view reason);

}  // namespace whittle::engines
