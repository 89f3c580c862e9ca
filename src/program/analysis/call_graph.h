// Who calls whom, who starts whom as a thread.
//
// The target of an indirect call, or of a Spawn whose function is not a constant, is any function whose address occurs
// somewhere (in a term or in the initial bytes of an object; all functions if addresses are disguised) and that takes
// no more arguments than are given.
#pragma once

#include <vector>

#include "base/bit_set.h"
#include "program/program.h"

namespace whittle::program::analysis {

class CallGraph {
 public:
  /// Keeps a reference to the program.
  explicit CallGraph(const Program& program);

  /// Functions that a Call, IndirectCall or Spawn may enter, in order; empty for all other statements.
  std::vector<FunctionId> targets(const Statement& statement) const;

  /// The same whatever the functions' types: an IndirectCall or Spawn of one that does not fit (semantics::fits) is not
  /// followed, and nothing is known beyond.
  std::vector<FunctionId> candidates(const Statement& statement) const;

  const std::vector<FunctionId>& callees(FunctionId f) const { return callees_[f]; }  ///< in order, each once
  const std::vector<FunctionId>& callers(FunctionId f) const { return callers_[f]; }
  const std::vector<FunctionId>& spawned(FunctionId f) const { return spawned_[f]; }  ///< by f itself
  bool address_taken(FunctionId f) const { return taken_.test(f); }
  bool recursive(FunctionId f) const { return recursive_.test(f); }  ///< can call itself, through others or not

  /// What can run at all, from the program's entry over calls and spawns (everything if there is no entry).
  const BitSet& reachable() const { return reachable_; }
  /// Is there a second thread, ever?
  bool concurrent() const { return concurrent_; }
  /// All functions, callees before callers (within a recursion in any order).
  const std::vector<FunctionId>& bottom_up() const { return bottom_up_; }

 private:
  void find_addresses();
  void find_edges();
  void find_order();
  void find_reachable();

  const Program& program_;
  BitSet taken_, recursive_, reachable_;
  std::vector<std::vector<FunctionId>> callees_, callers_, spawned_;
  std::vector<FunctionId> bottom_up_;
  bool concurrent_ = false;
};

}  // namespace whittle::program::analysis
