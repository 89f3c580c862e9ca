// Searches with several threads against searches with one: the same answer, the same number of states.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "explore/search.h"
#include "explore/shared_tables.h"
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

Result run(machine::Machine& machine, Options options, unsigned cores, const Predicate& bad = {}) {
  World world;
  options.cores = cores;
  options.alone = 0;
  return search(machine, options, world.context, bad);
}

bool complete(const Result& result) { return result.outcome == Outcome::Holds || result.outcome == Outcome::Unknown; }

/// Outcomes agree up to which violation is found first; where everything is visited, so do the figures. With path reduction a path
/// ends early where another one has been, so that a few states more or less are stored.
void compare(machine::Machine& machine, const Options& options, const Predicate& bad) {
  const Result one = run(machine, options, 1, bad);
  for (unsigned cores : {2, 3, 8}) {
    const Result many = run(machine, options, cores, bad);
    ASSERT_EQ(complete(one), complete(many)) << cores << " threads: " << to_string(many.outcome) << ' ' << many.reason
                                             << ", one: " << to_string(one.outcome);
    if (!complete(one)) {
      // Replayed by search() itself; here only that it is one of those that the machine has.
      ASSERT_FALSE(many.path.empty() && many.outcome == Outcome::Violation);
      continue;
    }
    ASSERT_EQ(one.outcome, many.outcome);
    if (options.reduce != Reduce::None) {
      const uint64_t few = 3 + one.figures.states_stored / 10;
      ASSERT_LE(many.figures.states_stored, one.figures.states_stored + few) << cores << " threads";
      ASSERT_LE(one.figures.states_stored, many.figures.states_stored + few) << cores << " threads";
      continue;
    }
    ASSERT_EQ(one.figures.states_stored, many.figures.states_stored) << cores << " threads";
    ASSERT_EQ(one.figures.cuts, many.figures.cuts);
    ASSERT_EQ(one.figures.deadlocks, many.figures.deadlocks);
    ASSERT_EQ(one.figures.pruned, many.figures.pruned);
  }
}

std::vector<Options> all_options(std::mt19937& random) {
  std::vector<Options> all;
  for (Dead dead : {Dead::None, Dead::Static})
    for (auto [reduce, loop] : {std::pair{Reduce::None, Loop::Hash}, std::pair{Reduce::Static, Loop::Hash},
                                std::pair{Reduce::OnTheFly, Loop::State}, std::pair{Reduce::OnTheFly, Loop::Hash}}) {
      Options o;
      o.dead = dead, o.reduce = reduce, o.loop = loop;
      o.deadlock_is_violation = random() % 2 == 0;
      if (random() % 2 == 0) o.stack_bytes = 0;
      all.push_back(o);
    }
  return all;
}

