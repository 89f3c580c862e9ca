// The algorithm of the paper: abstract error trace, frontier, one solver call, then a test that crosses the frontier or
// a split that says why there is none.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/context.h"
#include "engines/dash/cache.h"
#include "engines/dash/clauses.h"
#include "engines/dash/graph.h"
#include "engines/dash/invariants.h"
#include "engines/dash/test_runner.h"
#include "engines/engine.h"
#include "exec/code.h"
#include "exec/runner.h"
#include "solve/solver.h"

namespace whittle::engines::dash {

struct SearchOptions {
  uint64_t seed = 1;
  uint64_t iterations = UINT64_MAX;
  bool invariants = true;
  bool bundles = true;   ///< one split for several ways, without conditions that no test needs; off: one way at a time
  bool explain = false;  ///< every split, on stderr
  bool share = true;     ///< what was found out about a function in one call is tried in its other calls
  std::vector<std::vector<u128>> tests;  ///< inputs to begin with
};

struct Counts {
  uint64_t iterations = 0, solver_calls = 0, tests = 0, splits = 0, removed = 0, expanded = 0, invariants = 0, clauses = 0;
  double solver_seconds = 0;
  uint64_t shared = 0;  ///< calls that have invariants from other calls of the same function
  std::map<program::FunctionId, uint64_t> iterations_of;  ///< by the function at whose states the question was asked
};

/// Why an edge may be taken, said in the state before it and resolved by one test's aliases.
struct Reasons {
  std::vector<Term> conditions;  ///< guards of the block, then what the target region demands
  std::vector<Term> label;       ///< the part that the way on from there needs
  std::vector<Term> core;        ///< the part that a solver needed to refute it
  std::vector<Term> aliases;
  std::vector<Term> inputs;
  std::vector<Effect::CheckedAccess> accesses;  ///< these lie in objects, or a test is not run on
  std::vector<std::pair<uint64_t, Term>> memory;  ///< that has no value yet, by address
  bool siblings = false;                          ///< other blocks lead to the same region
};

class Search {
 public:
  enum class Answer : uint8_t { Proved, Violated, Unknown };
  Search(const program::Program& program, const verdict::Specification& specification, SearchOptions options,
         whittle::Context& context);

  /// What an earlier run left. Before run().
  void begin_with(Kept kept) { kept_ = std::move(kept); }
  Answer run();
  /// After Proved: leaves those invariants that are enough on their own; false if they are not, or time is up.
  bool slice_invariants(double seconds);
  /// After Proved, for those who want to see why: what holds around calls holds inside them as well, where that can be
  /// shown. (Calls that were looked into late were passed over when invariants were found.) True if something is new.
  bool explain_calls();
  /// A test had addresses, made of inputs, that lie in no object, and that was not asked about. Empty: none had.
  const std::string& assumed() const { return assumed_; }
  const std::string& reason() const { return reason_; }  ///< of Unknown
  const exec::RunResult& violation() const { return violation_; }
  const Counts& counts() const { return counts_; }
  bool has_graph() const { return graph_ != nullptr; }
  Graph& graph() { return *graph_; }
  Space& space() { return space_; }
  const Forest& forest() const { return forest_; }
  const Walker& walker() const { return walker_; }

 private:
  enum class Step : uint8_t { Progress, Violated, Stuck };
  bool add_test(const TestPlan& plan, const Test* parent);
  bool shown();
  bool look_around();
  void use_kept_predicates();
  Step extend(const Frontier& frontier);
  Step new_test(uint32_t edge, const Test& test, const Visit& visit, const Reasons& reasons);
  Step refine(uint32_t edge, StateRef state, Reasons reasons, uint32_t next);
  Reasons reasons_of(const RegionEdge& edge, StateRef state, uint32_t next);
  std::optional<std::vector<Term>> pick(const RegionEdge& edge, StateRef state, const Reasons& reasons) const;
  void drop_needless(const RegionEdge& edge, const std::vector<Term>& core, std::vector<Term>& chosen) const;
  bool speaks_of_inputs_to_come(const std::vector<Term>& terms) const;
  static bool same_end(const Block& a, const Block& b);
  bool excluded(const std::vector<Term>& conditions, StateRef state) const;
  StateRef choose(uint32_t edge) const;
  void stuck(uint32_t edge, std::string why);
  void explain(const RegionEdge& edge, Term predicate) const;
  bool strengthen();
  bool propose();
  bool close_unreached();
  void explain_invariants() const;
  bool propose_by_clauses();
  void explain(const Proposals& proposals, const char* source) const;
  void drop_empty_regions();
  bool share(uint32_t context);
  bool must_alias(uint32_t region, Term variable) const;
  std::vector<u128> places(uint32_t region, Term variable) const;
  bool is_infeasible(uint32_t edge);
  std::optional<std::vector<Term>> excluding_locations(const RegionEdge& edge, StateRef state, const Reasons& reasons);
  bool learn_pointers();
  bool move_into_objects(uint32_t edge, StateRef state, const Reasons& reasons);
  bool in_objects(uint32_t block, StateRef state) const;
  TestPlan plan(const Test& test, const Visit& visit) const;
  bool promised(uint32_t block);
  bool learn_contracts();
  std::string busiest() const;
  u128 next_input(size_t number, unsigned width);
  solve::Result ask(const std::vector<Term>& assumptions);
  Asking asking(double until = std::numeric_limits<double>::infinity());

  const program::Program& program_;
  whittle::Context& context_;
  SearchOptions options_;
  std::shared_ptr<exec::Code> code_;
  Space space_;
  TestRunner runner_;
  Walker walker_;
  Forest forest_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<solve::Solver> solver_;
  Counts counts_;
  exec::RunResult violation_;
  std::string reason_, cut_, stuck_, assumed_;
  size_t stuck_edges_ = 0;
  uint64_t random_;
  double begun_;  ///< seconds of this process, as all that is measured here
  uint32_t next_strengthening_ = 8;  ///< splits of a loop head
  uint32_t most_splits_ = 0;
  Kept kept_;
  std::set<uint32_t> shared_;  ///< contexts that were offered what others know
  uint64_t idle_ = 0;          ///< iterations since the last test
  double strengthening_seconds_ = 0;
  /// Sources of invariants that were tried since a call was looked into last.
  struct Sources {
    uint64_t expanded = UINT64_MAX;
    bool polyhedra = false;
    uint32_t readings = 0;
  } sources_;
  uint32_t strengthenings_ = 0;
  uint64_t pointers_expanded_ = UINT64_MAX;  ///< calls that were looked into when pointers were looked at last
  double pointer_seconds_ = 0;
  std::map<uint32_t, Term> closest_;  ///< by node: the candidate that was dropped last
  bool found_ = false;     ///< a violation, by the way
  bool too_long_ = false;  ///< a test was not run to its end
  const Test* parent_ = nullptr;
};

}  // namespace whittle::engines::dash
