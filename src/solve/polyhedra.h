// Convex polyhedra over the integers that bit-vectors are read as, by the Parma Polyhedra Library: what linear relations
// hold wherever rules lead. A source of candidates, as horn.h, whose rules these are: integers do not wrap around
// here.
//
//   Polyhedra polyhedra(store, reading);
//   uint32_t loop = polyhedra.predicate({i, n}, true);          // it lies on a cycle
//   polyhedra.rule(...);
//   if (polyhedra.solve(2)) for (Term t : polyhedra.solution(loop)) ...
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solve/linear.h"
#include "term/term.h"

namespace whittle::solve {

class Polyhedra {
 public:
  static constexpr uint32_t kStart = UINT32_MAX;

  Polyhedra(term::Store& store, Reading reading);
  ~Polyhedra();
  /// Every cycle of rules has a predicate that `widens`.
  uint32_t predicate(std::vector<term::Term> parameters, bool widens);
  void rule(uint32_t from, std::span<const term::Term> conditions, uint32_t to, std::span<const term::Term> arguments);
  bool solve(double seconds);  ///< False: not in that time.
  std::vector<term::Term> solution(uint32_t predicate) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle::solve
