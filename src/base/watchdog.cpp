#include "base/watchdog.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <ctime>

namespace whittle {

namespace {

constexpr long kTickNanoseconds = 5'000'000;  ///< a page takes a microsecond: a few megabytes in between
constexpr double kMoreGrace = 0.05;  ///< share of the grace that is added for every second of the run
constexpr double kOneInterrupt = 0.25;  ///< seconds: `timeout` signals a process and then its group, and a person is slower
constexpr uint64_t kTooMuch = 32;  ///< more than a 32nd above the memory limit

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Watchdog::Watchdog(Limits& limits, Options options)
    : limits_(limits), options_(std::move(options)), grace_(options_.grace), interrupt_grace_(options_.grace) {
  sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  limits_.watched_ = true;
  thread_ = std::thread([this] { loop(); });
}

Watchdog::~Watchdog() {
  done_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR2);  // wakes it
  thread_.join();
  limits_.watched_ = false;
}

void Watchdog::loop() {
  const sigset_t set = watched_signals();
  for (double first = -1;;) {
    timespec tick{0, kTickNanoseconds};
    const int signal = options_.signals ? sigtimedwait(&set, nullptr, &tick) : (nanosleep(&tick, nullptr), 0);
    if (done_) return;
    if (signal == SIGTERM || (options_.users_signals && (signal == SIGINT || signal == SIGHUP))) {
      limits_.interrupt();
      const double now = limits_.elapsed();
      if (first < 0)
        first = now;
      else if (options_.users_signals && now > first + kOneInterrupt)
        give_up("interrupted twice, stopping at once");
    }
    if (signal == SIGUSR1) {
      limits_.interrupt();
      give_up("interrupted, stopping at once");
    }
    look();
  }
}

void Watchdog::look() {
  const double now = limits_.elapsed();
  const uint64_t in_use = limits_.memory_use().look();
  if (now >= limits_.timeout()) limits_.stop(Stop::Time);
  if (limits_.short_of_memory()) limits_.stop(Stop::Memory);
  const Stop reason = limits_.stopped();
  if (reason == Stop::No) return;
  if (stopped_at_ < 0) stopped_at_ = now;
  limits_.wake_all();
  const double grace = (reason == Stop::Interrupt ? interrupt_grace_ : grace_) * (1 + kMoreGrace * stopped_at_);
  if (now > stopped_at_ + grace) give_up(to_string(reason) + ", stopping at once");
  if (limits_.limits_memory() && in_use > limits_.memory() + limits_.memory() / kTooMuch)
    give_up("memory limit reached, stopping at once");
}

void Watchdog::give_up(const std::string& why) {
  if (released_ || given_up_ || !options_.give_up) return;
  given_up_ = true;
  options_.give_up(why);
}

}  // namespace whittle
