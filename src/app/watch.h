// Signals and limits of a command, and who prints its last line.
//
//   Watch watch(limits, true);      // before any other thread is started
//   ... work that polls limits ...
//   watch.begin_report();           // from here on nothing else prints a verdict
//
// Ctrl-C or SIGTERM interrupts the limits; a second one ends the process. Where work goes on for too long after a limit
// was reached, the process ends with `unknown` (base/watchdog.h).
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "base/watchdog.h"
#include "cluster/group.h"

namespace whittle::app {

class Watch {
 public:
  /// With `verdict` false nothing is printed as a verdict when work is given up (commands that have none).
  Watch(Limits& limits, bool verdict);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  Limits& limits() { return limits_; }
  const Limits& limits() const { return limits_; }
  /// The processes that share the command; null: there are no others.
  cluster::Group* group() const { return group_; }
  void set_group(cluster::Group* group) { group_ = group; }
  /// The caller prints the verdict now. Only the first call matters.
  /// So many seconds after a stop the work may go on: it writes something that must not be lost.
  void allow_after_stop(double seconds) { watchdog_.set_grace(seconds); }
  void allow_after_stop(double limit, double signal) { watchdog_.set_grace(limit, signal); }
  void begin_report();
  /// As long as it lives, `report` prints the verdict when work is given up: in another thread, while work goes on.
  class Report {
   public:
    Report(Watch& watch, std::function<void(const std::string& why)> report);
    ~Report();
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

   private:
    Watch& watch_;
  };

 private:
  [[noreturn]] void give_up(std::string why);

  Limits& limits_;
  cluster::Group* group_ = nullptr;
  bool verdict_;
  std::mutex output_;  ///< held by whoever prints the verdict, for good
  bool reporting_ = false;
  std::mutex report_mutex_;
  std::function<void(const std::string& why)> report_;
  Watchdog watchdog_;
};

}  // namespace whittle::app
