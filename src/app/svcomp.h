// whittle bench svcomp: scores a checkout of the competition's collection.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::svcomp {

/// --dir DIR [--sets A,B] [--property P,Q|all] [--engine E] [--timeout 60s] [--memory SIZE] [--jobs N] [--cores N] [--only true|false]
/// [--json FILE] [--html FILE].
/// Answers with 0, or 70 if a verdict was wrong.
int run(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::svcomp
