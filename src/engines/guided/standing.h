// Where threads stand in the machine's present state, and what that says about what they will do.
//
//   Standing standing(machine, analyses, true);
//   if (standing.passes_unseen(thread)) ...      // no scheduling point is needed here
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dpor/reduction.h"
#include "exec/symbolic.h"
#include "program/analysis/analyses.h"
#include "program/analysis/slice.h"

namespace whittle::engines::guided {

class Standing {
 public:
  /// Keeps a reference to the machine. Without `slicing`, everything counts as asked about.
  Standing(exec::SymbolicMachine& machine, std::shared_ptr<program::analysis::Analyses> analyses, bool slicing);

  /// The only statement that the thread can go on with, or null.
  const program::Statement* standing_at(uint32_t thread);
  /// Does anything that is asked about depend on when the thread does what it stands before?
  bool interleaves(uint32_t thread);
  /// What the thread does next can be noticed by others, but nothing that is asked about depends on when it happens.
  bool passes_unseen(uint32_t thread);
  /// It stands before its own last steps, and no other thread can look in between.
  bool about_to_finish(uint32_t thread);
  bool may_start_threads(uint32_t thread);
  /// No thread can get to anything that could fail.
  bool nothing_can_fail();
  /// It stands before an assumption that does not hold: it is never going on. `s` is what it stands at.
  bool stuck(uint32_t thread, const program::Statement* s);
  /// It stands before this Await.
  dpor::Await await_of(uint32_t thread, const program::Statement& s);
  uint64_t place_of(uint32_t thread);  ///< a number for the thread and its location; not 0
  std::string describe_place(uint32_t thread);

  const program::analysis::Slice* slice() const { return slice_.get(); }  ///< null: no slicing
  program::analysis::Analyses& analyses() { return *analyses_; }

 private:
  void find_finish();
  /// The program may end in the same step, without giving others the chance to run before: exit() does, abort() does
  /// not.
  bool may_abort(uint32_t thread);
  /// Can the thread still get to such a statement? `from` keeps the places from where that is so.
  bool may_reach(std::vector<BitSet>& from, uint32_t thread,
                 const std::function<bool(program::FunctionId, program::Kind)>& wanted);

  const program::Program& program_;
  exec::SymbolicMachine& machine_;
  std::shared_ptr<program::analysis::Analyses> analyses_;
  bool looks_ahead_ = false;             ///< no property depends on what the last steps of threads do
  std::vector<BitSet> starts_, aborts_;  ///< see may_reach()
  std::unique_ptr<program::analysis::Slice> slice_;
  program::FunctionId finish_ = program::kNone;  ///< a thread's own last steps, if no other thread can look in between
  uint64_t at_finish_ = 0;                       ///< what it calls first, if not null
};

}  // namespace whittle::engines::guided
