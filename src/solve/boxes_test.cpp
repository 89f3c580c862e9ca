// Intervals of floats hold all values, and what they decide is what bits decide.
#include "solve/boxes.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>

#include "solve/span.h"
#include "solve/test_rounds.h"
#include "term/random_term.h"

namespace whittle::solve {
namespace {

using term::Op;
using term::Store;

Term number(Store& s, float x) { return s.constant(32, std::bit_cast<uint32_t>(x)); }

/// Says what intervals alone decided: knows nothing itself.
class Nothing final : public Solver {
 public:
  void add(Term) override {}
  void push() override {}
  void pop() override {}
  Result check(std::span<const Term>) override { return {Answer::Unknown, "nothing"}; }
  u128 value(Term) override { return 0; }
  std::vector<Term> core() override { return {}; }
  void interrupt() override {}
  void set_budget(const Budget&) override {}
  const Capabilities& capabilities() const override { return capabilities_; }

 private:
  Capabilities capabilities_;
};

/// A span that has the value in it, and more.
Span around(std::mt19937_64& random, u128 value, unsigned width, bool floating) {
  Span point = Span::bits(value, width);
  if (floating) {
    point = as_float(point, width);
    if (!point.has_numbers()) return random() % 2 == 0 ? point : Span::numbers(-1, 2, true);
    for (unsigned i = random() % 4; i > 0; --i) point.lo = next_float(point.lo, false, width);
    for (unsigned i = random() % 4; i > 0; --i) point.hi = next_float(point.hi, true, width);
    if (random() % 5 == 0) point.lo = std::min(point.lo, 0.0);
    if (random() % 5 == 0) point.hi = std::max(point.hi, 0.0);
    if (random() % 9 == 0) point.hi = std::numeric_limits<double>::infinity();
    if (random() % 9 == 0) point.lo = -std::numeric_limits<double>::infinity();
    point.nan = random() % 9 == 0;
    return point;
  }
  const Span all = Span::any_bits(width);
  const i128 down = static_cast<i128>(random() % 5), up = static_cast<i128>(random() % 5);
  if (point.low >= all.low + down) point.low -= down;
  if (point.high <= all.high - up) point.high += up;
  return random() % 9 == 0 ? all : point;
}

/// Each operation of a random term on spans around the values that it has: the result is in the result's span.
TEST(Boxes, SpansHoldAllResults) {
  Store plain(Store::Options{.simplify = false});
  std::mt19937_64 random(11);
  term::RandomTerms terms(5, {.steps = 12, .reads = false});
  std::map<std::pair<unsigned, unsigned>, Term> variables;
  for (int round = 0; round < bar(10'000); ++round) {
    const Term root = cook(terms.next(), plain, [&](unsigned width, unsigned n) {
      Term& v = variables[{width, n}];
      if (!v) v = plain.variable(width, "v");
      return v;
    });
    std::map<uint32_t, u128> values;
    auto evaluate = [&](Term t) {
      return plain.evaluate_leaves(t, [&](Term v) {
        auto [it, fresh] = values.try_emplace(v.id(), 0);
        if (fresh) it->second = terms.value(v.width());
        return it->second;
      });
    };
    std::vector<Term> todo{root};
    while (!todo.empty()) {
      const Term t = todo.back();
      todo.pop_back();
      if (t.arity() == 0) continue;
      std::vector<Span> kids;
      std::vector<unsigned> widths;
      const bool same = t.arity() == 2 && t.kid(0) == t.kid(1);
      for (unsigned i = 0; i < t.arity(); ++i) {
        const unsigned w = t.kid(i).width();
        todo.push_back(t.kid(i));
        widths.push_back(w);
        kids.push_back(same && i == 1 ? kids[0]
                                      : around(random, evaluate(t.kid(i)), w, (w == 32 || w == 64) && random() % 2 == 0));
      }
      const Span result = span_of(t.op(), t.width(), t.op() == Op::Extract ? t.low() : 0, kids, widths, same);
      ASSERT_TRUE(contains(result, evaluate(t), t.width())) << to_smtlib(plain, t);
    }
  }
}

/// Conditions of few floats and integers: the same answers as Z3's, models that hold, cores that are unsatisfiable.
TEST(Boxes, DecideAsBitsDo) {
  std::mt19937_64 random(3);
  int decided = 0;
  const int rounds = bar(30);
  for (int round = 0; round < rounds; ++round) {
    Store s;
    Term x = s.variable(32, "x"), y = s.variable(32, "y"), i = s.variable(32, "i");
    auto constant = [&] { return number(s, static_cast<float>(static_cast<int>(random() % 17) - 8) / 4); };
    auto value = [&] {
      const Term leaves[] = {x, x, y, s.fconvert(Op::SIntToF, i, 32), constant()};
      return leaves[random() % 5];
    };
    auto sum = [&] {
      constexpr Op kOps[] = {Op::FAdd, Op::FSub, Op::FMul, Op::FAdd, Op::FSub};
      return s.fop(kOps[random() % 5], value(), value());
    };
    std::vector<Term> conditions;
    for (Term t : {x, y})
      conditions.push_back(s.band(s.fop(Op::FLe, number(s, -2), t), s.fop(Op::FLe, t, number(s, 2))));
    conditions.push_back(s.band(s.sle(s.constant(32, 0), i), s.slt(i, s.constant(32, 9))));
    for (int k = 0; k < 3; ++k) {
      Term c = s.fop(random() % 2 == 0 ? Op::FLt : Op::FLe, sum(), random() % 2 == 0 ? constant() : value());
      conditions.push_back(random() % 3 == 0 ? s.bnot(c) : c);
    }
    auto boxes = make_boxes(s, std::make_unique<Nothing>(), 400'000);
    const Result found = boxes->check(conditions);
    if (found.unknown()) continue;
    ++decided;
    auto bits = make_z3(s);
    bits->set_budget({.seconds = 0.5});
    if (found.sat()) {
      for (Term t : conditions) ASSERT_EQ(boxes->value(t), 1u);
      continue;
    }
    const Result expected = bits->check(boxes->core());
    ASSERT_FALSE(expected.sat()) << round;
  }
  EXPECT_GE(decided, rounds * 2 / 3);
}

/// The sine's polynomial stays below 1.01: bits take minutes for that.
TEST(Boxes, BoundsOfPolynomials) {
  Store s;
  Term x = s.variable(32, "x");
  auto times = [&](Term a, Term b) { return s.fop(Op::FMul, a, b); };
  Term cube = times(times(x, x), x), fifth = times(times(cube, x), x);
  Term sine = s.fop(Op::FAdd, s.fop(Op::FSub, x, s.fop(Op::FDiv, cube, number(s, 6))),
                    s.fop(Op::FDiv, fifth, number(s, 120)));
  auto within = [&](float least) {
    auto solver = make_boxes(s, std::make_unique<Nothing>());
    solver->add(s.fop(Op::FLt, number(s, -1.57079632679F), x));
    solver->add(s.fop(Op::FLt, x, number(s, 1.57079632679F)));
    const Term above = s.fop(Op::FLt, number(s, least), sine);
    const Result result = solver->check(std::array{above});
    if (result.unsat()) {
      EXPECT_EQ(solver->core(), std::vector<Term>{above});
    }
    return result.answer;
  };
  EXPECT_EQ(within(1.01F), Answer::Unsat);
  EXPECT_EQ(within(1.0F), Answer::Sat);
  // Without bounds x may be anything, and sine is anything, or no number.
  auto solver = make_boxes(s, std::make_unique<Nothing>());
  EXPECT_TRUE(solver->check(std::array{s.fop(Op::FIsNan, sine)}).sat());
  EXPECT_TRUE(solver->check(std::array{s.fop(Op::FLt, number(s, 1e30F), sine)}).sat());
  EXPECT_TRUE(solver->check(std::array{s.fop(Op::FIsNan, times(x, x)), s.bnot(s.fop(Op::FIsNan, x))}).unsat());
}

/// What has no floats is asked of the solver behind.
TEST(Boxes, BitsAreAskedBehind) {
  Store s;
  Term x = s.variable(32, "x"), a = s.variable(8, "a");
  auto solver = make_boxes(s, make_z3(s));
  EXPECT_TRUE(solver->check(std::array{s.eq(a, s.constant(8, 7))}).sat());
  EXPECT_EQ(solver->value(a), 7u);
  const Term large = s.fop(Op::FLt, number(s, 3), x);
  ASSERT_TRUE(solver->check(std::array{large, s.eq(s.band(a, s.constant(8, 5)), s.constant(8, 5))}).sat());
  EXPECT_EQ(solver->value(a) & 5, 5u);
  solver->push();
  solver->add(large);
  EXPECT_TRUE(solver->check(std::array{s.fop(Op::FLt, x, number(s, 2))}).unsat());
  solver->pop();
  EXPECT_TRUE(solver->check(std::array{s.fop(Op::FLt, x, number(s, 2))}).sat());
}

}  // namespace
}  // namespace whittle::solve
