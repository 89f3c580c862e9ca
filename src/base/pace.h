// How far a search is, in one line: counts, rates, depth, time and memory against their limits.
//
//   Pace pace;
//   Ticker ticker(0.2, [&] { Statistics now; last_words.tell(now); progress.show([&] { return pace.text(now, limits.elapsed()); }); });
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/limits.h"
#include "base/statistics.h"

namespace whittle {

class Pace {
 public:
  /// "120000 states, 14000/s, frontier 301, depth 25" from what the search says of itself; empty if that is nothing. Rates
  /// are those of the last seconds: `seconds` is the time of the figures.
  std::string text(const Statistics& now, double seconds);

 private:
  struct Sample {
    std::string name;
    uint64_t count = 0;
    double seconds = 0;
  };
  Sample before_, last_;
};

/// "12 s of 60 s, 310 MiB of 2048 MiB".
std::string limits_text(Limits& limits);

/// Does something again and again in another thread, as long as it lives.
class Ticker {
 public:
  Ticker(double seconds, std::function<void()> tick);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace whittle
