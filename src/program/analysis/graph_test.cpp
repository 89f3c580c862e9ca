// Analyses of one function's control flow, against their definitions on random automata.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "program/analysis/control_dependence.h"
#include "program/analysis/dominators.h"
#include "program/analysis/liveness.h"
#include "program/analysis/loops.h"
#include "program/parse.h"

namespace whittle::program::analysis {
namespace {

unsigned rounds() { return std::getenv("WHITTLE_LONG") != nullptr ? 20000 : 1000; }

/// One function with registers r0..r3 that copies them about, branches, and ends here and there.
Program random_function(std::mt19937& random) {
  unsigned n = 1 + random() % 9;
  std::string text =
      "program LP64\nentry 0\nfunction 0 \"f\" returns 0 entry 0 locations " + std::to_string(n) + " parameters 0\n";
  for (unsigned r = 0; r < 4; ++r) text += "register " + std::to_string(r) + " 32\n";
  text += "register 4 1\n";
  for (unsigned l = 0; l < n; ++l) {
    auto any_location = [&] { return std::to_string(random() % n); };
    auto any_register = [&] { return "r" + std::to_string(random() % 4); };
    std::string from = std::to_string(l);
    switch (random() % 8) {
      case 0: text += from + ": return\n"; break;
      case 1: break;  // a location without edges
      case 2: text += from + " -> " + any_location() + ": skip\n"; break;
      case 3:
      case 4:
        text += from + " -> " + any_location() + ": " + any_register() + " := (" + any_register() + " + " +
                any_register() + ")\n";
        break;
      default:
        for (unsigned i = 2 + random() % 2; i-- > 0;)
          text += from + " -> " + any_location() + ": assume((" + any_register() + " <s " + std::to_string(i) + "))\n";
    }
  }
  return parse_text(text);
}

/// Can `to` be reached from `from` without entering `without`?
bool reaches(const Digraph& graph, uint32_t from, uint32_t to, uint32_t without) {
  if (from == without) return false;
  std::vector<bool> seen(graph.size());
  std::vector<uint32_t> stack{from};
  seen[from] = true;
  while (!stack.empty()) {
    uint32_t node = stack.back();
    stack.pop_back();
    if (node == to) return true;
    for (uint32_t next : graph.successors[node])
      if (next != without && !seen[next]) seen[next] = true, stack.push_back(next);
  }
  return false;
}

bool dominates_by_definition(const Digraph& graph, uint32_t root, uint32_t a, uint32_t b) {
  bool reachable = reaches(graph, root, a, kNone) && reaches(graph, root, b, kNone);
  return reachable && (a == b || !reaches(graph, root, b, a));
}

void check_dominators(const Digraph& graph, uint32_t root, const Dominators& dominators) {
  for (uint32_t b = 0; b < graph.size(); ++b) {
    ASSERT_EQ(dominators.reachable(b), reaches(graph, root, b, kNone));
    uint32_t immediate = dominators.immediate(b);
    for (uint32_t a = 0; a < graph.size(); ++a) {
      bool expected = dominates_by_definition(graph, root, a, b);
      ASSERT_EQ(dominators.dominates(a, b), expected) << a << " and " << b;
      // Strict dominators are exactly the dominators of the closest one.
      ASSERT_TRUE(a == b || !expected || dominates_by_definition(graph, root, a, immediate));
    }
  }
}

TEST(Dominators, AgreeWithTheDefinition) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < rounds(); ++i) {
    Program program = random_function(random);
    const Function& f = program.functions[0];
    Digraph graph = flow_graph(f);
    check_dominators(graph, f.entry, Dominators(graph, f.entry));
    check_dominators(flow_graph_with_exit(f).reversed(), static_cast<uint32_t>(f.locations.size()), post_dominators(f));
  }
}