TEST(Parallel, AgreesWithOneThreadOnRandomGraphs) {
  std::mt19937 random(21);
  for (uint64_t round = 0; round < rounds(25, 1000); ++round) {
    toy::Graph graph = toy::random_graph(random, 1 + random() % 200);
    const uint64_t wanted = random() % 8;
    Predicate bad;
    if (round % 2 == 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    toy::GraphMachine machine(graph);
    for (const Options& options : all_options(random)) compare(machine, options, bad);
    ASSERT_FALSE(HasFatalFailure()) << "graph " << round;
  }
}

TEST(Parallel, AgreesWithOneThreadOnRandomPrograms) {
  std::mt19937 random(22);
  for (uint64_t round = 0; round < rounds(40, 2000); ++round) {
    toy::Program program = toy::random_program(random, round % 2 == 0);
    Predicate bad;
    const uint64_t wanted = random() % (uint64_t{1} << program.atoms);
    if (program.atoms != 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    toy::RegisterMachine machine(program);
    for (const Options& options : all_options(random)) compare(machine, options, bad);
    ASSERT_FALSE(HasFatalFailure()) << "program " << round;
  }
}

/// Registers with all their values, in several threads: many states, found on many ways at once.
toy::Program grid(uint8_t threads, uint8_t values) {
  toy::Program program;
  program.registers = threads, program.values = values;
  for (uint8_t t = 0; t < threads; ++t)
    program.threads.push_back({{toy::Op::Choose, t}, {toy::Op::Choose, t}, {toy::Op::Jump, 0, 0, 0}, {toy::Op::Halt}});
  return program;
}

TEST(Parallel, FindsAllStatesOfALargeSpaceWhileTablesGrow) {
  toy::RegisterMachine machine(grid(4, 5));
  for (Reduce reduce : {Reduce::None, Reduce::OnTheFly}) {
    Options options;
    options.reduce = reduce;
    const Result one = run(machine, options, 1);
    EXPECT_EQ(one.outcome, Outcome::Holds);
    EXPECT_GT(one.figures.states_stored, 20'000u);
    for (unsigned cores : {2, 3, 8}) {
      const Result many = run(machine, options, cores);
      EXPECT_EQ(many.outcome, Outcome::Holds);
      EXPECT_EQ(many.figures.states_stored, one.figures.states_stored);
      EXPECT_EQ(many.figures.states_created, one.figures.states_created) << "every state was expanded once";
    }
  }
}

TEST(Parallel, OneViolationAmongManyStatesIsFoundAndReplays) {
  toy::Program program = grid(4, 5);
  program.threads[3] = {{toy::Op::Choose, 3}, {toy::Op::Choose, 2}, {toy::Op::Check, 3, 0, 3}, {toy::Op::Jump, 0, 0, 0}};
  toy::RegisterMachine machine(program);
  for (unsigned cores : {2, 8}) {
    const Result many = run(machine, {}, cores);
    ASSERT_EQ(many.outcome, Outcome::Violation) << many.reason;
    const Replayed end = replay(machine, many.path);
    EXPECT_TRUE(end.possible);
    EXPECT_EQ(end.kind, machine::StepKind::Violation);
  }
}

TEST(Parallel, LimitsEndItWithAReason) {
  toy::RegisterMachine machine(grid(8, 8));
  Options options;
  options.max_states = 30'000;
  const Result few = run(machine, options, 3);
  EXPECT_EQ(few.outcome, Outcome::Unknown);
  EXPECT_EQ(few.reason, "limit of 30000 states reached");
  options.max_states = ~uint64_t{0};
  options.cores = 3;
  options.alone = 100;
  World stopped;
  stopped.limits.interrupt();
  EXPECT_EQ(search(machine, options, stopped.context).reason, "interrupted");
  World later;
  std::jthread interrupts([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    later.limits.interrupt();
  });
  EXPECT_EQ(search(machine, options, later.context).reason, "interrupted");
  World small;
  small.limits.set_memory(resident_memory() + (uint64_t{24} << 20));
  const Result full = search(machine, options, small.context);
  EXPECT_EQ(full.outcome, Outcome::Unknown);
  EXPECT_EQ(full.reason, "memory limit reached");
}

/// Fails like a machine that runs out of memory.
class Failing final : public machine::Machine {
 public:
  explicit Failing(const toy::Program& program) : machine_(program), program_(program) {}
  void reset() override { machine_.reset(); }
  std::span<const uint8_t> save() override { return machine_.save(); }
  void load(std::span<const uint8_t> state) override { machine_.load(state); }
  machine::Successors successors() override { return machine_.successors(); }
  machine::StepKind step(uint32_t choice) override {
    if (++steps_ > 3000) throw std::bad_alloc();
    return machine_.step(choice);
  }
  uint64_t observe() override { return 0; }
  machine::Position position() override { return machine_.position(); }
  void trace_footprints(bool) override {}
  const machine::Footprint& footprint() override { return machine_.footprint(); }
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) override {
    machine_.cells(mortal, dead);
  }
  std::unique_ptr<Machine> twin() override { return std::make_unique<Failing>(program_); }

 private:
  toy::RegisterMachine machine_;
  const toy::Program program_;
  uint64_t steps_ = 0;
};

TEST(Parallel, WhatAThreadThrowsArrives) {
  Failing machine(grid(5, 5));
  EXPECT_THROW(run(machine, {}, 3), std::bad_alloc);
}

TEST(SharedTables, ThreadsThatStoreTheSameVectorsGetTheSameIds) {
  constexpr unsigned kThreads = 4;
  constexpr uint64_t kVectors = 40'000;
  SharedTables tables(kThreads, nullptr);
  auto vector = [](uint64_t i) {
    std::vector<uint8_t> bytes(9 + i % 3 * 30, static_cast<uint8_t>(i >> 7));
    std::memcpy(bytes.data(), &i, sizeof i);
    return bytes;
  };
  std::vector<std::vector<StateId>> ids(kThreads, std::vector<StateId>(kVectors));
  std::vector<uint64_t> fresh(kThreads);
  auto store_all = [&](unsigned thread) {
    SharedTreeStore store(tables.view(thread));
    std::vector<uint64_t> block(64);
    tables.rendezvous().join();
    std::mt19937 random(thread);
    const uint64_t first = random() % kVectors;
    for (uint64_t n = 0; n < kVectors; ++n) {
      tables.rendezvous().pass();
      const uint64_t i = (first + n) % kVectors;
      const Interned stored = store.insert(vector(i), nullptr, reinterpret_cast<uint8_t*>(block.data()));
      ids[thread][i] = stored.id;
      fresh[thread] += stored.fresh ? 1 : 0;
    }
    tables.rendezvous().leave();
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back(store_all, t);
  }
  EXPECT_EQ(tables.size(), kVectors);
  uint64_t all_fresh = 0;
  for (uint64_t n : fresh) all_fresh += n;
  EXPECT_EQ(all_fresh, kVectors) << "each vector was new once";
  SharedTreeStore store(tables.view(0));
  std::vector<uint64_t> block(64);
  std::set<StateId> different;
  for (uint64_t i = 0; i < kVectors; ++i) {
    for (unsigned t = 1; t < kThreads; ++t) ASSERT_EQ(ids[t][i], ids[0][i]);
    different.insert(ids[0][i]);
    store.decode(ids[0][i], reinterpret_cast<uint8_t*>(block.data()));
    std::span<const uint8_t> bytes = Block::bytes(reinterpret_cast<uint8_t*>(block.data()));
    ASSERT_TRUE(std::ranges::equal(bytes, vector(i)));
  }
  EXPECT_EQ(different.size(), kVectors);
}

}  // namespace
}  // namespace whittle::explore
