// --coverage: what runs of the machine reach, and what no run can reach.
//
// First come runs with inputs that try to get further (as for `run --tests`). For what they did not reach the engines are
// asked: every statement that is next to one that was reached becomes an error. A counterexample is one more run; a
// proof says that none of the rest can be reached.
#pragma once

#include <functional>
#include <memory>

#include "base/limits.h"
#include "engines/engine.h"
#include "report/coverage.h"

namespace whittle::app {

struct CoverageTask {
  const program::Program& program;
  const verdict::Specification& specification;
  std::vector<verdict::Counterexample> known_runs;  ///< that reach something: a counterexample
  std::function<std::unique_ptr<engines::Engine>()> engine;  ///< that is asked what can be reached
  engines::Settings settings;
  double seconds = 10;
};

report::Coverage measure_coverage(const CoverageTask& task, Limits& limits);

}  // namespace whittle::app
