// whittle bench scale: the explicit engine with one and with several threads, in one run.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--dir DIR] [--quick] [--rounds N] [--json FILE]
int scale(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
