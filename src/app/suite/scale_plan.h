// What a search by several processes costs, and what a larger one by more of them would cost.
//
//   Plan plan(two, four);                       // measured runs of one program
//   Prediction p = plan.predict(1e10, 100);     // the same program with more states, by 100 processes
//
// A stored state is expanded once, by the process that it belongs to: e seconds. It leads to d states that are looked up; with N
// processes (N - 1) / N of them belong to others and are sent, for s seconds each, and received and looked up, for r seconds.
#pragma once

#include <cstdint>

namespace whittle::app::suite {

/// One run, sums over its processes.
struct Shared {
  unsigned processes = 1;
  double states = 0, most_states = 0;  ///< stored; by the process that has most
  double expand_seconds = 0;           ///< of processor time, with sending
  double receive_seconds = 0;          ///< with looking up what was received
  double sent = 0, sent_bytes = 0;     ///< states that were sent
  double most_bytes = 0;               ///< of the store, in the process that has most
};

struct Prediction {
  double seconds = 0;        ///< of processor time, all processes together
  double process_bytes = 0;  ///< of the store of one process
  double sent_bytes = 0;     ///< all together
  /// Seconds that pass if each process has a core, and each machine sends and receives so many bytes a second.
  double elapsed(unsigned processes, unsigned machines, double bytes_per_second) const;
};

class Plan {
 public:
  /// Of runs with different numbers of processes, both more than one.
  Plan(const Shared& few, const Shared& more);

  Prediction predict(double states, unsigned processes) const;

  double expand() const { return expand_; }    ///< seconds for each state
  double send() const { return send_; }        ///< seconds for each state that is sent
  double receive() const { return receive_; }  ///< seconds for each state that is received
  double sent() const { return sent_; }        ///< states that one state leads to, if all are sent
  double message_bytes() const { return message_bytes_; }

 private:
  double expand_, send_, receive_, sent_, message_bytes_;
  double states_of_process_, bytes_of_state_;  ///< where measured: fewer states in a process share less ...
  double sharing_;                             ///< ... so half as many have so many times the bytes each
};

}  // namespace whittle::app::suite
