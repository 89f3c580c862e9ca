// Hashing of integers and byte ranges: fast, well mixed, the same on every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/int128.h"

namespace whittle {

/// Multiplies to 128 bits and folds the halves: the mixing step everything below is made of.
constexpr uint64_t fold_multiply(uint64_t a, uint64_t b) {
  u128 product = static_cast<u128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t hash_mix(uint64_t x) { return fold_multiply(x ^ 0x9e3779b97f4a7c15u, 0xe7037ed1a0b428dbu); }
constexpr uint64_t hash_combine(uint64_t seed, uint64_t x) {
  return fold_multiply(seed ^ 0xa0761d6478bd642fu, x ^ 0xe7037ed1a0b428dbu);
}

inline uint64_t hash_bytes(std::span<const uint8_t> bytes, uint64_t seed = 0) {
  const uint8_t* p = bytes.data();
  size_t n = bytes.size();
  uint64_t h = seed ^ (n * 0x8ebc6af09c88c6e3u);
  auto word = [](const uint8_t* q) {
    uint64_t w;
    std::memcpy(&w, q, 8);
    return w;
  };
  for (; n >= 16; p += 16, n -= 16) h = fold_multiply(word(p) ^ h ^ 0xa0761d6478bd642fu, word(p + 8) ^ 0xe7037ed1a0b428dbu);
  uint64_t a = 0, b = 0;
  if (n >= 8) a = word(p), p += 8, n -= 8;
  if (n > 0) std::memcpy(&b, p, n);
  return hash_mix(fold_multiply(a ^ h ^ 0x589965cc75374cc3u, b ^ 0x1d8e4e27c47d124fu));
}

}  // namespace whittle
