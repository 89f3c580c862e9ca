#include "term/term.h"

#include <gtest/gtest.h>

#include <map>

#include "base/hash.h"
#include "term/print.h"
#include "term/random_term.h"

namespace whittle::term {
namespace {

class Terms : public ::testing::Test {
 protected:
  Term c(unsigned width, u128 value) { return s.constant(width, value); }
  Store s;
  Term x = s.variable(32, "x"), y = s.variable(32, "y"), z = s.variable(32, "z");
  Term p = s.variable(1, "p"), q = s.variable(1, "q"), b = s.variable(8, "b");
};

TEST_F(Terms, EqualTermsAreOneTerm) {
  EXPECT_EQ(s.add(x, c(32, 1)), s.add(c(32, 1), x));
  EXPECT_NE(s.variable(32, "x"), x);
  EXPECT_EQ(s.add(c(32, ~u128{0}), c(32, 2)), c(32, 1));
  size_t before = s.size();
  Term t = s.mul(s.add(x, y), z);
  EXPECT_EQ(t, s.mul(z, s.add(y, x)));
  EXPECT_LE(s.size(), before + 2);
}

TEST_F(Terms, SumsHaveOneForm) {
  Term four_y = s.mul(y, c(32, 4));
  EXPECT_EQ(s.add(s.add(x, c(32, 8)), four_y), s.add(s.add(four_y, x), c(32, 8)));
  EXPECT_EQ(s.sub(s.add(x, y), x), y);
  EXPECT_EQ(s.sub(s.add(s.add(x, four_y), c(32, 12)), s.add(four_y, x)), c(32, 12));
  EXPECT_EQ(s.shl(y, c(32, 2)), four_y);
  EXPECT_EQ(s.mul(s.add(y, c(32, 3)), c(32, 4)), s.add(four_y, c(32, 12)));
  EXPECT_EQ(s.eq(s.add(x, c(32, 5)), c(32, 7)), s.eq(x, c(32, 2)));
  EXPECT_EQ(s.eq(s.add(x, y), s.add(z, x)), s.eq(y, z));
  EXPECT_EQ(s.eq(s.sub(x, y), c(32, 0)), s.eq(x, y));
  EXPECT_EQ(s.eq(s.mul(x, c(32, 3)), c(32, 9)), s.eq(x, c(32, 3)));
  EXPECT_TRUE(s.eq(s.mul(x, c(32, 4)), c(32, 9)).is_false());
}

TEST_F(Terms, NegationIsOneNotAway) {
  EXPECT_EQ(s.bnot(s.ult(x, y)), s.ule(y, x));
  EXPECT_EQ(s.sle(x, c(32, 4)), s.slt(x, c(32, 5)));
  EXPECT_EQ(s.bnot(s.sgt(x, c(32, 4))), s.slt(x, c(32, 5)));
  EXPECT_TRUE(s.band(s.ult(x, y), s.ule(y, x)).is_false());
  EXPECT_TRUE(s.bor(p, s.bnot(p)).is_true());
  EXPECT_EQ(s.ne(s.zext(p, 32), c(32, 0)), p);
  EXPECT_EQ(s.ite(p, c(32, 1), c(32, 0)), s.zext(p, 32));
  EXPECT_EQ(s.eq(s.ite(p, c(32, 7), c(32, 9)), c(32, 9)), s.bnot(p));
}

TEST_F(Terms, BytesComeTogetherAgain) {
  Term low = s.extract(x, 0, 8), next = s.extract(x, 8, 8), high = s.extract(x, 16, 16);
  EXPECT_EQ(s.concat(high, s.concat(next, low)), x);
  EXPECT_EQ(s.concat(s.concat(high, next), low), x);
  EXPECT_EQ(s.extract(s.concat(b, s.extract(x, 0, 24)), 24, 8), b);
  Term shifted = s.shl(s.zext(next, 16), c(16, 8));
  EXPECT_EQ(s.bor(shifted, s.zext(low, 16)), s.extract(x, 0, 16));
  EXPECT_EQ(s.band(s.zext(b, 32), c(32, 255)), s.zext(b, 32));
}

TEST_F(Terms, SubstitutionReplacesVariablesThenReads) {
  Term cell = s.read(s.zext(x, 64), 32);
  Term predicate = s.eq(s.add(cell, y), z);
  Term moved = s.substitute(
      predicate, [&](Term v) { return v == x   ? s.add(x, c(32, 4))
                                      : v == z ? y
                                               : Term{}; },
      [&](Term read) {
        EXPECT_EQ(read, s.read(s.zext(s.add(x, c(32, 4)), 64), 32));
        return c(32, 0);
      });
  EXPECT_TRUE(moved.is_true());
  EXPECT_EQ(s.substitute(predicate, [](Term) { return Term{}; }), predicate);
  EXPECT_EQ(variables(predicate).size(), 3u);
  EXPECT_EQ(reads(predicate), std::vector<Term>{cell});
  EXPECT_TRUE(predicate.has_reads());
  EXPECT_FALSE(predicate.has_floats());
}

TEST_F(Terms, PrintReadably) {
  EXPECT_EQ(to_c(s, s.sle(x, s.add(y, c(32, 1)))), "(int32_t)(y + 1) >= (int32_t)x");
  EXPECT_EQ(to_c(s, s.band(p, s.ne(x, c(32, 3)))), "p && x != 3");
  EXPECT_EQ(to_c(s, s.sub(x, c(32, 5))), "x - 5");
  EXPECT_EQ(to_smtlib(s, s.band(p, s.ult(x, y))), "(and p!3 (bvult x!0 y!1))");
  EXPECT_EQ(to_smtlib(s, s.zext(p, 8)), "((_ zero_extend 7) (ite p!3 #b1 #b0))");
  EXPECT_EQ(smtlib_symbol(s, s.variable(8, "a[i]")), "|a[i]!6|");
}

TEST_F(Terms, DeepTermsNeedNoDeepStack) {
  Term t = x;
  for (int i = 0; i < 200000; ++i) t = s.bxor(s.mul(t, y), i % 2 == 0 ? z : x);
  Assignment one{[](Term) { return u128{3}; }, {}};
  u128 expected = 3;
  for (int i = 0; i < 200000; ++i) expected = (expected * 3 & mask128(32)) ^ 3;
  EXPECT_EQ(s.evaluate(t, one), expected);
  Term same = s.substitute(t, [&](Term v) { return v == x ? x : Term{}; });
  EXPECT_EQ(same, t);
  EXPECT_GT(to_c(s, t).size(), 200000u);
  EXPECT_GT(to_smtlib(s, t).size(), 200000u);
}

/// Rules look only a bounded number of levels down: a term with exponentially many paths is made in linear time.
TEST_F(Terms, SharedPartsAreNotUnfolded) {
  static constexpr Op ops[] = {Op::Add, Op::Sub, Op::And, Op::Or, Op::Xor, Op::Mul};
  for (Op op : ops) {
    Term t = s.mul(x, y), u = s.bxor(x, z);
    size_t before = s.size();
    for (int i = 0; i < 2000; ++i) {
      Term kids[2] = {t, u};
      Term next = s.make(op, kids);
      Term narrow = s.zext(s.extract(next, 0, 16), 32);
      u = t;
      t = i % 3 == 0 ? s.ite(s.ult(next, z), s.add(next, narrow), next) : s.bxor(next, s.sub(narrow, c(32, i)));
    }
    EXPECT_LT(s.size() - before, 2000u * 150) << name(op);
  }
}

/// A value for a variable or a byte of memory, from a seed.
Assignment random_assignment(uint64_t seed) {
  return {[seed](Term v) {
            uint64_t h = hash_combine(seed, v.variable());
            u128 value = static_cast<u128>(hash_mix(h)) << 64 | hash_mix(h + 1);
            switch (h % 4) {
              case 0: return value % 4;
              case 1: return ~(value % 4);
              default: return value;
            }
          },
          [seed](u128 address, unsigned bytes) {
            u128 value = 0;
            for (unsigned i = 0; i < bytes; ++i)
              value |= static_cast<u128>(hash_combine(seed, static_cast<uint64_t>(address) + i) & 255) << (8 * i);
            return value;
          }};
}

/// Variables of equal number in both stores, made when asked for the first time.
class Pool {
 public:
  Term operator()(Store& store, unsigned width, unsigned number) {
    Term& v = variables_[{width, number}];
    return v ? v : v = store.variable(width, "v" + std::to_string(width) + "_" + std::to_string(number));
  }

