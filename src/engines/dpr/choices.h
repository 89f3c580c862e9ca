// Which nondeterministic values become choices, and how many bits each takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/machine.h"
#include "solve/solver.h"

namespace whittle::engines::dpr {

/// How a value is put together from choice bits.
struct Shape {
  unsigned bits = 0;       ///< choices taken, lowest bit first
  bool is_signed = false;  ///< the highest one is the sign
  bool complete = true;    ///< no other value is possible
  u128 base = 0;           ///< added to what the bits say
};

class Choices {
 public:
  static constexpr unsigned kMostBits = 16;

  Choices(const program::Program& program, const exec::View& machine, solve::Solver& solver)
      : program_(program), machine_(machine), solver_(solver) {}

  /// The machine stands at an Input pause. Values of up to 16 bits are taken whole; a wider one only as far as the
  /// assumptions that follow it at once bound it, given the present values of the registers `used`.
  Shape shape(const exec::Pause& pause, std::vector<program::RegisterId>& used);

  /// The variable of the choice at a level (0 is the first one of a run).
  term::Term bit(size_t level);
  /// The value made of `shape.bits` choices from `level` on.
  term::Term value(const Shape& shape, size_t level, unsigned width);

 private:
  Shape bounded(term::Term assumption, term::Term variable);
  std::optional<u128> least(term::Term assumption, term::Term variable);

  const program::Program& program_;
  const exec::View& machine_;
  solve::Solver& solver_;
  std::vector<term::Term> bits_;
  std::unordered_map<term::Term, Shape> known_;  ///< by assumption
};

}  // namespace whittle::engines::dpr
