// A clock cheap enough to be read millions of times a second.
#pragma once

#include <chrono>
#include <cstdint>

namespace whittle::explore {

inline uint64_t ticks_now() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Converts ticks to seconds by the rate seen since its construction.
class TickRate {
 public:
  TickRate() : ticks_(ticks_now()), time_(std::chrono::steady_clock::now()) {}
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - time_).count(); }
  double seconds(uint64_t ticks) const {
    uint64_t passed = ticks_now() - ticks_;
    return passed == 0 ? 0 : elapsed() * static_cast<double>(ticks) / static_cast<double>(passed);
  }

 private:
  uint64_t ticks_;
  std::chrono::steady_clock::time_point time_;
};

}  // namespace whittle::explore
