// Reduced graphs against full ones: no CTL formula without X may tell them apart. Random formulas are poor at finding
// a difference, so this compares the graphs themselves: they must be stuttering bisimilar, divergence included.

#include "explore/graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "explore/depth_first.h"
#include "explore/toy.h"

namespace whittle::explore {
namespace {

using machine::Machine;
using machine::StepKind;

struct Plain {
  std::vector<std::vector<uint32_t>> next;
  std::vector<uint64_t> atoms;
  void close() {  // states without successors last
    for (uint32_t s = 0; s < next.size(); ++s)
      if (next[s].empty()) next[s].push_back(s);
  }
};

Plain full_graph(Machine& machine) {
  Plain graph;
  std::map<std::vector<uint8_t>, uint32_t> number;
  std::vector<std::vector<uint8_t>> order;
  auto visit = [&] {
    std::vector<uint8_t> bytes(machine.save().begin(), machine.save().end());
    auto [it, added] = number.try_emplace(bytes, static_cast<uint32_t>(order.size()));
    if (added) order.push_back(bytes), graph.next.emplace_back(), graph.atoms.push_back(machine.observe());
    return it->second;
  };
  machine.reset();
  visit();
  for (uint32_t i = 0; i < order.size(); ++i) {
    machine.load(order[i]);
    uint32_t count = machine.successors().count;
    for (uint32_t c = 0; c < count; ++c) {
      machine.load(order[i]);
      if (machine.step(c) != StepKind::Moved) continue;
      uint32_t to = visit();
      graph.next[i].push_back(to);
    }
  }
  graph.close();
  return graph;
}

Plain reduced_graph(Machine& machine, const Options& options) {
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  Run run(machine, options, context, {}, true);
  TreeStore store;
  StateGraph graph(run, store, 8);
  if (options.dead == Dead::Dynamic) {
    StateGraph::Sink sink(graph);
    DepthFirst<TreeStore, true, StateGraph::Sink> order(run, store, sink);
    order();
  } else {
    graph.begin();
  }
  Plain plain;
  for (StateId s = 0; s < graph.size(); ++s) {
    plain.atoms.push_back(graph.atoms(s));
    plain.next.emplace_back();
    for (uint32_t e = 0, degree = graph.degree(s); e < degree; ++e)
      if (graph.target(s, e) != kPruned) plain.next[s].push_back(graph.target(s, e));
  }
  plain.close();
  return plain;
}

/// Are the first states of the two graphs stuttering bisimilar? Splits blocks of states with equal atoms as long as
/// some states of a block can reach another block through their own, or stay in it forever, and others cannot.
bool bisimilar(const Plain& a, const Plain& b) {
  Plain both = a;
  const uint32_t shift = static_cast<uint32_t>(a.next.size());
  for (uint32_t s = 0; s < b.next.size(); ++s) {
    both.atoms.push_back(b.atoms[s]);
    std::vector<uint32_t>& next = both.next.emplace_back();
    for (uint32_t t : b.next[s]) next.push_back(t + shift);
  }
  const uint32_t size = static_cast<uint32_t>(both.next.size());
  std::vector<uint64_t> block = both.atoms;
  for (;;) {
    // What each state can do, in terms of the blocks: blocks it reaches through its own; 1 << 63: stay forever.
    std::vector<std::map<uint64_t, bool>> can(size);
    std::vector<bool> stays(size, true);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t s = size; s-- > 0;) {
        size_t before = can[s].size();
        bool stay = false;
        for (uint32_t t : both.next[s]) {
          if (block[t] != block[s]) {
            can[s][block[t]] = true;
          } else {
            for (auto [c, yes] : std::map<uint64_t, bool>(can[t])) can[s][c] = yes;
            stay |= stays[t];
          }
        }
        changed |= can[s].size() != before || stay != stays[s];
        stays[s] = stay;
      }
    }
    std::map<std::pair<uint64_t, std::pair<std::map<uint64_t, bool>, bool>>, uint64_t> names;
    std::vector<uint64_t> refined(size);
    for (uint32_t s = 0; s < size; ++s)
      refined[s] = names.try_emplace({block[s], {can[s], stays[s]}}, names.size()).first->second;
    std::map<uint64_t, uint64_t> old;
    for (uint64_t name : block) old[name];
    bool stable = names.size() == old.size();
    block = refined;
    if (stable) return block[0] == block[shift];
  }
}

void check_all(Machine& machine, std::mt19937& random) {
  Plain full = full_graph(machine);
  if (full.next.size() > 400) return;
  for (Dead dead : {Dead::None, Dead::Static, Dead::Dynamic})
    for (auto [reduce, loop] : {std::pair{Reduce::None, Loop::Hash}, std::pair{Reduce::Static, Loop::Hash},
                                std::pair{Reduce::OnTheFly, Loop::Location}, std::pair{Reduce::OnTheFly, Loop::State},
                                std::pair{Reduce::OnTheFly, Loop::Hash}}) {
      Options options;
      options.deadlock_is_violation = false;
      options.dead = dead, options.reduce = reduce, options.loop = loop;
      if (random() % 2 == 0) options.stack_bytes = 0;
      ASSERT_TRUE(bisimilar(full, reduced_graph(machine, options)))
          << fmt::format("reduce {} loop {} dead {}", int(reduce), int(loop), int(dead));
    }
}

uint64_t rounds(uint64_t usual, uint64_t all) { return std::getenv("WHITTLE_LONG") != nullptr ? all : usual; }

TEST(StateGraph, OfARandomGraphIsBisimilarToIt) {
  std::mt19937 random(31);
  for (uint64_t round = 0; round < rounds(400, 10000); ++round) {
    toy::Graph graph = toy::random_graph(random, 1 + random() % 30);
    for (toy::Graph::Node& node : graph.nodes) {
      for (toy::Graph::Edge& edge : node.edges)
        if (edge.kind == StepKind::Cut) edge.kind = StepKind::Moved;
      if (node.ending == machine::Ending::Cut) node.ending = machine::Ending::Halted;
    }
    toy::GraphMachine machine(graph);
    check_all(machine, random);
    ASSERT_FALSE(HasFatalFailure()) << "graph " << round;
  }
}

TEST(StateGraph, OfARandomProgramIsBisimilarToIt) {
  std::mt19937 random(32);
  for (uint64_t round = 0; round < rounds(300, 10000); ++round) {
    toy::Program program = toy::random_program(random, true);
    for (std::vector<toy::Instruction>& code : program.threads)
      for (toy::Instruction& i : code)
        if (i.op == toy::Op::Cut || i.op == toy::Op::Check) i.op = toy::Op::Load;
    toy::RegisterMachine machine(program);
    check_all(machine, random);
    ASSERT_FALSE(HasFatalFailure()) << "program " << round;
  }
}

TEST(StateGraph, TheComparisonFindsDifferences) {
  // In the first graph state 1 looks like state 0 but has lost a choice; the second has no such state.
  Plain a{{{1, 3}, {2}, {2}, {3}}, {1, 1, 2, 4}}, b{{{1, 2}, {1}, {2}}, {1, 2, 4}};
  EXPECT_FALSE(bisimilar(a, b));
  EXPECT_TRUE(bisimilar(a, a));
  // A state may be repeated, unless it can then be repeated forever.
  Plain c{{{1}, {1}}, {1, 2}}, d{{{1}, {2}, {2}}, {1, 1, 2}}, e{{{0, 1}, {1}}, {1, 2}};
  EXPECT_TRUE(bisimilar(c, d));
  EXPECT_FALSE(bisimilar(c, e));
}

}  // namespace
}  // namespace whittle::explore
