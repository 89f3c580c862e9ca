#include <algorithm>

#include "engines/test/director.h"

namespace whittle::engines::test {

namespace {

bool contains(std::span<const uint32_t> threads, uint32_t thread) {
  return std::ranges::find(threads, thread) != threads.end();
}

class RunToBlock : public Scheduler {
 public:
  uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool yields) override {
    if (!yields && contains(enabled, last)) return last;
    for (uint32_t thread : enabled)
      if (thread != last) return thread;
    return enabled.front();
  }
};

class RoundRobin : public Scheduler {
 public:
  RoundRobin(uint32_t quantum, uint32_t held_back) : quantum_(quantum), held_back_(held_back) {}
  uint32_t pick(std::span<const uint32_t> enabled, uint32_t, bool yields) override {
    if (used_ < quantum_ && !yields && current_ != held_back_ && contains(enabled, current_)) {
      ++used_;
      return current_;
    }
    uint32_t next = UINT32_MAX, first = UINT32_MAX;
    for (uint32_t thread : enabled) {
      if (thread == held_back_) continue;
      if (first == UINT32_MAX) first = thread;
      if (thread > current_ && next == UINT32_MAX) next = thread;
    }
    current_ = next != UINT32_MAX ? next : first != UINT32_MAX ? first : held_back_;
    used_ = 1;
    return current_;
  }

 private:
  uint32_t quantum_, held_back_;
  uint32_t current_ = 0, used_ = 0;
};

class Delayed : public Scheduler {
 public:
  Delayed(uint64_t picks, std::unique_ptr<Scheduler> then) : left_(picks), then_(std::move(then)) {}
  uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool yields) override {
    if (left_ == 0) return then_->pick(enabled, last, yields);
    --left_;
    return first_.pick(enabled, last, yields);
  }

 private:
  uint64_t left_;
  RunToBlock first_;
  std::unique_ptr<Scheduler> then_;
};

class RandomWalk : public Scheduler {
 public:
  RandomWalk(uint64_t seed, uint64_t one_in) : random_(seed), one_in_(one_in) {}
  uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool yields) override {
    if (!yields && !random_.chance(one_in_) && contains(enabled, last)) return last;
    return enabled[random_.below(enabled.size())];
  }

 private:
  Random random_;
  uint64_t one_in_;
};

class Pct : public Scheduler {
 public:
  Pct(uint64_t seed, unsigned depth, uint64_t steps) : random_(seed) {
    for (unsigned i = 1; i < depth; ++i) changes_.push_back(random_.below(std::max<uint64_t>(steps, 1)));
    std::ranges::sort(changes_, std::greater<>());
    patience_ = 200 + random_.below(2000);
  }
  uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool yields) override {
    uint32_t highest = enabled.back();
    while (priorities_.size() <= std::max(highest, last))
      priorities_.push_back((int64_t{1} << 32) + static_cast<int64_t>(random_.next() >> 33));
    bool drop = yields || in_a_row_ > patience_;
    while (!changes_.empty() && changes_.back() <= step_) changes_.pop_back(), drop = true;
    if (drop) {
      priorities_[last] = --lowest_;
      in_a_row_ = 0;
    }
    ++step_;
    uint32_t best = *std::ranges::max_element(enabled, {}, [&](uint32_t thread) { return priorities_[thread]; });
    in_a_row_ = best == last ? in_a_row_ + 1 : 0;
    return best;
  }

 private:
  Random random_;
  std::vector<int64_t> priorities_;  // by thread; later ones are drawn when the thread is first seen
  std::vector<uint64_t> changes_;    // descending
  int64_t lowest_ = 0;
  uint64_t step_ = 0, in_a_row_ = 0, patience_ = 0;
};

class Guided : public Scheduler {
 public:
  explicit Guided(std::vector<Segment> segments) : segments_(std::move(segments)) {}
  uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool yields) override {
    while (at_ < segments_.size()) {
      const Segment& segment = segments_[at_];
      if (used_ < segment.count && contains(enabled, segment.thread)) {
        ++used_;
        return segment.thread;
      }
      ++at_, used_ = 0;
    }
    return rest_.pick(enabled, last, yields);
  }
  /// Recorded schedules have these steps, too.
  void forced(uint32_t thread) override { pick({&thread, 1}, thread, false); }

 private:
  std::vector<Segment> segments_;
  size_t at_ = 0;
  uint64_t used_ = 0;
  RunToBlock rest_;
};

}  // namespace

std::unique_ptr<Scheduler> run_to_block() { return std::make_unique<RunToBlock>(); }
std::unique_ptr<Scheduler> round_robin(uint32_t quantum, uint32_t held_back) {
  return std::make_unique<RoundRobin>(quantum, held_back);
}
std::unique_ptr<Scheduler> delayed(uint64_t picks, std::unique_ptr<Scheduler> then) {
  return std::make_unique<Delayed>(picks, std::move(then));
}
std::unique_ptr<Scheduler> random_walk(uint64_t seed, uint64_t one_in) {
  return std::make_unique<RandomWalk>(seed, one_in);
}
std::unique_ptr<Scheduler> pct(uint64_t seed, unsigned depth, uint64_t steps) {
  return std::make_unique<Pct>(seed, depth, steps);
}
std::unique_ptr<Scheduler> guided(std::vector<Segment> segments) {
  return std::make_unique<Guided>(std::move(segments));
}

std::vector<Segment> segments_of(const std::vector<uint32_t>& schedule) {
  std::vector<Segment> result;
  for (uint32_t thread : schedule) {
    if (result.empty() || result.back().thread != thread) result.push_back({thread, 0});
    ++result.back().count;
  }
  return result;
}

}  // namespace whittle::engines::test
