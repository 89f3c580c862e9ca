// The algorithm of the paper: abstract error trace, frontier, one solver call, then a test that crosses the frontier or
// a split that says why there is none.
#pragma once

#include <memory>
#include <string>

#include "base/context.h"
#include "engines/dash/cache.h"
#include "engines/dash/graph.h"
#include "engines/dash/questions.h"
#include "engines/dash/reasons.h"
#include "engines/dash/sources.h"
#include "engines/dash/test_runner.h"
#include "engines/engine.h"
#include "exec/code.h"
#include "exec/runner.h"

namespace whittle::engines::dash {

struct SearchOptions {
  uint64_t seed = 1;
  uint64_t iterations = UINT64_MAX;
  bool invariants = true;
  bool bundles = true;   ///< one split for several ways, without conditions that no test needs; off: one way at a time
  bool explain = false;  ///< every split, on stderr
  bool share = true;     ///< what was found out about a function in one call is tried in its other calls
  std::vector<std::vector<u128>> tests;  ///< inputs to begin with
  solve::Answers* kept = nullptr;        ///< of the solver, from before
};

class Search {
 public:
  enum class Answer : uint8_t { Proved, Violated, Unknown };
  Search(const program::Program& program, const verdict::Specification& specification, SearchOptions options,
         whittle::Context& context);

  /// What an earlier run left. Before run().
  void begin_with(Kept kept) { kept_ = std::move(kept); }
  Answer run();
  Sources& sources() { return *sources_; }  ///< after run()
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
  u128 next_input(size_t number, unsigned width);
  bool add_test(const TestPlan& plan, const Test* parent);
  std::optional<TestPlan> without_accident(const Test& test);
  bool shown();
  bool look_around();
  bool learn_contracts();
  StateRef choose(uint32_t edge) const;
  Step extend(const Frontier& frontier);
  Step new_test(uint32_t edge, const Test& test, const Visit& visit, const Reasons& reasons);
  Step refine(uint32_t edge, StateRef state, Reasons reasons, uint32_t next);
  void prefer_no_object(StateRef state, const Reasons& reasons, const std::vector<Term>& assumptions);
  TestPlan plan(const Test& test, const Visit& visit);
  bool move_into_objects(uint32_t edge, StateRef state, const Reasons& reasons, uint32_t next);
  void return_to_region(uint32_t edge, StateRef state, uint32_t next);
  bool promised(uint32_t block);
  bool knows_pointers() const;
  bool reads_what_is_set_once(const std::vector<Term>& conditions) const;
  static bool same_end(const Block& a, const Block& b);
  void stuck(uint32_t edge, const std::string& why);
  bool strengthen();
  bool close_unreached(bool into_calls);
  void explain(const RegionEdge& edge, Term predicate) const;
  void explain_stuck(const RegionEdge& edge, StateRef state, const Reasons& reasons) const;

  const program::Program& program_;
  whittle::Context& context_;
  SearchOptions options_;
  std::shared_ptr<exec::Code> code_;
  Space space_;
  TestRunner runner_;
  Walker walker_;
  Forest forest_;
  std::unique_ptr<Graph> graph_;
  Counts counts_;
  exec::RunResult violation_;
  std::string reason_, cut_, stuck_, assumed_;
  size_t stuck_edges_ = 0;
  uint64_t random_;
  Questions questions_;
  std::unique_ptr<ReasonFinder> reasons_;
  std::unique_ptr<Sources> sources_;
  uint32_t next_strengthening_ = 8;  ///< splits of a loop head
  uint32_t most_splits_ = 0;
  Kept kept_;
  uint64_t idle_ = 0;  ///< iterations since the last test
  double strengthening_seconds_ = 0;
  bool found_ = false;     ///< a violation, by the way
  bool too_long_ = false;  ///< a test was not run to its end
  bool promises_ = false;  ///< something is promised of calls
  const Test* parent_ = nullptr;
};

}  // namespace whittle::engines::dash
