// Sets of byte offsets, and their interned form with remembered operations: a state space has millions of states but
// few different sets of live bytes, because they follow from where the program stands.
//
//   ByteSets sets;
//   SetId live = sets.intern(set);
//   SetId before = sets.before(sets.footprint(reads, writes), live);    // reads + (live - writes)
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "machine/machine.h"

namespace whittle::explore {

/// A plain set of offsets; grows as needed. Trailing empty words do not matter.
class ByteSet {
 public:
  void clear() { words_.assign(words_.size(), 0); }
  void add(machine::ByteRange range) {
    apply(range, [](uint64_t& word, uint64_t bits) { word |= bits; });
  }
  void remove(machine::ByteRange range) {
    apply(range, [](uint64_t& word, uint64_t bits) { word &= ~bits; });
  }
  bool contains(uint64_t offset) const {
    return offset / 64 < words_.size() && (words_[offset / 64] >> offset % 64 & 1) != 0;
  }
  void unite(const ByteSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void subtract(const ByteSet& other) {
    for (size_t i = 0; i < words_.size() && i < other.words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  std::span<const uint64_t> words() const {
    size_t n = words_.size();
    while (n > 0 && words_[n - 1] == 0) --n;
    return {words_.data(), n};
  }

 private:
  template <typename Change>
  void apply(machine::ByteRange range, Change change) {
    uint64_t end = uint64_t{range.begin} + range.length;
    if (words_.size() * 64 < end) words_.resize((end + 63) / 64);
    for (uint64_t at = range.begin; at < end;) {
      uint64_t low = at % 64, many = std::min<uint64_t>(64 - low, end - at);
      uint64_t bits = (many == 64 ? ~uint64_t{0} : (uint64_t{1} << many) - 1) << low;
      change(words_[at / 64], bits);
      at += many;
    }
  }
  std::vector<uint64_t> words_;
};

using SetId = uint32_t;
using FootprintId = uint32_t;
inline constexpr SetId kEmptySet = 0;

class ByteSets {
 public:
  ByteSets();

  SetId intern(const ByteSet& set) { return intern(set.words()); }
  SetId unite(SetId a, SetId b);
  SetId intersect(SetId a, SetId b);
  bool is_subset(SetId a, SetId b) { return unite(a, b) == b; }

  FootprintId footprint(const ByteSet& reads, const ByteSet& writes);
  /// Live before a path with this footprint, if `live` is live after it.
  SetId before(FootprintId footprint, SetId live);

  /// Without trailing zeros.
  std::span<const uint64_t> words(SetId id) const {
    return {pool_.data() + begins_[id], begins_[id + 1] - begins_[id]};
  }
  uint64_t size() const { return begins_.size() - 1; }
  uint64_t bytes() const;

  /// Hash of the bytes that are in the set; others count as zero. `padded`: whole 8-byte words, zero after the end.
  uint64_t masked_hash(SetId id, std::span<const uint64_t> padded) const;
  bool equal_under(SetId id, std::span<const uint64_t> padded_a, std::span<const uint64_t> padded_b) const;

 private:
  SetId intern(std::span<const uint64_t> words);
  struct Remembered {
    uint64_t key = ~uint64_t{0};
    SetId value = 0;
  };
  Remembered& remember(std::vector<Remembered>& cache, uint32_t a, uint32_t b, bool& hit);

  std::vector<uint64_t> pool_;
  std::vector<uint64_t> begins_;
  std::unordered_multimap<uint64_t, SetId> index_;
  std::vector<std::pair<SetId, SetId>> footprints_;  ///< reads, writes
  std::unordered_map<uint64_t, FootprintId> footprint_index_;
  std::vector<Remembered> unions_, intersections_, befores_;  ///< direct-mapped caches
  std::vector<uint64_t> scratch_;
};

}  // namespace whittle::explore
