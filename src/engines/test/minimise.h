// Makes a counterexample small: fewest context switches, then smallest inputs, then fewest steps. Whichever engine found
// it: `whittle check` hands every violation of a program to make_small().
//
// Delta debugging: every candidate is run, and kept only if the run violates the same property at the same line and is
// smaller. What is kept is always what that run recorded, so the result is a counterexample as it stands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/limits.h"
#include "engines/test/drive.h"
#include "exec/machine.h"

namespace whittle::engines::test {

struct Cost {
  uint64_t preemptions = 0;
  uint64_t switches = 0;
  uint64_t nonzero_inputs = 0;
  u128 magnitude = 0;  ///< sum over the inputs: their absolute values, but little for the ends of their type
  uint64_t inputs = 0;
  uint64_t steps = 0;
  auto operator<=>(const Cost&) const = default;
};
Cost cost_of(const Outcome& outcome);

struct MinimiseResult {
  Outcome outcome;  ///< a Violation of the same property
  uint64_t runs = 0;
};

/// Requires failing.end == End::Violation. At most `max_runs` runs and `max_seconds`.
MinimiseResult minimise(exec::Machine& machine, Outcome failing, uint64_t max_runs, double max_seconds, Limits& limits);

/// A small counterexample for the violation of the verdict; nothing if the verdict's own does not lead there, or none
/// smaller was found.
std::optional<verdict::Counterexample> make_small(const std::shared_ptr<const exec::Code>& code,
                                                  const verdict::Verdict& verdict, Limits& limits);

}  // namespace whittle::engines::test
