#include "explore/search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <map>
#include <random>

#include "explore/toy.h"

namespace whittle::explore {
namespace {

using Bytes = std::vector<uint8_t>;
using machine::Ending;
using machine::Machine;
using machine::StepKind;

/// Everything there is to know of a machine, by the plainest breadth-first search.
struct Truth {
  uint64_t states = 0;
  bool violation = false, deadlock = false, cut = false, bad = false;
  uint32_t to_violation = 0, to_deadlock = 0, to_bad = 0;  ///< fewest steps
};

Truth brute_force(Machine& machine, const Predicate& bad) {
  Truth truth;
  std::map<Bytes, uint32_t> seen;
  std::deque<Bytes> queue;
  auto note = [](bool& flag, uint32_t& distance, uint32_t steps) {
    if (!flag) flag = true, distance = steps;
  };
  auto visit = [&](uint32_t steps) {
    Bytes bytes(machine.save().begin(), machine.save().end());
    if (!seen.try_emplace(bytes, steps).second) return;
    if (bad && bad(machine.observe())) note(truth.bad, truth.to_bad, steps);
    machine::Successors successors = machine.successors();
    if (successors.ending == Ending::Deadlock) note(truth.deadlock, truth.to_deadlock, steps);
    truth.cut |= successors.ending == Ending::Cut;
    queue.push_back(bytes);
  };
  machine.reset();
  visit(0);
  for (; !queue.empty(); queue.pop_front()) {
    uint32_t steps = seen[queue.front()];
    machine.load(queue.front());
    uint32_t count = machine.successors().count;
    for (uint32_t choice = 0; choice < count; ++choice) {
      machine.load(queue.front());
      StepKind kind = machine.step(choice);
      if (kind == StepKind::Violation) note(truth.violation, truth.to_violation, steps + 1);
      truth.cut |= kind == StepKind::Cut;
      if (kind == StepKind::Moved) visit(steps + 1);
    }
  }
  truth.states = seen.size();
  return truth;
}

struct World {
  Limits limits;
  Statistics statistics;
  Progress progress{false};
  Context context{limits, statistics, progress};
};

std::string describe(const Options& o) {
  return fmt::format("order {} reduce {} loop {} dead {} store {} deadlock {} stack {}", int(o.order), int(o.reduce),
                     int(o.loop), int(o.dead), int(o.store), o.deadlock_is_violation, o.stack_bytes);
}

void check_path(Machine& machine, const Result& result, const Predicate& bad) {
  Replayed end = replay(machine, result.path);
  ASSERT_TRUE(end.possible);
  ASSERT_EQ(end.steps, result.path.size());
  ASSERT_EQ(end.kind, result.outcome == Outcome::Violation ? StepKind::Violation : StepKind::Moved);
  if (result.outcome == Outcome::Deadlock) {
    ASSERT_EQ(machine.successors().ending, Ending::Deadlock);
  }
  if (result.outcome != Outcome::BadState) return;
  ASSERT_TRUE(bad(machine.observe()));
  // It ends with the first step that makes the state bad.
  replay(machine, result.path, [&](uint32_t steps) {
    EXPECT_EQ(bad(machine.observe()), steps == result.path.size());
    return true;
  });
}

void check_result(Machine& machine, const Truth& truth, const Options& options, const Predicate& bad, Result& result) {
  World world;
  result = search(machine, options, world.context, bad);
  const bool deadlock = truth.deadlock && options.deadlock_is_violation;
  switch (result.outcome) {
    case Outcome::Violation: ASSERT_TRUE(truth.violation); break;
    case Outcome::Deadlock: ASSERT_TRUE(deadlock); break;
    case Outcome::BadState: ASSERT_TRUE(truth.bad); break;
    case Outcome::Unknown:
      ASSERT_TRUE(!truth.violation && !deadlock && !truth.bad && truth.cut) << result.reason;
      break;
    case Outcome::Holds:
    case Outcome::ProbablyHolds:
      ASSERT_EQ(result.outcome == Outcome::Holds, options.store == StoreKind::Exact);
      ASSERT_TRUE(!truth.violation && !deadlock && !truth.bad && !truth.cut);
      break;
  }
  if (result.outcome != Outcome::Unknown && result.outcome < Outcome::Unknown &&
      result.outcome > Outcome::ProbablyHolds)
    check_path(machine, result, bad);
  EXPECT_LE(result.figures.states_stored, truth.states);
  if (options.order == Order::BreadthFirst && options.reduce == Reduce::None && options.dead == Dead::None) {
    uint32_t fewest = result.outcome == Outcome::Violation  ? truth.to_violation
                      : result.outcome == Outcome::Deadlock ? truth.to_deadlock
                      : result.outcome == Outcome::BadState ? truth.to_bad
                                                            : 0;
    ASSERT_EQ(result.path.size(), fewest);
  }
}

/// All combinations of what can be asked for, with the deadlock option and a tiny stack mixed in.
std::vector<Options> all_options(std::mt19937& random) {
  std::vector<Options> all;
  for (Order order : {Order::DepthFirst, Order::BreadthFirst})
    for (StoreKind store : {StoreKind::Exact, StoreKind::HashCompaction, StoreKind::BitState})
      for (Dead dead : {Dead::None, Dead::Static, Dead::Dynamic})
        for (auto [reduce, loop] :
             {std::pair{Reduce::None, Loop::Hash}, std::pair{Reduce::Static, Loop::Hash},
              std::pair{Reduce::OnTheFly, Loop::Location}, std::pair{Reduce::OnTheFly, Loop::State},
              std::pair{Reduce::OnTheFly, Loop::Hash}}) {
          Options o;
          o.order = order, o.store = store, o.dead = dead, o.reduce = reduce, o.loop = loop;
          o.bitstate_bits = 19;
          o.deadlock_is_violation = random() % 2 == 0;
          if (random() % 2 == 0) o.stack_bytes = 0;
          if (random() % 8 == 0) o.max_open_edges = 5;
          all.push_back(o);
        }
  return all;
}

uint64_t rounds(uint64_t usual, uint64_t full) { return std::getenv("WHITTLE_LONG") != nullptr ? full : usual; }

TEST(Search, EveryCombinationAgreesOnRandomGraphs) {
  std::mt19937 random(11);
  for (uint64_t round = 0; round < rounds(150, 3000); ++round) {
    toy::Graph graph = toy::random_graph(random, 1 + random() % 60);
    uint64_t wanted = random() % 8;
    Predicate bad;
    if (round % 2 == 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    toy::GraphMachine machine(graph);
    Truth truth = brute_force(machine, bad);
    for (const Options& options : all_options(random)) {
      Result result;
      check_result(machine, truth, options, bad, result);
      ASSERT_FALSE(HasFatalFailure()) << "graph " << round << ' ' << describe(options);
    }
  }
}

TEST(Search, EveryCombinationAgreesOnRandomPrograms) {
  std::mt19937 random(12);
  uint64_t saved_static = 0, saved_dynamic = 0, saved_paths = 0;
  for (uint64_t round = 0; round < rounds(250, 5000); ++round) {
    toy::Program program = toy::random_program(random, round % 2 == 0);
    Predicate bad;
    uint64_t wanted = random() % (uint64_t{1} << program.atoms);
    if (program.atoms != 0) bad = [wanted](uint64_t atoms) { return atoms == wanted; };
    toy::RegisterMachine machine(program);
    Truth truth = brute_force(machine, bad);
    std::map<std::pair<Reduce, Dead>, uint64_t> stored;
    bool complete = !truth.violation && !truth.bad && !truth.deadlock;
    for (const Options& options : all_options(random)) {
      Result result;
      check_result(machine, truth, options, bad, result);
      ASSERT_FALSE(HasFatalFailure()) << "program " << round << ' ' << describe(options);
      if (complete && options.order == Order::DepthFirst && options.store == StoreKind::Exact &&
          options.stack_bytes != 0)
        stored[{options.reduce, options.dead}] = result.figures.states_stored;
    }
    auto count = [&](Reduce reduce, Dead dead) {
      auto it = stored.find({reduce, dead});
      return it == stored.end() ? truth.states : it->second;
    };
    if (!complete) continue;
    EXPECT_EQ(count(Reduce::None, Dead::None), truth.states);
    EXPECT_LE(count(Reduce::None, Dead::Static), truth.states) << round;
    if (stored.count({Reduce::None, Dead::Static}) != 0 && stored.count({Reduce::None, Dead::Dynamic}) != 0) {
      EXPECT_LE(count(Reduce::None, Dead::Dynamic), count(Reduce::None, Dead::Static)) << round;
    }
    saved_static += truth.states - count(Reduce::None, Dead::Static);
    saved_dynamic += truth.states - count(Reduce::None, Dead::Dynamic);
    saved_paths += truth.states - count(Reduce::OnTheFly, Dead::None);
  }
  // The test would prove little if the reductions had nothing to do.
  EXPECT_GT(saved_static, 100u);
  EXPECT_GT(saved_dynamic, 100u);
  EXPECT_GT(saved_paths, 1000u);
}

Result search_dynamic(const toy::Program& program, uint64_t max_open_edges) {
  toy::RegisterMachine machine(program);
  World world;
  Options options;
  options.dead = Dead::Dynamic;
  options.max_open_edges = max_open_edges;
  return search(machine, options, world.context);
}

/// Static analysis thinks that Load may read any register, and a loop that is not left yet has to be taken at its word;
/// once the loop is known in full, register 0 is seen to be dead in it.
TEST(DeadVariables, AreExactInLoops) {
  toy::Program program;
  program.registers = 4, program.values = 4;
  program.threads = {{{toy::Op::Set, 3, 0, 3}, {toy::Op::Choose, 0}, {toy::Op::Load, 2, 3}, {toy::Op::Jump, 0, 0, 2}}};
  Result exact = search_dynamic(program, 1000), coarse = search_dynamic(program, 0);
  EXPECT_EQ(exact.outcome, Outcome::Holds);
  EXPECT_EQ(coarse.outcome, Outcome::Holds);
  EXPECT_LT(exact.figures.states_stored, coarse.figures.states_stored);
  EXPECT_EQ(exact.figures.covered, 3u);  // the other values of register 0
  EXPECT_TRUE(exact.notes.empty());
  EXPECT_EQ(coarse.notes.size(), 1u);
}

/// One thread idles in a loop; the other reads register 0 in an assume that fails for the value tried first.
TEST(DeadVariables, WhatAFailedAssumeReadsIsAlive) {
  toy::Program program;
  program.registers = 2, program.values = 2;
  program.threads = {{{toy::Op::Choose, 0}, {toy::Op::Assume, 0, 0, 1}, {toy::Op::Check, 1, 0, 0}, {toy::Op::Halt}},
                     {{toy::Op::Jump, 0, 0, 0}, {toy::Op::Halt}}};
  for (uint64_t edges : {0, 1000}) EXPECT_EQ(search_dynamic(program, edges).outcome, Outcome::Violation);
}

TEST(Search, LimitsEndItWithAReason) {
  toy::Program program;
  program.registers = 8, program.values = 8;
  std::vector<toy::Instruction> code;
  for (uint8_t r = 0; r < 8; ++r) code.push_back({toy::Op::Choose, r});
  code.push_back({toy::Op::Halt});
  program.threads = {code};
  toy::RegisterMachine machine(program);
  Options options;
  options.max_states = 1000;
  World world;
  Result result = search(machine, options, world.context);
  EXPECT_EQ(result.outcome, Outcome::Unknown);
  EXPECT_EQ(result.reason, "limit of 1000 states reached");
  EXPECT_GE(result.figures.states_stored, 1000u);
  for (Order order : {Order::DepthFirst, Order::BreadthFirst}) {
    World stopped;
    stopped.limits.interrupt();
    options.max_states = ~uint64_t{0};
    options.order = order;
    result = search(machine, options, stopped.context);
    EXPECT_EQ(result.outcome, Outcome::Unknown);
    EXPECT_EQ(result.reason, "interrupted");
    World small;
    small.limits.set_memory(resident_memory() + (uint64_t{24} << 20));
    result = search(machine, options, small.context);
    EXPECT_EQ(result.outcome, Outcome::Unknown);
    EXPECT_EQ(result.reason, "memory limit reached");
    EXPECT_GT(small.statistics.count("states_stored"), 1000u);
  }
}

}  // namespace
}  // namespace whittle::explore
