// Visited stores that may take two states for one: hash compaction and bit-state hashing. They are used on request
// only, and a search that ends without a violation then says "probably". Same interface as TreeStore, except that
// states cannot be decoded.
#pragma once

#include <cstdint>
#include <span>

#include "explore/tree_store.h"

namespace whittle::explore {

/// Keeps a 64-bit hash of every state: about 14 to 19 bytes a state whatever its length.
class HashStore {
 public:
  static constexpr bool kExact = false;

  explicit HashStore(Budget* budget = nullptr) : table_(budget, 12) {}
  static uint64_t block_size(uint64_t length) { return Block::plain_size(length); }
  Interned insert(std::span<const uint8_t> bytes, const uint8_t*, uint8_t* out) {
    Block::set_bytes(out, bytes);
    return table_.intern(hash_bytes(bytes));
  }
  uint64_t size() const { return table_.size(); }
  uint64_t bytes() const { return table_.bytes(); }

 private:
  InternTable table_;
};

/// Sets three bits per state in a field of fixed size.
class BitStore {
 public:
  static constexpr bool kExact = false;

  /// Requires 10 <= bits <= 42: the field has 2^bits bits.
  explicit BitStore(unsigned bits) : bits_(bits), field_((uint64_t{1} << bits) / 64) {}
  static uint64_t block_size(uint64_t length) { return Block::plain_size(length); }
  Interned insert(std::span<const uint8_t> bytes, const uint8_t*, uint8_t* out) {
    Block::set_bytes(out, bytes);
    uint64_t hash = hash_bytes(bytes);
    bool fresh = false;
    for (uint64_t i = 0; i < 3; ++i) {
      uint64_t at = hash_combine(hash, i) >> (64 - bits_);
      uint64_t bit = uint64_t{1} << (at % 64);
      fresh |= (field_[at / 64] & bit) == 0;
      field_[at / 64] |= bit;
    }
    // The number of a known state is lost; no one asks for it.
    return {fresh ? static_cast<StateId>(count_++) : 0, fresh};
  }
  uint64_t size() const { return count_; }
  uint64_t bytes() const { return field_.bytes(); }

 private:
  unsigned bits_;
  uint64_t count_ = 0;
  ZeroedArray<uint64_t> field_;
};

}  // namespace whittle::explore
