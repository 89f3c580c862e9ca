// Reading and writing the numbers of a state.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace whittle::exec {

/// A buffer that is written from its begin again and again: it keeps its memory, and what is after its end may be read
/// and overwritten (kSlack bytes of it), so that short pieces can be moved eight bytes at a time.
///
///   bytes.start(upper bound of what follows);
///   bytes.put(...); bytes.put_number(...);
class Bytes {
 public:
  static constexpr size_t kSlack = 16;

  const uint8_t* data() const { return memory_.get(); }
  size_t size() const { return static_cast<size_t>(end_ - memory_.get()); }
  std::span<const uint8_t> span() const { return {data(), size()}; }
  bool equals(const uint8_t* other, size_t size) const {
    return size == this->size() && (size == 0 || std::memcmp(data(), other, size) == 0);
  }

  /// Empties it.
  void start(size_t most) {
    end_ = memory_.get();
    reserve(most);
  }
  void reserve(size_t more) {
    size_t used = size();
    if (used + more + kSlack <= capacity_) return;
    capacity_ = 2 * (used + more + kSlack);
    auto larger = std::make_unique<uint8_t[]>(capacity_);
    if (used != 0) std::memcpy(larger.get(), memory_.get(), used);
    memory_ = std::move(larger);
    end_ = memory_.get() + used;
  }
  // All of these require that start() or reserve() made room.
  void put(uint8_t byte) { *end_++ = byte; }
  void put(const uint8_t* bytes, size_t size) {
    if (size != 0) std::memcpy(end_, bytes, size);
    end_ += size;
  }
  /// The lowest bytes of a word, at most eight of them.
  void put_word(uint64_t word, unsigned bytes) {
    std::memcpy(end_, &word, 8);
    end_ += bytes;
  }
  static constexpr size_t kLongestNumber = 10;
  void put_number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) *end_++ = static_cast<uint8_t>(value | 0x80);
    *end_++ = static_cast<uint8_t>(value);
  }

 private:
  std::unique_ptr<uint8_t[]> memory_;
  uint8_t* end_ = nullptr;
  size_t capacity_ = 0;
};

struct Reader {
  const uint8_t* at;
  const uint8_t* end;
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      uint8_t byte = *at++;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
};

}  // namespace whittle::exec
