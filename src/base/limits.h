// Time, memory and the user's patience: what ends a run early.
//
// Long loops call poll() every few hundred iterations; it looks at the clock and at memory only every so often, so it
// is cheap. A run that is stopped answers `unknown` and keeps what it has learned.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace whittle {

enum class Stop : uint8_t { No, Time, Memory, Interrupt };

/// "time limit reached", ...
std::string to_string(Stop reason);

/// Resident memory of this process in bytes, now.
uint64_t resident_memory();
/// At its peak, of this process or of the largest child that has ended.
uint64_t peak_memory();

class Limits {
 public:
  Limits() : start_(std::chrono::steady_clock::now()) {}

  void set_timeout(double seconds) { timeout_ = seconds; }
  void set_memory(uint64_t bytes) { memory_ = bytes; }
  double timeout() const { return timeout_; }
  uint64_t memory() const { return memory_; }

  /// May be called from a signal handler or another thread.
  void interrupt() { interrupted_.store(true, std::memory_order_relaxed); }
  bool interrupted() const { return interrupted_.load(std::memory_order_relaxed); }

  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double remaining() const { return timeout_ - elapsed(); }

  /// Cheap: the clock is read every 64th call, memory every 4096th. Once it has said stop it stays stopped.
  Stop poll() {
    if (stop_ != Stop::No) return stop_;
    if (interrupted()) return stop_ = Stop::Interrupt;
    if ((++calls_ & 63u) == 0) return check(calls_);
    return Stop::No;
  }
  /// Looks now, at everything.
  Stop poll_now() { return stop_ != Stop::No ? stop_ : interrupted() ? stop_ = Stop::Interrupt : check(0); }

  Stop stopped() const { return stop_; }

 private:
  Stop check(uint64_t calls);

  std::chrono::steady_clock::time_point start_;
  double timeout_ = std::numeric_limits<double>::infinity();
  uint64_t memory_ = std::numeric_limits<uint64_t>::max();
  uint64_t calls_ = 0;
  Stop stop_ = Stop::No;
  std::atomic<bool> interrupted_{false};
};

}  // namespace whittle
