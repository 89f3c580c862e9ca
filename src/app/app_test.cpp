#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/options.h"
#include "app/replay.h"
#include "app/suite/scale_plan.h"
#include "base/error.h"

namespace whittle::app {

using testing::HasSubstr;

std::optional<Options> parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "whittle");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

std::string usage_error(std::vector<const char*> arguments) {
  try {
    parse(std::move(arguments));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "no error";
}

TEST(CommandLine, Check) {
  auto options = parse({"check", "a.c",       "b.c", "-I",       "inc",    "-DX=1",  "-Iother", "--data-model",
                        "ILP32", "--timeout", "5m",  "--memory", "2G",     "--json", "-",       "--test-runs",
                        "7",     "--strict",  "--",  "-std=c99", "--weird"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->command, Command::Check);
  EXPECT_THAT(options->input.files, testing::ElementsAre("a.c", "b.c"));
  EXPECT_THAT(options->input.include_paths, testing::ElementsAre("inc", "other"));
  EXPECT_THAT(options->input.defines, testing::ElementsAre("X=1"));
  EXPECT_THAT(options->input.clang_flags, testing::ElementsAre("-std=c99", "--weird"));
  EXPECT_EQ(options->input.data_model, "ILP32");
  EXPECT_EQ(options->timeout, 300);
  EXPECT_EQ(options->memory, uint64_t{2} << 30);
  EXPECT_EQ(options->json, "-");
  EXPECT_TRUE(options->strict);
  ASSERT_EQ(options->engine_options.size(), 1u);
  EXPECT_EQ(options->engine_options[0], std::make_pair(std::string("test-runs"), std::string("7")));
}

TEST(CommandLine, FilesMayComeAfterOptions) {
  auto options = parse({"check", "-I", "inc", "a.c"});
  EXPECT_THAT(options->input.files, testing::ElementsAre("a.c"));
  options = parse({"run", "--inputs", "-1,5", "a.c", "--data-model", "ilp32"});
  EXPECT_THAT(options->input.files, testing::ElementsAre("a.c"));
  EXPECT_EQ(*options->inputs, "-1,5");
  EXPECT_EQ(options->input.data_model, "ILP32");
}

TEST(CommandLine, CheckWithoutFilesIsAboutAProject) {
  auto options = parse({"check", "--only", "a,b", "--timeout", "5s"});
  EXPECT_THAT(options->input.files, testing::IsEmpty());
  EXPECT_THAT(options->only, testing::ElementsAre("a", "b"));
  EXPECT_EQ(options->given.at("--timeout").front(), "5s");
}

TEST(CommandLine, BenchHandsArgumentsOn) {
  auto options = parse({"bench", "svcomp", "--dir", "x", "--sets", "a,b"});
  EXPECT_EQ(options->suite, "svcomp");
  EXPECT_THAT(options->suite_arguments, testing::ElementsAre("--dir", "x", "--sets", "a,b"));
  EXPECT_EQ(parse({"bench"})->suite, "");
}

TEST(CommandLine, MistakesAreNamedWithTheNearestName) {
  EXPECT_THAT(usage_error({"check", "a.c", "--timout", "5s"}), HasSubstr("--timout (did you mean `--timeout`?)"));
  EXPECT_THAT(usage_error({"check", "a.c", "--json=x", "--propetry=x"}), HasSubstr("--property"));
  EXPECT_THAT(usage_error({"chekc", "a.c"}), HasSubstr("unknown command chekc (did you mean `check`?)"));
  EXPECT_THAT(usage_error({"--verison"}), HasSubstr("--version"));
  EXPECT_THAT(usage_error({}), HasSubstr("no command"));
  EXPECT_THAT(usage_error({"run"}), HasSubstr("no file"));
  EXPECT_THAT(usage_error({"check", "--timout"}), HasSubstr("--timeout"));
  EXPECT_THAT(usage_error({"check", "a.c", "--timeout", "soon"}), HasSubstr("`soon` is no time"));
  EXPECT_THAT(usage_error({"check", "a.c", "--memory", "2X"}), HasSubstr("`2X` is no amount of memory"));
  EXPECT_THAT(usage_error({"check", "a.c", "--data-model", "ILP64"}), HasSubstr("ILP64"));
  EXPECT_THAT(usage_error({"check", "a.c", "--timeout"}), HasSubstr("--timeout"));
}

TEST(Units, DurationsAndSizes) {
  EXPECT_EQ(parse_duration("10"), 10);
  EXPECT_EQ(parse_duration("250ms"), 0.25);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  EXPECT_EQ(parse_size("512M"), uint64_t{512} << 20);
  EXPECT_EQ(parse_size("1GiB"), uint64_t{1} << 30);
  EXPECT_EQ(parse_size("4096"), 4096u);
  for (const char* bad : {"", "-1s", "1d", "s", "nan", "inf"}) EXPECT_THROW(parse_duration(bad), Error) << bad;
  for (const char* bad : {"", "-1M", "0", "M", "1Q", "1e30G"}) EXPECT_THROW(parse_size(bad), Error) << bad;
}

TEST(Replay, InputsAndSchedulesReadBack) {
  EXPECT_THAT(parse_inputs("5,-1,0x10"), testing::ElementsAre(u128{5}, ~u128{0}, u128{16}));
  EXPECT_TRUE(parse_inputs("").empty());
  EXPECT_THAT(parse_inputs("2.5f,-0.0f,inff,3.0,1e300,0x7fc00001"),
              testing::ElementsAre(u128{0x40200000}, u128{0x80000000}, u128{0x7f800000}, u128{0x4008000000000000},
                                   u128{0x7e37e43c8800759c}, u128{0x7fc00001}));
  EXPECT_THAT(parse_inputs("7,-1:2,0x10:0,3"), testing::ElementsAre(u128{7}, ~u128{0}, ~u128{0}, u128{3}));
  EXPECT_THAT(parse_schedule("0:3,1,2:2"), testing::ElementsAre(0, 0, 0, 1, 2, 2));
  for (const char* bad : {"x", "1,,x", "0x", "1.5g", "--1", "1:", ":3", "1:2:3", "0:99999999999"})
    EXPECT_THROW(parse_inputs(bad), Error) << bad;
  for (const char* bad : {"a", "1:", ":3", "1:2:3", "-1", "0:99999999999"})
    EXPECT_THROW(parse_schedule(bad), Error) << bad;
}

TEST(Replay, CounterexampleFilesReadBack) {
  verdict::Verdict verdict;
  verdict.answer = verdict::Answer::False;
  verdict.violation.emplace();
  verdict.counterexample.inputs = {{32, 0xffffffff, "__VERIFIER_nondet_int", "a.c", 1},
                                   {8, 200, "__VERIFIER_nondet_uchar", "a.c", 2}};
  verdict.counterexample.schedule = {0, 1, 1, 0};
  std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("whittle_app_test_" + std::to_string(::getpid()));
  std::ofstream(file) << counterexample_file(verdict, "whittle run a.c", {});
  ReplayData data = read_counterexample(file.string());
  EXPECT_THAT(data.inputs, testing::ElementsAre(~u128{0}, u128{200}));
  EXPECT_EQ(data.schedule, verdict.counterexample.schedule);
  std::ofstream(file) << "nonsense 1 2\n";
  EXPECT_THROW(read_counterexample(file.string()), Error);
  std::filesystem::remove(file);
  EXPECT_THROW(read_counterexample(file.string()), Error);
}

TEST(Replay, CommandIsQuoted) {
  Options options;
  options.input.files = {"my file.c"};
  options.input.defines = {"S=\"a'b\""};
  options.input.clang_flags = {"-std=c99"};
  verdict::Counterexample counterexample;
  counterexample.schedule = {0, 0, 1};
  EXPECT_EQ(replay_command(options, counterexample),
            "whittle run 'my file.c' -D 'S=\"a'\\''b\"' --schedule 0:2,1 -- -std=c99");
}

/// What runs cost when a state takes 3 us, a message 1 us to send and 2 us to receive, and a state of a process 50 bytes and 5 more with each halving.
suite::Shared made_up(double states, unsigned processes) {
  const double sent = states * 2.5 * (1 - 1.0 / processes), own = states / processes;
  return {processes, states, own, states * 3e-6 + sent * 1e-6, sent * 2e-6, sent, sent * 100, own * 50 * std::pow(1.1, std::log2(5e5 / own))};
}

TEST(Plan, SaysOfLargerRunsWhatTheyCost) {
  const suite::Plan plan(made_up(1e6, 2), made_up(1e6, 4));
  EXPECT_NEAR(plan.expand(), 3e-6, 1e-9);
  EXPECT_NEAR(plan.send(), 1e-6, 1e-9);
  EXPECT_NEAR(plan.receive(), 2e-6, 1e-9);
  EXPECT_NEAR(plan.sent(), 2.5, 1e-6);
  for (unsigned processes : {1u, 2u, 8u, 1000u}) {
    const suite::Shared run = made_up(5e6, processes);
    const suite::Prediction p = plan.predict(run.states, processes);
    EXPECT_NEAR(p.seconds, run.expand_seconds + run.receive_seconds, 1e-6 * p.seconds);
    EXPECT_NEAR(p.process_bytes, run.most_bytes, 1e-6 * p.process_bytes);
    EXPECT_NEAR(p.sent_bytes, run.sent_bytes, 1e-6 * (1 + run.sent_bytes));
  }
  // 12.5 MB on one machine cross no network; on two, half of them do, from each a half.
  const suite::Prediction p{.seconds = 8, .process_bytes = 0, .sent_bytes = 12.5e6};
  EXPECT_DOUBLE_EQ(p.elapsed(4, 1, 1e6), 2);
  EXPECT_DOUBLE_EQ(p.elapsed(4, 2, 1e6), 3.125);
}

}  // namespace whittle::app
