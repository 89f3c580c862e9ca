// Arrays, tables and searches in files against the same in memory.
#include "explore/spill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <thread>

#include "base/error.h"
#include "explore/pages.h"
#include "explore/search.h"
#include "explore/shared_tables.h"
#include "explore/toy.h"

namespace whittle::explore {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SpillTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::current_path() / "whittle_spill_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder_)) << "files have no names";
    fs::remove_all(folder_);
  }

  Result run(machine::Machine& machine, Options options, Limits& limits) {
    Statistics statistics;
    Progress progress{false};
    Context context{limits, statistics, progress};
    return search(machine, options, context);
  }
  Result run(machine::Machine& machine, const Options& options) {
    Limits limits;
    return run(machine, options, limits);
  }

  std::string folder_;
};

toy::Program grid(uint8_t threads, uint8_t values) {
  toy::Program program;
  program.registers = threads, program.values = values;
  for (uint8_t t = 0; t < threads; ++t)
    program.threads.push_back({{toy::Op::Choose, t}, {toy::Op::Choose, t}, {toy::Op::Jump, 0, 0, 0}, {toy::Op::Halt}});
  return program;
}

TEST_F(SpillTest, ArraysKeepTheirValuesWhenTheyMove) {
  std::mt19937 random(41);
  for (unsigned round = 0; round < 20; ++round) {
    Limits limits;
    limits.set_memory(uint64_t{1} << 40);
    Spill spill(folder_, limits, 0.5);
    std::vector<uint32_t> expected(1 + random() % 3000);
    ZeroedArray<uint32_t> array(expected.size(), &spill);
    for (unsigned step = 0; step < 10; ++step) {
      for (unsigned i = 0; i < 100; ++i) {
        const size_t at = random() % expected.size();
        expected[at] = array[at] = static_cast<uint32_t>(random());
      }
      if (step == round % 10) {
        spill.begin();
        array.move_to_file(expected.size());
      } else if (random() % 2 == 0) {
        expected.resize(expected.size() + random() % 3000);
        ASSERT_TRUE(array.extend(expected.size()));
      }
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), array.data()));
    }
    // One that is small stays in memory; here even 1 TB has small parts.
    EXPECT_FALSE(array.in_file());
    Spill at_once(folder_, limits, 0);
    ZeroedArray<uint32_t> other(expected.size(), &at_once);
    EXPECT_TRUE(other.in_file());
    EXPECT_EQ(at_once.bytes(), other.bytes());
    for (uint64_t i = 0; i < other.size(); ++i) ASSERT_EQ(other[i], 0u);
    std::copy(expected.begin(), expected.end(), other.data());
    ASSERT_TRUE(other.extend(2 * expected.size()));
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), other.data()));
    other.release();
    EXPECT_EQ(at_once.bytes(), 0u);
  }
}

