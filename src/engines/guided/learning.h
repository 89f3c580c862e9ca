// What the search learns on its way back, and where it need not go on.
#pragma once

#include <cstdint>

#include "dpor/reduction.h"
#include "engines/guided/node.h"
#include "engines/guided/path.h"
#include "engines/guided/recorder.h"
#include "engines/guided/standing.h"
#include "engines/guided/summaries.h"
#include "exec/symbolic.h"

namespace whittle::engines::guided {

class Learning {
 public:
  /// Keeps references.
  Learning(const program::Program& program, exec::SymbolicMachine& machine, Standing& standing, Path& path,
           dpor::Reduction& reduction, Summaries& summaries)
      : program_(program),
        machine_(machine),
        standing_(standing),
        path_(path),
        reduction_(reduction),
        summaries_(summaries) {}

  // Coming to a node. The machine stands there.
  void note_sleepers(Node& node, const Node* parent);
  bool covered(Node& node);  ///< a summary speaks for all that could happen from there; the reduction is told
  void note_state(Node& node);

  // Leaving steps and nodes
  void note_step(Node& node, const dpor::Transition& event);  ///< of the node's present thread
  void note_done(Node& node);                                 ///< before another thread is chosen
  uint64_t rely_on_sleepers(Node& node);                      ///< the threads asleep that it relied on
  void pass_on(Node& parent, Node& child);                    ///< the child is left for good

 private:
  bool comes_after(const LaterAccess& access, bool same_thread, const Node& parent, const Node& child);
  void leave_ghost(Node& node, uint64_t slept);

  const program::Program& program_;
  exec::SymbolicMachine& machine_;
  Standing& standing_;
  Path& path_;
  dpor::Reduction& reduction_;
  Summaries& summaries_;
  bool loaded_ = false;  ///< in pass_on(): the machine is where the parent is
};

}  // namespace whittle::engines::guided
