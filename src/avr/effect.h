// The effect of one instruction on registers, flags and memory, for footprints.
#pragma once

#include <cstdint>

#include "avr/core.h"

namespace whittle::avr {

struct Effect {
  uint32_t reads = 0, writes = 0;  ///< registers, one bit each
  uint8_t reads_flags = 0, writes_flags = 0;
  int load = -1, store = -1;  ///< data addresses
  int load_count = 1, store_count = 1;
};

/// Of the instruction at pc, before it executes.
Effect effect_of(const Core& core, const Insn& insn);

}  // namespace whittle::avr
