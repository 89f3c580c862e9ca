// What the checker sees of a program without following paths: which functions are harmless, what calls can write, where
// a function's stack objects are.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "program/analysis/access.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/frame_objects.h"
#include "program/analysis/points_to.h"
#include "verdict/property.h"

namespace whittle::proof {

using program::analysis::FrameObject;

class ProgramFacts {
 public:
  ProgramFacts(const program::Program& program, const verdict::Specification& specification);

  const program::analysis::CallGraph& calls() const { return calls_; }
  const program::analysis::PointsTo& points() const { return points_; }
  /// Static objects that nothing ever writes.
  const BitSet& unwritten() const { return unwritten_; }
  /// Can neither it nor a callee violate anything, or do what the checker does not follow?
  bool harmless(program::FunctionId f) const { return harmless_.test(f); }
  /// Static objects that the function and its callees leave alone.
  std::shared_ptr<const BitSet> kept_by(program::FunctionId f) const;
  /// Which places an access through the address may be of: known of pointers that may have no value the program gave them
  /// (PointsTo::Strays), if it is not asked whether accesses are valid. Null: nothing is known.
  std::shared_ptr<const BitSet> reach(term::Term address) const;
  /// Objects that are there whenever the function stands at this location.
  std::vector<FrameObject> frame_objects(program::FunctionId f, program::LocationId l) const;
  /// May the function, or one that it calls, end a heap object / write any memory or make an object?
  bool may_free(program::FunctionId f) const { return frees_.test(f); }
  bool may_make(program::FunctionId f) const { return makes_.test(f); }
  bool touches_memory(program::FunctionId f) const;
  /// Failing is a violation that the specification asks about.
  bool asked(const program::Statement& statement) const;

 private:
  bool can_fail(const program::Function& function, const program::Statement& statement) const;
  void find_harmless();
  void close_under_calls(BitSet& functions) const;

  const program::Program& program_;
  const verdict::Specification& specification_;
  program::analysis::CallGraph calls_;
  program::analysis::PointsTo points_;
  program::analysis::AccessSets accesses_;
  mutable std::unordered_map<term::Term, std::shared_ptr<const BitSet>> reach_;
  BitSet unwritten_, harmless_, frees_, makes_;
};

}  // namespace whittle::proof
