// whittle bench dpr: tables 1 and 2 of Dynamic Path Reduction, published and measured side by side.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--quick] [--json FILE] [--svg FILE]
int dpr(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
