// Where in a state the registers and the bytes of objects are.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "exec/instruction.h"
#include "exec/machine_impl.h"

namespace whittle::exec {

/// The mortal parts of one state. Everything between them is never dead and fixes the layout.
struct CellMap {
  struct Registers {
    uint32_t offset = 0;
    const Layout* layout = nullptr;
  };
  struct Contents {
    uint64_t address = 0, size = 0;
    uint32_t offset = 0;
    std::vector<uint8_t> unset;  ///< bits of bytes without a value; empty: all have one
    bool has(uint64_t byte) const { return unset.empty() || !(unset[byte / 8] >> (byte % 8) & 1); }
  };
  uint32_t static_offset = 0;
  std::vector<std::vector<Registers>> threads;  ///< by thread, by frame
  std::vector<Contents> objects;                ///< by address; only those with bytes in the state
  uint32_t size = 0;

  CellMap(const CodeImpl& code, const Memory& memory, std::span<const uint8_t> state);
  const Contents* object_at(uint64_t address) const;
};

}  // namespace whittle::exec
