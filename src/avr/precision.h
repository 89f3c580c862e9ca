// What an abstract chip keeps, and what it forgets.
//
// The abstract machine (AvrMachine::set_precision) has every path of the chip, and more: cells that take many values are
// any value again after each step, and arithmetic on unknown bits gives unknown bits instead of asking for a decision.
// So a formula about all paths that holds there holds for the chip. refinement.h makes the precision finer where a path of
// the abstract machine is none of the chip.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "avr/core.h"

namespace whittle::avr {

/// What is known without running about every location: computed over the whole program, calls and returns included.
/// Nothing rests on it being right: a register that is wrongly taken for dead is any value, which has more paths.
struct Liveness {
  std::vector<uint32_t> registers;      ///< by pc: registers that are read before they are written
  std::vector<uint8_t> flags;           ///< by pc: the same for status flags
  /// By pc: its result may be used as an address as it is, or as a summand of an address.
  std::vector<uint8_t> makes_addresses;
  static constexpr uint8_t kAddress = 1, kSummand = 2;
};

Liveness find_liveness(const Core& core);

/// Bits in which they differ, if there are at least so many; 0 otherwise. An unknown bit doubles their number.
uint8_t varying_bits(const Values& values, size_t at_least);

struct Precision {
  struct Forgotten {
    uint16_t address = 0;
    uint8_t mask = 0;  ///< bits that are any value after each step
  };
  /// The head of a loop, which a jump backwards has led to.
  struct Head {
    std::array<Values, 32> met;            ///< what registers held there
    std::array<uint8_t, 32> forgotten{};   ///< masks: bits that are any value whenever the loop begins anew
    uint32_t pinned = 0;                   ///< registers that are kept
  };

  Liveness live;
  std::vector<uint8_t> exact;            ///< by pc: arithmetic there decides unknown bits, as the chip's machine does
  std::vector<Forgotten> cells;          ///< RAM, and latches of I/O
  std::vector<Forgotten> watched;        ///< RAM that formulas look at: only while their atoms stay true or false
  std::vector<uint8_t> pinned;           ///< by data address: cells that are kept
  std::vector<int32_t> head_at;          ///< by pc: index into heads, or -1
  std::vector<Head> heads;
  std::vector<Values> written;           ///< by data address: values that were stored, for the next precision
};

}  // namespace whittle::avr
