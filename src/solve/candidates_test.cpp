// What is proposed about loops: polyhedra and Horn clauses over integers, and linear facts said of bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <random>

#include "solve/horn.h"
#include "solve/polyhedra.h"
#include "solve/solver.h"

namespace whittle::solve {
namespace {

using term::Store;
using term::Term;

/// for (i = 0, k = 0; i < n; i++) k += input ? 2 : 3, with 0 <= n <= 1000.
struct TwoRates {
  Store s;
  Term i = s.variable(32, "i"), k = s.variable(32, "k"), n = s.variable(32, "n"), input = s.variable(32, "input");
  Term number(u128 v) { return s.constant(32, v); }

  template <typename Rules>
  void tell(Rules& rules, uint32_t loop) {
    rules.rule(Rules::kStart, std::vector{s.sge(input, number(0)), s.sle(input, number(1000))}, loop,
               std::vector{number(0), number(0), input});
    for (u128 rate : {2, 3})
      rules.rule(loop, std::vector{s.slt(i, n)}, loop,
                 std::vector{s.add(i, number(1)), s.add(k, number(rate)), n});
  }
};

/// Do the facts leave no room for the condition?
bool exclude(const Store& s, std::vector<Term> facts, Term condition) {
  auto solver = make_z3(s);
  facts.push_back(condition);
  return solver->check(facts).unsat();
}

TEST(Polyhedra, FindRelationsOfAllVariables) {
  TwoRates p;
  Polyhedra polyhedra(p.s, {});
  const uint32_t loop = polyhedra.predicate({p.i, p.k, p.n}, true);
  p.tell(polyhedra, loop);
  ASSERT_TRUE(polyhedra.solve(5));
  const auto facts = polyhedra.solution(loop);
  EXPECT_TRUE(exclude(p.s, facts, p.s.slt(p.k, p.s.shl(p.i, p.number(1)))));
  EXPECT_TRUE(exclude(p.s, facts, p.s.sgt(p.k, p.s.mul(p.i, p.number(3)))));
  EXPECT_TRUE(exclude(p.s, facts, p.s.sgt(p.i, p.n)));
  EXPECT_FALSE(exclude(p.s, facts, p.s.eq(p.k, p.number(3000))));
}

/// assume(0 <= n && n < 1000), with the outcome of the test in a bit; two loops one after the other, both to n.
TEST(Polyhedra, KeepWhatBitsTellAndBoundsOfEarlierLoops) {
  Store s;
  auto number = [&](u128 v) { return s.constant(32, v); };
  Term n = s.variable(32, "n"), small = s.variable(1, "small"), i = s.variable(32, "i"), k = s.variable(32, "k");
  Term input = s.variable(32, "input");
  Polyhedra polyhedra(s, {});
  const uint32_t tested = polyhedra.predicate({n, small}, false);
  const uint32_t first = polyhedra.predicate({n, i}, true), second = polyhedra.predicate({n, k, i}, true);
  polyhedra.rule(Polyhedra::kStart, std::vector{s.sge(input, number(0))}, tested,
                 std::vector{input, s.slt(input, number(1000))});
  polyhedra.rule(Polyhedra::kStart, std::vector{s.slt(input, number(0))}, tested, std::vector{input, s.falsity()});
  polyhedra.rule(tested, std::vector{small}, first, std::vector{n, number(0)});
  polyhedra.rule(first, std::vector{s.slt(i, n)}, first, std::vector{n, s.add(i, number(1))});
  polyhedra.rule(first, std::vector{s.sge(i, n)}, second, std::vector{n, number(0), i});
  polyhedra.rule(second, std::vector{s.slt(k, n)}, second, std::vector{n, s.add(k, number(1)), s.add(i, number(1))});
  ASSERT_TRUE(polyhedra.solve(5));
  EXPECT_TRUE(exclude(s, polyhedra.solution(tested), s.band(small, s.sge(n, number(1000)))));
  EXPECT_FALSE(exclude(s, polyhedra.solution(tested), s.sge(n, number(1000))));
  EXPECT_TRUE(exclude(s, polyhedra.solution(second), s.sgt(i, number(1998))));
  EXPECT_TRUE(exclude(s, polyhedra.solution(second), s.ne(s.sub(i, k), n)));
}

TEST(Horn, SolvesWhatKeepsErrorsOut) {
  TwoRates p;
  const Term wrong = p.s.slt(p.k, p.number(0));
  Horn larger(p.s, {.is_signed = true, .fits = false});
  const uint32_t again = larger.predicate({p.i, p.k, p.n});
  p.tell(larger, again);
  larger.error(again, std::vector{wrong});
  ASSERT_EQ(larger.solve(20), Horn::Outcome::Solved);
  EXPECT_TRUE(exclude(p.s, larger.solution(again), wrong));
}

TEST(Horn, SaysWhenAnErrorIsReached) {
  TwoRates p;
  Horn horn(p.s, {});
  const uint32_t loop = horn.predicate({p.i, p.k, p.n});
  p.tell(horn, loop);
  horn.error(loop, std::vector{p.s.eq(p.k, p.number(5))});
  EXPECT_EQ(horn.solve(20), Horn::Outcome::Reached);
}

TEST(LinearTerms, AreExactWhereBitsWouldWrapAround) {
  std::mt19937_64 random(7);
  for (bool is_signed : {true, false}) {
    Store s;
    std::vector<Term> v;
    for (int i = 0; i < 3; ++i) v.push_back(s.variable(8, "v" + std::to_string(i)));
    LinearTerms linear(s, is_signed);
    for (int round = 0; round < 400; ++round) {
      LinearSum sum;
      sum.constant = static_cast<int>(random() % 600) - 300;
      for (Term t : v)
        if (int factor = static_cast<int>(random() % 7) - 3; factor != 0) sum.parts[t.id()] = {t, factor};
      Term not_positive = linear.not_positive(sum);
      std::vector<u128> values;
      i128 exact = sum.constant;
      for (Term t : v) {
        values.push_back(random() % 256);
        auto part = sum.parts.find(t.id());
        if (part == sum.parts.end()) continue;
        exact += part->second.second * (is_signed ? sign_extend128(values.back(), 8) : static_cast<i128>(values.back()));
      }
      auto value = [&](Term leaf) { return values[std::find(v.begin(), v.end(), leaf) - v.begin()]; };
      ASSERT_EQ(s.evaluate_leaves(not_positive, value) == 1, exact <= 0);
      if (exact == 0) {
        ASSERT_EQ(s.evaluate_leaves(linear.zero(sum), value), 1u);
      }
    }
  }
}

TEST(Polyhedra, LeaveTheRoundingOfFloatsAlone) { EXPECT_EQ(std::fegetround(), FE_TONEAREST); }

/// Random loops over small numbers, run: what polyhedra claim holds wherever a run comes by.
TEST(Polyhedra, HoldOnAllRuns) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 150; ++round) {
    Store s;
    std::vector<Term> v;
    for (int i = 0; i < 3; ++i) v.push_back(s.variable(32, "v" + std::to_string(i)));
    auto number = [&](int n) { return s.constant(32, static_cast<u128>(static_cast<i128>(n))); };
    auto expression = [&] {
      Term t = v[random() % 3];
      if (random() % 2 == 0) t = s.add(t, number(static_cast<int>(random() % 5) - 2));
      if (random() % 4 == 0) t = s.add(t, v[random() % 3]);
      if (random() % 6 == 0) t = s.sdiv(t, number(2));
      if (random() % 6 == 0) t = s.ite(s.slt(v[random() % 3], t), v[random() % 3], t);
      return t;
    };
    auto condition = [&] {
      Term a = expression(), b = random() % 2 == 0 ? number(static_cast<int>(random() % 9)) : v[random() % 3];
      switch (random() % 4) {
        case 0: return s.slt(a, b);
        case 1: return s.ult(a, b);
        case 2: return s.bnot(s.eq(a, b));
        default: return s.bor(s.sle(a, b), s.eq(v[0], v[1]));
      }
    };
    struct Rule {
      Term guard;
      std::vector<Term> next;
    };
    std::vector<Rule> rules;
    for (int i = 0; i < 2; ++i) {
      Rule& rule = rules.emplace_back(Rule{condition(), v});
      for (Term& t : rule.next)
        if (random() % 2 == 0) t = expression();
    }
    const bool is_signed = random() % 2 == 0;
    Polyhedra polyhedra(s, {.is_signed = is_signed});
    const uint32_t loop = polyhedra.predicate(v, true);
    std::vector<Term> start;
    for (int i = 0; i < 3; ++i) start.push_back(number(static_cast<int>(random() % 6)));
    polyhedra.rule(Polyhedra::kStart, {}, loop, start);
    for (const Rule& rule : rules) polyhedra.rule(loop, std::vector{rule.guard}, loop, rule.next);
    if (!polyhedra.solve(5)) continue;
    const auto facts = polyhedra.solution(loop);
    std::vector<u128> at;
    for (Term t : start) at.push_back(t.value());
    for (int step = 0; step < 40; ++step) {
      auto value = [&](Term leaf) { return at[std::find(v.begin(), v.end(), leaf) - v.begin()]; };
      bool small = true;  // nothing near a wrap-around
      for (u128 x : at) small &= is_signed ? sign_extend128(x, 32) < 100000 && sign_extend128(x, 32) > -100000 : x < 100000;
      if (!small) break;
      for (Term t : facts) ASSERT_EQ(s.evaluate_leaves(t, value), 1u) << "round " << round << ": " << term::to_c(s, t);
      const Rule& rule = rules[random() % 2];
      if (s.evaluate_leaves(rule.guard, value) == 0) continue;
      std::vector<u128> next;
      for (Term t : rule.next) next.push_back(s.evaluate_leaves(t, value));
      at = next;
    }
  }
}

}  // namespace
}  // namespace whittle::solve
