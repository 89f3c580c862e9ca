// The stack of layers gives the answers of a bare solver, and asks it less often.
#include "solve/stack.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "solve/layer.h"
#include "solve/path_stream.h"

namespace whittle::solve {
namespace {

using term::Store;

/// Random small conditions over 4 byte variables.
class Conditions {
 public:
  Conditions(Store& store, uint64_t seed) : s_(store), random_(seed) {
    for (int i = 0; i < 4; ++i) v_.push_back(store.variable(8, "v" + std::to_string(i)));
  }
  uint64_t pick(uint64_t n) { return random_() % n; }
  Term next() {
    Term x = v_[pick(4)], y = v_[pick(4)], c = s_.constant(8, pick(2) == 0 ? pick(6) : pick(256));
    switch (pick(6)) {
      case 0: return s_.ult(x, c);
      case 1: return s_.slt(s_.add(x, y), c);
      case 2: return s_.eq(x, s_.add(y, c));
      case 3: return s_.band(s_.ult(c, x), s_.ult(x, y));
      case 4: return s_.bor(s_.eq(x, c), s_.ult(y, x));
      default: return s_.bnot(s_.eq(s_.mul(x, y), c));
    }
  }
  std::vector<Term> some(uint64_t most) {
    std::vector<Term> result;
    for (uint64_t n = 1 + pick(most); n > 0; --n) result.push_back(next());
    return result;
  }

 private:
  Store& s_;
  std::mt19937_64 random_;
  std::vector<Term> v_;
};

void expect_like_bare(Solver& solver, Solver& bare, const std::vector<Term>& added, const std::vector<Term>& assumed,
                      const Store& s) {
  std::vector<Term> all = added;
  all.insert(all.end(), assumed.begin(), assumed.end());
  Result expected = bare.check(all), result = solver.check(assumed);
  ASSERT_EQ(result.answer, expected.answer) << result.reason;
  if (result.sat()) {
    for (Term t : all) ASSERT_EQ(solver.value(t), 1u) << term::to_smtlib(s, t);
  }
  if (!result.unsat()) return;
  std::vector<Term> core = solver.core();
  for (Term t : core) ASSERT_NE(std::find(assumed.begin(), assumed.end(), t), assumed.end());
  core.insert(core.end(), added.begin(), added.end());
  ASSERT_TRUE(bare.check(core).unsat());
}

TEST(Stack, AnswersLikeABareSolver) {
  Store s;
  Statistics statistics;
  auto solver = make_solver(s, {}, &statistics);
  auto bare = make_z3(s);
  Conditions conditions(s, 3);
  std::vector<Term> pool = conditions.some(60);
  std::vector<std::vector<Term>> levels{{}};
  for (int i = 0; i < 600; ++i) {
    switch (conditions.pick(6)) {
      case 0:
        solver->push();
        levels.emplace_back();
        break;
      case 1:
        if (levels.size() == 1) break;
        solver->pop();
        levels.pop_back();
        break;
      case 2:
        if (levels.size() == 1) break;
        levels.back().push_back(pool[conditions.pick(pool.size())]);
        solver->add(levels.back().back());
        break;
      default: break;
    }
    std::vector<Term> added, assumed;
    for (const auto& level : levels) added.insert(added.end(), level.begin(), level.end());
    for (uint64_t n = conditions.pick(5); n > 0; --n) assumed.push_back(pool[conditions.pick(pool.size())]);
    ASSERT_NO_FATAL_FAILURE(expect_like_bare(*solver, *bare, added, assumed, s)) << i;
  }
  EXPECT_EQ(statistics.count("solver.all.queries"), 600u);
  EXPECT_GT(statistics.count("solver.cache.sat_hits") + statistics.count("solver.model_reuse.hits"), 50u);
  EXPECT_GT(statistics.count("solver.cache.unsat_hits"), 20u);
}

TEST(Stack, EveryLayerAloneAnswersLikeABareSolver) {
  for (int layer = 0; layer < 5; ++layer) {
    Store s;
    StackOptions options{.split = layer == 0,
                         .independence = layer == 1,
                         .cache = layer == 2,
                         .reuse_models = layer == 3,
                         .cross_check = layer == 4};
    auto solver = make_solver(s, options);
    auto bare = make_z3(s);
    Conditions conditions(s, 11 + static_cast<uint64_t>(layer));
    std::vector<Term> pool = conditions.some(30);
    for (int i = 0; i < 60; ++i) {
      std::vector<Term> assumed;
      for (uint64_t n = 1 + conditions.pick(5); n > 0; --n) assumed.push_back(pool[conditions.pick(pool.size())]);
      ASSERT_NO_FATAL_FAILURE(expect_like_bare(*solver, *bare, {}, assumed, s)) << layer << " " << i;
    }
  }
}

TEST(Stack, PathStreamsAreAnsweredAlikeWithFewerQuestions) {
  Store s;
  Statistics statistics;
  auto solver = make_solver(s, {}, &statistics);
  auto bare = make_z3(s);
  PathStream stream(s, 42);
  for (int program = 0; program < 4; ++program)
    stream.walk(60, [&](const std::vector<Term>& path, Term side) {
      std::vector<Term> query = path;
      query.push_back(side);
      Result result = solver->check(query), expected = bare->check(query);
      EXPECT_EQ(result.answer, expected.answer);
      return result.sat();
    });
  EXPECT_LT(statistics.count("solver.backend.queries") * 2, statistics.count("solver.all.queries"));
}

TEST(Stack, UnknownGoesUpWithItsReason) {
  Store s;
  auto solver = make_solver(s);
  Term x = s.variable(64, "x"), y = s.variable(64, "y"), z = s.variable(8, "z");
  Term product = s.constant(128, static_cast<u128>(0xffffffffffffffc5u) * 0xffffffffffffffadu);
  Term hard = s.eq(s.mul(s.zext(x, 128), s.zext(y, 128)), product);
  Term odd = s.band(s.ugt(x, s.constant(64, 1)), s.ugt(y, x));
  solver->set_budget({.seconds = 0.03});
  Result result = solver->check(std::array{hard, odd, s.eq(z, s.constant(8, 1))});
  EXPECT_TRUE(result.unknown());
  EXPECT_EQ(result.reason, "time limit");
  // An independent contradiction is one all the same.
  Term low = s.ult(z, s.constant(8, 3)), high = s.ugt(z, s.constant(8, 7));
  EXPECT_TRUE(solver->check(std::array{hard, odd, low, high}).unsat());
  solver->interrupt();
  EXPECT_EQ(solver->check(std::array{s.ult(x, y)}).reason, "interrupted");
}

/// A solver that answers as it is told, for what the layers must not believe.
class Liar final : public Solver {
 public:
  explicit Liar(Answer answer) : answer_(answer) { capabilities_.name = "liar"; }
  void add(Term) override {}
  void push() override {}
  void pop() override {}
  Result check(std::span<const Term> assumptions) override {
    core_.assign(assumptions.begin(), assumptions.end());
    return {answer_, answer_ == Answer::Unknown ? "told to" : ""};
  }
  u128 value(Term) override { return 0; }
  std::vector<Term> core() override { return core_; }
  void interrupt() override {}
  void set_budget(const Budget&) override {}
  const Capabilities& capabilities() const override { return capabilities_; }

