// Inputs as people write them: `5,-1,0x1f`, `2.5` and `2.5f` for a double and a float, and `0:1000` for the same value many
// times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"

namespace whittle::verdict {

/// Adds what one word says, VALUE or VALUE:COUNT; false if it is neither (or far too much).
bool add_inputs(std::string_view word, std::vector<u128>& inputs);

/// Words with commas between them; three or more equal ones in a row become WORD:COUNT.
std::string with_counts(const std::vector<std::string>& words);

}  // namespace whittle::verdict
