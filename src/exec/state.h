// Reading and writing the numbers of a state.
#pragma once

#include <cstdint>
#include <vector>

namespace whittle::exec {

inline void put_number(std::vector<uint8_t>& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

struct Reader {
  const uint8_t* at;
  const uint8_t* end;
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      uint8_t byte = *at++;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
};

}  // namespace whittle::exec
