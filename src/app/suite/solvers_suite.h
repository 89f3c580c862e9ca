// whittle bench solvers: what Z3, cvc5 and CaDiCaL cost on the questions that engines ask.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--engine E] [--only NAME] [--timeout 20s] [--json FILE]
int solvers(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
