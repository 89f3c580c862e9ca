// A set of small numbers, as bits. Sets of one size are joined and compared word by word.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace whittle {

class BitSet {
 public:
  explicit BitSet(size_t size = 0) : size_(size), words_((size + 63) / 64) {}

  size_t size() const { return size_; }
  bool test(size_t i) const {
    assert(i < size_);
    return (words_[i / 64] >> (i % 64) & 1) != 0;
  }
  /// Was it not there before?
  bool set(size_t i) {
    assert(i < size_);
    uint64_t bit = uint64_t{1} << (i % 64);
    bool news = (words_[i / 64] & bit) == 0;
    words_[i / 64] |= bit;
    return news;
  }
  void reset(size_t i) {
    assert(i < size_);
    words_[i / 64] &= ~(uint64_t{1} << (i % 64));
  }
  void clear() { words_.assign(words_.size(), 0); }

  /// Adds all of another set of the same size. Is anything new?
  bool merge(const BitSet& other) {
    assert(size_ == other.size_);
    uint64_t news = 0;
    for (size_t w = 0; w < words_.size(); ++w) {
      news |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return news != 0;
  }
  void intersect(const BitSet& other) {
    assert(size_ == other.size_);
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  }
  void subtract(const BitSet& other) {
    assert(size_ == other.size_);
    for (size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  bool intersects(const BitSet& other) const {
    assert(size_ == other.size_);
    for (size_t w = 0; w < words_.size(); ++w)
      if ((words_[w] & other.words_[w]) != 0) return true;
    return false;
  }
  bool empty() const {
    for (uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }
  size_t count() const {
    size_t n = 0;
    for (uint64_t word : words_) n += static_cast<size_t>(std::popcount(word));
    return n;
  }

  /// Calls f with every member, in order.
  template <typename F>
  void each(F f) const {
    for (size_t w = 0; w < words_.size(); ++w)
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        f(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
  }

  bool operator==(const BitSet&) const = default;
  uint64_t hash() const {
    return hash_bytes({reinterpret_cast<const uint8_t*>(words_.data()), words_.size() * sizeof(uint64_t)}, size_);
  }

 private:
  size_t size_;
  std::vector<uint64_t> words_;
};

}  // namespace whittle

template <>
struct std::hash<whittle::BitSet> {
  size_t operator()(const whittle::BitSet& set) const noexcept { return set.hash(); }
};
