// SHA-256 (FIPS 180-4), for the hashes of files that witnesses carry.
#pragma once

#include <string>
#include <string_view>

namespace whittle::report {

/// 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace whittle::report
