// Searches that are stopped at any time and go on from their checkpoints.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/checkpoint.h"
#include "base/error.h"
#include "explore/search.h"
#include "explore/toy.h"

namespace whittle::explore {
namespace {

namespace fs = std::filesystem;

uint64_t rounds(uint64_t usual, uint64_t full) { return std::getenv("WHITTLE_LONG") != nullptr ? full : usual; }

class Checkpoint : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "whittle_checkpoint_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    file_ = folder_ + "/explicit.checkpoint";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result run(machine::Machine& machine, Options options, double seconds, const Predicate& bad = {}) {
    Limits limits;
    limits.set_timeout(seconds);
    Statistics statistics;
    Progress progress{false};
    Context context{limits, statistics, progress};
    options.checkpoint = file_;
    if (fs::exists(file_)) options.resume = file_;
    return search(machine, options, context, bad);
  }

  std::string folder_, file_;
};

constexpr double kNoLimit = 1e9;

toy::Program grid(uint8_t threads, uint8_t values) {
  toy::Program program;
  program.registers = threads, program.values = values;
  for (uint8_t t = 0; t < threads; ++t)
    program.threads.push_back({{toy::Op::Choose, t}, {toy::Op::Choose, t}, {toy::Op::Jump, 0, 0, 0}, {toy::Op::Halt}});
  return program;
}

TEST_F(Checkpoint, ASearchStoppedAgainAndAgainVisitsTheSameStates) {
  toy::RegisterMachine machine(grid(4, 5));
  Options options;
  options.reduce = Reduce::OnTheFly;
  const Result whole = run(machine, options, kNoLimit);
  ASSERT_EQ(whole.outcome, Outcome::Holds);
  EXPECT_FALSE(fs::exists(file_)) << "an answer needs no checkpoint";
  std::mt19937 random(31);
  for (uint64_t round = 0; round < rounds(4, 100); ++round) {
    Result part;
    for (unsigned attempts = 0;; ++attempts) {
      options.cores = 1 + random() % 4;
      options.alone = random() % 3 == 0 ? 500 : 0;
      options.max_states = attempts > 8 ? ~uint64_t{0} : 1 + random() % 60'000;
      part = run(machine, options, kNoLimit);
      if (part.outcome != Outcome::Unknown) break;
      ASSERT_TRUE(fs::exists(file_)) << part.reason;
      ASSERT_FALSE(fs::exists(file_ + ".new"));
      ASSERT_NE(part.reason.find("--resume goes on from here"), std::string::npos) << part.reason;
    }
    ASSERT_EQ(part.outcome, Outcome::Holds);
    ASSERT_EQ(part.figures.states_stored, whole.figures.states_stored);
    ASSERT_FALSE(fs::exists(file_));
  }
}

TEST_F(Checkpoint, StoppedByTheClockAndWrittenOnTheWay) {
  toy::RegisterMachine machine(grid(4, 5));
  Options options;
  options.cores = 3, options.alone = 0;
  const Result whole = run(machine, options, kNoLimit);
  options.checkpoint_every = 0.001;
  Result part;
  std::mt19937 random(32);
  do {
    part = run(machine, options, 0.02 + static_cast<double>(random() % 100) / 1000);
    options.cores = 1 + random() % 3;
  } while (part.outcome == Outcome::Unknown);
  EXPECT_EQ(part.outcome, Outcome::Holds);
  EXPECT_EQ(part.figures.states_stored, whole.figures.states_stored);
}

