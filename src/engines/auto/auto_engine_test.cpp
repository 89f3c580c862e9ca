// Engines whose answers are known beforehand, right or wrong, run as `auto` runs real ones.
#include "engines/auto/auto_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "engines/auto/plan.h"
#include "engines/auto/race.h"
#include "engines/auto/random_runs.h"
#include "engines/auto/vacuity.h"
#include "engines/auto/wire.h"
#include "exec/runner.h"
#include "program/parse.h"

namespace whittle::engines::auto_ {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using verdict::Answer;
using verdict::Verdict;
using Work = std::function<Verdict(Limits&)>;

Verdict verdict_of(Answer answer, const std::string& reason) {
  Verdict verdict;
  verdict.answer = answer;
  verdict.reason = reason;
  if (answer == Answer::False) verdict.violation.emplace().message = reason;
  return verdict;
}
Work says(Answer answer, const std::string& reason = "because") {
  return [=](Limits&) { return verdict_of(answer, reason); };
}
/// Looks at its limits, as engines do.
Work searches_for_ever() {
  return [](Limits& limits) {
    while (limits.poll_now() == Stop::No) usleep(1000);
    return verdict_of(Answer::Unknown, to_string(limits.stopped()) + " after 7 runs");
  };
}
Work crashes() {
  return [](Limits&) -> Verdict {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer has its own way to die
    raise(SIGSEGV);
    return {};
  };
}
/// What processes of a test tell each other.
struct Shared {
  std::atomic<bool> speak{false};
  std::atomic<unsigned> ready{0};
  std::atomic<pid_t> pid{0};
};
Shared* shared = nullptr;

Work takes_memory(size_t bytes) {
  return [=](Limits&) {
    shared->pid = getpid();
    std::vector<char> block(bytes, 1);
    for (;;) {
      usleep(1000);
      if (block[bytes / 2] == 0) return Verdict{};
    }
  };
}
Work after(int milliseconds, Work work) {
  return [=](Limits& limits) {
    usleep(1000 * static_cast<unsigned>(milliseconds));
    return work(limits);
  };
}

class RaceTest : public testing::Test {
 protected:
  void SetUp() override {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared = new (memory) Shared;
  }
  void TearDown() override { munmap(shared, sizeof(Shared)); }
  void enter(const std::string& name, Work work) { works_.emplace_back(name, std::move(work)); }
  Finish run(unsigned cores = 2) {
    Progress progress(false);
    Context context{limits_, statistics_, progress};
    Race race({cores,
               [&](const std::string& name, Limits& limits, LastWords&) {
                 for (auto& [known, work] : works_)
                   if (known == name) return work(limits);
                 return Verdict{};
               }},
              context);
    for (auto& [name, work] : works_) race.enter(name, 1);
    return race.run();
  }
  Limits limits_;
  Statistics statistics_;
  std::vector<std::pair<std::string, Work>> works_;
};

TEST_F(RaceTest, TheFirstDefiniteAnswerWins) {
  enter("endless", searches_for_ever());
  enter("prover", after(20, says(Answer::True, "all states visited")));
  Finish finish = run();
  ASSERT_TRUE(finish.verdict);
  EXPECT_EQ(finish.verdict->answer, Answer::True);
  EXPECT_EQ(finish.verdict->engine, "prover");
  EXPECT_EQ(finish.verdict->reason, "all states visited");
}

TEST_F(RaceTest, EnginesTakeTurnsOnOneCore) {
  for (const char* name : {"a", "b", "c"}) enter(name, searches_for_ever());
  enter("finder", after(600, says(Answer::False, "broken")));  // longer than its first turn
  Finish finish = run(1);
  ASSERT_TRUE(finish.verdict);
  EXPECT_EQ(finish.verdict->engine, "finder");
  for (const Standing& standing : finish.standings) EXPECT_GT(standing.seconds, 0) << standing.engine;
}

TEST_F(RaceTest, NobodyDecides) {
  enter("a", says(Answer::Unknown, "a bound"));
  enter("b", says(Answer::Unknown, "floats"));
  Finish finish = run();
  EXPECT_FALSE(finish.verdict);
  ASSERT_EQ(finish.standings.size(), 2u);
  EXPECT_EQ(finish.standings[0].said, "a bound");
  EXPECT_EQ(finish.standings[1].said, "floats");
  EXPECT_FALSE(finish.standings[0].trouble);
}

TEST_F(RaceTest, ACrashCostsNothing) {
  enter("wild", crashes());
  enter("throws", [](Limits&) -> Verdict { fail_internal("lost count"); });
  enter("prover", after(100, says(Answer::True)));
  Finish finish = run();
  ASSERT_TRUE(finish.verdict);
  EXPECT_EQ(finish.verdict->engine, "prover");
  EXPECT_TRUE(finish.standings[0].trouble);
  EXPECT_THAT(finish.standings[0].said, HasSubstr("signal 11"));
  EXPECT_TRUE(finish.standings[1].trouble);
  EXPECT_THAT(finish.standings[1].said, HasSubstr("lost count"));
}

TEST_F(RaceTest, AWrongOptionIsTheUsersBusiness) {
  enter("picky", [](Limits&) -> Verdict { fail_usage("option --depth needs a number"); });
  enter("endless", searches_for_ever());
  try {
    run();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_STREQ(error.what(), "option --depth needs a number");
  }
}

TEST_F(RaceTest, MemoryHoldsForTheSum) {
  limits_.set_memory(resident_memory() + (uint64_t{300} << 20));
  enter("small", [](Limits&) {
    std::vector<char> block(size_t{100} << 20, 1);
    for (;;) usleep(1000 + static_cast<unsigned>(block[5]));
    return Verdict{};
  });
  enter("large", takes_memory(size_t{250} << 20));  // each alone would fit
  enter("prover", [](Limits&) {
    while (shared->pid == 0 || kill(shared->pid, 0) == 0) usleep(1000);  // until that one is gone
    return verdict_of(Answer::True, "");
  });
  Finish finish = run(3);
  ASSERT_TRUE(finish.verdict);
  EXPECT_EQ(finish.verdict->engine, "prover");
  EXPECT_TRUE(finish.standings[1].trouble);
  EXPECT_THAT(finish.standings[1].said, HasSubstr("memory limit"));
  EXPECT_FALSE(finish.standings[0].trouble) << "the largest goes, the other one stays";
}

/// Lets the engines speak and keeps the race from listening until they have.
void hold_the_race(int) {
  shared->speak = true;
  timespec pause{0, 400'000'000};
  nanosleep(&pause, nullptr);
}

TEST_F(RaceTest, ContradictionIsNeverDecided) {
  auto when_told = [](Work work) {
    return [=](Limits& limits) {
      ++shared->ready;
      while (!shared->speak) usleep(1000);
      return work(limits);
    };
  };
  enter("liar", when_told(says(Answer::True, "seems fine")));
  enter("finder", when_told([](Limits&) {
          Verdict verdict = verdict_of(Answer::False, "x is 3");
          verdict.trace.steps.resize(20'000);  // more than fits into a pipe at once
          return verdict;
        }));
  signal(SIGUSR1, hold_the_race);
  pthread_t race = pthread_self();
  std::thread user([race] {
    while (shared->ready < 2) usleep(1000);
    pthread_kill(race, SIGUSR1);
  });
  std::string text = "no error";
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Internal);
    text = error.what();
  }
  user.join();
  signal(SIGUSR1, SIG_DFL);
  EXPECT_THAT(text, HasSubstr("liar says true"));
  EXPECT_THAT(text, HasSubstr("finder says false(unreach-call)"));
  EXPECT_THAT(text, HasSubstr("x is 3"));
}

