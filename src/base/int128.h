// 128-bit integers: the widest values that programs and terms have.
#pragma once

#include <cstdint>

namespace whittle {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/// All ones in the lowest `width` bits (0 <= width <= 128).
constexpr u128 mask128(unsigned width) { return width >= 128 ? ~u128{0} : (u128{1} << width) - 1; }
constexpr uint64_t mask64(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

/// The value of the lowest `width` bits read as two's complement (1 <= width).
constexpr i128 sign_extend128(u128 value, unsigned width) {
  if (width >= 128) return static_cast<i128>(value);
  u128 sign = u128{1} << (width - 1);
  value &= mask128(width);
  return static_cast<i128>((value ^ sign) - sign);
}
constexpr int64_t sign_extend64(uint64_t value, unsigned width) {
  if (width >= 64) return static_cast<int64_t>(value);
  uint64_t sign = uint64_t{1} << (width - 1);
  value &= mask64(width);
  return static_cast<int64_t>((value ^ sign) - sign);
}

}  // namespace whittle
