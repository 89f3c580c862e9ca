// Searches by several processes (threads here, which share nothing but messages) against searches by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "cluster/local_group.h"
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

}  // namespace
}  // namespace whittle::explore
