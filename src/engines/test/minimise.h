// Makes a counterexample small: fewest context switches, then smallest inputs, then fewest steps.
//
// Delta debugging: every candidate is run, and kept only if the run violates the same property and is smaller. What is
// kept is always what that run recorded, so the result is a counterexample as it stands.
#pragma once

#include <cstdint>

#include "base/limits.h"
#include "engines/test/drive.h"
#include "exec/machine.h"

namespace whittle::engines::test {

struct Cost {
  uint64_t switches = 0;
  uint64_t nonzero_inputs = 0;
  u128 magnitude = 0;  ///< sum of the absolute values of the inputs
  uint64_t inputs = 0;
  uint64_t steps = 0;
  auto operator<=>(const Cost&) const = default;
};
Cost cost_of(const Record& record);

struct MinimiseResult {
  Outcome outcome;  ///< a Violation of the same property
  uint64_t runs = 0;
};

/// Requires failing.end == End::Violation. At most `max_runs` runs and `max_seconds`.
MinimiseResult minimise(exec::Machine& machine, Outcome failing, uint64_t max_runs, double max_seconds, Limits& limits);

}  // namespace whittle::engines::test
