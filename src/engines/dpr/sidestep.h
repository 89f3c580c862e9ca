// What the side of a branch that was not taken would have done, up to where both sides meet.
//
// The walk is symbolic but never calls a solver: it follows the other side with terms, merging again at inner joins,
// within a budget of statements. It gives up (no effects) at anything it cannot account for exactly: choices,
// allocation, addresses that depend on choices, loops that do not end within the budget. Then the caller must require
// that the branch goes as it went.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engines/dpr/regions.h"
#include "engines/dpr/view.h"
#include "semantics/meaning.h"

namespace whittle::engines::dpr {

struct Effects {
  bool ended = false;  ///< the side never reaches the join: it ends the run, harmlessly unless `fails`
  std::vector<std::pair<RegisterCell, term::Term>> registers;  ///< values at the join, if they were assigned
  std::vector<std::pair<MemoryCell, term::Term>> memory;
  term::Term fails;  ///< when this holds, the side violates a property
};

class Sidestep {
 public:
  Sidestep(const program::Program& program, exec::Machine& machine, Regions& regions, semantics::Meanings& meanings,
           unsigned budget)
      : program_(program), machine_(machine), regions_(regions), meanings_(meanings), budget_(budget) {}

  /// From `start` of the frame's function to `join`.
  std::optional<Effects> walk(const View& view, uint32_t frame, program::FunctionId function, program::LocationId start,
                              program::LocationId join);

 private:
  struct Walker;
  const program::Program& program_;
  exec::Machine& machine_;
  Regions& regions_;
  semantics::Meanings& meanings_;
  unsigned budget_;
};

}  // namespace whittle::engines::dpr
