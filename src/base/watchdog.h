// Limits that hold even when nothing polls.
//
//   Watchdog watchdog(limits, {.give_up = [](const std::string& why) { report(why); _exit(3); }});
//
// A thread looks at the clock and at memory, waits for signals, stops the limits and wakes what hooks into them. Where
// work goes on all the same for a while (a compiler that hangs, a solver that does not come back), or takes memory too
// fast, it calls `give_up`.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "base/limits.h"

namespace whittle {

class Watchdog {
 public:
  struct Options {
    /// In the watchdog's thread, once. Ends the process; if it returns, nothing more happens.
    std::function<void(const std::string& why)> give_up;
    /// Ctrl-C and the end of the terminal stop the run, a second time give it up; otherwise only SIGTERM stops it.
    /// SIGUSR1 gives it up at once.
    bool users_signals = true;
    /// False: another watchdog of this process has the signals.
    bool signals = true;
    /// Seconds that work may go on after a stop, and a hundredth of the time: with the report that makes less than 0.3 s
    /// and a fiftieth.
    double grace = 0.2;
  };
  /// Before any other thread is started: all later ones leave the signals to this one.
  Watchdog(Limits& limits, Options options);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Seconds after a stop instead of Options::grace: something is written then that must not be lost.
  void set_grace(double seconds) { grace_ = interrupt_grace_ = seconds; }
  /// Different ones after a limit and after a signal: who sends a signal may not wait.
  void set_grace(double after_limit, double after_signal) { grace_ = after_limit, interrupt_grace_ = after_signal; }
  /// From now on nothing is given up: the work is done.
  void release() { released_ = true; }

 private:
  void loop();
  void look();
  void give_up(const std::string& why);

  Limits& limits_;
  Options options_;
  std::atomic<bool> done_{false}, released_{false};
  std::atomic<double> grace_, interrupt_grace_;
  double stopped_at_ = -1;  ///< seconds of the run
  bool given_up_ = false;
  std::thread thread_;
};

}  // namespace whittle
