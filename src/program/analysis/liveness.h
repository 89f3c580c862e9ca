// Liveness of registers: which may still be read, from a location on, before they are written again.
//
//   Liveness liveness(program, f);
//   if (!liveness.at(location).test(reg)) ...    // its value does not matter any more
//
// During a call the caller stands at the location that the Call leaves; its arguments have been read by then. What
// stays live in the caller's frame is during_call(edge): what is live after it, without the call's target.
#pragma once

#include <vector>

#include "base/bit_set.h"
#include "program/program.h"

namespace whittle::program::analysis {

class Liveness {
 public:
  Liveness(const Program& program, FunctionId function);

  /// Registers live at the location, before one of its edges is taken.
  const BitSet& at(LocationId location) const { return live_[location]; }
  /// Requires an edge with a Call or IndirectCall.
  BitSet during_call(uint32_t edge) const;

 private:
  const Function& function_;
  std::vector<BitSet> live_;
};

/// Registers that a statement reads, each once.
std::vector<RegisterId> registers_read(const Program& program, const Statement& statement);

}  // namespace whittle::program::analysis
