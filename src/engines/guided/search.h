// Depth-first search over scheduling points. From each, one thread runs to its next one; where that depends on inputs,
// it is run once for every way it can go (symbolic.h), from the snapshot of the scheduling point.
//
//   Search search(program, code, options, context);
//   Search::End end = search.run();
//
// One call of run() is one round: no thread comes more than `bound` times to the same place. See docs/guided.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/context.h"
#include "dpor/reduction.h"
#include "engines/guided/learning.h"
#include "engines/guided/node.h"
#include "engines/guided/options.h"
#include "engines/guided/path.h"
#include "engines/guided/recorder.h"
#include "engines/guided/split.h"
#include "engines/guided/standing.h"
#include "engines/guided/step_accesses.h"
#include "engines/guided/stepper.h"
#include "engines/guided/summaries.h"
#include "exec/symbolic.h"
#include "verdict/verdict.h"

namespace whittle::engines::guided {

struct Figures {
  uint64_t runs_full = 0, runs_partial = 0;  ///< of the last round
  uint64_t runs_all = 0;                     ///< of the rounds before
  uint64_t steps = 0, forks = 0;
  uint64_t deepest = 0;
};

class Search {
 public:
  Search(const program::Program& program, std::shared_ptr<const exec::Code> code, solve::Solver& solver,
         const Options& options, Context& context);

  enum class End : uint8_t {
    Complete,   ///< everything was explored, up to what incomplete() says
    Violation,  ///< see counterexample()
    Stopped,    ///< by a limit
  };
  /// At most so many steps.
  End run(uint64_t bound, uint64_t steps);
  bool learns() const { return learns_; }
  /// From now on other processes make the same search, and share its subtrees; not those of a search that learns, which only hears that it is over.
  void share(Shares& with) { (learns_ ? listens_ : subtrees_) = &with; }

  const verdict::Counterexample& counterexample() const { return counterexample_; }
  /// Why a complete search proves nothing; empty: it does. A larger bound may help if bound_hit().
  const std::string& incomplete() const { return incomplete_; }
  bool bound_hit() const { return !bound_place_.empty(); }
  const std::string& bound_place() const { return bound_place_; }  ///< the loop that goes on beyond the bound
  const Figures& figures() const { return figures_; }
  const Path& path() const { return path_; }
  const Summaries& summaries() const { return summaries_; }
  const program::analysis::Slice* slice() const { return standing_.slice(); }

 private:
  // Walking
  End advance();
  End step(const Alternative* alternative);
  bool flip(const Alternative* alternative);
  End enter(uint32_t ran, uint64_t place, uint32_t created, std::vector<uint8_t> names, wp::Path step);
  void leave();
  void end_of_run();
  End violation();
  End deadlock();
  void note_incomplete(std::string why);
  void share_out(Node& node);
  void tell_subtrees();
  Way way_of(Term condition);
  bool stop();

  // look.cpp: questions about the present state
  bool harmless_from_here();
  dpor::Threads name_new_threads(const Node& node, std::vector<uint8_t>& names, uint32_t& created);
  void note_spinning(Node& node);
  void look_around(Node& node);
  uint32_t preferred(Node& node);

  const program::Program& program_;
  const Options options_;
  Context& context_;
  exec::SymbolicMachine machine_;
  Standing standing_;
  StepAccesses last_;  ///< of the last step
  Path path_;
  dpor::Reduction reduction_;
  const bool learns_;
  Recorder recorder_;
  Summaries summaries_;
  Learning learning_;
  Stepper stepper_;
  bool check_deadlock_, check_end_;

  Shares *subtrees_ = nullptr, *listens_ = nullptr;  ///< at most one of them
  uint64_t strangers_ = 0;                    ///< variables that are no inputs
  uint64_t sides_ = 1;                        ///< ways that the last step could go
  std::unordered_map<Term, Way> known_ways_;  ///< of conditions
  uint64_t bound_ = 0, last_step_ = 0;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Node>> spare_;
  std::unordered_map<uint64_t, uint32_t> visits_;
  std::unordered_set<uint64_t> ends_;  ///< where runs ended
  bool loaded_ = false;                ///< in pass_on(): the machine is where the parent is
  std::vector<dpor::Transition> blocked_;
  std::vector<dpor::Await> awaits_;
  Figures figures_;
  std::string incomplete_, bound_place_;
  verdict::Counterexample counterexample_;
};

}  // namespace whittle::engines::guided
