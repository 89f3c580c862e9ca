// Arrays for tables that grow to gigabytes: zeroed, on huge pages where the kernel has them, extended without copying.
#pragma once

#include <sys/mman.h>

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "explore/spill.h"

namespace whittle::explore {

/// A fixed number of zeroed elements. Lookups in big tables miss the translation cache on every probe unless the
/// pages are large, hence the advice to the kernel. With a `spill` they may be in a file.
template <typename T>
class ZeroedArray {
 public:
  ZeroedArray() = default;
  explicit ZeroedArray(uint64_t count, Spill* spill = nullptr) : count_(count), spill_(spill) {
    if (count == 0) return;
    if (spill_ != nullptr && spill_->wants(bytes()) && (data_ = static_cast<T*>(spill_->map(bytes(), file_))) != nullptr)
      return;
    void* memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (bytes() >= (uint64_t{4} << 20)) ::madvise(memory, bytes(), MADV_HUGEPAGE);
    data_ = static_cast<T*>(memory);
  }
  ~ZeroedArray() { release(); }
  ZeroedArray(ZeroedArray&& other) noexcept { *this = std::move(other); }
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(spill_, other.spill_);
    std::swap(file_, other.file_);
    return *this;
  }
  ZeroedArray(const ZeroedArray&) = delete;
  ZeroedArray& operator=(const ZeroedArray&) = delete;

  T& operator[](uint64_t i) { return data_[i]; }
  const T& operator[](uint64_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  uint64_t size() const { return count_; }
  uint64_t bytes() const { return count_ * sizeof(T); }
  /// More elements, zeroed; the others keep their values. Pages that are never touched take no memory. False: the disk is
  /// full, and nothing has changed.
  bool extend(uint64_t count) {
    if (count <= count_) return true;
    if (data_ == nullptr) {
      *this = ZeroedArray(count, spill_);
      return true;
    }
    if (spill_ != nullptr && file_ < 0 && spill_->wants(count * sizeof(T)))
      if (void* moved = spill_->take(data_, bytes(), bytes(), file_)) data_ = static_cast<T*>(moved);
    if (file_ >= 0) {
      void* longer = spill_->extend(data_, bytes(), count * sizeof(T), file_);
      if (longer == nullptr) return false;
      data_ = static_cast<T*>(longer);
      count_ = count;
      return true;
    }
    void* memory = ::mremap(data_, bytes(), count * sizeof(T), MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    count_ = count;
    if (bytes() >= (uint64_t{4} << 20)) ::madvise(memory, bytes(), MADV_HUGEPAGE);
    return true;
  }
  void release() {
    if (data_ != nullptr && file_ >= 0) spill_->unmap(data_, bytes(), file_);
    if (data_ != nullptr && file_ < 0) ::munmap(data_, bytes());
    data_ = nullptr;
    count_ = 0;
    file_ = -1;
  }

  /// Where it may go; before it has elements.
  void set_spill(Spill* spill) { spill_ = spill; }
  bool in_file() const { return file_ >= 0; }
  /// To a file, if it should be in one. Elements from `used` on are zero.
  void move_to_file(uint64_t used) {
    if (data_ == nullptr || file_ >= 0 || spill_ == nullptr || !spill_->wants(bytes())) return;
    if (void* moved = spill_->take(data_, used * sizeof(T), bytes(), file_)) data_ = static_cast<T*>(moved);
  }

 private:
  T* data_ = nullptr;
  uint64_t count_ = 0;
  Spill* spill_ = nullptr;
  int file_ = -1;
};

/// A stack that may be in a file: below its top it is rarely looked at.
template <typename T>
class SpilledStack {
 public:
  explicit SpilledStack(Spill* spill) : elements_(0, spill) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& back() const { return elements_[size_ - 1]; }
  const T* begin() const { return elements_.data(); }
  const T& operator[](size_t i) const { return elements_[i]; }
  void push_back(const T& element) {
    if (size_ == elements_.size()) [[unlikely]]
      grow();
    elements_[size_++] = element;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

 private:
  void grow() {
    elements_.move_to_file(size_);
    const uint64_t more = size_ + size_ / 2 + 1024;
    if (elements_.extend(more)) return;
    ZeroedArray<T> in_memory(more);  // the disk is full: what is here must not be lost
    std::memcpy(static_cast<void*>(in_memory.data()), elements_.data(), size_ * sizeof(T));
    elements_ = std::move(in_memory);
  }

  ZeroedArray<T> elements_;
  size_t size_ = 0;
};

/// An array that only grows at its end. Growth asks realloc, which remaps big blocks instead of copying them, so the
/// peak is not twice the size as it would be with std::vector.
template <typename T>
class GrowingArray {
 public:
  GrowingArray() = default;
  ~GrowingArray() { std::free(data_); }
  GrowingArray(GrowingArray&& other) noexcept { *this = std::move(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  T& operator[](uint64_t i) { return data_[i]; }
  const T& operator[](uint64_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  uint64_t bytes() const { return size_ * sizeof(T); }

  void push_back(T value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_[size_++] = value;
  }
  void pop_back() { --size_; }
  void resize(uint64_t size, T value = T{}) {
    reserve(size);
    for (; size_ < size; ++size_) data_[size_] = value;
    size_ = size;
  }
  /// Makes room for `size` elements; those beyond size() are uninitialised.
  void reserve(uint64_t size) {
    if (size <= capacity_) return;
    uint64_t capacity = capacity_ + capacity_ / 2 + 16;
    if (capacity < size) capacity = size;
    void* memory = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    capacity_ = capacity;
    advise();
  }

 private:
  /// Large pages for what lies wholly in it.
  void advise() {
    constexpr uintptr_t kPage = 4096;
    if (capacity_ * sizeof(T) < (uint64_t{4} << 20)) return;
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(data_) + kPage - 1) / kPage * kPage;
    const uintptr_t end = reinterpret_cast<uintptr_t>(data_ + capacity_) / kPage * kPage;
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }

  T* data_ = nullptr;
  uint64_t size_ = 0;
  uint64_t capacity_ = 0;
};

}  // namespace whittle::explore
