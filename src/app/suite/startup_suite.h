// whittle bench startup: what the shortest runs cost.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--file FILE.c] [--runs N] [--bars] [--json FILE]. With --bars it answers with 10 if a run takes more than it may.
int startup(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
