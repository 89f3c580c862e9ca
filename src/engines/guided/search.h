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
#include "engines/guided/path.h"
#include "engines/guided/recorder.h"
#include "engines/guided/standing.h"
#include "engines/guided/step_accesses.h"
#include "engines/guided/summaries.h"
#include "exec/symbolic.h"
#include "verdict/verdict.h"

namespace whittle::engines::guided {

struct Options {
  bool dpor = true;
  bool summaries = true;
  bool slicing = true;
  uint64_t summary_entries = 100'000;
  uint64_t summary_size = 40'000;
  uint64_t steps = UINT64_MAX;        ///< in all
  uint64_t statements = 100'000'000;  ///< of one thread without a scheduling point
};

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
  bool learns() const { return learning_; }

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

  // Walking
  End advance();
  End step(const Alternative* alternative);
  bool run_thread(uint32_t thread);
  bool goes_round(uint32_t thread);
  void approach_new_threads(const Node& node);
  bool flip(const Alternative* alternative);
  bool pause_alone(const Node& node);
  End enter(uint32_t ran, uint64_t place, uint32_t created, std::vector<uint8_t> names, wp::Path step);
  void leave();
  void end_of_run();
  End violation();
  End deadlock();
  void note_incomplete(std::string why);
  bool stop();

  // look.cpp: questions about the present state
  bool harmless_from_here();
  dpor::Threads name_new_threads(const Node& node, std::vector<uint8_t>& names, uint32_t& created);
  void note_spinning(Node& node);
  void look_around(Node& node);
  uint32_t preferred(Node& node);

  // learn.cpp: summaries
  void learn_state(Node& node);
  void learn_access(Node& node, const dpor::Step& event);
  void pass_on(Node& parent, Node& child);
  bool comes_after(const LaterAccess& access, bool same_thread, const Node& parent, const Node& child);
  bool covered(Node& node);
  void leave_ghost(Node& node, uint64_t slept);
  void note_sleepers(Node& node);
  void note_done(Node& node);
  uint64_t rely_on_sleepers(Node& node);

  const program::Program& program_;
  const Options options_;
  Context& context_;
  exec::SymbolicMachine machine_;
  Standing standing_;
  StepAccesses last_;  ///< of the last step
  Path path_;
  dpor::Reduction reduction_;
  const bool learning_;
  Recorder recorder_;
  Summaries summaries_;
  bool check_deadlock_, check_end_;

  uint64_t bound_ = 0, last_step_ = 0;
  bool pausing_alone_ = false;
  enum class Endless : uint8_t { No, Cut, Round } endless_ = Endless::No;  ///< why the last step was given up
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Node>> spare_;
  std::vector<uint32_t> schedule_;
  std::unordered_map<uint64_t, uint32_t> visits_;
  std::unordered_set<uint64_t> ends_;  ///< where runs ended
  bool loaded_ = false;  ///< in pass_on(): the machine is where the parent is
  std::vector<dpor::Step> blocked_;
  std::vector<dpor::Await> awaits_;
  Figures figures_;
  std::string incomplete_, bound_place_;
  verdict::Counterexample counterexample_;
};

}  // namespace whittle::engines::guided
