// A small fast generator, the same on every machine for the same seed.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace whittle::engines::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(hash_mix(seed + 1)) {}
  uint64_t next() { return hash_mix(state_ += 0x9e3779b97f4a7c15u); }
  /// 0 .. bound-1. Requires bound > 0.
  uint64_t below(uint64_t bound) { return next() % bound; }
  bool chance(uint64_t one_in) { return below(one_in) == 0; }

 private:
  uint64_t state_;
};

}  // namespace whittle::engines::test
