// whittle bench dead-variables: figures 6 and 7 of Maximal Dynamic Dead Variables, published and measured side by side.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--dir DIR] [--json FILE]
int dead_variables(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
