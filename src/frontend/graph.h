// The automaton of a function while it is being made: edges in any order, with empty ones that are taken out at the
// end.
#pragma once

#include <vector>

#include "program/program.h"

namespace whittle::frontend {

class Graph {
 public:
  program::LocationId location() { return location_count_++; }
  void edge(program::LocationId from, program::LocationId to, program::Statement statement) {
    edges_.push_back({from, to, std::move(statement)});
  }
  /// Hands what can be reached from `entry` to the program, without Skip edges (a loop of nothing but Skips keeps one).
  void build(program::Program& program, program::FunctionId function, program::LocationId entry);

 private:
  /// Where each location leads if Skips are followed.
  std::vector<program::LocationId> skip_targets() const;

  program::LocationId location_count_ = 0;
  std::vector<program::Edge> edges_;
};

}  // namespace whittle::frontend
