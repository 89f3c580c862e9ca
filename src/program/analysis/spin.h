// Busy waiting without effect: loops that do nothing but look at memory until they may leave.
//
//   Spins spins(program, calls);
//   if (spins.back_edge(f, edge)) ...     // the thread is about to go round: it could as well have waited
//
// A round that ends in a back edge of such a loop has written nothing and leaves nothing behind in registers, so the
// run without it is a run, too, in which everybody else does the same. An engine that looks for violated properties may
// treat the back edge as an assumption that fails: the thread does not get on in this run, others do, and what it reads
// first after somebody else's write is a run of its own. (Not if it is asked whether threads wait for ever.)
//
// A compare-and-swap counts as looking if the loop is left whenever it succeeds. Calls count if the callee just looks
// or yields, and has no loops.
#pragma once

#include <vector>

#include "program/analysis/call_graph.h"

namespace whittle::program::analysis {

struct SpinLoop {
  FunctionId function = kNone;
  LocationId head = kNone;
  std::vector<uint32_t> back_edges;
  std::vector<uint32_t> exits;  ///< Assume edges out of the loop: the condition waited for is one of theirs
  std::vector<uint32_t> looks;  ///< statements of the function that read memory in the loop, calls included
};

class Spins {
 public:
  /// Keeps no reference.
  Spins(const Program& program, const CallGraph& calls);

  const std::vector<SpinLoop>& all() const { return loops_; }
  bool back_edge(FunctionId f, uint32_t edge) const { return back_edges_[f].test(edge); }
  bool head(FunctionId f, LocationId l) const { return heads_[f].test(l); }

 private:
  std::vector<SpinLoop> loops_;
  std::vector<BitSet> back_edges_, heads_;
};

}  // namespace whittle::program::analysis
