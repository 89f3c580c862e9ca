#include "proof/simplify.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace whittle::proof {
namespace {

using term::Term;

/// Three variables of three bits and two of one.
struct World {
  term::Store store;
  std::vector<Term> variables;
  World() {
    for (unsigned width : {3u, 3u, 3u, 1u, 1u}) variables.push_back(store.variable(width, "v"));
  }
  static constexpr unsigned kStates = 1 << 11;

  bool holds(const std::vector<Term>& conditions, unsigned state) const {
    term::Assignment assignment;
    assignment.variable = [&](Term v) -> u128 {
      unsigned at = 0;
      for (Term known : variables) {
        if (known == v) return (state >> at) & mask128(v.width());
        at += known.width();
      }
      return 0;
    };
    for (Term c : conditions)
      if (store.evaluate(c, assignment) == 0) return false;
    return true;
  }
};

/// A fact of the kind that proofs are full of: equations and their negations, bounds, disjunctions of them.
Term fact(World& world, std::mt19937_64& random) {
  auto& s = world.store;
  auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Term x = world.variables[pick(3)];
  Term c = s.constant(3, pick(8));
  switch (pick(8)) {
    case 0: return s.eq(x, c);
    case 1: return s.ne(x, c);
    case 2: return s.ule(x, c);
    case 3: return s.eq(x, world.variables[pick(3)]);
    case 4: return s.bor(fact(world, random), fact(world, random));
    case 5: return s.bnot(fact(world, random));
    case 6: return world.variables[3 + pick(2)];
    default: return s.eq(s.concat(x, world.variables[pick(3)]), s.constant(6, pick(64)));
  }
}

/// One that is too large to be a fact.
Term large(World& world, std::mt19937_64& random, unsigned depth) {
  auto& s = world.store;
  if (depth == 0) {
    Term sum = s.add(world.variables[random() % 3], s.mul(world.variables[random() % 3], s.constant(3, random() % 8)));
    return random() % 2 == 0 ? fact(world, random) : s.ult(sum, world.variables[random() % 3]);
  }
  Term a = large(world, random, depth - 1), b = large(world, random, depth - 1);
  switch (random() % 4) {
    case 0: return s.band(a, b);
    case 1: return s.ite(fact(world, random), a, b);
    case 2: return s.bnot(s.band(a, b));
    default: return s.bor(a, b);
  }
}

TEST(Simplify, TheConjunctionStaysTheSame) {
  std::mt19937_64 random(5);
  unsigned smaller = 0, impossible = 0;
  for (unsigned round = 0; round < 150; ++round) {
    World world;
    std::vector<Term> conditions;
    const unsigned count = 2 + random() % 5;
    for (unsigned i = 0; i < count; ++i) conditions.push_back(fact(world, random));
    for (unsigned i = 0; i < 2; ++i) conditions.push_back(large(world, random, 4));
    std::vector<Term> simple = conditions;
    simplify_together(world.store, simple);
    smaller += simple != conditions;
    bool any = false;
    for (unsigned state = 0; state < World::kStates; ++state) {
      ASSERT_EQ(world.holds(conditions, state), world.holds(simple, state)) << "round " << round;
      any |= world.holds(conditions, state);
    }
    impossible += !any && simple.size() == 1 && simple[0].is_false();
  }
  EXPECT_GT(smaller, 75u);
  EXPECT_GT(impossible, 18u);
}

TEST(Simplify, ValuesDecideWithoutASolver) {
  World world;
  auto& s = world.store;
  Term x = world.variables[0], y = world.variables[1];
  auto seven = [&](Term t) { return s.eq(t, s.constant(3, 7)); };
  std::vector<Term> conditions{s.bor(s.ne(x, s.constant(3, 7)), seven(y)), s.eq(s.concat(x, y), s.constant(6, 0x38))};
  simplify_together(s, conditions);
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_TRUE(conditions[0].is_false());
  conditions = {seven(x), s.bor(s.ne(x, s.constant(3, 7)), seven(y))};
  simplify_together(s, conditions);
  EXPECT_EQ(conditions, (std::vector<Term>{seven(x), seven(y)}));
}

}  // namespace
}  // namespace whittle::proof
