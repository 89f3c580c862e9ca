// A search in a file: written whole or not at all, read only if it is undamaged and of the same task.
//
//   CheckpointWriter out("run/explicit.checkpoint", digest);
//   out.value(uint32_t{7});
//   out.array(keys.data(), count);
//   out.finish();                                         // now the file is there
//
//   CheckpointReader in("run/explicit.checkpoint", digest);
//   in.value<uint32_t>();
//
// The file is written beside its place and moved there when it is complete and on the disk, so that a process which is
// killed at any time leaves the last complete one. It ends with a hash of all before.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace whittle {

/// Throws Error (bad input) when no checkpoint could be written there: better before the search than hours later.
void require_place_for_checkpoint(const std::string& path);

class CheckpointWriter {
 public:
  /// Throws Error (bad input) when the file cannot be written; so do the others.
  CheckpointWriter(std::string path, uint64_t digest);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  template <typename T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
    bytes(&value, sizeof value);
  }
  /// The number of elements comes first.
  template <typename T>
  void array(const T* data, uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
    value(count);
    bytes(data, count * sizeof(T));
  }
  void finish();
  /// Called now and then while a long array is written.
  void between_pieces(std::function<void()> what) { between_ = std::move(what); }

 private:
  void bytes(const void* data, uint64_t size);
  void write_piece();

  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
  std::vector<uint8_t> buffer_;
  uint64_t hash_ = 0;  ///< of the pieces so far
  std::function<void()> between_;
};

class CheckpointReader {
 public:
  /// Throws Error (bad input) that says what is wrong: there is none, it is of another task, it is damaged.
  CheckpointReader(std::string path, uint64_t digest);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  template <typename T>
  T value() {
    T value;
    bytes(&value, sizeof value);
    return value;
  }
  template <typename T>
  std::vector<T> array() {
    std::vector<T> out(count(sizeof(T)));
    bytes(out.data(), out.size() * sizeof(T));
    return out;
  }
  /// Of the array that comes next; then its elements, all at once.
  uint64_t count(uint64_t element_size);
  void bytes(void* data, uint64_t size);
  [[noreturn]] void damaged() const;
  /// Called now and then while a long array is read.
  void between_pieces(std::function<void()> what) { between_ = std::move(what); }

 private:
  void check_hash();

  std::string path_;
  std::FILE* file_ = nullptr;
  uint64_t left_ = 0;  ///< bytes before the hash at the end
  std::function<void()> between_;
};

}  // namespace whittle
