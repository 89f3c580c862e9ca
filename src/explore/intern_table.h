// Numbers 64-bit keys in the order in which they first appear: the one table that the visited stores are made of.
//
//   InternTable table;
//   auto [id, fresh] = table.intern(key);     // id 0, 1, 2, ...
//   table.key(id) == key
//
// Keys live in one growing array, 8 bytes each. The index is open addressing over 32-bit slots; with 2^k slots an id
// needs k bits, and the other 32-k hold a fingerprint, so that a probe reads a key only when it very likely matches:
// one cache miss for a new key, two for a known one. A tagged table tells equal keys with different tags apart; while
// all tags are 0, which is the common case, they take no memory.
#pragma once

#include <cstdint>
#include <limits>

#include "base/hash.h"
#include "base/limits.h"
#include "explore/pages.h"

namespace whittle::explore {

/// Dense number of a stored state, in the order of insertion.
using StateId = uint32_t;
inline constexpr StateId kNoState = std::numeric_limits<uint32_t>::max();

/// What growing a table may not exceed.
struct Budget {
  uint64_t bytes = std::numeric_limits<uint64_t>::max();  ///< resident memory of the process
  bool exhausted = false;                                 ///< set by the table that could not grow
  bool has_room(uint64_t more) const {
    return !exhausted && (bytes == std::numeric_limits<uint64_t>::max() || resident_memory() + more <= bytes);
  }
  bool allows(uint64_t more) {
    exhausted = !has_room(more);
    return !exhausted;
  }
};

struct Interned {
  uint32_t id;  ///< kNoState if the budget is exhausted
  bool fresh;
};

template <bool kTagged>
class BasicInternTable {
 public:
  explicit BasicInternTable(Budget* budget = nullptr, unsigned bits = 8) : budget_(budget), slots_(1u << bits) {
    set_bits(bits);
  }

  Interned intern(uint64_t key, uint32_t tag = 0) {
    uint64_t hash = hash_of(key, tag);
    uint64_t mask = slots_.size() - 1;
    uint32_t print = fingerprint(hash);
    for (uint64_t at = hash >> shift_;; at = (at + 1) & mask) {
      uint32_t slot = slots_[at];
      if (slot == 0) return append(key, tag, hash, at);
      if ((slot & ~id_mask()) == print) {
        uint32_t id = (slot & id_mask()) - 1;
        if (keys_[id] == key && this->tag(id) == tag) return {id, false};
      }
    }
  }

  /// kNoState if the key is not there.
  uint32_t find(uint64_t key, uint32_t tag = 0) const {
    uint64_t hash = hash_of(key, tag);
    uint64_t mask = slots_.size() - 1;
    uint32_t print = fingerprint(hash);
    for (uint64_t at = hash >> shift_;; at = (at + 1) & mask) {
      uint32_t slot = slots_[at];
      if (slot == 0) return kNoState;
      if ((slot & ~id_mask()) == print) {
        uint32_t id = (slot & id_mask()) - 1;
        if (keys_[id] == key && this->tag(id) == tag) return id;
      }
    }
  }

  uint64_t key(uint32_t id) const { return keys_[id]; }
  uint32_t tag(uint32_t id) const {
    if constexpr (kTagged) return tags_.empty() ? 0 : tags_[id];
    return 0;
  }
  uint64_t size() const { return keys_.size(); }
  uint64_t bytes() const { return keys_.bytes() + slots_.bytes() + tags_.bytes(); }

 private:
  // With all 32 bits used for ids there is no fingerprint; bits_ never exceeds 32.
  uint32_t id_mask() const { return id_mask_; }
  void set_bits(unsigned bits) {
    bits_ = bits;
    shift_ = 64 - bits;
    id_mask_ = static_cast<uint32_t>((uint64_t{1} << bits) - 1);
  }
  uint32_t fingerprint(uint64_t hash) const { return static_cast<uint32_t>(hash) & ~id_mask(); }

  static uint64_t hash_of(uint64_t key, uint32_t tag) {
    if constexpr (kTagged) return hash_mix(key ^ tag * 0xd6e8feb86659fd93u);
    return hash_mix(key);
  }

  Interned append(uint64_t key, uint32_t tag, uint64_t hash, uint64_t at) {
    if (keys_.size() + 1 > slots_.size() - slots_.size() / 4) {
      if (!grow()) return {kNoState, false};
      at = free_slot(hash);
    }
    uint32_t id = static_cast<uint32_t>(keys_.size());
    keys_.push_back(key);
    if constexpr (kTagged) {
      if (tag != 0 && tags_.empty()) tags_.resize(id);
      if (tag != 0 || !tags_.empty()) tags_.push_back(static_cast<uint16_t>(tag));
    }
    slots_[at] = fingerprint(hash) | (id + 1);
    return {id, true};
  }

  uint64_t free_slot(uint64_t hash) const {
    uint64_t at = hash >> shift_;
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  bool grow() {
    if (bits_ == 32 || (budget_ != nullptr && !budget_->allows(slots_.bytes()))) {
      if (budget_ != nullptr) budget_->exhausted = true;
      return false;
    }
    slots_.release();  // before the new one is made: the index is rebuilt from the keys
    set_bits(bits_ + 1);
    slots_ = ZeroedArray<uint32_t>(uint64_t{1} << bits_);
    for (uint64_t id = 0; id < keys_.size(); ++id) {
      uint64_t hash = hash_of(keys_[id], tag(static_cast<uint32_t>(id)));
      slots_[free_slot(hash)] = fingerprint(hash) | static_cast<uint32_t>(id + 1);
    }
    return true;
  }

  Budget* budget_;
  unsigned bits_ = 0, shift_ = 0;
  uint32_t id_mask_ = 0;
  GrowingArray<uint64_t> keys_;
  GrowingArray<uint16_t> tags_;
  ZeroedArray<uint32_t> slots_;
};

using InternTable = BasicInternTable<false>;
using TaggedInternTable = BasicInternTable<true>;  ///< tags below 2^16

}  // namespace whittle::explore
