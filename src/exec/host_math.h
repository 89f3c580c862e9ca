// Functions of the host's libm by name, on bit patterns.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/int128.h"

namespace whittle::exec {

/// `width` is that of the result: 32 for float functions ("sinf"), 64 for double ones. Nothing: no such function.
std::optional<u128> host_math(std::string_view function, std::span<const u128> arguments, unsigned width);

}  // namespace whittle::exec
