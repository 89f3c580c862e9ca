// Processes that do parts of a command: here, and at the other processes of the group if mpirun started several.
//
//   Jobs jobs(group, 2);                               // two at once in each process of the group
//   while (...) {
//     while (jobs.room() && more) running.push_back(jobs.start({.command = ...}));
//     jobs.look();
//     if (running.front()->ended()) use(running.front()->output());
//   }
//
// The other processes of the group call serve_jobs() meanwhile.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/process.h"
#include "base/limits.h"
#include "cluster/group.h"

namespace whittle::app {

struct JobRequest {
  std::vector<std::string> command;  ///< whittle's own arguments: which program it is, each process knows
  double seconds = std::numeric_limits<double>::infinity();
  Process::Errors errors = Process::Errors::Dropped;
  std::string folder;              ///< empty: here
  std::vector<std::string> files;  ///< words of the command: files that it writes and that are wanted
};

/// What a process left.
struct JobResult {
  std::string output;
  int status = -1;
  double seconds = 0, cpu_seconds = 0;
};

/// A job that was given away. When it goes before it has ended, it is killed, if it runs here.
class Job {
 public:
  bool ended() const { return result_.has_value(); }
  const JobResult& result() const { return *result_; }

 private:
  friend class Jobs;
  std::vector<std::string> files_;
  std::unique_ptr<Process> process_;  ///< if it runs here
  unsigned rank_ = 0;
  std::optional<JobResult> result_;
};

class Jobs {
 public:
  /// `at_once`: in each process. `group`: null if this process is alone.
  Jobs(cluster::Group* group, size_t at_once);
  ~Jobs();  ///< the others need not wait for more
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  bool room() const;
  /// Requires room().
  std::shared_ptr<Job> start(const JobRequest& request);
  /// Finds out what has ended, without waiting.
  void look();
  /// Processes of the group.
  unsigned ranks() const { return group_ == nullptr ? 1 : group_->size(); }

 private:
  cluster::Group* group_;
  size_t at_once_;
  std::vector<size_t> running_;  ///< by rank
  uint32_t next_ = 0;
  std::map<uint32_t, std::shared_ptr<Job>> jobs_;  ///< those that have not ended
};

/// Cores for each process of the group on this machine.
unsigned cores_here(const cluster::Group* group);

/// Runs what process 0 gives out, until it has no more.
void serve_jobs(cluster::Group& group, Limits& limits);

}  // namespace whittle::app