TEST_F(Checkpoint, RandomProgramsAnswerAsIfNothingHadHappened) {
  std::mt19937 random(33);
  uint64_t stopped = 0, shown = 0;
  for (uint64_t round = 0; round < rounds(60, 2000); ++round) {
    toy::Program program = toy::random_program(random, round % 2 == 0);
    const uint64_t wanted = random() % (uint64_t{1} << program.atoms);
    Predicate bad;
    if (program.atoms != 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    toy::RegisterMachine machine(program);
    Options options;
    options.reduce = round % 3 == 0 ? Reduce::None : Reduce::OnTheFly;
    options.dead = round % 5 == 0 ? Dead::Static : Dead::None;
    options.deadlock_is_violation = random() % 2 == 0;
    fs::remove(file_);
    const Result whole = run(machine, options, kNoLimit, bad);
    fs::remove(file_);
    Result part;
    bool kept = false;
    for (uint64_t most = 1;; most = most * 2 + 7) {
      kept = fs::exists(file_);
      options.max_states = most;
      options.cores = 1 + random() % 3;
      options.alone = 0;
      part = run(machine, options, kNoLimit, bad);
      if (part.reason.find("states reached") == std::string::npos) break;
      ++stopped;
    }
    ASSERT_EQ(part.outcome == Outcome::Holds, whole.outcome == Outcome::Holds) << round;
    ASSERT_EQ(part.outcome == Outcome::Unknown, whole.outcome == Outcome::Unknown) << round << part.reason;
    if (whole.outcome == Outcome::Holds) {
      ASSERT_EQ(part.figures.states_stored, whole.figures.states_stored) << round;
    }
    if (part.outcome != Outcome::Unknown) {
      // A violation is still to be shown, which may be stopped.
      ASSERT_EQ(fs::exists(file_), kept && part.outcome != Outcome::Holds) << round;
      shown += fs::exists(file_) ? 1 : 0;
      options.checkpoint = file_;
      forget_checkpoint(options);
      ASSERT_FALSE(fs::exists(file_)) << round;
    }
  }
  EXPECT_GT(stopped, 60u) << "too few were stopped at all";
  EXPECT_GT(shown, 5u) << "too few had a violation to be shown after a stop";
}

TEST_F(Checkpoint, DamagedAndForeignOnesAreRefused) {
  toy::RegisterMachine machine(grid(3, 4));
  Options options;
  options.max_states = 200;
  ASSERT_EQ(run(machine, options, kNoLimit).outcome, Outcome::Unknown);
  options.max_states = ~uint64_t{0};
  std::string good;
  {
    std::ifstream in(file_, std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  auto message = [&](const std::string& bytes) -> std::string {
    std::ofstream(file_, std::ios::binary) << bytes;
    try {
      run(machine, options, kNoLimit);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  std::mt19937 random(34);
  for (int i = 0; i < 200; ++i) {
    std::string bad = good;
    const size_t at = 8 + random() % (bad.size() - 8);
    bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
    ASSERT_NE(message(bad).find("is damaged"), std::string::npos) << at;
  }
  for (size_t size : {size_t{40}, good.size() / 2, good.size() - 1})
    EXPECT_NE(message(good.substr(0, size)).find("is damaged"), std::string::npos) << size;
  EXPECT_NE(message("").find("is no checkpoint"), std::string::npos);
  EXPECT_NE(message("something else that is long enough for one").find("is no checkpoint"), std::string::npos);
  EXPECT_NE(message(good + "more").find("is damaged"), std::string::npos);
  options.task = 1;
  EXPECT_NE(message(good).find("of another program, or of other options"), std::string::npos);
  options.task = 0;
  EXPECT_EQ(message(good), "");  // and this one goes on to the end
  options.resume = folder_ + "/none";
  Limits limits;
  Statistics statistics;
  Progress progress{false};
  Context context{limits, statistics, progress};
  EXPECT_THROW(search(machine, options, context), Error);
}

TEST_F(Checkpoint, AFolderThatCannotBeWrittenCostsNothingButTheCheckpoint) {
  toy::RegisterMachine machine(grid(3, 4));
  Options options;
  options.max_states = 200;
  file_ = "/dev/null/none";
  const Result result = run(machine, options, kNoLimit);
  EXPECT_EQ(result.outcome, Outcome::Unknown);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("cannot write the checkpoint"), std::string::npos);
}

}  // namespace
}  // namespace whittle::explore
