// Can anything still go wrong from here on?
//
//   Reachability ahead(program, calls, {.properties = specification.properties});
//   if (!ahead.ever(f, l)) ...          // a thread that stands there can be left alone
//
// "Wrong" is a statement that can violate one of the properties, or an Unsupported one (nothing is known about paths
// that get there, so they must not be cut off as harmless). A state of several threads is harmless if that holds for
// each of them: all that matters is what some thread still executes. An Await counts as wrong when deadlocks are asked
// about; when termination is, everything does.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "base/bit_set.h"
#include "program/analysis/call_graph.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::program::analysis {

struct Questions {
  std::set<verdict::Property> properties;
  /// Also undefined behaviour that was not asked about (failing checks, bad accesses): for engines that must tell when a
  /// path cannot be followed any further.
  bool undefined = false;
};

class Reachability {
 public:
  /// What someone else knows: is the statement never reached, or can it not fail although it looks as if it could?
  struct Known {
    std::function<bool(FunctionId, LocationId)> never_reached;
    std::function<bool(FunctionId, const Statement&)> safe;
  };
  Reachability(const Program& program, const CallGraph& calls, const Questions& questions, const Known& known = {});

  /// Can the statement itself violate one of the properties?
  bool can_fail(const Statement& statement) const;
  /// From the location until the function returns, in callees and in threads started on the way.
  bool before_return(FunctionId f, LocationId l) const { return before_return_[f].test(l); }
  /// Can the function still return from here?
  bool returns(FunctionId f, LocationId l) const { return returns_[f].test(l); }
  /// Before the function returns, or afterwards in any of its callers. An engine that knows the call stack asks
  /// before_return and returns for each of its frames instead (a caller goes on after its call).
  bool ever(FunctionId f, LocationId l) const {
    return before_return(f, l) || (returns(f, l) && after_return_.test(f));
  }

 private:
  void find_before_return(const Program& program, const CallGraph& calls, const Known& known);
  void find_returns(const Program& program, const CallGraph& calls);
  void find_after_return(const Program& program, const CallGraph& calls);

  const Program& program_;
  Questions questions_;
  bool allocates_ = false;
  bool concurrent_ = false;
  std::vector<BitSet> before_return_, returns_;
  BitSet after_return_;  ///< functions some caller of which can fail after the call
};

}  // namespace whittle::program::analysis
