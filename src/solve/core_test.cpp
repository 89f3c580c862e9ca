#include "solve/core.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "solve/sat.h"
#include "solve/stack.h"
#include "solve/test_rounds.h"

namespace whittle::solve {
namespace {

using term::Store;

TEST(Sat, AssumptionsFailedLiteralsAndPhases) {
  Sat sat;
  int a = sat.variable(), b = sat.variable(), c = sat.variable();
  sat.clause({a, b});
  sat.clause({-b, c});
  sat.phase(-c);
  ASSERT_EQ(sat.solve(), Answer::Sat);
  EXPECT_TRUE(sat.value(a) || sat.value(b));
  ASSERT_EQ(sat.solve({-a}), Answer::Sat);
  EXPECT_TRUE(sat.value(b) && sat.value(c) && !sat.value(-b));
  ASSERT_EQ(sat.solve({-a, -c}), Answer::Unsat);
  EXPECT_TRUE(sat.failed(-a) && sat.failed(-c));
  sat.clause({-a});
  sat.interrupt();
  EXPECT_EQ(sat.solve(), Answer::Unknown);
}

/// Pigeons: n+1 of them in n holes.
TEST(Sat, GivesUpInTime) {
  Sat sat;
  const int n = 12;
  std::vector<std::vector<int>> in(n + 1, std::vector<int>(n));
  for (auto& row : in)
    for (int& v : row) v = sat.variable();
  for (auto& row : in) sat.clause(row);
  for (int h = 0; h < n; ++h)
    for (int p = 0; p <= n; ++p)
      for (int q = 0; q < p; ++q) sat.clause({-in[p][h], -in[q][h]});
  EXPECT_EQ(sat.solve({}, 0.02), Answer::Unknown);
  EXPECT_EQ(sat.solve({}, -1, 10), Answer::Unknown);
}

/// Conditions over three 3-bit variables: satisfiability of every subset can be tried out.
struct Instance {
  Store store;
  std::vector<Term> conditions;
  std::vector<Term> variables;
  std::vector<uint32_t> satisfied;  ///< by assignment: bit set of conditions that hold

  Instance(uint64_t seed, unsigned most) {
    std::mt19937_64 random(seed);
    auto pick = [&](uint64_t n) { return random() % n; };
    for (int i = 0; i < 3; ++i) variables.push_back(store.variable(3, "v" + std::to_string(i)));
    for (unsigned n = 4 + static_cast<unsigned>(pick(most - 3)); n > 0; --n) {
      Term x = variables[pick(3)], y = variables[pick(3)], c = store.constant(3, pick(8));
      switch (pick(5)) {
        case 0: conditions.push_back(store.ult(x, y)); break;
        case 1: conditions.push_back(store.eq(x, c)); break;
        case 2: conditions.push_back(store.ult(store.add(x, y), c)); break;
        case 3: conditions.push_back(store.bnot(store.ult(x, c))); break;
        default: conditions.push_back(store.bor(store.eq(x, c), store.slt(y, x))); break;
      }
      if (conditions.back().is_constant()) conditions.pop_back();
    }
    std::sort(conditions.begin(), conditions.end(), [](Term a, Term b) { return a.id() < b.id(); });
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    for (unsigned v = 0; v < 512; ++v) {
      uint32_t bits = 0;
      auto value = [&](Term t) -> u128 { return v >> (3 * t.variable()) & 7; };
      for (size_t i = 0; i < conditions.size(); ++i)
        if (store.evaluate(conditions[i], {value, {}}) == 1) bits |= 1u << i;
      satisfied.push_back(bits);
    }
  }
  bool sat(uint32_t subset) const {
    for (uint32_t bits : satisfied)
      if ((bits & subset) == subset) return true;
    return false;
  }
  uint32_t subset(const std::vector<Term>& core) const {
    uint32_t bits = 0;
    for (size_t i = 0; i < conditions.size(); ++i)
      if (std::find(core.begin(), core.end(), conditions[i]) != core.end()) bits |= 1u << i;
    return bits;
  }
};

TEST(Cores, MinimalAndSmallestEqualBruteForce) {
  int unsatisfiable = 0;
  for (uint64_t seed = 0; unsatisfiable < bar(500); ++seed) {
    Instance instance(seed, 12);
    const uint32_t all = (1u << instance.conditions.size()) - 1;
    if (instance.sat(all)) continue;
    ++unsatisfiable;
    auto solver = make_solver(instance.store);
    MinimalCore minimal = minimal_core(*solver, instance.store, {}, instance.conditions);
    ASSERT_EQ(minimal.answer, Answer::Unsat);
    ASSERT_TRUE(minimal.minimal);
    uint32_t bits = instance.subset(minimal.conditions);
    ASSERT_FALSE(instance.sat(bits));
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) ASSERT_TRUE(instance.sat(bits & ~(rest & -rest))) << seed;
    MinimalCore smallest = smallest_core(*solver, instance.store, {}, instance.conditions);
    ASSERT_TRUE(smallest.minimal);
    uint32_t small = instance.subset(smallest.conditions);
    ASSERT_FALSE(instance.sat(small));
    int best = 99;
    for (uint32_t s = 0; s <= all; ++s)
      if (std::popcount(s) < best && !instance.sat(s)) best = std::popcount(s);
    ASSERT_EQ(static_cast<int>(smallest.conditions.size()), best) << seed;
    if (seed % 8 == 0) {
      auto fresh = make_z3(instance.store);
      ASSERT_TRUE(fresh->check(smallest.conditions).unsat());
    }
  }
}

TEST(Cores, HardConditionsAndBudgets) {
  int cut = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Instance instance(seed, 12);
    std::span<const Term> all(instance.conditions);
    auto hard = all.first(2), soft = all.subspan(2);
    auto solver = make_solver(instance.store);
    MinimalCore core = minimal_core(*solver, instance.store, hard, soft, {.checks = 1 + seed % 5});
    ASSERT_EQ(core.answer == Answer::Sat, instance.sat((1u << all.size()) - 1));
    if (core.answer == Answer::Sat) continue;
    uint32_t bits = instance.subset(core.conditions) | 3u;
    ASSERT_FALSE(instance.sat(bits));
    if (!core.minimal) {
      ++cut;
      EXPECT_EQ(core.reason, "budget");
    }
    MinimalCore smallest = smallest_core(*solver, instance.store, hard, soft, {.checks = 4});
    ASSERT_FALSE(instance.sat(instance.subset(smallest.conditions) | 3u));
    ASSERT_TRUE(solver->check().sat());  // left as it was
  }
  EXPECT_GT(cut, 3);
}

}  // namespace
}  // namespace whittle::solve
