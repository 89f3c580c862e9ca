// Why a test does not cross an edge of the region graph, and what of that a split should be about.
//
//   ReasonFinder finder(space, graph, forest, questions, options);
//   Reasons reasons = finder.of(edge, state, next);       // in the state before the edge, by one test's aliases
//   if (auto choice = finder.pick(edge, state, reasons)) split(choice->conditions);
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engines/dash/effect.h"
#include "engines/dash/graph.h"
#include "engines/dash/questions.h"

namespace whittle::engines::dash {

/// Why an edge may be taken, said in the state before it and resolved by one test's aliases.
struct Reasons {
  std::vector<Term> conditions;  ///< guards of the block, then what the target region demands
  std::vector<Term> label;       ///< the part that the way on from there needs
  std::vector<Term> core;        ///< the part that a solver needed to refute it
  std::vector<Term> aliases;     ///< of all of them
  /// Those under which a condition, or a part of the label, is what is said here.
  std::unordered_map<Term, std::vector<Term>> aliases_of;
  std::vector<Term> inputs;
  std::vector<Effect::CheckedAccess> accesses;    ///< these lie in objects, or a test is not run on
  std::vector<std::pair<uint64_t, Term>> memory;  ///< that has no value yet, by address
  bool siblings = false;                          ///< other blocks lead to the same region
};

/// What a split is about.
struct Choice {
  std::vector<Term> conditions;
  std::vector<Term> aliases;  ///< under which these are conditions for the way
};

class ReasonFinder {
 public:
  /// `bundles`: one split for several ways, without conditions that no test needs.
  ReasonFinder(Space& space, Graph& graph, const Forest& forest, Questions& questions, bool bundles)
      : space_(space), graph_(graph), forest_(forest), questions_(questions), bundles_(bundles) {}

  /// `next`: the edge after this one on the way to an error; kNone: there is none.
  Reasons of(const RegionEdge& edge, StateRef state, uint32_t next);
  std::optional<Choice> pick(const RegionEdge& edge, StateRef state, const Reasons& reasons) const;
  std::optional<std::vector<Term>> excluding_values(const RegionEdge& edge, StateRef state, const Reasons& reasons);
  bool speak_of_inputs_to_come(const std::vector<Term>& terms) const;
  bool in_objects(uint32_t block, StateRef state) const;
  bool is_infeasible(uint32_t edge);

 private:
  bool must_alias(uint32_t region, Term variable) const;
  std::vector<u128> places(uint32_t region, Term variable) const;
  bool excluded(const std::vector<Term>& conditions, StateRef state) const;
  std::optional<Choice> choose(std::vector<Term> conditions, StateRef state, const Reasons& reasons) const;
  void drop_needless(const RegionEdge& edge, const std::vector<Term>& core, std::vector<Term>& chosen) const;

  Space& space_;
  Graph& graph_;
  const Forest& forest_;
  Questions& questions_;
  bool bundles_;
};

}  // namespace whittle::engines::dash
