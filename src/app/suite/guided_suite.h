// whittle bench guided: figures 2, 3, 4, 9 and table 2 of Assertion-Guided Symbolic Execution, published and measured.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--dir DIR] [--timeout SECONDS] [--quick] [--json FILE] [--svg FILE]; DIR: a checkout of the public collection.
int guided(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
