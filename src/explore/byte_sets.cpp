#include "explore/byte_sets.h"

#include <algorithm>
#include <array>

namespace whittle::explore {
namespace {

constexpr uint64_t kCacheSize = 1u << 13;

/// Eight bits to eight bytes of zeros or ones.
constexpr std::array<uint64_t, 256> kSpread = [] {
  std::array<uint64_t, 256> table{};
  for (unsigned bits = 0; bits < 256; ++bits)
    for (unsigned i = 0; i < 8; ++i)
      if ((bits >> i & 1) != 0) table[bits] |= uint64_t{0xff} << (8 * i);
  return table;
}();

/// Mask of the i-th 8-byte word of a state.
uint64_t mask_at(std::span<const uint64_t> set, size_t i) {
  return i / 8 < set.size() ? kSpread[set[i / 8] >> (i % 8 * 8) & 0xff] : 0;
}

}  // namespace

ByteSets::ByteSets() : begins_{0}, unions_(kCacheSize), intersections_(kCacheSize), befores_(kCacheSize) {
  intern(std::span<const uint64_t>{});
}

SetId ByteSets::intern(std::span<const uint64_t> words) {
  while (!words.empty() && words.back() == 0) words = words.first(words.size() - 1);
  uint64_t hash = hash_bytes({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8});
  auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (std::ranges::equal(this->words(it->second), words)) return it->second;
  SetId id = static_cast<SetId>(size());
  pool_.insert(pool_.end(), words.begin(), words.end());
  begins_.push_back(pool_.size());
  index_.emplace(hash, id);
  return id;
}

ByteSets::Remembered& ByteSets::remember(std::vector<Remembered>& cache, uint32_t a, uint32_t b, bool& hit) {
  uint64_t key = uint64_t{a} << 32 | b;
  Remembered& entry = cache[hash_mix(key) % kCacheSize];
  hit = entry.key == key;
  entry.key = key;
  return entry;
}

SetId ByteSets::unite(SetId a, SetId b) {
  if (a == b || b == kEmptySet) return a;
  if (a == kEmptySet) return b;
  if (a > b) std::swap(a, b);
  bool hit;
  Remembered& entry = remember(unions_, a, b, hit);
  if (!hit) {
    scratch_.assign(words(a).begin(), words(a).end());
    std::span<const uint64_t> other = words(b);
    if (scratch_.size() < other.size()) scratch_.resize(other.size());
    for (size_t i = 0; i < other.size(); ++i) scratch_[i] |= other[i];
    entry.value = intern(scratch_);
  }
  return entry.value;
}

SetId ByteSets::intersect(SetId a, SetId b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  bool hit;
  Remembered& entry = remember(intersections_, a, b, hit);
  if (!hit) {
    std::span<const uint64_t> x = words(a), y = words(b);
    scratch_.assign(std::min(x.size(), y.size()), 0);
    for (size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = x[i] & y[i];
    entry.value = intern(scratch_);
  }
  return entry.value;
}

FootprintId ByteSets::footprint(const ByteSet& reads, const ByteSet& writes) {
  SetId r = intern(reads), w = intern(writes);
  auto [it, added] = footprint_index_.try_emplace(uint64_t{r} << 32 | w, static_cast<FootprintId>(footprints_.size()));
  if (added) footprints_.emplace_back(r, w);
  return it->second;
}

SetId ByteSets::before(FootprintId footprint, SetId live) {
  auto [reads, writes] = footprints_[footprint];
  if (live == kEmptySet) return reads;
  bool hit;
  Remembered& entry = remember(befores_, footprint, live, hit);
  if (!hit) {
    scratch_.assign(words(live).begin(), words(live).end());
    std::span<const uint64_t> w = words(writes), r = words(reads);
    for (size_t i = 0; i < scratch_.size() && i < w.size(); ++i) scratch_[i] &= ~w[i];
    if (scratch_.size() < r.size()) scratch_.resize(r.size());
    for (size_t i = 0; i < r.size(); ++i) scratch_[i] |= r[i];
    entry.value = intern(scratch_);
  }
  return entry.value;
}

uint64_t ByteSets::bytes() const {
  return pool_.capacity() * 8 + begins_.capacity() * 8 + index_.size() * 40 + footprints_.capacity() * 8 +
         footprint_index_.size() * 40 + (unions_.size() + intersections_.size() + befores_.size()) * sizeof(Remembered);
}

uint64_t ByteSets::masked_hash(SetId id, std::span<const uint64_t> padded) const {
  std::span<const uint64_t> set = words(id);
  uint64_t h = hash_mix(uint64_t{id} + 1);
  size_t n = std::min(padded.size(), set.size() * 8);
  for (size_t i = 0; i < n; ++i) h = hash_combine(h, padded[i] & mask_at(set, i));
  return hash_combine(h, padded.size());
}

bool ByteSets::equal_under(SetId id, std::span<const uint64_t> padded_a, std::span<const uint64_t> padded_b) const {
  if (padded_a.size() != padded_b.size()) return false;
  std::span<const uint64_t> set = words(id);
  size_t n = std::min(padded_a.size(), set.size() * 8);
  for (size_t i = 0; i < n; ++i)
    if (((padded_a[i] ^ padded_b[i]) & mask_at(set, i)) != 0) return false;
  return true;
}

}  // namespace whittle::explore
