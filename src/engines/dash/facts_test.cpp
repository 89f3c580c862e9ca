// What follows from conditions, and what is left of them without some variables, against all values of small variables.
#include "engines/dash/facts.h"

#include <gtest/gtest.h>

#include "engines/dash/project.h"
#include "term/random_term.h"

namespace whittle::engines::dash {
namespace {

/// Random conditions over three variables of two bits.
struct Small {
  term::Store store;
  std::vector<Term> variables;
  term::RandomTerms random;

  explicit Small(uint64_t seed)
      : random(seed, {.max_width = 4, .steps = 6, .floats = false, .reads = false, .boolean = true, .only_width = 2}) {
    for (const char* name : {"x", "y", "z"}) variables.push_back(store.variable(2, name));
  }
  Term next() {
    return term::cook(random.next(), store, [&](unsigned, unsigned number) { return variables[number % 3]; });
  }
  /// Calls `visit(holds)` for all 64 assignments under which all of `conditions` hold; `holds(t)` is a term's value.
  template <typename Visit>
  void each_model(const std::vector<Term>& conditions, const Visit& visit) const {
    for (unsigned bits = 0; bits < 64; ++bits) {
      auto value = [&](Term t) {
        return store.evaluate(t, {[&](Term v) {
                                    for (unsigned i = 0; i < 3; ++i)
                                      if (variables[i] == v) return u128{bits >> (2 * i) & 3};
                                    return u128{0};
                                  },
                                  {}});
      };
      bool all = true;
      for (Term c : conditions) all = all && value(c) == 1;
      if (all) visit(value);
    }
  }
};

TEST(Facts, SimplifiesToWhatIsEqualWhereTheFactsHold) {
  unsigned decided = 0, impossible = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Small small(seed);
    Facts facts(small.store);
    std::vector<Term> added;
    for (unsigned n = 0; n < 3; ++n) {
      added.push_back(small.next());
      facts.add(added.back());
    }
    Term asked = small.next(), answer = facts.simplify(asked);
    bool any = false;
    small.each_model(added, [&](const auto& value) {
      any = true;
      ASSERT_EQ(value(answer), value(asked)) << "seed " << seed;
    });
    if (facts.contradiction()) {
      ++impossible;
      ASSERT_FALSE(any) << "seed " << seed;
    }
    decided += !asked.is_constant() && answer.is_constant();
  }
  EXPECT_GT(decided, 40u);
  EXPECT_GT(impossible, 100u);
}

TEST(Facts, ForgetsWhatWasAddedSinceAMark) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Small small(seed);
    Facts facts(small.store), same(small.store);
    Term first = small.next(), second = small.next(), asked = small.next();
    facts.add(first);
    same.add(first);
    Facts::Mark mark = facts.mark();
    facts.add(second);
    facts.back_to(mark);
    EXPECT_EQ(facts.simplify(asked), same.simplify(asked)) << "seed " << seed;
    EXPECT_EQ(facts.contradiction(), same.contradiction()) << "seed " << seed;
  }
}

TEST(Project, WhatIsLeftHoldsAndDoesNotMentionTheVariables) {
  unsigned said = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Small small(seed);
    std::vector<Term> conditions{small.next(), small.next(), small.next()};
    auto any = [&](Term v) { return v == small.variables[0]; };
    std::vector<Term> left = project(small.store, conditions, any);
    for (Term t : left)
      for (Term v : term::variables(t)) ASSERT_FALSE(any(v)) << "seed " << seed;
    small.each_model(conditions, [&](const auto& value) {
      for (Term t : left) ASSERT_EQ(value(t), 1u) << "seed " << seed;
    });
    for (Term t : left) said += !t.is_true();
  }
  EXPECT_GT(said, 1000u);
}

}  // namespace
}  // namespace whittle::engines::dash
