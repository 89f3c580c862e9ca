// Gates against the meaning of operators, at all widths.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "solve/bits.h"
#include "solve/test_rounds.h"
#include "term/random_term.h"

namespace whittle::solve {
namespace {

using term::Store;

TEST(BitBlaster, GatesComputeWhatOperatorsMean) {
  Store s({.simplify = false});
  std::map<std::pair<unsigned, unsigned>, Term> variables;
  auto variable = [&](unsigned width, unsigned number) {
    Term& v = variables[{width, number}];
    return v ? v : v = s.variable(width, "v");
  };
  std::mt19937_64 random(5);
  for (int i = 0; i < bar(600); ++i) {
    term::RandomTerms terms(500 + static_cast<uint64_t>(i),
                            {.max_width = i % 8 == 0 ? 100u : 24u, .steps = 8, .floats = false, .reads = false});
    Term t = term::cook(terms.next(), s, variable);
    if (t.has_floats()) continue;
    std::map<uint32_t, u128> values;
    std::vector<Term> conditions;
    for (Term v : term::variables(t)) {
      u128 value = (static_cast<u128>(random()) << 64 | random()) & mask128(v.width());
      if (i % 3 == 0) value &= 7;
      values[v.variable()] = value;
      conditions.push_back(s.eq(v, s.constant(v.width(), value)));
    }
    const u128 expected = s.evaluate(t, {[&](Term v) { return values.at(v.variable()); }, {}});
    auto solver = make_cadical(s);
    conditions.push_back(s.eq(t, s.constant(t.width(), expected)));
    ASSERT_TRUE(solver->check(conditions).sat()) << term::to_smtlib(s, t);
    conditions.back() = s.bnot(conditions.back());
    ASSERT_TRUE(solver->check(conditions).unsat()) << term::to_smtlib(s, t);
  }
}

TEST(BitBlaster, AssertsAssumesPushesAndPops) {
  Store s;
  auto solver = make_cadical(s);
  Term x = s.variable(32, "x"), y = s.variable(32, "y");
  solver->add(s.ult(x, y));
  ASSERT_TRUE(solver->check().sat());
  EXPECT_LT(solver->value(x), solver->value(y));
  solver->push();
  solver->add(s.eq(y, s.constant(32, 0)));
  EXPECT_TRUE(solver->check().unsat());
  solver->pop();
  Term zero = s.eq(y, s.constant(32, 0)), free = s.ult(x, s.constant(32, 77));
  ASSERT_TRUE(solver->check(std::array{free, zero}).unsat());
  EXPECT_EQ(solver->core(), std::vector{zero});
  ASSERT_TRUE(solver->check(std::array{free}).sat());
}

TEST(BitBlaster, LimitsGiveUnknownAndTheNextQueryIsAnswered) {
  Store s;
  auto solver = make_cadical(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y");
  Term wide = s.mul(s.zext(x, 128), s.zext(y, 128));
  Term product = s.constant(128, static_cast<u128>(0xffffffffffffffc5u) * 0xffffffffffffffadu);
  Term hard = s.band(s.eq(wide, product), s.band(s.ugt(x, s.constant(64, 1)), s.ugt(y, s.constant(64, 1))));
  solver->set_budget({.steps = 10});
  EXPECT_TRUE(solver->check(std::array{hard}).unknown());
  solver->set_budget({});
  EXPECT_TRUE(solver->check(std::array{s.eq(x, s.constant(64, 3))}).sat());
  EXPECT_TRUE(solver->check(std::array{s.fop(term::Op::FLt, x, y)}).unknown());
}

}  // namespace
}  // namespace whittle::solve
