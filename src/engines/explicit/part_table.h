// Numbers byte strings in the order in which they first appear: parts of states that come again and again.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/hash.h"

namespace whittle::engines::explicit_ {

class PartTable {
 public:
  PartTable() : index_(256, 0) {}

  static constexpr uint32_t kNone = ~uint32_t{0};

  uint32_t number(std::span<const uint8_t> part) { return number(part, kNone); }
  /// At most so many are numbered; kNone for others.
  uint32_t number(std::span<const uint8_t> part, uint32_t most) {
    const size_t mask = index_.size() - 1;
    const uint64_t hash = hash_bytes(part);
    size_t at = hash & mask;
    for (; index_[at] != 0; at = (at + 1) & mask) {
      std::span<const uint8_t> other = (*this)[index_[at] - 1];
      if (other.size() == part.size() && (part.empty() || std::memcmp(other.data(), part.data(), part.size()) == 0))
        return index_[at] - 1;
    }
    if (begin_.size() >= most) return kNone;
    const uint32_t id = static_cast<uint32_t>(begin_.size());
    begin_.push_back(bytes_.size());
    bytes_.insert(bytes_.end(), part.begin(), part.end());
    index_[at] = id + 1;
    if (begin_.size() * 2 > index_.size()) grow();
    return id;
  }
  /// Valid until the next call of number().
  std::span<const uint8_t> operator[](uint32_t id) const {
    const uint64_t end = id + 1 < begin_.size() ? begin_[id + 1] : bytes_.size();
    return {bytes_.data() + begin_[id], end - begin_[id]};
  }
  uint64_t bytes() const { return bytes_.capacity() + begin_.capacity() * sizeof(uint64_t) + index_.capacity() * 4; }

 private:
  void grow() {
    index_.assign(index_.size() * 2, 0);
    const size_t mask = index_.size() - 1;
    for (uint32_t id = 0; id < begin_.size(); ++id) {
      size_t at = hash_bytes((*this)[id]) & mask;
      while (index_[at] != 0) at = (at + 1) & mask;
      index_[at] = id + 1;
    }
  }

  std::vector<uint8_t> bytes_;
  std::vector<uint64_t> begin_;
  std::vector<uint32_t> index_;  ///< open addressing: number + 1
};

}  // namespace whittle::engines::explicit_
