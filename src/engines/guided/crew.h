// One round of guided by several processes: one with summaries, where they can be made, and the others without, which
// share the subtrees of one search (split.h). Whichever way ends first decides.
//
//   Crew crew(program, code, options, learns, cores, context);
//   RoundEnd end = crew.round(bound, now_and_then);
//
// They are forks of this process, or the others of a group that mpirun started: process 0 keeps the table of subtrees then and searches
// nothing itself, and the others ask it.
//
//   Crew crew(program, code, options, learns, group, context);   // `learns` counts in process 0
//   crew.serve();                // all but process 0, until process 0 says ...
//   crew.dismiss();              // ... that the search is over
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/context.h"
#include "cluster/forked_group.h"
#include "engines/guided/search.h"

namespace whittle::engines::guided {

/// How a round ended, in whichever process.
struct RoundEnd {
  Search::End end = Search::End::Stopped;
  std::string incomplete, bound_place;  ///< as of Search
  std::string why;                      ///< Stopped, and not by this process's limits
  Figures figures;
  verdict::Counterexample counterexample;
};
RoundEnd end_of(const Search& search, Search::End end);

class Crew {
 public:
  /// Keeps references. `processes`: at least two are started if `learns`.
  Crew(const program::Program& program, std::shared_ptr<const exec::Code> code, const Options& options, bool learns,
       unsigned processes, Context& context);
  Crew(const program::Program& program, std::shared_ptr<const exec::Code> code, const Options& options, bool learns,
       cluster::Group& group, Context& context);

  /// `fresh`: no subtree has been done yet. `now_and_then` is called between messages, several times a second.
  RoundEnd round(uint64_t bound, bool fresh, const std::function<void()>& now_and_then);

  Subtrees& subtrees() { return subtrees_; }
  unsigned processes() const { return processes_; }
  unsigned lost() const { return lost_; }

  void serve();
  void dismiss();

 private:
  /// Where the others of a group are, seen from one that searches.
  class Remote;

  bool learner(unsigned rank) const { return learns_ && processes_ > 1 && rank == 1; }
  void search(cluster::Group& group, Limits& limits, uint64_t bound, uint64_t round, Shares& with);
  bool pass(uint64_t bound, const std::function<void()>& now_and_then, RoundEnd& out);
  bool gather(cluster::Group& here, const std::function<bool(unsigned)>& lost, const std::function<void()>& now_and_then, RoundEnd& out);
  std::optional<RoundEnd> understand(cluster::Group& here, const cluster::Message& message);

  const program::Program& program_;
  std::shared_ptr<const exec::Code> code_;
  const Options options_;
  bool learns_;  ///< one of the processes; process 0 tells the others of its group
  const unsigned processes_;
  Context& context_;
  cluster::Group* const group_ = nullptr;  ///< none: forks
  Subtrees subtrees_;
  uint64_t round_ = 0;  ///< messages of earlier ones may still arrive
  unsigned lost_ = 0;
};

}  // namespace whittle::engines::guided
