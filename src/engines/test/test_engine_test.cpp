#include "engines/test/test_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engines/test/drive.h"
#include "engines/test/minimise.h"
#include "exec/runner.h"
#include "program/parse.h"

namespace whittle::engines::test {

// Two threads add 1 to x in two steps each; the last thread to end checks that nothing was lost.
constexpr const char* kLostUpdate = R"(program LP64
entry 0
object 0 "x" at 0x100000 size 4 align 4
object 1 "done" at 0x101000 size 4 align 4
function 0 "start" returns 0 entry 0 locations 4 parameters 0
  register 0 32
  register 1 32
  0 -> 1: r0 := spawn(@add, 0, 0)
  1 -> 2: r1 := spawn(@add, 0, 0)
  2: thread_exit
function 1 "add" returns 0 entry 0 locations 8 parameters 2
  register 0 64
  register 1 64
  register 2 32 "old"
  register 3 32
  register 4 32
  0 -> 1: old.2 := load.32(&x)
  1 -> 2: store.32(&x, (old.2 + 1))
  2 -> 3: r3 := atomic_rmw.32 add(&done, 1)
  3 -> 4: assume((r3 == 1))
  3 -> 6: assume((r3 != 1))
  4 -> 5: r4 := load.32(&x)
  5 -> 6: check((r4 == 2)) property unreach-call "an update was lost"
  6: thread_exit
)";

// Two inputs: an error if the first is above 1000 and the second is 77; an assumption excludes a third of the space.
constexpr const char* kInputs = R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 8 parameters 0
  register 0 32 "a"
  register 1 32 "b"
  0 -> 1: a.0 := nondet input "__VERIFIER_nondet_int"
  1 -> 2: b.1 := nondet input "__VERIFIER_nondet_int"
  2 -> 3: assume((a.0 >s 1000))
  2 -> 5: assume((a.0 <=s 1000))
  3 -> 4: assume((b.1 == 77))
  3 -> 5: assume((b.1 != 77))
  4: error property unreach-call "reached"
  5: halt(0:32) "exit"
)";

// After a loop of 300,000 rounds there is an error for all but one value of the input.
constexpr const char* kAfterALongLoop = R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 6 parameters 0
  register 0 32 "a"
  register 1 32 "i"
  0 -> 1: a.0 := nondet input "__VERIFIER_nondet_int"
  1 -> 2: assume((i.1 <u 300000))
  1 -> 3: assume((i.1 >=u 300000))
  2 -> 1: i.1 := (i.1 + 1)
  3 -> 4: assume((a.0 != 0))
  3 -> 5: assume((a.0 == 0))
  4: error property unreach-call "reached"
  5: halt(0:32) "exit"
)";

// The only way on is through four assumptions in a row: without taking decisions back, one run in 4^4 gets there.
constexpr const char* kAssumptions = R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 10 parameters 0
  register 0 2
  0 -> 1: r0 := nondet input "any"
  1 -> 2: assume((r0 == 1))
  2 -> 3: r0 := nondet input "any"
  3 -> 4: assume((r0 == 2))
  4 -> 5: r0 := nondet input "any"
  5 -> 6: assume((r0 == 3))
  6 -> 7: r0 := nondet input "any"
  7 -> 8: assume((r0 == 0))
  8: error property unreach-call "reached"
)";

constexpr const char* kEndless = R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 2 parameters 0
  register 0 32
  0 -> 1: r0 := nondet input "any"
  1 -> 1: r0 := (r0 + 1)
)";

// Whatever the input is, every run gets to what is not supported; unless `r0 == 7` leads past it.
constexpr const char* kUnsupported = R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 4 parameters 0
  register 0 32
  0 -> 1: r0 := nondet input "any"
  1: unsupported "inline assembly"
)";
constexpr const char* kMostlyUnsupported = R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 4 parameters 0
  register 0 32
  0 -> 1: r0 := nondet input "any"
  1 -> 2: assume((r0 == 7))
  1 -> 3: assume((r0 != 7))
  2: halt(0:32) "exit"
  3: unsupported "inline assembly"
)";

struct Fixture {
  explicit Fixture(const char* text) : program(program::parse_text(text)) {
    specification = verdict::default_specification();
  }
  verdict::Verdict run(uint64_t seed = 1) {
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    Settings settings = options;
    settings.seed = seed;
    TestEngine engine;
    return engine.run(program, specification, settings, context);
  }
  /// As `whittle check` prints it.
  verdict::Verdict run_small(uint64_t seed = 1) {
    verdict::Verdict verdict = run(seed);
    auto code = std::make_shared<exec::Code>(program, specification);
    if (auto small = make_small(code, verdict, limits)) verdict.counterexample = exec::replay(code, *small).counterexample;
    return verdict;
  }
  program::Program program;
  verdict::Specification specification;
  Limits limits;
  Settings options;
};

TEST(TestEngine, FindsALostUpdateWithTheFewestSwitches) {
  Fixture fixture(kLostUpdate);
  verdict::Verdict verdict = fixture.run_small();
  ASSERT_EQ(verdict.answer, verdict::Answer::False);
  EXPECT_EQ(verdict.violation->message, "an update was lost");
  EXPECT_EQ(verdict.engine, "test");
  // main, one thread up to between its two steps, the other thread to its end, the first one again.
  EXPECT_EQ(segments_of(verdict.counterexample.schedule).size(), 4u);
  auto code = std::make_shared<exec::Code>(fixture.program, fixture.specification);
  EXPECT_EQ(exec::replay(code, verdict.counterexample).end, exec::RunEnd::Violation);
  EXPECT_FALSE(verdict.trace.steps.empty());
}

