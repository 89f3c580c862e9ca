// Where arrays go that no longer fit into memory: files in a folder, mapped into memory.
//
//   Spill spill("/var/tmp", limits, 0.6);
//   ZeroedArray<uint64_t> keys(count, &spill);   // in memory as long as there is some (pages.h)
//   if (spill.due()) spill.begin();              // from now on arrays that are extended or moved are in files
//
// The files have no name, so nothing is left of them when the process ends, however it ends. Their space on the disk is
// taken when they are made, so a full disk is an answer of map() and never a signal. Who works on the arrays calls
// relieve() often: it unmaps pages when the process has more than its share, so that `--memory` holds for them, too. The
// kernel keeps such pages as long as it has no other use for the memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/limits.h"

namespace whittle::explore {

class Spill {
 public:
  /// `from`: arrays move when so much of the memory of `limits` is in use; 0: at once, and all of them.
  /// Throws Error (bad input) when no file can be made in the folder, or when the folder is in memory itself.
  Spill(std::string folder, Limits& limits, double from);
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  /// Is it time to begin?
  bool due() const;
  void begin();
  bool active() const { return active_.load(std::memory_order_acquire); }
  /// Should an array of this size be in a file? Small ones are looked at too often, and give little.
  bool wants(uint64_t bytes) const { return active() && bytes >= smallest_; }
  /// Of the process, at most.
  uint64_t memory() const { return limits_.memory(); }
  /// So much of an array may be worked on at random places.
  uint64_t part() const { return from_ == 0 ? uint64_t{1} << 16 : limits_.memory() / 4; }
  /// Unmaps pages of files while too much memory is in use. From any thread.
  void relieve();

  // For arrays. Null: there is no room, see failure().
  void* map(uint64_t bytes, int& file);
  /// Takes over an array from memory, of which the first `used` bytes count; frees it.
  void* take(void* data, uint64_t used, uint64_t bytes, int& file);
  void* extend(void* data, uint64_t bytes, uint64_t new_bytes, int file);
  void unmap(void* data, uint64_t bytes, int file);

  /// Bytes in files now.
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  /// Why there was no room.
  std::string failure() const;

 private:
  struct Mapping {
    uint8_t* data;
    uint64_t bytes;
    int file;
  };

  int make_file(uint64_t bytes);
  void* add(int file, uint64_t bytes);
  bool reserve(int file, uint64_t bytes);
  void fail(int error);
  void give_back_some();

  const std::string folder_;
  Limits& limits_;
  const double from_;
  const uint64_t smallest_;
  std::atomic<bool> active_{false}, failed_{false};
  std::atomic<uint64_t> bytes_{0};
  mutable std::mutex mutex_;  ///< of what follows
  std::vector<Mapping> mappings_;
  std::string failure_;
  size_t next_mapping_ = 0;
  uint64_t next_byte_ = 0;  ///< where give_back_some() goes on
};

}  // namespace whittle::explore