TEST_F(RaceTest, TimeIsUpAndEverybodySaysWhatTheyKnow) {
  limits_.set_timeout(limits_.elapsed() + 0.6);
  for (const char* name : {"a", "b", "c"}) enter(name, searches_for_ever());
  Finish finish = run(3);
  EXPECT_FALSE(finish.verdict);
  EXPECT_EQ(limits_.stopped(), Stop::Time);
  for (const Standing& standing : finish.standings) {
    EXPECT_THAT(standing.said, HasSubstr("after 7 runs")) << standing.engine;
    EXPECT_FALSE(standing.trouble);
  }
}

TEST_F(RaceTest, AnInterruptIsHandedOn) {
  enter("a", searches_for_ever());
  enter("deaf", after(60'000, says(Answer::True)));  // is killed, and the verdict does not wait for it
  std::thread user([&] {
    usleep(100'000);
    limits_.interrupt();
  });
  Finish finish = run();
  user.join();
  EXPECT_FALSE(finish.verdict);
  EXPECT_THAT(finish.standings[0].said, HasSubstr("interrupted after 7 runs"));
  EXPECT_THAT(finish.standings[1].said, HasSubstr("interrupted"));
  EXPECT_LT(limits_.elapsed(), 30);
}

TEST(Wire, KeepsEverything) {
  Verdict v = verdict_of(Answer::False, "reason\nwith two lines");
  v.violation = verdict::Violation{verdict::Property::NoOverflow, "message", "f", "a.c", 12, 3};
  v.counterexample.inputs = {{128, (u128{1} << 100) + 5, "origin", "b.c", 7}};
  v.counterexample.schedule = {0, 1, 1, 4'000'000'000u};
  v.trace.steps.push_back({1, "g", "c.c", 8, 9, "x = 1", {{"x", "1"}, {"y", ""}}, "note", 2});
  v.trace.loop_start = 0;
  v.assumptions = {"one", std::string("with\0zero", 9)};
  v.notes = {"note"};
  v.engine = "dpr";
  v.statistics.set("count", uint64_t{7});
  v.statistics.set("real", Statistics::Value{0.25});
  v.statistics.set("text", Statistics::Value{std::string("t")});
  std::string bytes = encode(v);
  Verdict w = decode(bytes);
  EXPECT_EQ(encode(w), bytes);
  EXPECT_EQ(w.reason, v.reason);
  EXPECT_EQ(w.violation->line, 12u);
  EXPECT_TRUE(w.counterexample.inputs[0].value == v.counterexample.inputs[0].value);
  EXPECT_EQ(w.counterexample.schedule, v.counterexample.schedule);
  EXPECT_EQ(w.trace.loop_start, v.trace.loop_start);
  EXPECT_EQ(w.assumptions, v.assumptions);
  EXPECT_EQ(w.statistics.entries(), v.statistics.entries());
  for (size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(decode(bytes.substr(0, cut)), Error) << cut;
  EXPECT_THROW(decode(bytes + "x"), Error);
}

program::analysis::Features features_of(const program::Program& program) {
  return {program, program::analysis::CallGraph(program)};
}

constexpr const char* kLoop = R"(program LP64
entry 0
function 0 "main" returns 0 entry 0 locations 4 parameters 0
  register 0 32 "x"
  0 -> 1: x.0 := nondet input "__VERIFIER_nondet_int"
  1 -> 2: assume((x.0 >s 7))
  1 -> 3: assume((x.0 <=s 7))
  2 -> 1: x.0 := (x.0 - 1)
  3: halt(0:32) "exit"
)";

TEST(Plan, EveryEngineGetsATurn) {
  program::Program program = program::parse_text(kLoop);
  Plan plan = make_plan(features_of(program), {"test", "novel", "explicit"});
  std::vector<std::string> names;
  for (const Turn& turn : plan.turns) names.push_back(turn.engine);
  EXPECT_THAT(names, ElementsAre("test", "explicit", "novel"));
  EXPECT_THAT(plan.sentence(2),
              HasSubstr("one thread, 1 loop, 1 input of up to 32 bits: trying test and explicit, then novel"));
}

TEST(Plan, WhatMemoryHoldsIsLikeAnInput) {
  program::Program program = program::parse_text(kLoop);
  program::analysis::Features features = features_of(program);
  features.inputs = features.widest_input = 0;
  EXPECT_EQ(make_plan(features, {"test", "explicit", "dash"}).turns[0].engine, "explicit");
  features.unset_memory = true;
  const Plan plan = make_plan(features, {"test", "explicit", "dash"});
  EXPECT_EQ(plan.turns[0].engine, "dash");
  EXPECT_THAT(plan.sentence(1), HasSubstr("memory without a value"));
}

TEST(FirstTests, GoWhereNoneBeforeWent) {
  program::Program program = program::parse_text(kLoop);
  Limits limits;
  std::vector<std::vector<u128>> tests = first_tests(program, verdict::default_specification(), 1, limits);
  // One goes round the loop, one does not, and nothing else is new.
  ASSERT_GE(tests.size(), 1u);
  ASSERT_LE(tests.size(), 2u);
  for (const auto& inputs : tests) EXPECT_EQ(inputs.size(), 1u);
  if (tests.size() == 2) {
    auto round = [](const std::vector<u128>& inputs) { return static_cast<int32_t>(inputs[0]) > 7; };
    EXPECT_NE(round(tests[0]), round(tests[1]));
  }
}

/// Tries all values of one input of eight bits.
class Enumerate : public Engine {
 public:
  std::string_view name() const override { return "enumerate"; }
  std::string_view description() const override { return "all values"; }
  std::optional<std::string> supports(const program::Program&, const verdict::Specification&) const override {
    return std::nullopt;
  }
  Verdict run(const program::Program& program, const verdict::Specification& specification, const Settings&,
              Context&) override {
    auto code = std::make_shared<exec::Code>(program, specification);
    for (unsigned value = 0; value < 256; ++value) {
      exec::RunPlan plan;
      plan.inputs = {value};
      exec::RunResult result = exec::run(code, plan);
      if (!result.violation) continue;
      Verdict verdict = verdict_of(Answer::False, "found");
      verdict.violation = result.violation;
      verdict.counterexample = result.counterexample;
      return verdict;
    }
    return verdict_of(Answer::True, "all 256 values tried");
  }
};

/// Lines: 2 a live assumption, 3 a live assertion (by one value only), 4 an assertion that no run reaches, 5 a dead
/// assumption, 6 an assertion behind it.
constexpr const char* kSites = R"(program LP64
entry 0
file "sites.c"
function 0 "main" returns 0 entry 0 locations 13 parameters 0
  register 0 8 "x"
  0 -> 1: x.0 := nondet input "__VERIFIER_nondet_uchar" @0:1:1
  1 -> 2: assume((x.0 <u 200)) @0:2:1
  2 -> 3: assume((x.0 == 77)) @0:3:1
  2 -> 5: assume((x.0 != 77)) @0:3:1
  3 -> 4: assume((x.0 == 78)) @0:3:1
  3 -> 5: assume((x.0 != 78)) @0:3:1
  4: error property unreach-call "first" @0:3:9
  5 -> 6: assume((x.0 >u 220)) @0:3:20
  5 -> 8: assume((x.0 <=u 220)) @0:3:20
  6 -> 7: assume((x.0 == 1)) @0:4:5
  6 -> 8: assume((x.0 != 1)) @0:4:5
  7: error property unreach-call "second" @0:4:9
  8 -> 9: assume((x.0 >u 210)) @0:5:1
  9 -> 10: assume((x.0 == 3)) @0:6:1
  9 -> 11: assume((x.0 != 3)) @0:6:1
  10: error property unreach-call "third" @0:6:9
  11 -> 12: assume(1) @0:7:1
  12: halt(0:32) "exit"
)";

TEST(Vacuity, DeadSitesAreFoundAndLiveOnesAreNot) {
  program::Program program = program::parse_text(kSites);
  std::vector<Checkpoint> checkpoints = find_checkpoints(program);
  Enumerate engine;
  Settings settings;
  Limits limits;
  std::vector<std::string> warnings = vacuous(program, checkpoints, engine, settings, limits);
  EXPECT_THAT(warnings, Contains(HasSubstr("no run reaches the assertion at sites.c:4")));
  EXPECT_THAT(warnings, Contains(HasSubstr("no run satisfies the assumption at sites.c:5")));
  EXPECT_THAT(warnings, Contains(HasSubstr("no run reaches the assertion at sites.c:6")));
  EXPECT_THAT(warnings, testing::Not(Contains(HasSubstr("sites.c:2"))));
  EXPECT_THAT(warnings, testing::Not(Contains(HasSubstr("sites.c:3"))));
}

TEST(Vacuity, TheSecondPartOfADisjunctionNeedNotBeReached) {
  // assert(x < 200 || x == 255), where the first part always holds.
  program::Program program = program::parse_text(R"(program LP64
entry 0
file "sites.c"
function 0 "main" returns 0 entry 0 locations 6 parameters 0
  register 0 8 "x"
  0 -> 1: x.0 := nondet input "__VERIFIER_nondet_uchar" @0:1:1
  1 -> 2: assume((x.0 <u 200)) @0:2:1
  2 -> 3: assume((x.0 >=u 200)) @0:3:1
  2 -> 5: assume((x.0 <u 200)) @0:3:1
  3 -> 4: assume((x.0 != 255)) @0:3:1
  3 -> 5: assume((x.0 == 255)) @0:3:1
  4: error property unreach-call "first" @0:3:1
  5: halt(0:32) "exit"
)");
  Enumerate engine;
  Settings settings;
  Limits limits;
  EXPECT_THAT(vacuous(program, find_checkpoints(program), engine, settings, limits), testing::IsEmpty());
}

TEST(AutoEngine, SaysWhoDecidedWhatWasProvedAndWhatIsEmpty) {
  program::Program program = program::parse_text(kSites);
  AutoEngine engine([] {
    AutoEngine::Engines engines;
    engines.push_back(std::make_unique<Enumerate>());
    return engines;
  });
  verdict::Specification specification = verdict::default_specification();
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  Verdict verdict = engine.run(program, specification, {}, context);
  EXPECT_EQ(verdict.answer, Answer::True);
  EXPECT_EQ(verdict.engine, "enumerate");
  EXPECT_EQ(verdict.reason, "all 256 values tried");
  EXPECT_THAT(verdict.notes, Contains("proved for: all inputs, one thread, no loops"));
}

}  // namespace
}  // namespace whittle::engines::auto_
