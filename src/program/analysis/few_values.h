// Registers that only ever hold one of a few constants, whoever calls: parameters that are given the address of the
// same global, or null, everywhere.
//
//   FewValues values(program, calls, points);
//   if (!values.reachable(f, location)) ...          // after `if (p)` where p is always null
//   if (auto all = values.of(f, term)) ...           // every value the term can have
//
// Of memory it knows static objects that no one writes; whatever else is loaded may be anything.
#pragma once

#include <optional>
#include <vector>

#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

class FewValues {
 public:
  FewValues(const Program& program, const CallGraph& calls, const PointsTo& points);

  /// No answer: many, or not known. Empty: never computed.
  std::optional<std::vector<u128>> of(FunctionId f, term::Term term) const;
  /// May the location be reached, once its function is entered?
  bool reachable(FunctionId f, LocationId l) const { return reachable_[f].test(l); }

 private:
  struct Values {
    bool many = false;
    std::vector<u128> all;
  };
  void solve(const CallGraph& calls, const PointsTo& points);
  void find_unwritten(const CallGraph& calls, const PointsTo& points);
  std::optional<std::vector<u128>> loaded(const Statement& s) const;
  bool add(Values& values, const std::optional<std::vector<u128>>& more);
  bool spread(FunctionId f, const Edge& edge, const CallGraph& calls, const PointsTo& points);
  void find_reachable(FunctionId f);

  const Program& program_;
  std::vector<std::vector<Values>> registers_;  ///< by function
  std::vector<Values> results_;
  std::vector<BitSet> reachable_;
  BitSet unwritten_;  ///< objects
};

}  // namespace whittle::program::analysis
