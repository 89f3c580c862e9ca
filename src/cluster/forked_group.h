// A group of processes on this machine: this one, and workers that are forks of it. They see everything that was computed
// so far without copying it.
//
//   ForkedGroup workers(4, limits, [&](Group& group, Limits& limits) { ... });   // processes 1 to 4
//   workers.here().send(1, bytes);                                              // this one is process 0
//   if (workers.lost(1)) ...                                                    // it has ended before the others
//
// Workers talk to process 0 only. They keep off the terminal, have limits of their own (the time that is left, a share of the
// memory), and end with this process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "cluster/group.h"

namespace whittle::cluster {

class ForkedGroup {
 public:
  using Work = std::function<void(Group&, Limits&)>;
  /// As long as they run, their memory is counted in `limits`. Throws Error (internal) if there can be no processes.
  ForkedGroup(unsigned workers, Limits& limits, const Work& work);
  /// Ends those that still run.
  ~ForkedGroup();
  ForkedGroup(const ForkedGroup&) = delete;
  ForkedGroup& operator=(const ForkedGroup&) = delete;

  Group& here();
  /// It does not answer any more: killed, or out of memory. What it sent before has been received or will be.
  bool lost(unsigned rank) const;

 private:
  class Member;
  Limits& limits_;
  std::unique_ptr<Member> here_;
  std::vector<pid_t> processes_;  ///< by rank - 1
};

}  // namespace whittle::cluster
