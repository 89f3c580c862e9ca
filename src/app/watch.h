// Signals and limits that hold even when nobody polls.
//
//   Watch watch(limits);            // before any other thread is started
//   ... work that polls limits ...
//   if (!watch.begin_report()) ...  // from here on nobody else prints a verdict
//
// Ctrl-C or SIGTERM interrupts the limits; a second one ends the process. A thread waits for the signals, so that no
// handler and no global variable is needed. The same thread ends the process with `unknown` when work goes on for too
// long after a limit was reached (a solver call that does not come back, a compiler that hangs).
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "base/limits.h"

namespace whittle::app {

class Watch {
 public:
  /// With `verdict` false a hard stop prints no verdict line (commands that have none).
  Watch(Limits& limits, bool verdict);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  Limits& limits() { return limits_; }
  const Limits& limits() const { return limits_; }
  /// The caller prints the verdict now; hard stops no longer do. Only the first call matters.
  void begin_report();

 private:
  void loop();
  [[noreturn]] void hard_stop(const std::string& reason);

  Limits& limits_;
  bool verdict_;
  std::mutex output_;  ///< held by whoever prints the verdict, for good
  std::atomic<bool> reporting_{false};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace whittle::app
