// Which statements the errors of a specification depend on.
//
//   Slice slice(program, calls, points, {.properties = specification.properties});
//   if (!slice.relevant(f, edge)) ...     // an access no one needs to be preempted before
//   if (!slice.branch(f, location)) ...   // either side will do: take one
//   if (!slice.ahead().ever(f, location)) ...   // nothing can go wrong any more from here on
//
// The slice is closed under data dependence (registers, parameters, results; memory over points-to sets, whoever
// writes, in whatever thread), control dependence (branches, calls, thread starts), and delay: what can keep a thread
// from getting on is in it, wherever it stands: waiting (unless it certainly ends: short_waits.h), assumptions, ends of
// threads and of the program, loops whose end depends on memory. So runs that differ only in the order of accesses
// outside of the slice, or in branches outside of it, violate the same properties, or none.
//
// Does not look at the order of statements within a thread.
#pragma once

#include <vector>

#include "program/analysis/points_to.h"
#include "program/analysis/reachability.h"

namespace whittle::program::analysis {

class Slice {
 public:
  /// Keeps references to the program and the call graph.
  Slice(const Program& program, const CallGraph& calls, const PointsTo& points, const Questions& questions);

  /// Is the statement in the slice?
  bool relevant(FunctionId f, uint32_t edge) const { return edges_[f].test(edge); }
  /// Does it matter which way the branch at the location goes? (Locations with one edge: is that edge relevant?)
  bool branch(FunctionId f, LocationId l) const {
    return edges_[f].test(program_.functions[f].locations[l].first_edge);
  }
  /// Must others be given the chance to run before the statement, provided that it is visible? Starts of atomic
  /// regions (an Await is one): if something relevant may be inside. Where an Await does not interleave nothing that
  /// follows it under the lock does, either, nor anything in any thread but the first (short_waits.h).
  bool interleaves(FunctionId f, uint32_t edge) const { return points_[f].test(edge); }

  /// What can still fail from where; a thread that nothing can fail in any more still counts if others wait for it.
  const Reachability& ahead() const { return ahead_; }

  size_t statements() const { return total_; }                     ///< in functions that can run
  size_t size() const { return relevant_; }                        ///< of them in the slice
  size_t accesses() const { return accesses_; }                    ///< to memory that others may reach
  size_t relevant_accesses() const { return relevant_accesses_; }  ///< of them in the slice

 private:
  const Program& program_;
  Reachability ahead_;
  std::vector<BitSet> edges_, points_;
  size_t total_ = 0, relevant_ = 0, accesses_ = 0, relevant_accesses_ = 0;
};

}  // namespace whittle::program::analysis