TEST(Dominators, EveryReachableLocationHasAWayToTheExit) {
  std::mt19937 random(2);
  for (unsigned i = 0; i < rounds(); ++i) {
    Program program = random_function(random);
    const Function& f = program.functions[0];
    Dominators forward(flow_graph(f), f.entry), post = post_dominators(f);
    for (LocationId l = 0; l < f.locations.size(); ++l) ASSERT_TRUE(!forward.reachable(l) || post.reachable(l));
  }
}

TEST(ControlDependence, AgreesWithTheDefinition) {
  std::mt19937 random(3);
  unsigned dependences = 0;
  for (unsigned i = 0; i < rounds(); ++i) {
    Program program = random_function(random);
    const Function& f = program.functions[0];
    Digraph back = flow_graph_with_exit(f).reversed();
    auto exit = static_cast<uint32_t>(f.locations.size());
    auto post = [&](uint32_t a, uint32_t b) { return dominates_by_definition(back, exit, a, b); };
    ControlDependence dependence(f);
    for (LocationId l = 0; l < f.locations.size(); ++l)
      for (uint32_t e = 0; e < f.edges.size(); ++e) {
        const Edge& edge = f.edges[e];
        bool expected = edge.to != kNone && post(l, edge.to) && !(l != edge.from && post(l, edge.from)) &&
                        reaches(back, exit, edge.from, kNone);
        const auto& edges = dependence.edges(l);
        ASSERT_EQ(std::find(edges.begin(), edges.end(), e) != edges.end(), expected)
            << "location " << l << " edge " << e;
        dependences += expected ? 1 : 0;
      }
  }
  EXPECT_GT(dependences, rounds());
}

TEST(ControlDependence, OfNestedBranches) {
  Program program = parse_text(R"(program LP64
function 0 "f" returns 0 entry 0 locations 5 parameters 0
  register 0 1
  0 -> 1: assume(r0)
  0 -> 4: assume(!r0)
  1 -> 2: assume(r0)
  1 -> 3: assume(!r0)
  2 -> 3: skip
  3 -> 4: skip
  4: return
)");
  ControlDependence dependence(program.functions[0]);
  EXPECT_EQ(dependence.edges(2), (std::vector<uint32_t>{2}));
  EXPECT_EQ(dependence.edges(3), (std::vector<uint32_t>{0}));
  EXPECT_TRUE(dependence.edges(4).empty());
  EXPECT_EQ(dependence.all_edges(2), (std::vector<uint32_t>{0, 2}));
}

/// Is there a way from the location to a read of the register with no write before it?
bool live_by_definition(const Program& program, LocationId start, RegisterId reg) {
  const Function& f = program.functions[0];
  std::vector<bool> seen(f.locations.size());
  std::vector<LocationId> stack{start};
  seen[start] = true;
  while (!stack.empty()) {
    const Location& location = f.locations[stack.back()];
    stack.pop_back();
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const Edge& edge = f.edges[e];
      for (RegisterId read : registers_read(program, edge.statement))
        if (read == reg) return true;
      const auto& targets = edge.statement.targets;
      bool written = std::find(targets.begin(), targets.end(), reg) != targets.end();
      if (edge.to != kNone && !written && !seen[edge.to]) seen[edge.to] = true, stack.push_back(edge.to);
    }
  }
  return false;
}

TEST(Liveness, AgreesWithTheDefinition) {
  std::mt19937 random(4);
  unsigned live = 0, dead = 0;
  for (unsigned i = 0; i < rounds(); ++i) {
    Program program = random_function(random);
    Liveness liveness(program, 0);
    for (LocationId l = 0; l < program.functions[0].locations.size(); ++l)
      for (RegisterId r = 0; r < 4; ++r) {
        ASSERT_EQ(liveness.at(l).test(r), live_by_definition(program, l, r));
        ++(liveness.at(l).test(r) ? live : dead);
      }
  }
  EXPECT_GT(std::min(live, dead), rounds());
}