 private:
  std::map<std::pair<unsigned, unsigned>, Term> variables_;
};

TEST(Simplify, SimplifiedAndPlainTermsEvaluateEqually) {
  Store simple, plain(Store::Options{.simplify = false});
  Pool simple_pool, plain_pool;
  RandomTerms random(20240607, {.steps = 12});
  size_t smaller = 0;
  for (int i = 0; i < 200000; ++i) {
    Recipe recipe = random.next();
    Term a = cook(recipe, simple, [&](unsigned w, unsigned n) { return simple_pool(simple, w, n); });
    Term b = cook(recipe, plain, [&](unsigned w, unsigned n) { return plain_pool(plain, w, n); });
    ASSERT_EQ(a.width(), b.width());
    smaller += dag_size(a) < dag_size(b);
    for (uint64_t k = 0; k < 20; ++k) {
      Assignment values = random_assignment(i * uint64_t{20} + k);
      ASSERT_TRUE(simple.evaluate(a, values) == plain.evaluate(b, values)) << "term " << i << "\n"
                                                                           << to_smtlib(plain, b) << "\nbecame\n"
                                                                           << to_smtlib(simple, a);
    }
  }
  EXPECT_GT(smaller, 100000u);  // the rules are at work
}

TEST(Simplify, EveryOperatorOccursAndRunsRepeat) {
  Store first, second;
  Pool first_pool, second_pool;
  RandomTerms random(7, {}), again(7, {});
  std::array<int, kOpCount> seen{};
  for (int i = 0; i < 5000; ++i) {
    Recipe recipe = random.next();
    for (const Operation& step : recipe) ++seen[static_cast<unsigned>(step.op)];
    Term a = cook(recipe, first, [&](unsigned w, unsigned n) { return first_pool(first, w, n); });
    Term b = cook(again.next(), second, [&](unsigned w, unsigned n) { return second_pool(second, w, n); });
    ASSERT_EQ(a.id(), b.id());
    ASSERT_EQ(to_smtlib(first, a), to_smtlib(second, b));
  }
  for (unsigned op = 0; op < kOpCount; ++op) EXPECT_GT(seen[op], 0) << name(static_cast<Op>(op));
}

/// Comparisons and values of narrow terms, against arithmetic on plain integers.
TEST(Apply, NarrowIntegersAgainstPlainArithmetic) {
  for (unsigned w = 1; w <= 4; ++w)
    for (int a = 0; a < 1 << w; ++a)
      for (int b = 0; b < 1 << w; ++b) {
        auto signed_of = [&](int v) { return v >= 1 << (w - 1) ? v - (1 << w) : v; };
        int sa = signed_of(a), sb = signed_of(b), m = (1 << w) - 1;
        auto run = [&](Op op) {
          u128 kids[2] = {static_cast<u128>(a), static_cast<u128>(b)};
          unsigned widths[2] = {w, w};
          return static_cast<int>(apply(op, is_comparison(op) ? 1 : w, kids, widths));
        };
        EXPECT_EQ(run(Op::UDiv), b == 0 ? m : a / b);
        EXPECT_EQ(run(Op::URem), b == 0 ? a : a % b);
        EXPECT_EQ(run(Op::SDiv), (b == 0 ? (sa < 0 ? 1 : -1) : sa / sb) & m);
        EXPECT_EQ(run(Op::SRem), (b == 0 ? sa : sa % sb) & m);
        EXPECT_EQ(run(Op::Shl), b >= static_cast<int>(w) ? 0 : a << b & m);
        EXPECT_EQ(run(Op::LShr), b >= static_cast<int>(w) ? 0 : a >> b);
        EXPECT_EQ(run(Op::AShr), sa >> std::min(b, 8) & m);
        EXPECT_EQ(run(Op::Slt), sa < sb);
        EXPECT_EQ(run(Op::Sle), sa <= sb);
        EXPECT_EQ(run(Op::Ult), a < b);
      }
}

}  // namespace
}  // namespace whittle::term
