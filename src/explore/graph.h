// The reachable graph, made as far as someone looks at it: stored states, and for expanded ones an edge per choice.
//
//   StateGraph graph(run, store);
//   for (uint32_t i = 0; i < graph.degree(s); ++i) use(graph.target(s, i));     // expands s
//
// Edges are kept because formulas ask for them again and again, and the machine is slower than memory.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/run.h"
#include "explore/tree_store.h"

namespace whittle::explore {

// Targets of edges that lead to no state.
inline constexpr StateId kPruned = kNoState;   ///< no behaviour of the system
inline constexpr StateId kCut = kNoState - 1;  ///< nothing is known beyond

class StateGraph {
 public:
  /// `atoms`: how many bits of observe() matter.
  StateGraph(Run& run, TreeStore& store, unsigned atoms);

  /// Stores the initial state, number 0. Not needed if a sink fills the graph.
  void begin();

  /// Number of edges, one for each choice; a state whose path was cut has one to kCut. May stop the run.
  uint32_t degree(StateId state) {
    if (begin_[state] == kUnexpanded) expand(state);
    return edges_[begin_[state]];
  }
  bool expanded(StateId state) const { return begin_[state] != kUnexpanded; }
  StateId target(StateId state, uint32_t i) const { return edges_[begin_[state] + 1 + i]; }
  /// Steps of the machine that the edge stands for.
  uint32_t steps(StateId state, uint32_t i) const { return run_.reducing() ? steps_[begin_[state] + 1 + i] : 1; }
  uint64_t atoms(StateId state) const {
    uint64_t bits = 0;
    std::memcpy(&bits, atoms_.data() + uint64_t{state} * atom_bytes_, atom_bytes_);
    return bits;
  }
  uint64_t size() const { return begin_.size(); }
  bool stopped() const { return run_.done(); }
  bool has_cuts() const { return run_.figures.cuts != 0; }
  uint64_t bytes() const { return begin_.bytes() + edges_.bytes() + steps_.bytes() + atoms_.bytes(); }
  /// When the run stopped at a violation: where, and by which choice.
  StateId violation_state() const { return violation_state_; }
  uint32_t violation_choice() const { return violation_choice_; }
  uint32_t violation_steps() const { return violation_steps_; }

  uint64_t created() const { return walker_.created(); }
  uint64_t ticks() const { return walker_.ticks(); }

  /// Fills the graph from a depth-first search.
  class Sink {
   public:
    explicit Sink(StateGraph& graph) : graph_(graph) {}
    void enter(StateId, uint64_t atoms) {
      graph_.add_state(atoms);
      starts_.push_back(pending_.size());
    }
    void edge(StateId target, const Arrival& arrival) { pending_.push_back({target, arrival.steps}); }
    void dead_end(const Arrival& arrival) { pending_.push_back({no_target(arrival), arrival.steps}); }
    void ending(machine::Ending ending) {
      if (ending == machine::Ending::Cut) pending_.push_back({kCut, 1});
    }
    void leave(StateId state);

   private:
    friend class StateGraph;
    StateGraph& graph_;
    std::vector<std::pair<StateId, uint32_t>> pending_;
    std::vector<uint64_t> starts_;
  };

 private:
  static constexpr uint64_t kUnexpanded = 0;  // edges_[0] is a filler
  static StateId no_target(const Arrival& arrival) { return arrival.kind == machine::StepKind::Cut ? kCut : kPruned; }
  void add_state(uint64_t atoms);
  void add_edge(StateId target, uint32_t steps);
  void open_edges(StateId state);
  void expand(StateId state);
  StateId arrive(uint64_t atoms);

  Run& run_;
  TreeStore& store_;
  LastWords::Speaker speaker_;
  Walker walker_;
  unsigned atom_bytes_;
  GrowingArray<uint64_t> begin_;  ///< by state: where in edges_ its degree stands, followed by the targets
  GrowingArray<uint32_t> edges_;
  GrowingArray<uint32_t> steps_;  ///< beside edges_, when paths are reduced
  GrowingArray<uint8_t> atoms_;
  std::vector<uint64_t> here_, there_;
  StateId violation_state_ = kNoState;
  uint32_t violation_choice_ = 0, violation_steps_ = 0;
};

}  // namespace whittle::explore