 private:
  Answer answer_;
  Capabilities capabilities_;
  std::vector<Term> core_;
};

TEST(CrossCheck, DisagreementIsUnknown) {
  Store s;
  Statistics statistics;
  StackContext context{s, statistics};
  Term x = s.variable(8, "x");
  auto wrong_unsat = make_cross_check(context, std::make_unique<Liar>(Answer::Unsat), make_z3(s));
  Result result = wrong_unsat->check(std::array{s.ult(x, s.constant(8, 9))});
  EXPECT_TRUE(result.unknown());
  EXPECT_EQ(result.reason, "solvers disagree: liar says unsat, z3 says sat");
  auto wrong_model = make_cross_check(context, std::make_unique<Liar>(Answer::Sat), make_z3(s));
  EXPECT_TRUE(wrong_model->check(std::array{s.ugt(x, s.constant(8, 9))}).unknown());
  auto no_opinion = make_cross_check(context, make_z3(s), std::make_unique<Liar>(Answer::Unknown));
  EXPECT_TRUE(no_opinion->check(std::array{s.ugt(x, s.constant(8, 9))}).sat());
  EXPECT_EQ(statistics.count("solver.cross_check.disagreements"), 2u);
}

TEST(SmtlibLog, WritesWhatReachesTheBackEnd) {
  Store s;
  auto directory = std::filesystem::temp_directory_path() / ("whittle-log-" + std::to_string(::getpid()));
  {
    auto solver = make_solver(s, {.log_directory = directory.string()});
    Term x = s.variable(8, "x"), bit = s.extract(x, 0, 1);
    EXPECT_TRUE(solver->check(std::array{s.ugt(x, s.constant(8, 9)), bit}).sat());
  }
  std::ifstream file(directory / "query-000001.smt2");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(text.find("(declare-const x!0 (_ BitVec 8))"), std::string::npos) << text;
  EXPECT_NE(text.find("(assert (= ((_ extract 0 0) x!0) #b1))"), std::string::npos) << text;
  EXPECT_NE(text.find("; sat"), std::string::npos);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace whittle::solve
