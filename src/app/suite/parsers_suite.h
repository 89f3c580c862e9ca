// whittle bench parsers: harnesses for public parsers, codecs and allocators, with the default engine and with CBMC.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// --dir DIR [--only NAME] [--timeout 60s] [--memory 2G] [--engine E] [--cbmc PROGRAM] [--json FILE]
int parsers(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
