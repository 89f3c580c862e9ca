// Which accesses of a set can meet: two threads may get to them, one of them writes, and it is the same memory.
//
//   Meetings meetings(program, calls, points);
//   meetings.count(f, edge);             // for each access whose value, or whose effect, matters
//   if (!meetings.possible(f, edge)) ... // in whatever order: no other one of them notices
//
// Memory that no other thread can have the address of meets no other; neither do two accesses of the first thread.
#pragma once

#include <vector>

#include "program/analysis/access.h"
#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

class Meetings {
 public:
  /// Keeps references.
  Meetings(const Program& program, const CallGraph& calls, const PointsTo& points);

  void clear();
  void count(FunctionId f, uint32_t edge);
  /// With one of those counted. The access itself need not be one of them.
  bool possible(FunctionId f, uint32_t edge) const;
  /// May the object that is accessed end meanwhile, by what another thread does?
  bool mortal(FunctionId f, uint32_t edge) const;

 private:
  BitSet shared(const BitSet& places) const;
  void find_shared();
  void find_mortal();

  const Program& program_;
  const CallGraph& calls_;
  const PointsTo& points_;
  BitSet others_;                 ///< functions that run in threads other than the first
  BitSet shared_;                 ///< places that more than one thread may know of
  BitSet mortal_, mortal_first_;  ///< shared ones that may end; all of them, and those that another thread may end
  Access all_, by_others_;        ///< counted
};

}  // namespace whittle::program::analysis
