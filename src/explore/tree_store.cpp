#include "explore/tree_store.h"

#include <bit>

#include "explore/shared_tables.h"

namespace whittle::explore {
namespace {

/// Numbers kept in a block with `words` words: all levels up to the one with two.
uint64_t count_numbers(uint64_t words) {
  if (words < 2) return 0;
  uint64_t total = words;
  while (words > 2) words = (words + 1) / 2, total += words;
  return total;
}

uint64_t pair_key(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }

/// Positions one level up of these positions, ascending, each once: i and i + half meet in i.
uint64_t partners(const uint32_t* changed, uint64_t count, uint32_t half, uint32_t* out) {
  if (count == 1) {
    out[0] = changed[0] < half ? changed[0] : changed[0] - half;
    return 1;
  }
  uint64_t split = 0;
  while (split < count && changed[split] < half) ++split;
  uint64_t left = 0, right = split, kept = 0;
  while (left < split || right < count) {
    if (right == count || (left < split && changed[left] <= changed[right] - half)) {
      if (right < count && changed[left] == changed[right] - half) ++right;
      out[kept++] = changed[left++];
    } else {
      out[kept++] = changed[right++] - half;
    }
  }
  return kept;
}

}  // namespace

template <typename Tables>
uint64_t BasicTreeStore<Tables>::block_size(uint64_t length) {
  return Block::plain_size(length) + (count_numbers((length + 7) / 8) * 4 + 7) / 8 * 8;
}

bool OwnTables::shape_of(uint64_t length, uint32_t& shape) {
  if (length == last_length_) {
    shape = last_shape_;
    return true;
  }
  if (length >= shapes_.size()) shapes_.resize(length + 1);
  if (shapes_[length] == 0) {
    if (lengths_.size() == 65535) return false;
    lengths_.push_back(static_cast<uint32_t>(length));
    shapes_[length] = static_cast<uint32_t>(lengths_.size());
    for (uint64_t words = (length + 7) / 8, level = 0; words > 1; words = (words + 1) / 2, ++level)
      if (levels_.size() <= level) levels_.emplace_back(budget_);
  }
  last_length_ = length;
  shape = last_shape_ = shapes_[length] - 1;
  return true;
}

/// As the general case below, for at most 64 words: which of them changed is a mask.
template <typename Tables>
template <bool kInsert>
bool BasicTreeStore<Tables>::fold_few(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out, uint64_t& key) {
  const uint64_t words = (bytes.size() + 7) / 8;
  uint64_t* word = reinterpret_cast<uint64_t*>(out + 8);
  uint32_t* number_at = reinterpret_cast<uint32_t*>(word + words);
  uint64_t changed = 0;
  if (base != nullptr && Block::length(base) == bytes.size()) {
    // One pass over the bytes: copied, and compared on the way.
    const uint64_t* old = reinterpret_cast<const uint64_t*>(base + 8);
    std::memcpy(out, base, 8);
    const uint64_t whole = bytes.size() / 8;
    for (uint64_t i = 0; i < whole; ++i) {
      uint64_t now;
      std::memcpy(&now, bytes.data() + 8 * i, 8);
      word[i] = now;
      changed |= uint64_t{now != old[i]} << i;
    }
    if (whole != words) {
      uint64_t now = 0;
      std::memcpy(&now, bytes.data() + 8 * whole, bytes.size() - 8 * whole);
      word[whole] = now;
      changed |= uint64_t{now != old[whole]} << whole;
    }
    if (words != few_words_) few_words_ = words, few_numbers_ = (count_numbers(words) + 1) / 2;
    for (uint64_t i = words; i < words + few_numbers_; ++i) word[i] = old[i];
  } else {
    Block::set_bytes(out, bytes);
    changed = ~uint64_t{0} >> (64 - words);
  }
  for (uint64_t left = changed; left != 0; left &= left - 1) {
    const unsigned at = static_cast<unsigned>(std::countr_zero(left));
    if ((number_at[at] = tables_.template number<kInsert>(0, word[at])) == kNoState) return false;
  }
  uint64_t count = words;
  for (unsigned level = 1; count > 2; ++level) {
    const unsigned half = static_cast<unsigned>((count + 1) / 2);
    uint32_t* above = number_at + count;
    changed = (changed | changed >> half) & ((uint64_t{1} << half) - 1);
    for (uint64_t left = changed; left != 0; left &= left - 1) {
      const unsigned at = static_cast<unsigned>(std::countr_zero(left));
      if (at + half >= count)
        above[at] = number_at[at];  // the odd one out goes up as it is
      else if ((above[at] = tables_.template number<kInsert>(level, pair_key(number_at[at], number_at[at + half]))) == kNoState)
        return false;
    }
    number_at = above;
    count = half;
  }
  key = pair_key(number_at[0], number_at[1]);
  return true;
}

template <typename Tables>
template <bool kInsert>
bool BasicTreeStore<Tables>::fold(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out, uint64_t& key) {
  const uint64_t words = (bytes.size() + 7) / 8;
  if (words >= 2 && words <= 64) return fold_few<kInsert>(bytes, base, out, key);
  Block::set_bytes(out, bytes);
  const uint64_t* word = reinterpret_cast<const uint64_t*>(out + 8);
  if (words < 2) {
    key = words == 0 ? 0 : word[0];
    return true;
  }
  uint32_t* number_at = reinterpret_cast<uint32_t*>(out + 8 + words * 8);
  if (changed_.size() < 2 * words) changed_.resize(2 * words);
  uint32_t* changed = changed_.data();
  uint64_t changes = 0;
  if (base != nullptr && Block::length(base) == bytes.size()) {
    const uint64_t* old = reinterpret_cast<const uint64_t*>(base + 8);
    std::memcpy(number_at, old + words, count_numbers(words) * 4);
    for (uint64_t i = 0; i < words; ++i)
      if (word[i] != old[i]) changed[changes++] = static_cast<uint32_t>(i);
  } else {
    for (uint64_t i = 0; i < words; ++i) changed[changes++] = static_cast<uint32_t>(i);
  }
  for (uint64_t c = 0; c < changes; ++c)
    if ((number_at[changed[c]] = tables_.template number<kInsert>(0, word[changed[c]])) == kNoState) return false;

  uint32_t* spare = changed + changed_.size() / 2;
  uint64_t count = words;
  for (unsigned level = 1; count > 2; ++level) {
    const uint32_t half = static_cast<uint32_t>((count + 1) / 2);
    uint32_t* above = number_at + count;
    changes = partners(changed, changes, half, spare);
    std::swap(changed, spare);
    for (uint64_t c = 0; c < changes; ++c) {
      uint32_t at = changed[c];
      if (at + half >= count)
        above[at] = number_at[at];  // the odd one out goes up as it is
      else if ((above[at] = tables_.template number<kInsert>(level, pair_key(number_at[at], number_at[at + half]))) == kNoState)
        return false;
    }
    number_at = above;
    count = half;
  }
  key = pair_key(number_at[0], number_at[1]);
  return true;
}

template <typename Tables>
Interned BasicTreeStore<Tables>::insert(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out) {
  uint32_t shape;
  uint64_t key;
  if (!tables_.shape_of(bytes.size(), shape) || !fold<true>(bytes, base, out, key)) {
    tables_.exhausted();
    return {kNoState, false};
  }
  return tables_.add_root(key, shape);
}

template <typename Tables>
StateId BasicTreeStore<Tables>::find(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out) {
  uint64_t key;
  uint32_t shape;
  missing_shape_ = kNoState;
  if (!tables_.find_shape(bytes.size(), shape)) {
    Block::set_bytes(out, bytes);
    return kNoState;
  }
  if (!fold<false>(bytes, base, out, key)) return kNoState;
  missing_key_ = key;
  missing_shape_ = shape;
  return tables_.find_root(key, shape);
}

template <typename Tables>
Interned BasicTreeStore<Tables>::insert_not_found(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out) {
  // Most new states are made of parts that others have: the block is complete then.
  if (missing_shape_ != kNoState) return tables_.add_root(missing_key_, missing_shape_);
  return insert(bytes, base, out);
}

template <typename Tables>
void BasicTreeStore<Tables>::decode(StateId id, uint8_t* out) const {
  const uint32_t length = this->length(id);
  const uint64_t words = (uint64_t{length} + 7) / 8;
  std::memset(out, 0, 8);
  std::memcpy(out, &length, sizeof length);
  uint64_t* word = reinterpret_cast<uint64_t*>(out + 8);
  const uint64_t key = tables_.root(id);
  if (words < 2) {
    if (words == 1) word[0] = key;
    return;
  }
  uint64_t counts[64];
  unsigned top = 0;
  counts[0] = words;
  while (counts[top] > 2) counts[top + 1] = (counts[top] + 1) / 2, ++top;
  uint32_t* number_at = reinterpret_cast<uint32_t*>(word + words) + count_numbers(words) - 2;
  number_at[0] = static_cast<uint32_t>(key >> 32);
  number_at[1] = static_cast<uint32_t>(key);
  for (unsigned level = top; level > 0; --level) {
    uint32_t* below = number_at - counts[level - 1];
    const uint64_t half = counts[level];
    for (uint64_t i = 0; i < half; ++i) {
      if (i + half >= counts[level - 1]) {
        below[i] = number_at[i];
      } else {
        uint64_t pair = tables_.key(level, number_at[i]);
        below[i] = static_cast<uint32_t>(pair >> 32);
        below[i + half] = static_cast<uint32_t>(pair);
      }
    }
    number_at = below;
  }
  for (uint64_t i = 0; i < words; ++i) word[i] = tables_.key(0, number_at[i]);
}

uint64_t OwnTables::bytes() const {
  uint64_t total = roots_.bytes();
  for (const InternTable& level : levels_) total += level.bytes();
  return total;
}

template class BasicTreeStore<OwnTables>;
template class BasicTreeStore<SharedTables::View>;

}  // namespace whittle::explore
