#include "solve/sampled.h"

#include <gtest/gtest.h>

#include <array>

namespace whittle::solve {
namespace {

/// Says that everything is a contradiction.
class Liar final : public Solver {
 public:
  void add(Term) override {}
  void push() override {}
  void pop() override {}
  Result check(std::span<const Term>) override { return {Answer::Unsat, ""}; }
  u128 value(Term) override { return 0; }
  std::vector<Term> core() override { return {}; }
  void interrupt() override {}
  void set_budget(const Budget&) override {}
  const Capabilities& capabilities() const override { return capabilities_; }

 private:
  Capabilities capabilities_{.name = "liar"};
};

TEST(Sampled, ALieIsNoticedByAndBy) {
  term::Store store;
  const Term x = store.variable(8, "x");
  const auto solver = make_sampled(store, std::make_unique<Liar>(), 3);
  std::array<bool, 7> noticed{};
  for (bool& one : noticed) one = solver->check(std::array{store.eq(x, store.constant(8, 3))}).unknown();
  EXPECT_EQ(noticed, (std::array{true, false, false, true, false, false, true}));
}

TEST(Sampled, WhatWasTakenBackIsNotAsked) {
  term::Store store;
  const Term x = store.variable(8, "x");
  const auto solver = make_sampled(store, make_cvc5(store), 1);
  solver->add(store.ult(x, store.constant(8, 3)));
  solver->push();
  solver->add(store.eq(x, store.constant(8, 3)));
  EXPECT_TRUE(solver->check().unsat());
  solver->pop();
  EXPECT_TRUE(solver->check().sat());
  EXPECT_TRUE(solver->check(std::array{store.eq(x, store.constant(8, 9))}).unsat());
}

}  // namespace
}  // namespace whittle::solve
