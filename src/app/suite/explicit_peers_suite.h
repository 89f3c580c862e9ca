// whittle bench explicit-peers: the same algorithms as C for whittle, as Promela for SPIN, as Murphi for rumur, in one
// run.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--dir DIR] [--quick] [--json FILE]
int explicit_peers(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
