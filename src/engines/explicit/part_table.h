// Numbers byte strings in the order in which they first appear: parts of states that come again and again.
//
//   uint32_t id = table.number(part);
//   table[id];                                // the part; stays where it is
//
// Machines in several threads use one table, so that equal parts have equal numbers in all of them. A part that is known
// is found without a lock: the index only gains entries, and where it grows, the old one stays for those who are still
// in it; who does not find a part there looks again with the lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/hash.h"

namespace whittle::engines::explicit_ {

class PartTable {
 public:
  PartTable() { use(std::make_unique<Index>(256)); }

  static constexpr uint32_t kNone = ~uint32_t{0};

  uint32_t number(std::span<const uint8_t> part) { return number(part, kNone); }
  /// At most so many are numbered; kNone for others.
  uint32_t number(std::span<const uint8_t> part, uint32_t most) {
    const uint64_t hash = hash_bytes(part);
    if (uint32_t id = find(*index_.load(std::memory_order_acquire), part, hash); id != kNone) return id;
    std::lock_guard lock(mutex_);
    if (uint32_t id = find(*indices_.back(), part, hash); id != kNone) return id;
    const uint32_t id = count_.load(std::memory_order_relaxed);
    if (id >= most) return kNone;
    place(id) = {copy(part), static_cast<uint32_t>(part.size())};
    count_.store(id + 1, std::memory_order_release);
    if (uint64_t{id} * 2 >= indices_.back()->slots.size()) grow();
    put(*indices_.back(), id, hash);
    return id;
  }
  std::span<const uint8_t> operator[](uint32_t id) const {
    const Part& part = place(id);
    return {part.bytes, part.length};
  }
  uint32_t size() const { return count_.load(std::memory_order_acquire); }
  uint64_t bytes() const {
    std::lock_guard lock(mutex_);
    return stored_ + count_.load(std::memory_order_relaxed) * sizeof(Part) + indices_.back()->slots.size() * 8;
  }

 private:
  struct Part {
    const uint8_t* bytes = nullptr;
    uint32_t length = 0;
  };
  struct Index {
    explicit Index(size_t size) : slots(size) {}
    std::vector<std::atomic<uint32_t>> slots;  ///< open addressing: number + 1
  };
  // Parts lie in pieces of 2^8, 2^8, 2^9, 2^10, ... that never move.
  static constexpr unsigned kFirst = 8;
  static constexpr size_t kBlock = 1 << 16;

  static unsigned piece(uint32_t id) { return static_cast<unsigned>(std::bit_width(id >> kFirst)); }
  static uint32_t begin(unsigned piece) { return piece == 0 ? 0 : uint32_t{1} << (kFirst + piece - 1); }
  const Part& place(uint32_t id) const { return pieces_[piece(id)][id - begin(piece(id))]; }
  Part& place(uint32_t id) {
    const unsigned p = piece(id);
    if (pieces_[p] == nullptr) pieces_[p] = std::make_unique<Part[]>(p == 0 ? size_t{1} << kFirst : begin(p));
    return pieces_[p][id - begin(p)];
  }

  uint32_t find(const Index& index, std::span<const uint8_t> part, uint64_t hash) const {
    const size_t mask = index.slots.size() - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
      const uint32_t slot = index.slots[at].load(std::memory_order_acquire);
      if (slot == 0) return kNone;
      std::span<const uint8_t> other = (*this)[slot - 1];
      if (other.size() == part.size() && (part.empty() || std::memcmp(other.data(), part.data(), part.size()) == 0))
        return slot - 1;
    }
  }
  static void put(Index& index, uint32_t id, uint64_t hash) {
    const size_t mask = index.slots.size() - 1;
    size_t at = hash & mask;
    while (index.slots[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & mask;
    index.slots[at].store(id + 1, std::memory_order_release);
  }
  void use(std::unique_ptr<Index> index) {
    indices_.push_back(std::move(index));
    index_.store(indices_.back().get(), std::memory_order_release);
  }
  /// All parts but the last one, which is not in any index yet.
  void grow() {
    auto next = std::make_unique<Index>(indices_.back()->slots.size() * 2);
    const uint32_t last = count_.load(std::memory_order_relaxed) - 1;
    for (uint32_t id = 0; id < last; ++id) put(*next, id, hash_bytes((*this)[id]));
    use(std::move(next));
  }
  const uint8_t* copy(std::span<const uint8_t> part) {
    if (part.empty()) return nullptr;
    if (blocks_.empty() || used_ + part.size() > size_) {
      size_ = std::max(kBlock, part.size());
      blocks_.push_back(std::make_unique<uint8_t[]>(size_));
      stored_ += size_;
      used_ = 0;
    }
    uint8_t* to = blocks_.back().get() + used_;
    std::memcpy(to, part.data(), part.size());
    used_ += part.size();
    return to;
  }

  mutable std::mutex mutex_;  ///< to add
  std::atomic<uint32_t> count_{0};
  std::array<std::unique_ptr<Part[]>, 33 - kFirst> pieces_;
  std::vector<std::unique_ptr<uint8_t[]>> blocks_;
  size_t used_ = 0, size_ = 0;  ///< of the last block
  uint64_t stored_ = 0;
  std::vector<std::unique_ptr<Index>> indices_;  ///< the last one is in use
  std::atomic<Index*> index_{nullptr};
};

}  // namespace whittle::engines::explicit_
