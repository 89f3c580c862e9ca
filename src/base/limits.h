// Time, memory and the user's patience: what ends a run early.
//
//   Limits limits;
//   limits.set_timeout(60);
//   Watchdog watchdog(limits, {});       // watchdog.h: looks at the clock and at memory, whatever the work does
//   while (limits.poll() == Stop::No) ...
//
// Long loops call poll(): with a watchdog it only reads a flag; without one it looks at the clock itself. A run that
// is stopped answers `unknown` and keeps what it has learned. Once stopped, limits stay stopped.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <mutex>
#include <string>

#include "base/memory_use.h"

namespace whittle {

enum class Stop : uint8_t { No, Time, Memory, Interrupt };

/// "time limit reached", ...
std::string to_string(Stop reason);

class Limits {
 public:
  static constexpr uint64_t kNoMemoryLimit = std::numeric_limits<uint64_t>::max();

  Limits() : start_(std::chrono::steady_clock::now()) {}

  void set_timeout(double seconds) { timeout_ = seconds; }
  void set_memory(uint64_t bytes) { memory_ = bytes; }
  double timeout() const { return timeout_; }
  uint64_t memory() const { return memory_; }
  bool limits_memory() const { return memory_ != kNoMemoryLimit; }

  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double remaining() const { return timeout_ - elapsed(); }

  /// From any thread: the run is to end. The first reason counts.
  void stop(Stop reason);
  void interrupt() { stop(Stop::Interrupt); }

  Stop poll() {
    Stop now = stop_.load(std::memory_order_relaxed);
    return now != Stop::No || watched_.load(std::memory_order_relaxed) ? now : poll_unwatched();
  }
  /// Looks now, at everything.
  Stop poll_now();
  Stop stopped() const { return stop_.load(std::memory_order_relaxed); }

  /// Memory of this process and of those that work for it.
  MemoryUse& memory_use() { return memory_use_; }
  /// Is so much memory in use that the work must end? Counts only this process: who starts others shares it out.
  bool short_of_memory() const;

  /// Calls `wake` when the limits stop, and again and again until the hook goes: something that does not poll (a solver)
  /// is to come back. It is called in another thread, and must not block.
  class Hook {
   public:
    Hook(Limits& limits, std::function<void()> wake);
    ~Hook();
    Hook(const Hook&) = delete;
    Hook& operator=(const Hook&) = delete;

   private:
    Limits& limits_;
    std::list<std::function<void()>>::iterator at_;
  };

 private:
  friend class Watchdog;
  Stop poll_unwatched();
  void wake_all();

  std::chrono::steady_clock::time_point start_;
  double timeout_ = std::numeric_limits<double>::infinity();
  uint64_t memory_ = kNoMemoryLimit;
  std::atomic<Stop> stop_{Stop::No};
  std::atomic<bool> watched_{false};
  std::chrono::steady_clock::time_point next_look_{};  ///< at memory, where nothing watches
  MemoryUse memory_use_;
  std::mutex hooks_mutex_;
  std::list<std::function<void()>> hooks_;
};

}  // namespace whittle
