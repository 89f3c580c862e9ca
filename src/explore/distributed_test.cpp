// Searches by several processes (threads here, which share nothing but messages) against searches by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/error.h"
#include "cluster/local_group.h"
#include "explore/distributed_files.h"
#include "explore/search.h"
#include "explore/toy.h"

namespace whittle::explore {
namespace {

uint64_t rounds(uint64_t usual, uint64_t full) { return std::getenv("WHITTLE_LONG") != nullptr ? full : usual; }

struct World {
  Limits limits;
  Statistics statistics;
  Progress progress{false};
  Context context{limits, statistics, progress};
};

struct Together {
  Result result;
  uint64_t least = 0, most = 0;  ///< states of a process
};

/// `make` gives each process a machine of its own.
template <typename Make>
Together run(const Make& make, Options options, unsigned processes, const Predicate& bad = {}) {
  cluster::LocalGroups groups(processes);
  Together all;
  std::vector<std::jthread> threads;
  for (unsigned rank = 0; rank < processes; ++rank)
    threads.emplace_back([&, rank, options]() mutable {
      World world;
      auto machine = make();
      options.group = &groups[rank];
      Result result = search(machine, options, world.context, bad);
      if (rank != 0) {
        EXPECT_EQ(result.outcome, Outcome::Unknown);
        return;
      }
      all.result = std::move(result);
      for (const auto& [name, value] : world.statistics.entries()) {
        if (name == "states_of_a_process_min") all.least = std::get<uint64_t>(value);
        if (name == "states_of_a_process_max") all.most = std::get<uint64_t>(value);
      }
    });
  threads.clear();
  return all;
}

template <typename Make>
Result alone(const Make& make, const Options& options, const Predicate& bad) {
  World world;
  auto machine = make();
  return search(machine, options, world.context, bad);
}

bool complete(const Result& result) { return result.outcome == Outcome::Holds || result.outcome == Outcome::Unknown; }

template <typename Make>
void compare(const Make& make, const Options& options, const Predicate& bad) {
  const Result one = alone(make, options, bad);
  for (unsigned processes : {1, 2, 5}) {
    const Result many = run(make, options, processes, bad).result;
    ASSERT_EQ(complete(one), complete(many)) << processes << " processes: " << to_string(many.outcome) << ' ' << many.reason << ", one: "
                                             << to_string(one.outcome);
    if (!complete(one)) continue;  // the path has been replayed by search()
    ASSERT_EQ(one.outcome, many.outcome);
    // With path reduction a path ends early where another one has been: a few states more or less are stored.
    const uint64_t few = options.reduce == Reduce::None ? 0 : 3 + one.figures.states_stored / 10;
    ASSERT_LE(many.figures.states_stored, one.figures.states_stored + few) << processes << " processes";
    ASSERT_LE(one.figures.states_stored, many.figures.states_stored + few) << processes << " processes";
    if (few != 0) continue;
    ASSERT_EQ(one.figures.cuts, many.figures.cuts);
    ASSERT_EQ(one.figures.deadlocks, many.figures.deadlocks);
    ASSERT_EQ(one.figures.pruned, many.figures.pruned);
  }
}

std::vector<Options> some_options(std::mt19937& random) {
  std::vector<Options> all;
  for (Dead dead : {Dead::None, Dead::Static})
    for (Reduce reduce : {Reduce::None, Reduce::Static, Reduce::OnTheFly}) {
      Options o;
      o.dead = dead, o.reduce = reduce;
      o.deadlock_is_violation = random() % 2 == 0;
      all.push_back(o);
    }
  return all;
}

TEST(Distributed, AgreesWithOneProcessOnRandomGraphs) {
  std::mt19937 random(31);
  for (uint64_t round = 0; round < rounds(15, 500); ++round) {
    toy::Graph graph = toy::random_graph(random, 1 + random() % 200);
    const uint64_t wanted = random() % 8;
    Predicate bad;
    if (round % 2 == 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    for (const Options& options : some_options(random)) compare([&] { return toy::GraphMachine(graph); }, options, bad);
    ASSERT_FALSE(HasFatalFailure()) << "graph " << round;
  }
}

TEST(Distributed, AgreesWithOneProcessOnRandomPrograms) {
  std::mt19937 random(32);
  for (uint64_t round = 0; round < rounds(25, 1000); ++round) {
    toy::Program program = toy::random_program(random, round % 2 == 0);
    Predicate bad;
    const uint64_t wanted = random() % (uint64_t{1} << program.atoms);
    if (program.atoms != 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    for (const Options& options : some_options(random)) compare([&] { return toy::RegisterMachine(program); }, options, bad);
    ASSERT_FALSE(HasFatalFailure()) << "program " << round;
  }
}

toy::Program grid(uint8_t threads, uint8_t values) {
  toy::Program program;
  program.registers = threads, program.values = values;
  for (uint8_t t = 0; t < threads; ++t)
    program.threads.push_back({{toy::Op::Choose, t}, {toy::Op::Choose, t}, {toy::Op::Jump, 0, 0, 0}, {toy::Op::Halt}});
  return program;
}

TEST(Distributed, StatesAreSharedOutEvenly) {
  const toy::Program program = grid(4, 5);
  const auto make = [&] { return toy::RegisterMachine(program); };
  const uint64_t states = alone(make, {}, {}).figures.states_stored;
  for (unsigned processes : {2, 4}) {
    const Together many = run(make, {}, processes);
    EXPECT_EQ(many.result.outcome, Outcome::Holds);
    EXPECT_EQ(many.result.figures.states_stored, states);
    EXPECT_GT(many.least * processes * 10, states * 8);
    EXPECT_LT(many.most * processes * 10, states * 12);
  }
}

TEST(Distributed, LimitsEndTheSearchOfAll) {
  const toy::Program program = grid(4, 5);
  Options options;
  options.max_states = 1000;
  const Result result = run([&] { return toy::RegisterMachine(program); }, options, 3).result;
  EXPECT_EQ(result.outcome, Outcome::Unknown);
  EXPECT_NE(result.reason.find("limit of 1000 states"), std::string::npos) << result.reason;
}

// Checkpoints

class Folder {
 public:
  Folder() { EXPECT_NE(mkdtemp(path_.data()), nullptr); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file() const { return path_ + "/kept"; }
  std::string names() const {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) all += entry.path().filename().string() + "\n";
    return all;
  }
  size_t files() const { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {})); }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "whittle_parts_XXXXXX").string();
};

struct Stops {
  Result result;
  unsigned stops = 0;
};

/// Stops at more and more states, or at once and again by a clock, each time with another number of processes.
template <typename Make>
Stops with_stops(const Make& make, Options options, std::mt19937& random, const Predicate& bad, uint64_t step) {
  Folder folder;
  Stops all;
  options.checkpoint = folder.file();
  options.task = 77;
  for (;; ++all.stops) {
    options.checkpoint_every = random() % 3 == 0 ? 0 : 300;  // 0: all the time
    options.max_states = (all.stops + 1) * step;
    const unsigned processes = 1 + random() % 4;
    all.result = run(make, options, processes, bad).result;
    if (all.result.reason.find("--resume goes on from here") == std::string::npos) break;
    EXPECT_EQ(read_manifest(folder.file(), 77).parts, processes);
    EXPECT_EQ(folder.files(), processes + 1u) << folder.names();
    options.resume = options.checkpoint;
  }
  if (all.result.outcome != Outcome::Holds) forget_checkpoint(options);
  EXPECT_EQ(folder.files(), 0u) << "an answer needs no checkpoint";
  return all;
}

TEST(Distributed, GoesOnFromCheckpointsWithAnyNumberOfProcesses) {
  std::mt19937 random(33);
  unsigned stops = 0;
  for (uint64_t round = 0; round < rounds(60, 1500); ++round) {
    toy::Graph graph = toy::random_graph(random, 100 + random() % 900);
    const uint64_t wanted = random() % 8;
    Predicate bad;
    if (round % 3 == 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    const std::vector<Options> all = some_options(random);
    const Options& options = all[random() % all.size()];
    const auto make = [&] { return toy::GraphMachine(graph); };
    const Result one = alone(make, options, bad);
    const Stops many = with_stops(make, options, random, bad, 20 + random() % 100);
    ASSERT_EQ(complete(one), complete(many.result)) << "graph " << round << ": " << many.result.reason;
    stops += many.stops;
    if (!complete(one)) continue;
    ASSERT_EQ(one.outcome, many.result.outcome) << "graph " << round << ": " << many.result.reason;
    if (options.reduce != Reduce::None) continue;
    ASSERT_EQ(one.figures.states_stored, many.result.figures.states_stored) << "graph " << round;
    ASSERT_EQ(one.figures.cuts != 0, many.result.figures.cuts != 0);
  }
  EXPECT_GT(stops, 10u);
}

TEST(Distributed, CheckpointsOnTheWayChangeNothing) {
  const toy::Program program = grid(4, 5);
  const auto make = [&] { return toy::RegisterMachine(program); };
  const uint64_t states = alone(make, {}, {}).figures.states_stored;
  for (unsigned processes : {1, 3}) {
    Folder folder;
    Options options;
    options.checkpoint = folder.file();
    options.checkpoint_every = 0.001;
    const Together many = run(make, options, processes);
    EXPECT_EQ(many.result.outcome, Outcome::Holds);
    EXPECT_EQ(many.result.figures.states_stored, states);
    EXPECT_EQ(folder.files(), 0u);
  }
}

TEST(Distributed, PartsAreReadAsTheyWereWritten) {
  std::mt19937 random(34);
  Folder folder;
  std::vector<std::vector<uint8_t>> states;
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint8_t> state = states.empty() || random() % 20 == 0 ? std::vector<uint8_t>(random() % 300) : states.back();
    if (random() % 30 == 0) state.resize(random() % 400);
    for (unsigned changes = random() % 5; changes > 0 && !state.empty(); --changes) state[random() % state.size()] = static_cast<uint8_t>(random());
    states.push_back(std::move(state));
  }
  const Generation generation{5, 1};
  PartWriter out(folder.file(), 1, generation, 0);
  out.figures({1, 2, 3, 4, 5});
  for (size_t i = 0; i < states.size(); ++i) out.add({states[i], i * 0x123456789abcdefu, i % 3 == 0});
  out.finish();
  PartReader in(folder.file(), 1, generation, 0);
  EXPECT_EQ(in.figures(), (PartFigures{1, 2, 3, 4, 5}));
  PartState state;
  for (size_t i = 0; i < states.size(); ++i) {
    ASSERT_TRUE(in.next(state));
    ASSERT_TRUE(std::ranges::equal(state.bytes, states[i]));
    ASSERT_EQ(state.parent, i * 0x123456789abcdefu);
    ASSERT_EQ(state.open, i % 3 == 0);
  }
  EXPECT_FALSE(in.next(state));
  EXPECT_THROW(PartReader(folder.file(), 2, generation, 0), Error) << "of another task";
  EXPECT_THROW(PartReader(folder.file(), 1, {5, 2}, 0), Error) << "of another number of parts";
}

/// Parts whose contents make no sense, though their hashes are right: refused, or read to their end.
TEST(Distributed, DamagedPartsAreRefused) {
  std::mt19937 random(35);
  Folder folder;
  const Generation generation{5, 1};
  uint64_t refused = 0;
  for (int round = 0; round < 300; ++round) {
    PartWriter out(folder.file(), 1, generation, 0);
    out.figures({});
    std::vector<uint8_t> piece(random() % 60);
    for (uint8_t& byte : piece) byte = static_cast<uint8_t>(random() % 4 == 0 ? random() : random() % 12);
    out.raw(piece);
    out.finish();
    PartReader in(folder.file(), 1, generation, 0);
    in.figures();
    try {
      for (PartState state; in.next(state);) continue;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100u);
}

/// No room on the disk for one of the parts: the search goes on, and the last checkpoint stays.
TEST(Distributed, WhatCannotBeWrittenIsNoEnd) {
  const toy::Program program = grid(4, 5);
  const auto make = [&] { return toy::RegisterMachine(program); };
  Options options;
  options.checkpoint = "/proc/kept";
  options.checkpoint_every = 0.001;
  const Result result = run(make, options, 2).result;
  EXPECT_EQ(result.outcome, Outcome::Holds);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("cannot write the checkpoint"), std::string::npos) << result.notes[0];
}

}  // namespace
}  // namespace whittle::explore
