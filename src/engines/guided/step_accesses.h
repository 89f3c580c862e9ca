// What a step touched, as the reduction wants it.
//
//   machine.set_access_log(&accesses.log);
//   ... the step ...
//   accesses.collect(slice, alone, awaits);
#pragma once

#include <vector>

#include "dpor/reduction.h"
#include "exec/symbolic.h"
#include "program/analysis/slice.h"

namespace whittle::engines::guided {

class StepAccesses {
 public:
  explicit StepAccesses(exec::SymbolicMachine& machine) : machine_(machine) {}

  std::vector<exec::Pending::Range> log;

  /// Of the `log`; the machine stands after the step. `slice`, if not null, tells which accesses matter. `alone`: no
  /// other thread is alive, so awaits that the step passed were no scheduling points. `awaits`: it began with one.
  void collect(const program::analysis::Slice* slice, bool alone, bool awaits);

  std::vector<dpor::Access> accesses;                   ///< up to the first await passed, as far as their order matters
  std::vector<dpor::Access> touched;                    ///< all of them, whether or not it matters
  std::vector<std::vector<dpor::Access>> after_awaits;  ///< those after further awaits that it passed
  std::vector<dpor::Part> parts;                        ///< these awaits, and what came after each

 private:
  exec::SymbolicMachine& machine_;
  std::vector<dpor::Await> passed_;
};

}  // namespace whittle::engines::guided
