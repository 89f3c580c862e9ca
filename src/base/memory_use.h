// How much memory a run takes: this process and the processes that work for it, together.
//
//   MemoryUse::Worker worker(use, pid);     // while a child runs
//   use.look();                             // every few milliseconds
//   use.peak();
//
// What a child shares with this process (a fork shares nearly everything at first) is counted once.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace whittle {

/// Resident memory of this process in bytes, now.
uint64_t resident_memory();
/// Of another one; 0 if it is gone.
uint64_t resident_memory(pid_t process);
/// Pages that no other process has, in bytes. Takes time: the kernel looks at every page.
uint64_t private_memory(pid_t process);

class MemoryUse {
 public:
  /// A process that works for this one, from now on until told otherwise.
  void add(pid_t process);
  void remove(pid_t process);
  /// What it takes beyond what it shares, when it was last looked at.
  uint64_t of(pid_t process) const;

  /// Measures. Answers the sum.
  uint64_t look();
  /// The largest sum so far. Of this process alone the kernel knows it exactly.
  uint64_t peak();

 private:
  struct Worker {
    uint64_t resident = 0;  ///< when its pages were last looked at
    uint64_t own = 0;       ///< then
    uint64_t now = 0;       ///< own, as far as the resident memory tells
  };
  mutable std::mutex mutex_;
  std::map<pid_t, Worker> workers_;
  uint64_t peak_ = 0;
};

}  // namespace whittle
