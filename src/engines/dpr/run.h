// One run of the program along an oracle.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "engines/dpr/choices.h"
#include "engines/dpr/shadow.h"
#include "exec/machine.h"

namespace whittle::engines::dpr {

/// The choice at a level; asked for once a run, in order.
using Oracle = std::function<bool(size_t level)>;

enum class End : uint8_t { Harmless, Pruned, Violation, Cut, Stopped };

struct Outcome {
  End end = End::Harmless;
  std::vector<bool> choices;      ///< taken, by level
  std::vector<u128> inputs;       ///< values provided, in order
  std::string reason;             ///< Cut: why
  program::SourcePosition where;  ///< Cut
  std::string too_wide;           ///< an input of which not all values are tried: where
  uint64_t statements = 0;
};

struct RunLimits {
  size_t depth = SIZE_MAX;            ///< choices on a path
  uint64_t statements = 100'000'000;  ///< on a path
};

/// With a shadow, the shadow follows (and is finished). `limits` may stop the run.
Outcome run(exec::Machine& machine, Choices& choices, const Oracle& oracle, Shadow* shadow, const RunLimits& bounds,
            Limits& limits);

}  // namespace whittle::engines::dpr
