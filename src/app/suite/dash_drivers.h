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
  unsigned wrong = 0;  ///< answers, not tasks without one
};
/// dash on the tasks of these folders of the competition's collection, each in a process of its own.
DriverResults measure_drivers(const std::string& directory, const std::vector<std::string>& sets,
                              const std::string& timeout, Context& context);

}  // namespace whittle::app::suite
