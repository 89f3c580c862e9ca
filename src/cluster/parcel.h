// What is put into messages: numbers and texts, one after another.
//
//   Parcel parcel;
//   parcel.value(uint32_t{7});
//   parcel.text("seven");
//   group.send(1, parcel.take());
//
//   Unpacker in(message.bytes);
//   in.value<uint32_t>();
//   in.text();
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace whittle::cluster {

class Parcel {
 public:
  template <typename T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void bytes(std::span<const uint8_t> bytes) {
    value(static_cast<uint32_t>(bytes.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void text(std::string_view text) { bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()}); }
  size_t size() const { return bytes_.size(); }
  std::vector<uint8_t> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<uint8_t> bytes_;
};

/// The processes of a run are one program: what does not fit is a fault of it.
class Unpacker {
 public:
  explicit Unpacker(std::span<const uint8_t> bytes) : left_(bytes) {}
  bool empty() const { return left_.empty(); }
  template <typename T>
  T value() {
    T value;
    std::memcpy(&value, first(sizeof value).data(), sizeof value);
    return value;
  }
  /// In the message itself.
  std::span<const uint8_t> bytes() { return first(value<uint32_t>()); }
  std::string text() {
    std::span<const uint8_t> all = bytes();
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }

 private:
  std::span<const uint8_t> first(size_t size) {
    if (size > left_.size()) fail_internal("a message between processes ends too early");
    std::span<const uint8_t> part = left_.first(size);
    left_ = left_.subspan(size);
    return part;
  }
  std::span<const uint8_t> left_;
};

}  // namespace whittle::cluster
