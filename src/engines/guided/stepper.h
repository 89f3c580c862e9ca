// Runs a thread from one scheduling point of the search to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "base/context.h"
#include "engines/guided/node.h"
#include "engines/guided/options.h"
#include "engines/guided/path.h"
#include "engines/guided/recorder.h"
#include "engines/guided/standing.h"
#include "exec/symbolic.h"

namespace whittle::engines::guided {

/// Why a step was given up.
enum class Endless : uint8_t {
  No,
  Cut,    ///< it is longer than the bound allows
  Round,  ///< it comes back to the same state
};

class Stepper {
 public:
  /// Keeps references.
  Stepper(exec::SymbolicMachine& machine, Standing& standing, Path& path, Recorder& recorder, bool learns,
          const Options& options, Context& context);

  void reset();
  bool pause_alone(const Node& node);
  bool run(const Node& node, uint64_t bound);  ///< the present thread of the node
  void approach_new_threads(const Node& node);

  Endless endless() const { return endless_; }           ///< of the last run()
  bool pausing_alone() const { return pausing_alone_; }  ///< see pause_alone()
  std::vector<uint32_t> schedule;                        ///< threads scheduled up to where the machine is

 private:
  bool goes_round(uint32_t thread);

  exec::SymbolicMachine& machine_;
  Standing& standing_;
  Path& path_;
  Recorder& recorder_;
  const bool learns_;
  const Options& options_;
  Context& context_;
  bool checks_end_ = false;
  bool pausing_alone_ = false;
  Endless endless_ = Endless::No;
};

}  // namespace whittle::engines::guided
