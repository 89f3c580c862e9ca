#include "base/bit_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace whittle {

TEST(BitSet, AgreesWithASetOfNumbers) {
  std::mt19937 random(3);
  for (size_t size : {0, 1, 63, 64, 65, 200}) {
    BitSet a(size), b(size);
    std::set<size_t> x, y;
    for (unsigned i = 0; size > 0 && i < 40; ++i) {
      size_t n = random() % size, m = random() % size;
      EXPECT_EQ(a.set(n), x.insert(n).second);
      EXPECT_EQ(b.set(m), y.insert(m).second);
      if (i % 5 == 0) a.reset(m), x.erase(m);
    }
    EXPECT_EQ(a.count(), x.size());
    EXPECT_EQ(a.empty(), x.empty());
    std::set<size_t> common, only, both = x;
    both.insert(y.begin(), y.end());
    for (size_t n : x) (y.contains(n) ? common : only).insert(n);
    EXPECT_EQ(a.intersects(b), !common.empty());
    auto members = [](const BitSet& set) {
      std::set<size_t> answer;
      set.each([&](size_t n) { answer.insert(n); });
      return answer;
    };
    BitSet c = a, d = a, e = a;
    c.intersect(b), d.subtract(b);
    EXPECT_EQ(e.merge(b), both != x);
    EXPECT_EQ(members(c), common);
    EXPECT_EQ(members(d), only);
    EXPECT_EQ(members(e), both);
    EXPECT_FALSE(e.merge(b));
    BitSet f = a;
    EXPECT_EQ(f, a);
    EXPECT_EQ(f.hash(), a.hash());
  }
}

}  // namespace whittle
