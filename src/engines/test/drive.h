// One run of the machine under a scheduler and a source of inputs, recorded.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/limits.h"
#include "engines/test/director.h"
#include "exec/machine.h"
#include "verdict/verdict.h"

namespace whittle::engines::test {

enum class End : uint8_t { Halted, Violation, Deadlock, Cut, Pruned, Budget, Stopped };

/// Enough to run again. Where inputs come from is left to the replay: runs may have millions of them.
struct Record {
  struct Value {
    u128 value = 0;
    unsigned width = 32;
    bool floating = false;  ///< a float or a double
    i128 as_signed() const { return sign_extend128(value, width); }
  };
  std::vector<Value> inputs;
  std::vector<uint32_t> schedule;
  verdict::Counterexample counterexample() const;
};

struct Outcome {
  End end = End::Halted;
  std::optional<verdict::Violation> violation;  ///< set if end is Violation
  std::string reason;                           ///< of a Cut
  Record record;                                ///< whatever the end
  uint64_t statements = 0;
  uint64_t choices = 0;  ///< scheduling points with more than one enabled thread
  uint64_t preemptions = 0;  ///< another thread went on although the last one could have
  uint32_t threads = 1;
  uint64_t last_spawn = 0;  ///< choices made when the last new thread had appeared
};

/// Runs from the start to an end or until `budget` statements are executed. A deadlock is a Violation if the
/// specification asks about it. With `others`, a failed assumption takes back the last decision and makes it in another
/// way (inputs come from `others` then), as long as there is one: many programs write locks and guards as assumptions.
Outcome drive(exec::Machine& machine, Scheduler& scheduler, InputSource& inputs, uint64_t budget, Limits& limits,
              InputSource* others = nullptr);

}  // namespace whittle::engines::test
