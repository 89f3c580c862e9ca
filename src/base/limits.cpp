#include "base/limits.h"

namespace whittle {

namespace {

/// Work ends this much below the limit, so that the last words and the report fit in.
constexpr uint64_t kReserve = 40;  // a fortieth
constexpr auto kBetweenLooks = std::chrono::milliseconds(10);

}  // namespace

std::string to_string(Stop reason) {
  switch (reason) {
    case Stop::No: return "not stopped";
    case Stop::Time: return "time limit reached";
    case Stop::Memory: return "memory limit reached";
    case Stop::Interrupt: return "interrupted";
  }
  return "?";
}

void Limits::stop(Stop reason) {
  Stop none = Stop::No;
  stop_.compare_exchange_strong(none, reason);
}

bool Limits::short_of_memory() const {
  return limits_memory() && resident_memory() >= memory_ - memory_ / kReserve;
}

Stop Limits::poll_unwatched() {
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - start_).count() >= timeout_) stop(Stop::Time);
  if (now >= next_look_) {
    next_look_ = now + kBetweenLooks;
    if (short_of_memory()) stop(Stop::Memory);
  }
  return stopped();
}

Stop Limits::poll_now() {
  if (stopped() != Stop::No) return stopped();
  if (elapsed() >= timeout_) stop(Stop::Time);
  if (!watched_.load(std::memory_order_relaxed) && short_of_memory()) stop(Stop::Memory);
  return stopped();
}

Limits::Hook::Hook(Limits& limits, std::function<void()> wake) : limits_(limits) {
  std::lock_guard lock(limits_.hooks_mutex_);
  at_ = limits_.hooks_.insert(limits_.hooks_.end(), std::move(wake));
}

Limits::Hook::~Hook() {
  std::lock_guard lock(limits_.hooks_mutex_);
  limits_.hooks_.erase(at_);
}

void Limits::wake_all() {
  std::lock_guard lock(hooks_mutex_);
  for (const auto& wake : hooks_) wake();
}

}  // namespace whittle
