// whittle bench dash: figures and driver table of Proofs from Tests, published and measured side by side.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--quick] [--dir DIR [--sets A,B] [--proofs]] [--timeout 60s] [--json FILE] [--svg FILE]
int dash(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
