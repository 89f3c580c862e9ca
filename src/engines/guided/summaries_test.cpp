// What is learned stays what was said, however it is put together.
#include "engines/guided/summaries.h"

#include <gtest/gtest.h>

#include <random>

namespace whittle::engines::guided {
namespace {

TEST(Learned, BothSidesOfABranchSayTheSame) {
  term::Store s;
  Term c = s.variable(1, "c"), p = s.variable(1, "p"), q = s.variable(1, "q");
  Learned learned;
  learned.add(s, s.implies(c, p));
  learned.add(s, s.implies(s.bnot(c), p));
  EXPECT_EQ(learned.conditions, std::vector<Term>{p});
  learned.add(s, s.bor(p, q));
  EXPECT_EQ(learned.conditions, std::vector<Term>{p}) << "a part of it is known";
  learned.add(s, s.falsity());
  EXPECT_FALSE(learned.usable);
  EXPECT_TRUE(learned.conditions.empty());
}

/// Random clauses over four variables: under every assignment the same as all of them together.
TEST(Learned, IsTheConjunctionOfWhatWasAdded) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    term::Store s;
    std::vector<Term> variables;
    for (const char* name : {"a", "b", "c", "d"}) variables.push_back(s.variable(1, name));
    Learned learned;
    std::vector<Term> added;
    for (int n = 0; n < 6; ++n) {
      Term clause = s.falsity();
      for (uint64_t parts = 1 + random() % 3; parts > 0; --parts) {
        Term v = variables[random() % 4];
        clause = s.bor(clause, random() % 2 == 0 ? v : s.bnot(v));
      }
      if (random() % 4 == 0) clause = s.band(clause, variables[random() % 4]);
      added.push_back(clause);
      learned.add(s, clause);
    }
    for (unsigned bits = 0; bits < 16; ++bits) {
      auto value = [&](Term t) {
        return s.evaluate(t, {[&](Term v) {
                                for (unsigned i = 0; i < 4; ++i)
                                  if (variables[i] == v) return u128{bits >> i & 1};
                                return u128{0};
                              },
                              {}});
      };
      const bool said = value(s.conjunction(learned.conditions)) == 1, all = value(s.conjunction(added)) == 1;
      if (learned.usable)
        ASSERT_EQ(said, all) << "round " << round;
      else
        ASSERT_FALSE(all) << "round " << round;
    }
  }
}

TEST(Learned, KeepsOneOfTwoAccessesThatSayTheSame) {
  Learned learned;
  LaterAccess write;
  write.thread = 1;
  write.access = {0x1000, 4, true};
  learned.add(write);
  LaterAccess read = write;
  read.access.write = false;
  learned.add(read);
  EXPECT_EQ(learned.later.size(), 1u);
  read.access.address = 0x2000;
  learned.add(read);
  EXPECT_EQ(learned.later.size(), 2u);
}

}  // namespace
}  // namespace whittle::engines::guided
