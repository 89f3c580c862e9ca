// Table 1 of Proofs from Tests (device drivers) beside public programs of the same kind.
#pragma once

#include <string>
#include <vector>

#include "app/suite/table.h"
#include "base/context.h"

namespace whittle::app::suite {

/// The published table.
Table published_drivers();

struct DriverResults {
  Table tasks, sets;
  unsigned wrong = 0;  ///< answers, not tasks without one; and proofs that are not valid
};
/// dash on the tasks of these folders of the competition's collection, each in a process of its own. `proofs`: every
/// proof is written and checked, which takes as long again and longer.
DriverResults measure_drivers(const std::string& directory, const std::vector<std::string>& sets,
                              const std::string& timeout, bool proofs, Context& context);

}  // namespace whittle::app::suite
