// Where invariants come from: what an earlier run kept, other calls of a function, tests and the shape of loops,
// polyhedra, Horn clauses. Each source only proposes; Invariants judges on bits.
//
//   Sources sources(space, graph, forest, questions, context, explain);
//   while (sources.propose()) graph.prune();
#pragma once

#include <limits>
#include <map>
#include <set>
#include <string>

#include "base/context.h"
#include "engines/dash/cache.h"
#include "engines/dash/clauses.h"
#include "engines/dash/graph.h"
#include "engines/dash/invariants.h"
#include "engines/dash/questions.h"

namespace whittle::engines::dash {

class Sources {
 public:
  /// `explain`: every proposal, on stderr.
  Sources(Space& space, Graph& graph, const Forest& forest, Questions& questions, whittle::Context& context,
          bool explain)
      : space_(space), graph_(graph), forest_(forest), questions_(questions), context_(context), explain_(explain) {}

  bool propose();
  void keep(const std::vector<KeptPredicate>& predicates);
  bool share(uint32_t context);
  /// Conditions of branches, wherever they still hold: between what numbers the arguments of calls lie. True if something
  /// is new.
  bool keep_branches();
  bool learn_pointers();
  /// The same, whatever it costs: also of what was looked into since.
  bool learn_pointers_again();
  void drop_empty_regions();
  /// After a proof: leaves those invariants that are enough on their own; false if they are not, or time is up.
  bool slice(double seconds);
  /// After a proof, for those who want to see why: what holds around calls holds inside them as well, where that can be
  /// shown. (Calls that were looked into late were passed over when invariants were found.) True if something is new.
  bool explain_calls();

  bool was_asked() const { return proposals_ > 0; }
  std::string busiest() const;
  void explain_invariants() const;

 private:
  Asking asking(double until = std::numeric_limits<double>::infinity());
  bool propose_by_clauses();
  void explain(const Proposals& proposals, const char* source) const;

  Space& space_;
  Graph& graph_;
  const Forest& forest_;
  Questions& questions_;
  whittle::Context& context_;
  bool explain_;
  uint32_t proposals_ = 0;
  /// What was tried since a call was looked into last.
  struct {
    uint64_t expanded = UINT64_MAX;
    bool values = false, polyhedra = false, cases = false;
    uint32_t readings = 0;
  } tried_;
  std::set<uint32_t> shared_;                ///< contexts that were offered what others know
  uint64_t pointers_expanded_ = UINT64_MAX;  ///< calls that were looked into when pointers were looked at last
  double pointer_seconds_ = 0, branch_seconds_ = 0;
  std::map<uint32_t, Term> closest_;  ///< by node: the candidate that was dropped last
};

}  // namespace whittle::engines::dash
