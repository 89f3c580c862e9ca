// Random graphs as machines: going through all states finds a violation, a bad state or a cut exactly if one can be reached.
#include "proof/system.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

namespace whittle::proof {
namespace {

using machine::Ending;
using machine::StepKind;

class Graph final : public machine::Machine {
 public:
  struct Edge {
    StepKind kind = StepKind::Moved;
    uint32_t to = 0;
  };
  std::vector<std::vector<Edge>> edges;
  std::vector<bool> bad, cut;

  void reset() override { now_ = 0; }
  std::span<const uint8_t> save() override {
    for (unsigned i = 0; i < 4; ++i) bytes_[i] = static_cast<uint8_t>(now_ >> (8 * i));
    return bytes_;
  }
  void load(std::span<const uint8_t> state) override {
    now_ = 0;
    for (unsigned i = 0; i < 4; ++i) now_ |= static_cast<uint32_t>(state[i]) << (8 * i);
  }
  machine::Successors successors() override {
    if (cut[now_]) return {0, Ending::Cut};
    const auto count = static_cast<uint32_t>(edges[now_].size());
    return {count, count == 0 ? Ending::Halted : Ending::None};
  }
  StepKind step(uint32_t choice) override {
    const Edge& edge = edges[now_].at(choice);
    now_ = edge.to;
    return edge.kind;
  }
  uint64_t observe() override { return bad[now_] ? 1 : 0; }
  machine::Position position() override { return {}; }
  void trace_footprints(bool) override {}
  const machine::Footprint& footprint() override { return footprint_; }
  void cells(std::vector<machine::ByteRange>&, std::vector<machine::ByteRange>&) override {}

  /// By definition: what can be reached.
  struct Reach {
    bool wrong = false, cut = false;
  };
  Reach reach() const {
    Reach found;
    std::vector<bool> seen(edges.size());
    std::vector<uint32_t> open{0};
    seen[0] = true;
    while (!open.empty()) {
      const uint32_t v = open.back();
      open.pop_back();
      found.wrong |= bad[v];
      found.cut |= cut[v];
      if (cut[v]) continue;
      for (const Edge& e : edges[v]) {
        found.wrong |= e.kind == StepKind::Violation;
        found.cut |= e.kind == StepKind::Cut;
        if (e.kind != StepKind::Moved || seen[e.to]) continue;
        seen[e.to] = true;
        open.push_back(e.to);
      }
    }
    return found;
  }

 private:
  uint32_t now_ = 0;
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(4);
  machine::Footprint footprint_;
};

/// Mostly states with one way on, so that many are passed.
Graph random_graph(std::mt19937_64& random, uint32_t states) {
  Graph graph;
  auto one_in = [&](uint32_t n) { return random() % n == 0; };
  graph.edges.resize(states);
  for (uint32_t v = 0; v < states; ++v) {
    graph.bad.push_back(v > 0 && one_in(4 * states));
    graph.cut.push_back(v > 0 && one_in(8 * states));
    const uint32_t count = one_in(4) ? static_cast<uint32_t>(random() % 4) : 1;
    for (uint32_t i = 0; i < count; ++i) {
      Graph::Edge edge{StepKind::Moved, one_in(3) ? static_cast<uint32_t>(random() % states) : (v + 1) % states};
      if (one_in(6 * states)) edge.kind = StepKind::Violation;
      if (one_in(10 * states)) edge.kind = StepKind::Cut;
      if (one_in(10)) edge.kind = StepKind::Pruned;
      graph.edges[v].push_back(edge);
    }
  }
  return graph;
}

TEST(System, FindsWhatCanBeReached) {
  std::mt19937_64 random(1);
  unsigned valid = 0, refuted = 0, open = 0;
  for (int round = 0; round < 3000; ++round) {
    Graph graph = random_graph(random, 1 + static_cast<uint32_t>(random() % (round % 10 == 0 ? 5000 : 40)));
    const Graph::Reach reach = graph.reach();
    Limits limits;
    StateSpace space, again;
    const auto is_bad = [](uint64_t atoms) { return atoms != 0; };
    const Outcome outcome = check_system(graph, is_bad, limits, space);
    ASSERT_EQ(outcome.valid, !reach.wrong && !reach.cut) << "round " << round << ": " << outcome.reason;
    if (!outcome.valid && outcome.decided) ASSERT_TRUE(reach.wrong);
    if (!outcome.valid && !outcome.decided) ASSERT_TRUE(reach.cut);
    ++(outcome.valid ? valid : outcome.decided ? refuted : open);
    if (!outcome.valid) continue;
    ASSERT_TRUE(check_system(graph, is_bad, limits, again).valid);
    ASSERT_EQ(space, again);
  }
  EXPECT_GT(valid, 100u);
  EXPECT_GT(refuted, 100u);
  EXPECT_GT(open, 50u);
}

/// A circle without choices, longer than what is passed in a row, ends.
TEST(System, GoesRoundACircleOnce) {
  Graph graph;
  constexpr uint32_t kStates = 2503;
  for (uint32_t v = 0; v < kStates; ++v) graph.edges.push_back({{StepKind::Moved, v + 1 < kStates ? v + 1 : 7}});
  graph.bad.resize(kStates), graph.cut.resize(kStates);
  Limits limits;
  StateSpace space;
  const Outcome outcome = check_system(graph, [](uint64_t) { return false; }, limits, space);
  EXPECT_TRUE(outcome.valid);
  EXPECT_GE(outcome.obligations, kStates);
}

}  // namespace
}  // namespace whittle::proof
