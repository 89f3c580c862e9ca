#include "exec/links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace whittle::exec {
namespace {

TEST(Links, CopiesOfCopiesHaveOneValue) {
  Links links;
  links.set(20, links.unknown(10));
  links.set(30, links.unknown(20));
  EXPECT_EQ(links.others(10), (std::vector<uint32_t>{20, 30}));
  links.leave(20);
  EXPECT_EQ(links.others(30), std::vector<uint32_t>{10});
  EXPECT_EQ(links.others(20), std::vector<uint32_t>{});
  links.leave(8, 4);
  EXPECT_EQ(links.first(30), 10u) << "the name of the value stays";
  EXPECT_TRUE(links.runs().empty()) << "a value in one place is as if it were no copy";
}

/// Random copies and writes, against a table of values; what is written as runs and read again is the same relation.
TEST(Links, AgreeWithATableOfValues) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Links links;
    std::map<uint32_t, unsigned> value;  // by address
    unsigned next = 0;
    for (uint32_t a = 0; a < 12; ++a) value[a] = next++;
    for (int step = 0; step < 30; ++step) {
      const uint32_t from = random() % 12, to = random() % 12;
      if (random() % 4 == 0) {
        links.leave(to);
        value[to] = next++;
      } else {
        links.set(to, links.unknown(from));
        value[to] = value[from];
      }
    }
    Links again;
    for (const Links::Run& run : links.runs()) again.add(run);
    for (const Links* tested : {&links, &again})
      for (uint32_t a = 0; a < 12; ++a) {
        std::vector<uint32_t> expected, found = tested->others(a);
        for (uint32_t b = 0; b < 12; ++b)
          if (b != a && value[a] == value[b]) expected.push_back(b);
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
      }
    // Equal relations, equal runs.
    const auto one = links.runs(), two = again.runs();
    ASSERT_EQ(one.size(), two.size());
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].address, two[i].address);
      EXPECT_EQ(one[i].length, two[i].length);
      EXPECT_EQ(one[i].unknown, two[i].unknown);
    }
  }
}

}  // namespace
}  // namespace whittle::exec