TEST(TestEngine, FindsInputsAndMakesThemSmall) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Fixture fixture(kInputs);
    verdict::Verdict verdict = fixture.run_small(seed);
    ASSERT_EQ(verdict.answer, verdict::Answer::False);
    ASSERT_EQ(verdict.counterexample.inputs.size(), 2u);
    EXPECT_TRUE(verdict.counterexample.inputs[0].value == 1001);
    EXPECT_TRUE(verdict.counterexample.inputs[1].value == 77);
    EXPECT_EQ(verdict.counterexample.inputs[0].origin, "__VERIFIER_nondet_int");
  }
}

TEST(TestEngine, EqualSeedsEqualRuns) {
  Fixture one(kLostUpdate), two(kLostUpdate);
  verdict::Verdict a = one.run(9), b = two.run(9);
  EXPECT_EQ(a.counterexample.schedule, b.counterexample.schedule);
  EXPECT_EQ(a.statistics.count("runs"), b.statistics.count("runs"));
}

TEST(TestEngine, RunsGetLongerAsLongAsNoneEnds) {
  Fixture fixture(kAfterALongLoop);
  fixture.options.set("test-runs", "20");
  verdict::Verdict verdict = fixture.run();
  ASSERT_EQ(verdict.answer, verdict::Answer::False);
  // Its end is told, not how it came there.
  EXPECT_LE(verdict.trace.steps.size(), 300'000u);
  ASSERT_GT(verdict.trace.steps.size(), 1'000u);
}

TEST(TestEngine, FailedAssumptionsAreTakenBack) {
  Fixture fixture(kAssumptions);
  fixture.options.set("test-runs", "20");
  verdict::Verdict verdict = fixture.run();
  ASSERT_EQ(verdict.answer, verdict::Answer::False);
  ASSERT_EQ(verdict.counterexample.inputs.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(verdict.counterexample.inputs[i].value == (i + 1) % 4);
}

TEST(TestEngine, EndlessRunsEndAndNothingIsProved) {
  Fixture fixture(kEndless);
  fixture.options.set("test-runs", "30");
  verdict::Verdict verdict = fixture.run();
  EXPECT_EQ(verdict.answer, verdict::Answer::Unknown);
  EXPECT_EQ(verdict.statistics.count("runs"), 30u);
  EXPECT_GT(verdict.statistics.count("runs_out_of_budget"), 0u);
}

TEST(TestEngine, GivesUpWhereNoRunGetsPastOnePlace) {
  Fixture fixture(kUnsupported);
  verdict::Verdict verdict = fixture.run();
  EXPECT_EQ(verdict.answer, verdict::Answer::Unknown);
  EXPECT_EQ(verdict.statistics.count("runs"), 1000u);
  EXPECT_NE(verdict.reason.find("all of the first 1000 runs"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("inline assembly"), std::string::npos) << verdict.reason;
  Fixture other(kMostlyUnsupported);
  other.options.set("test-runs", "3000");
  EXPECT_EQ(other.run().statistics.count("runs"), 3000u);
}

TEST(TestEngine, StopsWhenInterrupted) {
  Fixture fixture(kEndless);
  fixture.limits.interrupt();
  verdict::Verdict verdict = fixture.run();
  EXPECT_EQ(verdict.answer, verdict::Answer::Unknown);
  EXPECT_NE(verdict.reason.find("interrupted"), std::string::npos);
}

TEST(TestEngine, APropertyNobodyAskedForIsNotReported) {
  Fixture fixture(kInputs);
  fixture.specification.properties = {verdict::Property::ValidDeref};
  fixture.options.set("test-runs", "500");
  EXPECT_EQ(fixture.run().answer, verdict::Answer::Unknown);
}

TEST(TestEngine, DoesNotClaimTermination) {
  Fixture fixture(kEndless);
  fixture.specification.properties = {verdict::Property::Termination};
  EXPECT_TRUE(TestEngine().supports(fixture.program, fixture.specification).has_value());
}

TEST(Minimise, ResultIsNeverLargerAndStillFails) {
  Fixture fixture(kLostUpdate);
  auto code = std::make_shared<exec::Code>(fixture.program, fixture.specification);
  exec::Machine machine(code);
  int failures = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    auto scheduler = random_walk(seed, 1);
    auto inputs = listed_inputs({});
    Outcome outcome = drive(machine, *scheduler, *inputs, 10'000, fixture.limits);
    if (outcome.end != End::Violation) continue;
    ++failures;
    Cost before = cost_of(outcome);
    MinimiseResult small = minimise(machine, std::move(outcome), 1000, 100, fixture.limits);
    ASSERT_EQ(small.outcome.end, End::Violation);
    EXPECT_LE(cost_of(small.outcome), before);
    EXPECT_EQ(cost_of(small.outcome).switches, 3u);
  }
  EXPECT_GT(failures, 10);
}

TEST(ProgramConstants, AreFound) {
  Fixture fixture(kInputs);
  std::vector<u128> constants = program_constants(fixture.program);
  for (u128 wanted : {u128{1000}, u128{77}}) EXPECT_NE(std::ranges::find(constants, wanted), constants.end());
}

}  // namespace whittle::engines::test
