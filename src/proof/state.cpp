#include "proof/state.h"

namespace whittle::proof {

u128 word(const uint8_t* bytes, uint64_t size) {
  u128 value = 0;
  for (uint64_t i = size; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

void set(Frame& frame, program::RegisterId reg, const Value& value) {
  frame.registers[reg] = value.term ? 0 : value.number;
  if (value.term)
    frame.symbols[reg] = value.term;
  else if (!frame.symbols.empty())
    frame.symbols.erase(reg);
}

}  // namespace whittle::proof
