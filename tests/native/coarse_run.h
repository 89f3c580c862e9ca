// A run of the machine in which threads hand over only where native/schedule.h lets them: so that the same list of
// threads means the same run natively and here.
//
//   CoarseRun run(code);
//   run.run(choose);                 // choose: which of these threads goes on, numbered in the order of their start
//   run.schedule(), run.output(), run.end()
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/machine.h"

namespace whittle::native {

class CoarseRun : exec::Listener {
 public:
  explicit CoarseRun(std::shared_ptr<const exec::Code> code);

  using Choice = std::function<uint32_t(const std::vector<uint32_t>& can_go_on)>;
  void run(const Choice& choose);

  const std::vector<uint32_t>& schedule() const { return schedule_; }
  const std::string& output() const { return output_; }
  /// "exit 3", "abort" (a failed assertion), "deadlock", "data race", or something that must not happen.
  const std::string& end() const { return end_; }

 private:
  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  bool advance(uint32_t thread);
  bool finished();
  bool at_point(uint32_t thread);

  exec::Machine machine_;
  std::vector<bool> user_code_;  ///< by thread: statements of the program itself were executed since its last point
  std::vector<bool> begun_;      ///< by thread
  std::vector<uint32_t> schedule_;
  std::string output_, end_;
};

}  // namespace whittle::native
