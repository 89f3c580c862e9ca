// The states on the depth-first stack that the search will come back to, in full. Deep stacks keep only their upper
// part; what lies below is decoded from the store again when it is needed.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

#include "explore/pages.h"

namespace whittle::explore {

/// Offsets count 8-byte units from the bottom of the stack, whether or not the bottom is still there.
class BlockStack {
 public:
  using Offset = uint32_t;
  static constexpr Offset kNone = ~Offset{0};

  explicit BlockStack(uint64_t keep_bytes) : keep_(keep_bytes / 8) {}

  /// Where the next block goes. Pointers from at() are stale after this.
  Offset top() const { return static_cast<Offset>(top_); }
  void make_room(uint64_t bytes) { memory_.reserve(top_ - floor_ + bytes / 8); }
  uint8_t* at(Offset offset) { return reinterpret_cast<uint8_t*>(memory_.data() + (offset - floor_)); }
  bool holds(Offset offset) const { return offset >= floor_; }
  /// Keeps what was written at top().
  void push(uint64_t bytes) {
    top_ += bytes / 8;
    if (top_ - floor_ > peak_) peak_ = top_ - floor_;
  }
  /// Moves what was written at top() down to `offset`, over blocks that are no longer needed.
  void push_at(Offset offset, uint64_t bytes) {
    if (offset != top_) std::memmove(at(offset), at(top()), bytes);
    top_ = offset;
    push(bytes);
  }
  void pop_to(Offset offset) {
    top_ = offset;
    if (top_ < floor_) floor_ = top_;
  }
  bool full() const { return top_ - floor_ > keep_; }
  /// Forgets everything below `offset`.
  void drop_below(Offset offset) {
    std::memmove(memory_.data(), at(offset), (top_ - offset) * 8);
    floor_ = offset;
  }
  /// Forgets everything.
  void forget() { floor_ = top_; }
  bool addressable(uint64_t bytes) const { return top_ + bytes / 8 < kNone; }
  uint64_t peak_bytes() const { return peak_ * 8; }

 private:
  uint64_t keep_, top_ = 0, floor_ = 0, peak_ = 0;
  GrowingArray<uint64_t> memory_;
};

}  // namespace whittle::explore
