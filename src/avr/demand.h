// What must be decided before the next instruction can execute.
//
//   Demand need = demand(core, rules);
//   for (uint32_t i = 0; i < need.count(); ++i) { Core next = core; Delivery given = need.apply(next, i); ... }
//
// A demand splits a set of states into disjoint parts: on bits of a cell, on whether the last result was zero, or on
// what the environment delivers. An instruction may have several demands, one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "avr/core.h"

namespace whittle::avr {

class Expression;

/// What the machine has been told: how eager to be, what formulas look at, what the environment may answer.
struct DemandRules {
  bool eager = false;                         ///< unknown bits are decided when they are read, not when needed
  std::vector<uint8_t> observed;              ///< by data address: bits that are never left unknown
  /// Of an abstract chip: variables that formulas look at may be unknown as long as these are true or false.
  const std::vector<Expression>* atoms = nullptr;
  std::vector<std::vector<uint8_t>> allowed;  ///< by I/O address: the values the environment delivers; empty: all
};

struct Demand {
  enum class Kind : uint8_t {
    None,
    Bits,     ///< all bits of `mask` in `cell`
    Flag,     ///< the status flag `cell`
    Range,    ///< `cell` lies between the first two of `values`, or between the other two
    Zero,     ///< whether `cell` is zero, as disjoint cubes: all zero, or bit i the lowest set one
    Deliver,  ///< the bits of `mask` come from outside
    Choose,   ///< one of `values` comes from outside, in the bits of `mask`
  };
  Kind kind = Kind::None;
  uint16_t cell = 0;
  uint8_t mask = 0;
  std::vector<uint8_t> values;
  bool alone = false;  ///< Bits: copies of the cell learn nothing (abstract chips)

  uint32_t count() const;
  /// Makes part `index` of the split true of `core`; what the environment delivers is returned for execute().
  Delivery apply(Core& core, uint32_t index) const;
};

Demand demand(const Core& core, const DemandRules& rules);

/// The low bits of `index`, put where the mask has ones.
uint8_t deposit(uint32_t index, uint8_t mask);

}  // namespace whittle::avr
