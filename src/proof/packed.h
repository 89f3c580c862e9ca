// Proofs in files are compressed by zstd: they are text in which much is said again and again.
#pragma once

#include <string>
#include <string_view>

namespace whittle::proof {

std::string packed(std::string_view text);

/// What was packed, or the text itself if it was not. Throws Error (bad input) if it is damaged, or larger than a proof
/// can be (256 MiB).
std::string unpacked(std::string bytes);

}  // namespace whittle::proof
