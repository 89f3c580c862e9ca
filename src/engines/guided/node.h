// A scheduling point on the way to where the search is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dpor/reduction.h"
#include "engines/guided/path.h"
#include "engines/guided/split.h"
#include "engines/guided/summaries.h"
#include "exec/symbolic.h"

namespace whittle::engines::guided {

using Snapshot = exec::SymbolicMachine::Snapshot;

/// Another way that the step of a thread can go.
struct Alternative {
  std::vector<Term> conditions;  ///< of the step: forks as they were, and at the last one not as it was
  size_t position = 0;           ///< number of that fork
  std::vector<bool> both;        ///< by fork before it: both sides are explored
  Model model;
};
/// A scheduling point on the way to where the search is.
struct Node {
  explicit Node(term::Store& terms) : snapshot{{}, exec::Overlay(terms)} {}
  Snapshot snapshot;
  Model model;  ///< under which the machine came here
  size_t path_length = 0, inputs = 0, scheduled = 0;
  std::vector<uint8_t> names;          ///< of threads on this run, by their number in the machine
  uint32_t created = 1;                ///< threads on this run so far
  uint64_t alive = 0, enabled = 0;     ///< threads, by their number in the machine
  uint32_t ran = UINT32_MAX;           ///< the thread whose step led here ...
  uint64_t place = 0;                  ///< ... where it stands now (0: it ended, or is alone)
  uint32_t alone = 0;                  ///< so many scheduling points of a thread that is the only one left
  std::vector<dpor::Access> accesses;  ///< ... and all that it touched, in the slice or not
  std::vector<dpor::Access> did;       ///< ... as far as the reduction was told
  /// Threads that wait by going round, and what they look at.
  struct Spin {
    uint32_t thread;
    std::vector<dpor::Access> reads;
  };
  std::vector<Spin> spins;
  uint32_t urgent = UINT32_MAX;  ///< a thread that others waited for, or that waited, and should go on
  // What is being explored
  uint32_t thread = UINT32_MAX;
  std::vector<Alternative> alternatives;
  bool pristine = true;  ///< the machine still stands here
  // Several processes (split.h)
  Way way;
  uint64_t width = 1;      ///< so wide is the tree here, at most
  bool inside = false;     ///< of a subtree that this process explores
  bool claimed = false;    ///< such a subtree begins here
  bool elsewhere = false;  ///< another process explores it
  // Sleeping: threads that were run before, here or further down, and why their step is what it was
  struct Sleeper {
    uint32_t thread;
    std::shared_ptr<const Learned> reason;
  };
  std::vector<Sleeper> sleepers;  ///< threads asleep here
  std::vector<Sleeper> done;      ///< threads run from here
  std::vector<wp::Path> steps;    ///< all that `thread` did from here
  uint64_t asleep = 0;            ///< by their number in the machine
  // Summaries
  wp::Path step;        ///< that led here
  std::string control;  ///< where threads stand
  bool covered = false;
  Learned learned;
};

}  // namespace whittle::engines::guided
