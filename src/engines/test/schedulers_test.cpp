#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engines/test/director.h"

namespace whittle::engines::test {

/// Runs `counts[t]` steps of each thread and answers with the order.
std::vector<uint32_t> simulate(Scheduler& scheduler, std::vector<int> counts) {
  std::vector<uint32_t> order;
  uint32_t last = 0;
  while (true) {
    std::vector<uint32_t> enabled;
    for (uint32_t t = 0; t < counts.size(); ++t)
      if (counts[t] > 0) enabled.push_back(t);
    if (enabled.empty()) return order;
    last = scheduler.pick(enabled, last, false);
    EXPECT_NE(std::ranges::find(enabled, last), enabled.end());
    order.push_back(last);
    --counts[last];
  }
}

size_t switches(const std::vector<uint32_t>& order) { return segments_of(order).size() - 1; }

TEST(Schedulers, RunToBlockNeverPreempts) { EXPECT_EQ(switches(simulate(*run_to_block(), {5, 5, 5})), 2u); }

TEST(Schedulers, RoundRobinGivesEachItsQuantum) {
  EXPECT_EQ(simulate(*round_robin(2, UINT32_MAX), {4, 4}), (std::vector<uint32_t>{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(simulate(*round_robin(1, 0), {2, 2, 2}), (std::vector<uint32_t>{1, 2, 1, 2, 0, 0}));
  EXPECT_EQ(simulate(*round_robin(3, 1), {4, 1, 3}), (std::vector<uint32_t>{0, 0, 0, 2, 2, 2, 0, 1}));
}

TEST(Schedulers, PctOfDepthOneNeverPreempts) {
  std::set<uint32_t> first;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    auto order = simulate(*pct(seed, 1, 100), {10, 10, 10});
    EXPECT_EQ(switches(order), 2u);
    first.insert(order.front());
  }
  EXPECT_EQ(first.size(), 3u);  // every thread comes first for some seed
}

TEST(Schedulers, PctFindsBugsOfItsDepthAsOftenAsPromised) {
  // Bug of depth 2: thread 0 stops exactly after its 7th step, and thread 1 runs next.
  constexpr int kRuns = 4000, kSteps = 20;
  int hits = 0;
  for (uint64_t seed = 0; seed < kRuns; ++seed) {
    auto segments = segments_of(simulate(*pct(seed, 2, kSteps), {10, 10}));
    if (segments[0] == Segment{0, 7} && segments.size() > 1) ++hits;
  }
  EXPECT_GT(hits, kRuns / (2 * kSteps) / 2);
}

TEST(Schedulers, PctDoesNotLetASpinnerStarveOthers) {
  auto scheduler = pct(3, 1, 10);
  std::vector<uint32_t> both = {0, 1};
  std::set<uint32_t> seen;
  uint32_t last = 0;
  for (int i = 0; i < 10'000; ++i) seen.insert(last = scheduler->pick(both, last, false));
  EXPECT_EQ(seen.size(), 2u);
}

TEST(Schedulers, GuidedFollowsAndPassesOver) {
  EXPECT_EQ(simulate(*guided({{1, 2}, {0, 1}, {1, Segment::kAll}}), {3, 4}),
            (std::vector<uint32_t>{1, 1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(simulate(*guided({{7, 2}, {1, 9}}), {1, 2}), (std::vector<uint32_t>{1, 1, 0}));
}

TEST(Schedulers, SegmentsAndBack) {
  EXPECT_EQ(segments_of({0, 0, 1, 0}), (std::vector<Segment>{{0, 2}, {1, 1}, {0, 1}}));
  EXPECT_TRUE(segments_of({}).empty());
}

TEST(Inputs, EveryStyleStaysInItsWidthAndRepeats) {
  const Values values{{7, 1000}, {}};
  for (unsigned style = 0; style < kInputStyles; ++style) {
    auto a = random_inputs(5, static_cast<InputStyle>(style), values),
         b = random_inputs(5, static_cast<InputStyle>(style), values);
    for (int i = 0; i < 300; ++i)
      for (unsigned width : {1u, 8u, 32u, 64u, 128u}) {
        u128 value = a->next(width);
        EXPECT_TRUE((value & ~mask128(width)) == 0);
        EXPECT_TRUE(value == b->next(width));
      }
  }
}

TEST(Inputs, ConstantsAndBoundariesComeUp) {
  const Values values{{7, 1000}, {}};
  auto count = [&](InputStyle style, u128 wanted) {
    auto source = random_inputs(1, style, values);
    int found = 0;
    for (int i = 0; i < 1000; ++i) found += source->next(32) == wanted ? 1 : 0;
    return found;
  };
  EXPECT_GT(count(InputStyle::Constants, 1001), 50);
  EXPECT_GT(count(InputStyle::Boundary, 0x7fffffff), 50);
  EXPECT_GT(count(InputStyle::Boundary, 0x80000000), 50);
  EXPECT_GT(count(InputStyle::Small, 0xffffffff), 20);
}

TEST(Inputs, ListedThenZeros) {
  auto source = listed_inputs({0x1ff, 3});
  EXPECT_TRUE(source->next(8) == 0xff);
  EXPECT_TRUE(source->next(8) == 3);
  EXPECT_TRUE(source->next(8) == 0);
}

}  // namespace whittle::engines::test
