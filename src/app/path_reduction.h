// whittle bench path-reduction: the tables of On-the-fly Path Reduction, published figures next to measured ones.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::path_reduction {

/// Arguments: [--dir DIR] with the five programs as .c (compiled with avr-gcc) or .elf, [--skip-none] [--json FILE].
int run(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::path_reduction
