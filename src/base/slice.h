// A part of the time that is left, for work that may not end: the rest is for something else.
//
//   Slice slice(limits, 20);          // at most 20 s, and never longer than `limits`
//   work(slice.limits());
#pragma once

#include <algorithm>

#include "base/watchdog.h"

namespace whittle {

class Slice {
 public:
  Slice(Limits& whole, double seconds)
      : watchdog_(part_, {.give_up = {}, .users_signals = false, .signals = false}), hook_(whole, [this, &whole] { part_.stop(whole.stopped()); }) {
    part_.set_timeout(std::min(seconds, whole.remaining()));
    part_.set_memory(whole.memory());
  }
  Slice(const Slice&) = delete;
  Slice& operator=(const Slice&) = delete;
  Limits& limits() { return part_; }

 private:
  Limits part_;
  Watchdog watchdog_;
  Limits::Hook hook_;
};

}  // namespace whittle
