// Watches one run of the symbolic machine and works out for which other runs it speaks.
//
//   Joins joins(run, regions);
//   run.set_observer(&joins);
//   ...                          // the run: asked() before every input
//   joins.finish(pruned);
//   learn(joins.kept(), ...)
//
// Its promise: for every oracle under which all `kept` conditions hold, the run meets the same choices in the same order,
// violates nothing, and ends as this one did or earlier by a failed assumption.
//
// What the machine takes for granted about choices (exec::Fork) is kept. A branch whose condition depends on choices may
// be *free* instead: both sides meet again, and what the other side would have done is known (sidestep.h). Then values
// are merged where they meet, and nothing is required of other oracles.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engines/dpr/regions.h"
#include "engines/dpr/side.h"

namespace whittle::engines::dpr {

/// A condition that must hold for all oracles a run speaks for, and why.
struct Kept {
  term::Term condition;
  program::SourcePosition position;
  std::string why;  ///< "branch", "address", ...
};

struct JoinOptions {
  unsigned sidestep = 2000;  ///< statements on a side that was not taken: longer ones cost more than a run
};

class Joins : public exec::Listener, private exec::WriteListener {
 public:
  Joins(exec::SymbolicMachine& run, Regions& regions, const JoinOptions& options = {})
      : run_(run), program_(run.program()), regions_(regions), options_(options) {}

  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;

  /// The machine asks for a value. How many choices that takes depends on these registers of the current frame: they
  /// must be the same for all oracles spoken for, or the numbers of later choices would shift.
  void asked(const std::vector<program::RegisterId>& registers);

  /// The run is over. `pruned`: by an assumption that failed.
  void finish(bool pruned);

  const std::vector<Kept>& kept() const { return kept_; }

 private:
  /// An open free branch.
  struct Region {
    explicit Region(const exec::SymbolicMachine& run) : before(run) {}
    uint32_t frame = 0;
    program::LocationId join = program::kNone;
    program::SourcePosition position;
    term::Term condition;  ///< of the side taken
    Side before;           ///< the state at the branch
    std::set<uint64_t> without_value;  ///< bytes written since that had none there
    /// Sides that reach the join, and what they make of `before`.
    std::vector<std::pair<term::Term, std::unique_ptr<Side>>> others;
    bool others_end = true;  ///< none does
  };

  void writes(const exec::Effect& effect) override;
  void take_forks();
  void keep(term::Term condition, const program::SourcePosition& position, const char* why);
  void branch(const program::Function& function, uint32_t edge);
  void open(std::unique_ptr<Region> region);
  std::unique_ptr<Region> pop();
  void close();
  static void remember(Region& region, const Side::Register& cell, const Side& before);
  static void remember(Region& region, Bytes bytes, const Side& before);

  exec::SymbolicMachine& run_;
  const program::Program& program_;
  Regions& regions_;
  JoinOptions options_;
  std::vector<std::unique_ptr<Region>> open_;
  std::vector<Kept> kept_;
  uint32_t frame_ = 0;
  program::FunctionId function_ = program::kNone;
  term::Term assumption_;  ///< the last statement assumes that this holds, or does not
  program::SourcePosition position_;
};

}  // namespace whittle::engines::dpr
