// One round of guided by several processes: one with summaries, where they can be made, and the others without, which
// share the subtrees of one search (split.h). Whichever way ends first decides.
//
//   Crew crew(program, code, options, cores, context);
//   RoundEnd end = crew.round(bound, now_and_then);
#pragma once

#include <functional>
#include <memory>
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

  /// `fresh`: no subtree has been done yet. `now_and_then` is called between messages, several times a second.
  RoundEnd round(uint64_t bound, bool fresh, const std::function<void()>& now_and_then);

  Subtrees& subtrees() { return subtrees_; }
  unsigned processes() const { return processes_; }
  unsigned lost() const { return lost_; }

 private:
  void work(cluster::Group& group, Limits& limits, uint64_t bound);
  bool pass(uint64_t bound, const std::function<void()>& now_and_then, RoundEnd& out);

  const program::Program& program_;
  std::shared_ptr<const exec::Code> code_;
  const Options options_;
  const bool learns_;
  const unsigned processes_;
  Context& context_;
  Subtrees subtrees_;
  unsigned lost_ = 0;
};

}  // namespace whittle::engines::guided
