// The back ends against each other, against brute force, and against limits so small that they hit.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <unordered_map>

#include "solve/solver.h"
#include "solve/test_rounds.h"
#include "term/random_term.h"

namespace whittle::solve {
namespace {

using term::Op;
using term::Store;

class Pool {
 public:
  explicit Pool(Store& store) : store_(store) {}
  Term operator()(unsigned width, unsigned number) {
    Term& v = variables_[{width, number}];
    return v ? v : v = store_.variable(width, "v" + std::to_string(width) + "_" + std::to_string(number));
  }

 private:
  Store& store_;
  std::map<std::pair<unsigned, unsigned>, Term> variables_;
};

/// x * y == product of two primes, x and y not trivial: hard for every solver at this width.
Term hard_condition(Store& s, Term x, Term y) {
  unsigned w = x.width();
  Term wide = s.mul(s.zext(x, 2 * w), s.zext(y, 2 * w));
  Term product = s.constant(2 * w, static_cast<u128>(0xffffffffffffffc5u) * 0xffffffffffffffadu);
  return s.band(s.eq(wide, product), s.band(s.ult(x, s.constant(w, 0xffffffffffffffadu)), s.ugt(x, s.constant(w, 1))));
}

using Maker = std::unique_ptr<Solver> (*)(const Store&);
class EachBackend : public ::testing::TestWithParam<Maker> {};
INSTANTIATE_TEST_SUITE_P(Backends, EachBackend, ::testing::Values(&make_z3, &make_cvc5),
                         [](const auto& backend) { return backend.index == 0 ? "z3" : "cvc5"; });

TEST_P(EachBackend, AssertsAssumesPushesAndPops) {
  Store s;
  auto solver = GetParam()(s);
  Term x = s.variable(32, "x"), y = s.variable(32, "y"), p = s.variable(1, "p");
  solver->add(s.ult(x, y));
  ASSERT_TRUE(solver->check().sat());
  EXPECT_LT(solver->value(x), solver->value(y));
  EXPECT_EQ(solver->value(s.ult(x, y)), 1u);
  solver->push();
  solver->add(s.eq(y, s.constant(32, 0)));
  EXPECT_TRUE(solver->check().unsat());
  EXPECT_TRUE(solver->core().empty());
  solver->pop();
  EXPECT_TRUE(solver->check().sat());
  Term zero = s.eq(y, s.constant(32, 0)), free = s.ult(x, s.constant(32, 77));
  ASSERT_TRUE(solver->check(std::array{p, free, zero}).unsat());
  std::vector<Term> core = solver->core();  // need not be minimal
  EXPECT_NE(std::find(core.begin(), core.end(), zero), core.end());
  ASSERT_TRUE(solver->check(std::array{p, free}).sat());
  EXPECT_EQ(solver->value(p), 1u);
  ASSERT_TRUE(solver->check(std::array{s.falsity()}).unsat());
  EXPECT_EQ(solver->core(), std::vector{s.falsity()});
  solver->push();
  solver->push();
  solver->add(s.bnot(free));
  ASSERT_TRUE(solver->check(std::array{free}).unsat());
  solver->pop();
  solver->add(p);
  ASSERT_TRUE(solver->check(std::array{free}).sat());
  ASSERT_TRUE(solver->check(std::array{s.bnot(p)}).unsat());
  solver->pop();
  ASSERT_TRUE(solver->check(std::array{s.bnot(p)}).sat());
}

TEST_P(EachBackend, ReadsAreUnknownsByTerm) {
  Store s;
  auto solver = GetParam()(s);
  Term p = s.variable(64, "p"), a = s.read(p, 32), b = s.read(s.add(p, s.constant(64, 4)), 32);
  ASSERT_TRUE(solver->check(std::array{s.ult(a, b), s.eq(p, s.constant(64, 0))}).sat());
  EXPECT_LT(solver->value(a), solver->value(b));
  EXPECT_TRUE(solver->check(std::array{s.ne(a, s.read(p, 32))}).unsat());
}

TEST_P(EachBackend, LimitsGiveUnknownWithTheirReason) {
  Store s;
  auto solver = GetParam()(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y");
  Term hard = hard_condition(s, x, y);
  solver->set_budget({.seconds = 0.05});
  Result result = solver->check(std::array{hard});
  EXPECT_TRUE(result.unknown());
  EXPECT_EQ(result.reason, "time limit");
  if (solver->capabilities().step_limit) {
    solver->set_budget({.steps = 1000});
    result = solver->check(std::array{hard});
    EXPECT_TRUE(result.unknown());
    EXPECT_EQ(result.reason, "step limit");
  }
  solver->set_budget({});
  EXPECT_TRUE(solver->check(std::array{s.ult(x, y)}).sat());  // still usable
}

TEST_P(EachBackend, FmodIsRefusedNotGuessed) {
  Store s;
  auto solver = GetParam()(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y");
  Term f = s.fop(Op::FEq, s.fop(Op::FRem, x, y), y);
  EXPECT_FALSE(solver->capabilities().supports(Op::FRem));
  for (int i = 0; i < 2; ++i) {
    Result result = solver->check(std::array{f});
    EXPECT_TRUE(result.unknown());
    EXPECT_EQ(result.reason, "frem is not supported by " + solver->capabilities().name);
  }
  EXPECT_TRUE(solver->check(std::array{s.fop(Op::FEq, x, y)}).sat());
}

/// What lies between the condition and the operator is refused in other conditions, too.
TEST_P(EachBackend, FmodInsideIsRefusedEveryTime) {
  Store s;
  auto solver = GetParam()(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y");
  Term sum = s.fop(Op::FAdd, s.fop(Op::FMul, s.fop(Op::FRem, x, y), y), x);
  for (Term f : {s.fop(Op::FLt, sum, y), s.fop(Op::FLe, sum, x), s.fop(Op::FEq, s.fop(Op::FSqrt, sum), x)}) {
    Result result = solver->check(std::array{f});
    EXPECT_TRUE(result.unknown());
    EXPECT_EQ(result.reason, "frem is not supported by " + solver->capabilities().name);
  }
}

TEST_P(EachBackend, InterruptIsForGood) {
  Store s;
  auto solver = GetParam()(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y");
  if (solver->capabilities().interruptible) {
    std::atomic<bool> ended{false};
    std::thread other([&] {
      while (!ended) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        solver->interrupt();
      }
    });
    Result result = solver->check(std::array{hard_condition(s, x, y)});
    ended = true;
    other.join();
    EXPECT_TRUE(result.unknown());
    EXPECT_EQ(result.reason, "interrupted");
  } else {
    solver->interrupt();
  }
  EXPECT_EQ(solver->check(std::array{s.ult(x, y)}).reason, "interrupted");
}

TEST(Z3, MemoryLimitGivesUnknown) {
  Store s;
  auto solver = make_z3(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y");
  solver->set_budget({.seconds = 20, .megabytes = 8});
  Result result = solver->check(std::array{hard_condition(s, x, y)});
  EXPECT_TRUE(result.unknown());
  EXPECT_EQ(result.reason, "memory limit");
  solver->set_budget({});
  EXPECT_TRUE(solver->check(std::array{s.ult(x, y)}).sat());
}

/// The rules of the builder, proved: simplified and plain term can not differ.
TEST(Simplify, RulesProvedByZ3) {
  Store simple, plain(Store::Options{.simplify = false});
  Pool simple_pool(simple);
  term::RandomTerms random(99, {.steps = 8, .floats = false});
  int proved = 0, given_up = 0;
  auto solver = make_z3(plain);
  solver->set_budget({.seconds = 0.5});
  std::map<std::pair<unsigned, unsigned>, Term> plain_variables;
  auto plain_variable = [&](unsigned w, unsigned n) {
    Term& v = plain_variables[{w, n}];
    return v ? v : v = plain.variable(w, "v");
  };
  while (proved < bar(5000)) {
    term::Recipe recipe = random.next();
    bool big = false;  // wide products and quotients are beyond any solver
    for (const term::Operation& step : recipe)
      big = big || (step.op >= Op::Mul && step.op <= Op::SRem && step.width > 12);
    bool reads = false;
    for (const term::Operation& step : recipe) reads = reads || step.op == Op::Read;
    if (big || reads) continue;
    Term a = term::cook(recipe, simple, [&](unsigned w, unsigned n) { return simple_pool(w, n); });
    Term b = term::cook(recipe, plain, plain_variable);
    // The simplified term, told node by node to the store that changes nothing.
    std::unordered_map<Term, Term> copied;
    std::function<Term(Term)> copy = [&](Term t) -> Term {
      Term& c = copied[t];
      if (c) return c;
      if (t.is_constant()) return c = plain.constant(t.width(), t.value());
      if (t.is_variable()) {
        const std::string& name = simple.variable_name(t);
        size_t split = name.find('_');
        return c = plain_variable(static_cast<unsigned>(std::stoul(name.substr(1, split - 1))),
                                  static_cast<unsigned>(std::stoul(name.substr(split + 1))));
      }
      Term kids[3];
      for (unsigned i = 0; i < t.arity(); ++i) kids[i] = copy(t.kid(i));
      return copied[t] = plain.make(t.op(), {kids, t.arity()}, t.width(), t.op() == Op::Extract ? t.low() : 0);
    };
    Term difference = plain.bnot(plain.eq(copy(a), b));
    Result result = solver->check(std::array{difference});
    ASSERT_FALSE(result.sat()) << term::to_smtlib(plain, b) << "\nis not\n" << term::to_smtlib(simple, a);
    if (result.unsat())
      ++proved;
    else
      ++given_up;
    ASSERT_LT(given_up, 200);
  }
}

/// Constant folding of floats agrees with the solvers' idea of them: folded value equals encoded operation.
TEST_P(EachBackend, FloatsMeanTheSame) {
  Store plain(Store::Options{.simplify = false});
  auto solver = GetParam()(plain);
  term::RandomTerms random(5, {.steps = 3, .reads = false});
  int checked = 0;
  const int wanted = bar(solver->capabilities().name == "cvc5" ? 100 : 300);
  while (checked < wanted) {
    term::Recipe recipe = random.next();
    Term t = term::cook(recipe, plain, [&](unsigned w, unsigned) { return plain.constant(w, random.value(w)); });
    bool fmod = false;
    for (const term::Operation& step : recipe) fmod = fmod || step.op == Op::FRem;
    if (!t.has_floats() || fmod) continue;
    u128 value = plain.evaluate(t, {});
    Result result = solver->check(std::array{plain.bnot(plain.eq(t, plain.constant(t.width(), value)))});
    ASSERT_TRUE(result.unsat()) << to_string(result.answer) << result.reason << " " << term::to_smtlib(plain, t);
    ++checked;
  }
}

/// Conditions over two or three narrow variables, decided by trying everything.
TEST(Backends, AgreeWithBruteForce) {
  Store s;
  Pool pool(s);
  auto z3 = make_z3(s), cvc5 = make_cvc5(s);
  int sat = 0;
  const int queries = bar(2000);
  for (int i = 0; i < queries; ++i) {
    const unsigned width = 1 + static_cast<unsigned>(i) % 4;
    term::RandomTerms random(
        1000 + static_cast<uint64_t>(i),
        {.max_width = 8, .steps = 6, .floats = false, .reads = false, .boolean = true, .only_width = width});
    std::vector<Term> conditions;
    for (int k = 0; k < 3; ++k)
      conditions.push_back(term::cook(random.next(), s, [&](unsigned w, unsigned n) { return pool(w, n); }));
    const Term unknowns[3] = {pool(width, 0), pool(width, 1), pool(width, 2)};
    bool expected = false;
    for (unsigned v = 0; v < 1u << (3 * width) && !expected; ++v) {
      auto value = [&](Term t) -> u128 {
        for (unsigned n = 0; n < 3; ++n)
          if (t == unknowns[n]) return v >> (n * width) & mask64(width);
        return 0;
      };
      expected = true;
      for (Term c : conditions) expected = expected && s.evaluate(c, {value, {}}) == 1;
    }
    Answer answer = expected ? Answer::Sat : Answer::Unsat;
    sat += expected;
    ASSERT_EQ(z3->check(conditions).answer, answer) << i;
    ASSERT_EQ(cvc5->check(conditions).answer, answer) << i;
    if (expected) continue;
    std::vector<Term> core = z3->core(), other = cvc5->core();
    auto fresh = make_z3(s);
    ASSERT_TRUE(fresh->check(core).unsat());
    ASSERT_TRUE(fresh->check(other).unsat());
  }
  EXPECT_GT(sat, queries / 5);
  EXPECT_LT(sat, queries * 9 / 10);
}

}  // namespace
}  // namespace whittle::solve
