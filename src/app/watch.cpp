#include "app/watch.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "base/error.h"

namespace whittle::app {

namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

constexpr double kGraceSeconds = 2;
constexpr long kTickNanoseconds = 50'000'000;

}  // namespace

Watch::Watch(Limits& limits, bool verdict) : limits_(limits), verdict_(verdict) {
  sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { loop(); });
}

Watch::~Watch() {
  done_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR2);  // wakes it
  thread_.join();
  if (reporting_) output_.unlock();
}

void Watch::begin_report() {
  if (reporting_) return;
  output_.lock();  // a hard stop that came first keeps us here until the process is gone
  reporting_ = true;
}

void Watch::hard_stop(const std::string& reason) {
  if (output_.try_lock()) {
    std::fprintf(stderr, "\nwhittle: %s\n", reason.c_str());
    if (verdict_) {
      std::fputs("unknown\n", stdout);
      std::fflush(stdout);
    }
  }
  _exit(static_cast<int>(ExitCode::Unknown));
}

void Watch::loop() {
  sigset_t set = watched_signals();
  int interrupts = 0;
  double over_memory = -1;  ///< since when, in seconds of the run; negative: it is not
  while (true) {
    timespec tick{0, kTickNanoseconds};
    int signal = sigtimedwait(&set, nullptr, &tick);
    if (done_) return;
    if (signal > 0 && signal != SIGUSR2) {
      limits_.interrupt();
      if (++interrupts == 2) hard_stop("interrupted twice, stopping at once");
    }
    if (reporting_) continue;
    double over_time = limits_.elapsed() - limits_.timeout();
    if (over_time > std::max(kGraceSeconds, 0.1 * limits_.timeout())) hard_stop("time limit reached, stopping at once");
    // An eighth above the limit for a while, or half as much again: the search had its chance to stop by itself. (A
    // table that grows takes a moment, and much memory.)
    uint64_t memory = limits_.memory(), used = resident_memory();
    const bool over = memory != std::numeric_limits<uint64_t>::max() && used / 9 * 8 > memory;
    over_memory = !over ? -1 : over_memory < 0 ? limits_.elapsed() : over_memory;
    if (over && (used / 3 * 2 > memory || limits_.elapsed() - over_memory > kGraceSeconds))
      hard_stop("memory limit reached, stopping at once");
  }
}

}  // namespace whittle::app
