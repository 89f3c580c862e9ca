// One run of the program along an oracle.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "engines/dpr/choices.h"
#include "engines/dpr/joins.h"
#include "exec/symbolic.h"

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

/// With `joins`, choices are symbolic, and it watches (and is finished); without, the machine runs at full speed. `limits`
/// may stop the run.
Outcome run(exec::SymbolicMachine& symbolic, Choices& choices, const Oracle& oracle, Joins* joins,
            const RunLimits& bounds, Limits& limits);

}  // namespace whittle::engines::dpr
