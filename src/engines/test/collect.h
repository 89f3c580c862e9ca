// Tests from runs: inputs that make a program go where no input before made it go.
//
//   for (const CollectedTest& test : collect_tests(code, seeds, 1, 10, limits)) ...
//
// Runs begin with the seeds, zeros and random values; later ones change a value of a run that was kept. Threads run until
// they block: a test is a list of inputs, not a schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "exec/coverage.h"
#include "exec/detailed_tracer.h"

namespace whittle::engines::test {

struct CollectedTest {
  exec::Told run;         ///< inputs with their origins and names; without the steps
  int32_t status = 0;
  bool aborted = false;
  uint64_t new_edges = 0; ///< of the program's own functions, that no test before it reached
};

struct Collection {
  std::vector<CollectedTest> tests;  ///< in the order in which they were found
  uint64_t runs = 0;
  uint64_t edges = 0, reached = 0;   ///< of the program's own functions: statements there are, statements done
};

/// Runs that an assumption ends, or that cannot be followed, are no tests. With `reached`, what runs reach is all that is
/// wanted: it is added there, and no tests are kept.
Collection collect_tests(const std::shared_ptr<const exec::Code>& code, const std::vector<std::vector<u128>>& seeds,
                         uint64_t seed, double seconds, Limits& limits, exec::Coverage* reached = nullptr);

}  // namespace whittle::engines::test
