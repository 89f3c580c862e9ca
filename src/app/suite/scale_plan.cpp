#include "app/suite/scale_plan.h"

#include <algorithm>
#include <cmath>

namespace whittle::app::suite {

namespace {

constexpr double kLeast = 17;  ///< bytes of a state in the root table of the store, when its index is full

/// Of all states, those that belong to other processes.
double elsewhere(unsigned processes) { return 1 - 1.0 / processes; }

}  // namespace

double Prediction::elapsed(unsigned processes, unsigned machines, double bytes_per_second) const {
  const double across = machines < 2 ? 0 : sent_bytes * elsewhere(machines) / machines / bytes_per_second;
  return std::max(seconds / processes, across);
}

Plan::Plan(const Shared& few, const Shared& more) {
  const double sent = few.sent + more.sent;
  sent_ = (few.sent / few.states / elsewhere(few.processes) + more.sent / more.states / elsewhere(more.processes)) / 2;
  receive_ = (few.receive_seconds + more.receive_seconds) / sent;
  message_bytes_ = (few.sent_bytes + more.sent_bytes) / sent;
  // Expanding, with what is sent: a line through the two runs, which neither goes up to the left nor begins below zero.
  const double x1 = few.sent / few.states, x2 = more.sent / more.states;
  const double y1 = few.expand_seconds / few.states, y2 = more.expand_seconds / more.states;
  send_ = std::clamp((y2 - y1) / (x2 - x1), 0.0, std::min(y1 / x1, y2 / x2));
  expand_ = (y1 - send_ * x1 + y2 - send_ * x2) / 2;
  states_of_process_ = few.most_states;
  bytes_of_state_ = few.most_bytes / few.most_states;
  const double halvings = std::log2(few.most_states / more.most_states);
  sharing_ = std::pow(std::max(1.0, more.most_bytes / more.most_states / bytes_of_state_), 1 / halvings);
}

Prediction Plan::predict(double states, unsigned processes) const {
  const double sent = processes < 2 ? 0 : states * sent_ * elsewhere(processes), own = states / processes;
  Prediction out;
  out.seconds = states * expand_ + sent * (send_ + receive_);
  out.sent_bytes = sent * message_bytes_;
  out.process_bytes = own * std::max(kLeast, bytes_of_state_ * std::pow(sharing_, std::log2(states_of_process_ / own)));
  return out;
}

}  // namespace whittle::app::suite
