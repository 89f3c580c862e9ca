// The parts of merge, each against its definition.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <unordered_map>

#include "engines/merge/comparisons.h"
#include "engines/merge/content.h"
#include "engines/merge/selectors.h"
#include "engines/merge/trail.h"
#include "program/analysis/weak_order.h"
#include "term/random_term.h"

namespace whittle::engines::merge {
namespace {

using term::Store;

TEST(Trails, WaysThatPartAndMeetLeaveNoTrace) {
  Store s;
  Trails trails(s);
  Term c = s.variable(1, "c"), d = s.variable(1, "d"), e = s.variable(1, "e");
  Trail before = trails.extend(trails.root(), e);
  Trail yes = trails.extend(before, c), no = trails.extend(before, s.bnot(c));
  Trails::Joined met = trails.join(yes, no);
  EXPECT_EQ(met.trail, before);
  EXPECT_EQ(met.first, c);
  // An assumption on one way stays, for that way.
  met = trails.join(trails.extend(yes, d), no);
  EXPECT_EQ(met.trail->all, s.band(e, s.implies(c, d)));
  EXPECT_EQ(met.first, c);
  EXPECT_EQ(trails.extend(yes, c), yes);
  EXPECT_TRUE(Trails::impossible(trails.extend(yes, s.bnot(c))));
}

TEST(Comparisons, SideBySide) {
  Store s;
  term::Ranges ranges;
  Comparisons comparisons(s, ranges);
  Term c = s.variable(1, "c"), d = s.variable(1, "d");
  auto number = [&](uint64_t n) { return s.constant(32, n); };
  Term a = s.ite(c, number(3), number(5)), b = s.ite(c, number(4), number(7));
  EXPECT_TRUE(comparisons.resolved(s.ult(a, b)).is_true());
  EXPECT_EQ(comparisons.resolved(s.eq(a, number(5))), s.bnot(c));
  Term more = s.add(s.ite(d, s.add(a, number(1)), a), number(1));
  EXPECT_EQ(comparisons.resolved(s.eq(more, number(4))), s.band(s.bnot(d), c));
}

/// Whatever is in a condition, it stays the same condition.
TEST(Comparisons, EqualTheConditionTheyResolve) {
  Store s;
  std::vector<Term> variables;
  auto variable = [&](unsigned width, unsigned number) {
    for (Term v : variables)
      if (v.width() == width && s.variable_name(v) == std::to_string(number)) return v;
    variables.push_back(s.variable(width, std::to_string(number)));
    return variables.back();
  };
  std::mt19937_64 random(5);
  term::Ranges ranges;
  Comparisons comparisons(s, ranges);
  for (unsigned i = 0; i < 3000; ++i) {
    auto some = [&](uint64_t seed) {
      term::RandomTerms terms(seed, {.max_width = 64, .steps = 6, .floats = false, .reads = false});
      return s.resize_unsigned(term::cook(terms.next(), s, variable), 16);
    };
    Term c = s.variable(1, "c"), a = s.ite(c, some(4 * i), s.constant(16, random() % 9)),
         b = random() % 2 ? s.ite(c, s.constant(16, random() % 9), some(4 * i + 1)) : some(4 * i + 1);
    constexpr term::Op kOps[] = {term::Op::Eq, term::Op::Ult, term::Op::Ule, term::Op::Slt, term::Op::Sle};
    Term condition = s.make(kOps[random() % 5], std::array{a, b}, 1);
    if (random() % 2) condition = s.bor(s.bnot(condition), s.eq(b, s.constant(16, 3)));
    Term resolved = comparisons.resolved(condition);
    for (int k = 0; k < 8; ++k) {
      std::unordered_map<Term, u128> values;
      auto value = [&](Term v) {
        return values.try_emplace(v, (random() >> (random() % 64)) & mask128(v.width())).first->second;
      };
      ASSERT_EQ(s.evaluate(condition, {value, {}}), s.evaluate(resolved, {value, {}})) << term::to_smtlib(s, condition);
    }
  }
}

TEST(Selectors, WhatBecomesPartOfAnAddress) {
  program::Program p;
  p.functions.resize(2);
  program::FunctionBuilder callee(p, 1);
  const program::RegisterId parameter = callee.reg(64);
  p.functions[1].parameter_count = 1;
  auto statement = [](program::Kind kind, std::vector<program::RegisterId> targets, std::vector<Term> operands) {
    program::Statement made;
    made.kind = kind;
    made.targets = std::move(targets);
    made.operands = std::move(operands);
    made.width = 8;
    made.callee = 1;
    return made;
  };
  const program::RegisterId loaded = callee.reg(8);
  callee.location(), callee.location();
  callee.edge(0, 1, statement(program::Kind::Load, {loaded}, {callee.var(parameter)}));
  callee.edge(1, program::kNone, statement(program::Kind::Return, {}, {}));
  callee.finish(0);
  program::FunctionBuilder main(p, 0);
  const program::RegisterId index = main.reg(64), sum = main.reg(64), other = main.reg(64);
  main.location(), main.location(), main.location();
  term::Store& s = p.terms();
  main.edge(0, 1, statement(program::Kind::Assign, {sum, other}, {s.add(main.var(index), s.constant(64, 8)), main.var(other)}));
  main.edge(1, 2, statement(program::Kind::Call, {}, {main.var(sum)}));
  main.edge(2, program::kNone, statement(program::Kind::Return, {}, {}));
  main.finish(0);
  Selectors selectors(p);
  EXPECT_TRUE(selectors.registers(1).test(parameter));
  EXPECT_FALSE(selectors.registers(1).test(loaded));
  EXPECT_TRUE(selectors.registers(0).test(sum));
  EXPECT_TRUE(selectors.registers(0).test(index));
  EXPECT_FALSE(selectors.registers(0).test(other));
  selectors.loaded(7, {4, 8});
  EXPECT_EQ(selectors.cells(7).size(), 1u);
  selectors.drop(7, {4, 8});
  selectors.loaded(7, {4, 8});
  EXPECT_TRUE(selectors.cells(7).empty());
}

TEST(Content, BytesAgainstAnArray) {
  Store s;
  std::mt19937 random(7);
  std::vector<uint8_t> bytes(90, 0);
  Content c = Content::zeroed(s, bytes.size());
  for (int i = 0; i < 2000; ++i) {
    const unsigned width = 1u << random() % 4, at = random() % (90 - width);
    const Content shared = c;
    if (random() % 2 == 0) {
      u128 value = static_cast<u128>(random()) << 32 | random();
      c.store(at, s.constant(8 * width, value));
      for (unsigned b = 0; b < width; ++b) bytes[at + b] = static_cast<uint8_t>(value >> (8 * b));
    } else {
      u128 expected = 0;
      for (unsigned b = width; b-- > 0;) expected = expected << 8 | bytes[at + b];
      ASSERT_EQ(c.load(s, at, width), s.constant(8 * width, expected));
    }
  }
  Term x = s.variable(32, "x"), first = s.variable(1, "first");
  Content other = c;
  other.store(8, x);
  Content both = Content::join(s, first, other, c, [](uint64_t, bool) { return Term(); });
  EXPECT_EQ(both.load(s, 8, 4), s.ite(first, x, c.load(s, 8, 4)));
  EXPECT_EQ(other.load(s, 8, 4), x);
}

TEST(Order, WaysBackLeadToHeadsOfLoopsAround) {
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    program::Program p;
    p.functions.emplace_back();
    program::FunctionBuilder builder(p, 0);
    const unsigned count = 3 + random() % 12;
    for (unsigned l = 0; l < count; ++l) builder.location();
    for (unsigned l = 0; l < count; ++l)
      for (unsigned k = random() % 3; k > 0; --k) builder.edge(l, random() % count, {});
    builder.finish(0);
    const program::analysis::WeakOrder order(p.functions[0]);
    for (const program::Edge& edge : p.functions[0].edges) {
      if (order.slot(edge.from) == program::kNone || order.slot(edge.to) > order.slot(edge.from)) continue;
      const uint32_t loop = order.headed(edge.to);
      ASSERT_NE(loop, program::kNone);
      uint32_t around = order.innermost(edge.from);
      while (around != program::kNone && around != loop) around = order.loops()[around].parent;
      ASSERT_EQ(around, loop);
      ASSERT_GT(order.loops()[loop].end, order.slot(edge.from));
    }
  }
}

}  // namespace
}  // namespace whittle::engines::merge
