// The local algorithm behind check(): truth of a subformula in a state, by searches that label what they visit.
//
// E[p U q] in s: depth-first search through states with p and without q, for one with q. Found: every state of an
// incomplete component (Tarjan) reaches the stack, hence q, and is labelled true. A completed component is false.
// A[p U q] in s: the same search for a way to avoid q: a state without p and q, an end, or a cycle. Found: the stack is
// labelled false. A state that is left has only true successors and is true.
// Each state is thus labelled once for each temporal subformula: linear time (Vergauwen and Lewi).
//
// Cut paths make the logic three-valued. A formula is evaluated in two modes: Must (true whatever lies beyond the cuts)
// and May (true for something that may lie there); negation swaps them. Without cuts the two are the same and one
// set of labels serves both.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "explore/ctl.h"
#include "explore/graph.h"

namespace whittle::explore {

enum class Mode : uint8_t { Must, May };

/// What evidence is made of: facts that are certain.
class Labels {
 public:
  virtual ~Labels() = default;
  virtual bool certain(StateId state, uint32_t node, bool value) = 0;
  /// Of a temporal node, as far as it has been found out.
  virtual bool labelled(StateId state, uint32_t node, bool value) = 0;
  /// Does a path begin here that counts?
  virtual bool fair(StateId) { return true; }
};

class Checker : public Labels {
 public:
  Checker(const Formula& formula, StateGraph& graph)
      : formula_(formula), graph_(graph), searches_(2 * formula.size()) {}

  /// Unknown also when the run was stopped.
  Truth truth();

  /// Truth value in a mode. Meaningless once graph.stopped().
  bool holds(StateId state, uint32_t node, Mode mode);

  bool certain(StateId state, uint32_t node, bool value) override {
    return holds(state, node, value ? Mode::Must : Mode::May) == value;
  }
  bool labelled(StateId state, uint32_t node, bool value) override;
  uint64_t bytes() const;

 private:
  enum Label : uint8_t { kNew, kTrue, kFalse, kOpen };
  struct Frame {
    StateId state;
    uint32_t next;
    uint32_t low;
  };
  struct Search {  ///< of one temporal subformula in one mode; never active twice at once
    GrowingArray<uint8_t> labels;
    GrowingArray<uint32_t> order;  ///< of open states: position in `open`
    std::vector<Frame> stack;
    std::vector<StateId> open;
  };

  Mode actual(Mode mode) const { return three_valued_ ? mode : Mode::Must; }
  Search& search_of(uint32_t node, Mode mode) { return searches_[2 * node + static_cast<uint32_t>(actual(mode))]; }
  uint8_t& label(Search& search, StateId state) {
    if (search.labels.size() <= state) search.labels.resize(graph_.size(), kNew);
    return search.labels[state];
  }
  bool temporal(StateId state, uint32_t node, Mode mode);
  bool exists_until(Search& search, const Formula::Node& node, Mode mode, StateId state);
  bool always_until(Search& search, const Formula::Node& node, Mode mode, StateId state);
  Label classify(Search& search, const Formula::Node& node, Mode mode, StateId state);
  void push(Search& search, StateId state);
  bool found(Search& search, Label value);

  const Formula& formula_;
  StateGraph& graph_;
  std::vector<Search> searches_;
  bool three_valued_ = false;
};

/// Why the formula holds, or does not, in the initial state; nothing if no single path shows it.
std::optional<Evidence> explain(const Formula& formula, StateGraph& graph, Labels& labels, bool value,
                                machine::Machine& machine);

/// Choices that lead through the explored part of the graph to a state.
std::vector<uint32_t> path_to(StateGraph& graph, StateId state);

}  // namespace whittle::explore
