// Solvers in turn answer as each of them would.
#include "solve/in_turn.h"

#include <gtest/gtest.h>

#include <random>

namespace whittle::solve {
namespace {

using term::Store;

std::unique_ptr<Solver> bits_then_integers(const Store& store, double first) {
  std::shared_ptr<Solver> bits = make_z3(store);
  return make_in_turn({{bits, first, true, 0, 100'000}, {make_cvc5_on_integers(store), 5, false}, {bits, 10}});
}

TEST(InTurn, AnswersAsBitsAlone) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    Store s;
    std::vector<Term> v{s.variable(8, "x"), s.variable(8, "y"), s.variable(8, "z")};
    auto alone = make_z3(s);
    auto both = bits_then_integers(s, 5);
    std::vector<Term> conditions;
    for (int i = 0; i < 3; ++i) {
      Term a = s.sext(v[random() % 3], 11), b = s.sext(v[random() % 3], 11), c = s.constant(11, random() % 40);
      Term sum = s.add(s.mul(a, s.constant(11, 3)), b);
      conditions.push_back(random() % 3 == 0 ? s.sle(sum, c) : random() % 2 == 0 ? s.slt(c, sum) : s.eq(s.band(a, c), b));
    }
    const Result expected = alone->check(conditions), found = both->check(conditions);
    ASSERT_EQ(found.answer, expected.answer) << found.reason;
    if (found.sat()) {
      for (Term t : conditions) ASSERT_EQ(both->value(t), 1u);
    } else {
      ASSERT_TRUE(alone->check(both->core()).unsat());
    }
  }
}

/// Sums in more bits than types have go to integers soon: bits alone take long for this.
TEST(InTurn, IntegersDecideSums) {
  Store s;
  const unsigned w = 38;
  Term i = s.sext(s.variable(32, "i"), w), k = s.sext(s.variable(32, "k"), w), n = s.sext(s.variable(32, "n"), w);
  auto times = [&](Term t, u128 c) { return s.mul(t, s.constant(w, c)); };
  auto solver = bits_then_integers(s, 1);
  solver->add(s.sle(times(i, 2), k));
  solver->add(s.sle(k, times(i, 3)));
  solver->add(s.slt(i, n));
  solver->add(s.sle(n, s.constant(w, 100000)));
  solver->add(s.sge(i, s.constant(w, 0)));
  Term after = s.add(k, s.constant(w, 3)), round = s.add(i, s.constant(w, 1));
  Term still = s.band(s.sle(times(round, 2), after), s.sle(after, times(round, 3)));
  EXPECT_TRUE(solver->check(std::vector{s.bnot(still)}).unsat());
}

TEST(InTurn, FloatsAreNotForIntegers) {
  Store s;
  Term x = s.variable(32, "x"), one = s.constant(32, 0x3f800000);
  auto solver = bits_then_integers(s, 5);
  solver->push();
  solver->add(s.fop(term::Op::FEq, x, one));
  EXPECT_TRUE(solver->check(std::vector{s.eq(x, s.constant(32, 0))}).unsat());
  solver->pop();
  EXPECT_TRUE(solver->check(std::vector{s.eq(x, s.constant(32, 0))}).sat());
}

}  // namespace
}  // namespace whittle::solve
