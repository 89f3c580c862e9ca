// CTL over fair paths: those on which every fairness constraint (Formula::fair) is true again and again, and those that
// end. A path quantifier means these paths only.
//
// E[p U q] is reaching q through p where a fair path begins. A[p U q] fails where a fair path avoids q forever, or gets
// to neither p nor q and goes on fairly. A fair path without q is one into a component of states without q in which
// every constraint is true somewhere (Emerson and Lei), or into an end.
//
// The whole graph is built first, and each subformula is labelled in all of it: what is fair depends on all that
// follows. Cut paths as in checker.h: Must and May.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "explore/checker.h"

namespace whittle::explore {

/// States of a component that is reached from `from` through states `inside`, has a cycle, and in which every
/// constraint of the formula is true somewhere; empty if there is none.
std::vector<StateId> fair_component(StateGraph& graph, const Formula& formula, StateId from,
                                    const std::function<bool(StateId)>& inside);

class FairChecker : public Labels {
 public:
  FairChecker(const Formula& formula, StateGraph& graph)
      : formula_(formula), graph_(graph), labels_(2 * formula.size()) {}

  /// Unknown also when the run was stopped. Expands the whole graph.
  Truth truth();
  /// May a fair path begin in the initial state? Otherwise A means nothing and E never holds. After truth().
  bool starts() { return !graph_.stopped() && fair_states(Mode::May)[0] != 0; }

  bool certain(StateId state, uint32_t node, bool value) override {
    return (label(node, value ? Mode::Must : Mode::May)[state] != 0) == value;
  }
  bool labelled(StateId state, uint32_t node, bool value) override { return certain(state, node, value); }
  bool fair(StateId state) override { return fair_states(Mode::Must)[state] != 0; }
  uint64_t bytes() const;

 private:
  using Set = std::vector<uint8_t>;  ///< by state
  static Mode other(Mode mode) { return mode == Mode::Must ? Mode::May : Mode::Must; }

  void expand_all();
  const Set& label(uint32_t node, Mode mode);
  const Set& fair_states(Mode mode);
  Set compute(uint32_t node, Mode mode);
  /// Some path through `inside` to `goal`.
  Set reach(const Set& inside, Set goal, Mode mode) const;
  /// Some fair path stays inside.
  Set stay(const Set& inside, Mode mode) const;
  bool ends(StateId state) const;
  bool cut(StateId state) const;

  const Formula& formula_;
  StateGraph& graph_;
  std::vector<std::optional<Set>> labels_;  ///< by node and mode
  std::optional<Set> fair_[2];
  std::vector<uint64_t> first_;  ///< by state: where its predecessors begin
  std::vector<StateId> predecessors_;
};

}  // namespace whittle::explore
