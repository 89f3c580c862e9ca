// Ranges contain the values; what is picked is the element at the offset.
#include "term/ranges.h"

#include <gtest/gtest.h>

#include <random>

#include "term/print.h"
#include "term/random_term.h"

namespace whittle::term {
namespace {

TEST(Ranges, ContainTheValue) {
  Store s;
  std::vector<Term> variables;
  auto variable = [&](unsigned width, unsigned number) {
    for (Term v : variables)
      if (v.width() == width && s.variable_name(v) == std::to_string(number)) return v;
    variables.push_back(s.variable(width, std::to_string(number)));
    return variables.back();
  };
  std::mt19937_64 random(3);
  Ranges ranges;
  for (unsigned i = 0; i < 3000; ++i) {
    RandomTerms terms(i, {.max_width = 64, .steps = 8, .floats = false, .reads = false});
    Term t = cook(terms.next(), s, variable);
    for (int k = 0; k < 8; ++k) {
      const u128 value = s.evaluate(t, {[&](Term v) { return (random() >> (random() % 64)) & mask128(v.width()); }, {}});
      // Some z of the range is the value modulo 2^width. (Variables that occur twice get two values: ranges do not mind.)
      const Range r = ranges.of(t), u = ranges.unsigned_of(t);
      const i128 modulus = i128{1} << t.width();
      if (r.high - r.low < 100 * modulus) {
        bool found = false;
        for (i128 z = r.low + ((static_cast<i128>(value) - r.low) % modulus + modulus) % modulus; z <= r.high && !found;
             z += modulus)
          found = r.stride == 0 ? z == r.low : (z - r.low) % r.stride == 0;
        ASSERT_TRUE(found) << to_smtlib(s, t);
      }
      ASSERT_LE(u.low, static_cast<i128>(value)) << to_smtlib(s, t);
      ASSERT_GE(u.high, static_cast<i128>(value)) << to_smtlib(s, t);
      if (u.stride > 1) {
        ASSERT_EQ((static_cast<i128>(value) - u.low) % u.stride, 0) << to_smtlib(s, t);
      }
    }
  }
}

TEST(Ranges, IndicesKeepTheirStride) {
  Store s;
  Ranges ranges;
  Term i = s.variable(32, "i");
  const Range r = ranges.of(s.add(s.mul(s.sext(i, 64), s.constant(64, 24)), s.constant(64, 8)));
  EXPECT_EQ(r.stride, 24);
  EXPECT_EQ((8 - r.low) % 24, 0);
}

TEST(Elements, ArePlacesInsideTheObject) {
  Store s;
  Ranges ranges;
  Term i = s.zext(s.variable(8, "i"), 64);
  auto number = [&](uint64_t n) { return s.constant(64, n); };
  Elements all = elements(ranges, i, 256, 1);
  EXPECT_EQ(all.count, 256u);
  Elements records = elements(ranges, s.add(s.mul(i, number(12)), number(4)), 48, 4);
  EXPECT_EQ(records.first, 4u);
  EXPECT_EQ(records.stride, 12u);
  EXPECT_EQ(records.count, 4u);
  // From the end on there is nothing, before the begin neither.
  EXPECT_EQ(elements(ranges, s.add(i, number(10)), 10, 1).count, 0u);
  EXPECT_EQ(elements(ranges, s.sub(i, number(3)), 10, 4).count, 7u);
}

TEST(Elements, PickTheValueAtTheOffset) {
  Store s;
  Ranges ranges;
  Term byte = s.variable(8, "i"), i = s.zext(byte, 64);
  for (uint64_t stride : {1, 3, 4, 12})
    for (uint64_t first : {0, 5})
      for (uint64_t size : {3, 7, 8, 61, 256}) {
        Term offset = s.add(s.mul(i, s.constant(64, stride)), s.constant(64, first));
        const Elements e = elements(ranges, offset, first + size * stride, stride);
        std::vector<Term> values;
        for (uint64_t k = 0; k < e.count; ++k) values.push_back(s.constant(16, 1000 + 7 * e.place(k)));
        Term picked = pick(s, offset, e, values);
        for (uint64_t k = 0; k < size; ++k)
          ASSERT_EQ(s.evaluate(picked, {[&](Term) { return u128{k}; }, {}}), 1000 + 7 * (first + k * stride));
      }
}

}  // namespace
}  // namespace whittle::term
