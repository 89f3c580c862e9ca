// Which memory other threads can get at.
//
// Static objects are shared as soon as there is a second thread. Stack, heap and thread-local objects are shared if a
// pointer to them can get into shared memory, into the arguments of a new thread, or through an address that may be
// anything. Everything else is touched by the thread that made it only, so accesses to it are invisible to others.
#pragma once

#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

class Escape {
 public:
  Escape(const Program& program, const CallGraph& calls, const PointsTo& points);

  bool shared(PlaceId place) const { return shared_.test(place); }
  const BitSet& shared() const { return shared_; }
  /// Can the statement only touch memory of its own thread (or none)?
  bool local(const PointsTo& points, const Statement& statement) const;

 private:
  BitSet shared_;
};

/// Sets Statement::local of every Load, Store, Copy and Fill for which that is proved; returns how many.
size_t mark_local(Program& program, const PointsTo& points, const Escape& escape);

}  // namespace whittle::program::analysis