TEST(Liveness, DuringCalls) {
  Program program = parse_text(R"(program LP64
function 0 "f" returns 32 entry 0 locations 3 parameters 2
  register 0 32 "a"
  register 1 32 "b"
  register 2 32 "c"
  0 -> 1: c.2 := call f(a.0, b.1)
  1 -> 2: c.2 := (c.2 + b.1)
  2: return(c.2)
)");
  Liveness liveness(program, 0);
  BitSet live = liveness.during_call(0);
  EXPECT_FALSE(live.test(0));
  EXPECT_TRUE(live.test(1));
  EXPECT_FALSE(live.test(2)) << "the call writes it";
}

TEST(Loops, AgreeWithTheDefinition) {
  std::mt19937 random(5);
  unsigned found = 0, irreducible = 0, nested = 0;
  for (unsigned i = 0; i < rounds(); ++i) {
    Program program = random_function(random);
    const Function& f = program.functions[0];
    Digraph graph = flow_graph(f);
    Loops loops(f);
    std::set<LocationId> heads;
    for (uint32_t number = 0; number < loops.all().size(); ++number) {
      const Loop& loop = loops.all()[number];
      ASSERT_TRUE(heads.insert(loop.head).second);
      ++found, nested += loop.depth > 1 ? 1 : 0;
      for (LocationId l = 0; l < graph.size(); ++l) {
        // In the body: dominated by the head, and with a way to a back edge inside of what it dominates.
        bool expected = l == loop.head;
        for (uint32_t e : loop.back_edges) {
          ASSERT_EQ(f.edges[e].to, loop.head);
          expected |=
              dominates_by_definition(graph, f.entry, loop.head, l) && reaches(graph, l, f.edges[e].from, loop.head);
        }
        ASSERT_EQ(loops.contains(number, l), expected);
      }
      for (uint32_t e = 0; e < f.edges.size(); ++e) {
        bool leaves = loops.contains(number, f.edges[e].from) &&
                      (f.edges[e].to == kNone || !loops.contains(number, f.edges[e].to));
        ASSERT_EQ(std::count(loop.exits.begin(), loop.exits.end(), e), leaves ? 1 : 0);
      }
      if (loop.parent != kNone) {
        ASSERT_TRUE(loops.contains(loop.parent, loop.head));
        ASSERT_LT(loop.parent, number);
      }
    }
    irreducible += loops.irreducible().empty() ? 0 : 1;
    // Without heads and irreducible targets nothing that can be reached is on a cycle.
    Digraph rest(graph.size());
    auto cut = [&](uint32_t l) {
      return heads.contains(l) || std::count(loops.irreducible().begin(), loops.irreducible().end(), l) > 0;
    };
    for (uint32_t l = 0; l < graph.size(); ++l)
      for (uint32_t to : graph.successors[l])
        if (reaches(graph, f.entry, l, kNone) && !cut(to)) rest.add(l, to);
    for (uint32_t l = 0; l < graph.size(); ++l)
      for (uint32_t to : rest.successors[l]) ASSERT_FALSE(reaches(rest, to, l, kNone));
  }
  EXPECT_GT(std::min({found, irreducible, nested}), 20u);
}

TEST(Components, EdgesGoDown) {
  std::mt19937 random(6);
  for (unsigned i = 0; i < 300; ++i) {
    unsigned n = 1 + random() % 8;
    Digraph graph(n);
    for (unsigned e = random() % 16; e-- > 0;) graph.add(random() % n, random() % n);
    Components parts = components(graph);
    for (uint32_t a = 0; a < n; ++a)
      for (uint32_t b = 0; b < n; ++b) {
        bool there = reaches(graph, a, b, kNone), back = reaches(graph, b, a, kNone);
        ASSERT_EQ(parts.of[a] == parts.of[b], there && back);
        ASSERT_TRUE(!there || back || parts.of[a] > parts.of[b]);
      }
  }
}

}  // namespace
}  // namespace whittle::program::analysis
