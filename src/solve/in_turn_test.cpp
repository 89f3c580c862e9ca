// Solvers in turn answer as each of them would.
#include "solve/in_turn.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "term/random_term.h"

namespace whittle::solve {
namespace {

using term::Store;

std::unique_ptr<Solver> bits_then_integers(const Store& store, double first) {
  std::shared_ptr<Solver> bits = make_z3(store);
  return make_in_turn({{make_z3_linear(store), 1, false, 0, 1'000'000, true},
                       {bits, first, true, 0, 100'000},
                       {make_cvc5_on_integers(store), 5, false},
                       {bits, 10}});
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

/// Linear arithmetic alone never contradicts bits, whatever the terms are; and of linear ones it decides most.
TEST(Integers, AgreeWithBits) {
  size_t decided = 0, all = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Store s;
    std::map<std::pair<unsigned, unsigned>, Term> variables;
    auto variable = [&](unsigned width, unsigned number) {
      Term& v = variables[{width, number}];
      return v ? v : v = s.variable(width, "v");
    };
    term::RandomTerms random(seed, {.max_width = 9, .steps = 12, .variables = 2, .floats = false, .boolean = true});
    std::vector<Term> conditions;
    for (int i = 0; i < 3; ++i) conditions.push_back(term::cook(random.next(), s, variable));
    auto bits = make_z3(s), integers = seed % 2 == 0 ? make_z3_linear(s) : make_cvc5_linear(s);
    integers->set_budget({.seconds = 2});
    const Result expected = bits->check(conditions), found = integers->check(conditions);
    ++all;
    if (found.unknown()) continue;
    ++decided;
    ASSERT_EQ(found.answer, expected.answer) << "seed " << seed;
    if (found.unsat()) {
      ASSERT_TRUE(bits->check(integers->core()).unsat()) << "seed " << seed;
    }
  }
  EXPECT_GT(2 * decided, all);
}

/// Each operation on its own, for all values of small operands.
TEST(Integers, KnowEachOperation) {
  using term::Op;
  for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::UDiv, Op::SDiv, Op::URem, Op::SRem, Op::Shl, Op::LShr, Op::AShr, Op::And,
                Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Eq, Op::Concat})
    for (u128 c : {1, 3, 4, 14}) {
      Store s(Store::Options{.simplify = false});
      Term x = s.variable(4, "x"), k = s.constant(4, c);
      Term kids[] = {x, k};
      Term t = s.make(op, kids, op == Op::Concat ? 8 : 0);
      auto solver = make_z3_linear(s);
      for (u128 v = 0; v < 16; v += 3) {
        const u128 value = s.evaluate_leaves(t, [&](Term) { return v; });
        solver->push();
        solver->add(s.eq(x, s.constant(4, v)));
        const Result same = solver->check(std::vector{s.eq(t, s.constant(t.width(), value))});
        const Result other = solver->check(std::vector{s.bnot(s.eq(t, s.constant(t.width(), value)))});
        ASSERT_FALSE(same.unsat()) << term::name(op) << " " << int(v) << " " << int(c);
        ASSERT_FALSE(other.sat()) << term::name(op) << " " << int(v) << " " << int(c);
        if (c < 4) {
          ASSERT_TRUE(other.unsat()) << term::name(op) << " " << int(v) << " " << int(c);
        }
        solver->pop();
      }
    }
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
