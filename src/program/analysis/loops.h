// Loops of a function: heads, bodies, exits, nesting.
//
// A back edge goes to a location that dominates its source; the loop of a head is all that reaches one of its back
// edges without passing the head. Code with jumps into the middle of a loop has cycles without such a head: they are
// listed apart, as locations, because nothing may be assumed about them.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace whittle::program::analysis {

struct Loop {
  LocationId head = 0;
  std::vector<LocationId> body;      ///< with the head, in order
  std::vector<uint32_t> back_edges;  ///< numbers of edges of the function
  std::vector<uint32_t> exits;       ///< edges from the body out of it, also those that end the path
  uint32_t parent = kNone;           ///< the closest loop around it
  uint32_t depth = 1;                ///< 1: in no other loop
};

class Loops {
 public:
  explicit Loops(const Function& function);

  /// Outer loops come before inner ones.
  const std::vector<Loop>& all() const { return loops_; }
  /// The innermost loop with the location in its body, or kNone.
  uint32_t innermost(LocationId location) const { return innermost_[location]; }
  bool contains(uint32_t loop, LocationId location) const;
  /// Locations on cycles that no loop of the list explains: targets of retreating edges that are not back edges.
  const std::vector<LocationId>& irreducible() const { return irreducible_; }

 private:
  std::vector<Loop> loops_;
  std::vector<uint32_t> innermost_;
  std::vector<LocationId> irreducible_;
};

}  // namespace whittle::program::analysis
