// Runs another program with its output caught and its time limited.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace whittle::app {

class Process {
 public:
  enum class Errors : uint8_t { Dropped, Shown };

  /// Starts it in `folder` (empty: here); stdout is caught, stderr dropped or left as it is. Killed when `seconds` are
  /// over. Throws Error (internal) if it cannot start.
  Process(const std::vector<std::string>& command, double seconds, Errors errors = Errors::Dropped,
          const std::string& folder = {});
  ~Process();  ///< kills it if it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads what there is, without waiting. True once it has ended.
  bool poll();

  const std::string& output() const { return output_; }
  int status() const { return status_; }  ///< exit status, or 128 + signal
  double seconds() const { return seconds_; }
  double cpu_seconds() const { return cpu_seconds_; }  ///< of it and the processes it waited for; after the end
  pid_t pid() const { return pid_; }                   ///< -1 after the end

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string output_;
  int status_ = -1;
  double seconds_ = 0, cpu_seconds_ = 0;
  double limit_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace whittle::app
