#include "app/watch.h"

#include <unistd.h>

#include <cstdio>

#include "base/error.h"

namespace whittle::app {

Watch::Watch(Limits& limits, bool verdict)
    : limits_(limits),
      verdict_(verdict),
      watchdog_(limits, {.give_up = [this](const std::string& why) { give_up(why); }, .users_signals = true}) {}

Watch::~Watch() {
  if (reporting_) output_.unlock();
}

void Watch::begin_report() {
  if (reporting_) return;
  watchdog_.release();
  output_.lock();  // if work was given up first, this waits until the process is gone
  reporting_ = true;
}

Watch::Report::Report(Watch& watch, std::function<void(const std::string& why)> report) : watch_(watch) {
  std::lock_guard lock(watch_.report_mutex_);
  watch_.report_ = std::move(report);
}

Watch::Report::~Report() {
  std::lock_guard lock(watch_.report_mutex_);
  watch_.report_ = {};
}

void Watch::give_up(std::string why) {
  if (group_ != nullptr && limits_.stopped() == Stop::Interrupt) why += cluster::kWhyInterrupted;
  if (output_.try_lock()) {
    std::fprintf(stderr, "\nwhittle: %s\n", why.c_str());
    std::lock_guard lock(report_mutex_);
    if (report_)
      report_(why);
    else if (verdict_)
      std::fputs("unknown\n", stdout);
    std::fflush(nullptr);
  }
  _exit(static_cast<int>(ExitCode::Unknown));
}

}  // namespace whittle::app
