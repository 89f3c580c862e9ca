// Control dependence: which branches decide whether a location is reached.
//
// A location l depends on the edge (a, b) if taking the edge makes l unavoidable and leaving a another way may avoid
// it: l post-dominates b, but not strictly a (Ferrante, Ottenstein and Warren).
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace whittle::program::analysis {

class ControlDependence {
 public:
  explicit ControlDependence(const Function& function);

  /// Numbers of the edges that the location depends on directly, in order.
  const std::vector<uint32_t>& edges(LocationId location) const { return edges_[location]; }
  /// The same, with what the sources of those edges depend on, and so on.
  std::vector<uint32_t> all_edges(LocationId location) const;

 private:
  const Function& function_;
  std::vector<std::vector<uint32_t>> edges_;
};

}  // namespace whittle::program::analysis
