// One live line on a terminal while something takes long; nothing at all when stderr is no terminal.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace whittle {

class Progress {
 public:
  /// Live only if `wanted` and stderr is a terminal.
  explicit Progress(bool wanted = true);
  ~Progress() { clear(); }

  /// Call often; `line` is asked for at most five times a second.
  void update(const std::function<std::string()>& line);
  /// The same for callers that come round a few times a second: each call looks at the clock.
  void show(const std::function<std::string()>& line);
  /// A line for the user that stays, on stderr, terminal or not; nothing unless `wanted`.
  void say(const std::string& line);
  /// Wipes the line so that something else can be printed.
  void clear();

 private:
  bool wanted_;
  bool live_;
  bool shown_ = false;
  unsigned calls_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace whittle
