// Predicate summaries: for every control state (where threads stand, which objects there are), conditions on registers
// and memory under which nothing bad can follow.
//
// What is learned at a scheduling point is a conjunction: over the threads that were run from there, over the ways
// their steps can go, of the weakest precondition of what was learned after the step. What is kept for a control state
// is the disjunction over visits. Every entry is an under-approximation, and any of them may be dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dpor/reduction.h"
#include "engines/guided/path.h"
#include "exec/symbolic.h"
#include "wp/precondition.h"

namespace whittle::engines::guided {

/// What a thread did after a scheduling point, in all runs.
struct LaterAccess {
  uint32_t thread = 0;  ///< of the machine; of one that was started there: the one that started it
  dpor::Access access;
  bool spawns = false;  ///< no access: it starts threads
  bool everything = false;
  bool awaits = false;  ///< the step passed, or waits for, an await before it
  dpor::Await await;
};

/// Why everything after a scheduling point is harmless.
struct Learned {
  bool usable = true;
  bool cut = false;              ///< not everything was run: a bound
  std::vector<Term> conditions;  ///< over variables of wp::Frames and memory; all must hold
  std::vector<LaterAccess> later;
  void clear();
  void add(term::Store& terms, Term condition);
  void give_up();
  void add(const LaterAccess& access);
};

class Summaries {
 public:
  Summaries(const program::Program& program, uint64_t entries, uint64_t size);

  void clear() { table_.clear(); }
  wp::Frames& frames() { return frames_; }

  /// Conditions on the state before the step, from those after it.
  void back_over(const wp::Path& step, const Learned& after, Learned& into);

  /// `slept`: threads (of the machine) that were asleep, so that runs that begin with them were left out.
  void keep(const std::string& control, const Learned& learned, uint64_t slept);
  /// Is everything harmless from the present state on, for all inputs of the path? What was used goes to `reason`. The
  /// answer are the threads that were asleep: runs that begin with those that are `awake` here are still to be explored
  /// (not with all that are: then there is no answer).
  std::optional<uint64_t> covers(const std::string& control, exec::SymbolicMachine& machine, Path& path, uint64_t awake,
                                 Learned& reason);

  uint64_t stored() const { return stored_; }
  uint64_t hits() const { return hits_; }
  uint64_t asked() const { return asked_; }
  uint64_t operators() const { return operators_; }
  double seconds() const { return seconds_; }

 private:
  struct Visit {
    std::vector<Term> conditions;
    uint64_t slept = 0;
    std::vector<LaterAccess> later;  ///< the conditions fix every address, so in other states it is the same
  };
  struct Entry {
    std::vector<Visit> visits;
    uint64_t size = 0;
  };
  /// The condition in the present state, over inputs; no term if it mentions memory that has no value there.
  Term instantiate(Term condition, exec::SymbolicMachine& machine);
  Term instantiate(const Visit& visit, exec::SymbolicMachine& machine);
  uint64_t size_of(Term condition);
  bool holds_now(Term condition, const exec::View& machine) const;

  const program::Program& program_;
  const uint64_t most_entries_, most_size_;
  wp::Frames frames_;
  std::unordered_map<std::string, Entry> table_;
  std::unordered_map<Term, uint64_t> sizes_;
  uint64_t stored_ = 0, hits_ = 0, asked_ = 0, operators_ = 0;
  double seconds_ = 0;
};

}  // namespace whittle::engines::guided