TEST_F(SpillTest, TablesInFilesGiveEachVectorOneId) {
  constexpr unsigned kThreads = 3;
  constexpr uint64_t kVectors = 60'000;
  Limits limits;
  Spill spill(folder_, limits, 0);
  SharedTables tables(kThreads, nullptr, &spill);
  std::vector<std::vector<StateId>> ids(kThreads, std::vector<StateId>(kVectors));
  auto vector = [](uint64_t i) {
    std::vector<uint8_t> bytes(24 + i % 2 * 9, static_cast<uint8_t>(i >> 9));
    std::memcpy(bytes.data(), &i, sizeof i);
    return bytes;
  };
  auto store_all = [&](unsigned thread) {
    SharedTreeStore store(tables.view(thread));
    std::vector<uint64_t> block(64);
    tables.rendezvous().join();
    for (uint64_t n = 0; n < kVectors; ++n) {
      tables.rendezvous().pass();
      const uint64_t i = (n * 7919 + thread * 20'000) % kVectors;
      ids[thread][i] = store.insert(vector(i), nullptr, reinterpret_cast<uint8_t*>(block.data())).id;
    }
    tables.rendezvous().leave();
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back(store_all, t);
  }
  EXPECT_EQ(tables.size(), kVectors);
  EXPECT_GT(spill.bytes(), kVectors * 12);
  SharedTreeStore store(tables.view(0));
  std::vector<uint64_t> block(64);
  std::set<StateId> different;
  for (uint64_t i = 0; i < kVectors; ++i) {
    for (unsigned t = 1; t < kThreads; ++t) ASSERT_EQ(ids[t][i], ids[0][i]);
    different.insert(ids[0][i]);
    store.decode(ids[0][i], reinterpret_cast<uint8_t*>(block.data()));
    ASSERT_TRUE(std::ranges::equal(Block::bytes(reinterpret_cast<uint8_t*>(block.data())), vector(i)));
  }
  EXPECT_EQ(different.size(), kVectors);
}

TEST_F(SpillTest, SearchesVisitTheSameStates) {
  std::mt19937 random(42);
  toy::RegisterMachine large(grid(4, 5));
  Options options;
  const Result whole = run(large, options);
  options.spill = folder_;
  options.spill_from = 0;
  options.alone = 0;
  for (unsigned cores : {1, 2, 8}) {
    options.cores = cores;
    const Result spilled = run(large, options);
    EXPECT_EQ(spilled.outcome, Outcome::Holds) << spilled.reason;
    EXPECT_EQ(spilled.figures.states_stored, whole.figures.states_stored);
    EXPECT_EQ(spilled.figures.states_created, whole.figures.states_created);
    EXPECT_THAT(spilled.spilled, HasSubstr("MB are in files"));
  }
  for (unsigned round = 0; round < 30; ++round) {
    toy::Program program = toy::random_program(random, round % 2 == 0);
    toy::RegisterMachine machine(program);
    options.cores = 1 + round % 3;
    Options plain = options;
    plain.spill.clear();
    const Result in_memory = run(machine, plain), spilled = run(machine, options);
    ASSERT_EQ(spilled.outcome == Outcome::Holds, in_memory.outcome == Outcome::Holds) << spilled.reason;
    if (spilled.outcome == Outcome::Holds) ASSERT_EQ(spilled.figures.states_stored, in_memory.figures.states_stored);
  }
}

TEST_F(SpillTest, AFullMemoryIsNotTheEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own: what other tests left in memory is not there
  setenv("ASAN_OPTIONS", "quarantine_size_mb=1", 1);  // nor does the sanitizer keep what is freed
  auto search_twice = [&] {
    toy::RegisterMachine machine(grid(8, 8));
    Options options;
    options.cores = 2;
    options.alone = 100;
    options.max_states = 2'500'000;
    Limits small, same;
    const uint64_t memory = resident_memory() + (uint64_t{48} << 20);
    small.set_memory(memory);
    same.set_memory(memory);
    const Result in_memory = run(machine, options, small);
    options.spill = folder_;
    const Result on_disk = run(machine, options, same);
    fs::remove_all(folder_);
    std::fprintf(stderr, "%s; %s; %s\n", in_memory.reason.c_str(), on_disk.reason.c_str(), on_disk.spilled.c_str());
    std::exit(0);
  };
  EXPECT_EXIT(search_twice(), testing::ExitedWithCode(0), "memory limit reached; limit of 2500000 states reached; --spill: [0-9]+ MB are in files");
}

TEST_F(SpillTest, AFullDiskIsAClearAnswer) {
  toy::RegisterMachine machine(grid(8, 8));
  Options options;
  options.spill = folder_;
  options.spill_from = 0;
  options.alone = 0;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  for (unsigned cores : {1, 3}) {
    options.cores = cores;
    rlimit small = before;
    small.rlim_cur = uint64_t{2} << 20;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result full = run(machine, options);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(full.outcome, Outcome::Unknown);
    EXPECT_EQ(full.reason, "no room in " + folder_ + ": File too large");
  }
}

TEST_F(SpillTest, FoldersThatAreNoHelpAreRefused) {
  Limits limits;
  auto refused = [&](const std::string& folder) -> std::string {
    try {
      Spill spill(folder, limits, 0.5);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused("/proc/nowhere"), HasSubstr("no room in /proc/nowhere"));
  if (fs::is_directory("/dev/shm")) EXPECT_THAT(refused("/dev/shm"), HasSubstr("in memory itself"));
}

}  // namespace
}  // namespace whittle::explore
