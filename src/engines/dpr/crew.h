// Several processes that search together (docs/decisions/256-dpr-by-several-processes.md).
//
//   Foreman foreman(explorer, group, limits);            // process 0
//   Foreman::End end = foreman.run(now_and_then);
//
//   work(explorer, group, limits);                       // all others, until process 0 has an answer
//
// Process 0 keeps the formula of all oracles that are not covered and runs nothing. The others have a cube each, run
// oracles of it, and send what they removed; process 0 adds that to its formula and tells the others. One that has done its
// cube gets a part of another one's. The search is complete when the formula of process 0 has no oracle left: so nothing is
// lost with a process that is lost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cluster/group.h"
#include "engines/dpr/explorer.h"

namespace whittle::engines::dpr {

class Foreman {
 public:
  /// `lost`: has this process ended? None: no process is lost without this one being told to stop.
  Foreman(Explorer& explorer, cluster::Group& group, Limits& limits, std::function<bool(unsigned rank)> lost = {});

  enum class End : uint8_t {
    Covered,    ///< no oracle is left
    Violation,  ///< see inputs()
    Stopped,    ///< see reason()
    Alone,      ///< all others are lost
  };
  /// `now_and_then` is called between messages, several times a second.
  End run(const std::function<void()>& now_and_then);
  const std::vector<u128>& inputs() const { return inputs_; }
  const std::string& reason() const { return reason_; }
  unsigned lost() const { return lost_count_; }

 private:
  struct Worker {
    bool busy = false, gone = false;
    bool asked = false;   ///< for a part of its cube
    double asked_at = 0;  ///< seconds
  };

  bool understand(const cluster::Message& message);
  void give_out();
  void look_for_lost();
  void ask_for_parts();
  void send_removed(unsigned to, size_t from);

  Explorer& explorer_;
  cluster::Group& group_;
  Limits& limits_;
  std::function<bool(unsigned)> is_lost_;
  std::vector<Worker> workers_;  ///< by rank; [0] is not used
  std::vector<Cube> cubes_;      ///< that no one has
  unsigned lost_count_ = 0;
  End end_ = End::Stopped;
  std::vector<u128> inputs_;
  std::string reason_;
};

void work(Explorer& explorer, cluster::Group& group, Limits& limits);

}  // namespace whittle::engines::dpr
