// Visits every reachable state of a machine once, until a violation is found.
//
//   explore::Options options;
//   options.reduce = explore::Reduce::OnTheFly;
//   explore::Result result = explore::search(machine, options, context);
//   if (result.outcome == explore::Outcome::Violation) replay(machine, result.path);
//
// The search knows states as bytes, and paths as lists of choices from reset() on. It stops at the first violation of
// the machine's property, at the first deadlock that counts, or at the first state that satisfies `bad`. A path that is
// cut turns Holds into Unknown. Dynamic dead variables need depth-first order and the exact store; otherwise the static
// ones are used, and a note says so.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "explore/options.h"
#include "machine/machine.h"

namespace whittle::explore {

/// Of the atomic propositions of a state, as Machine::observe() gives them.
using Predicate = std::function<bool(uint64_t atoms)>;

Result search(machine::Machine& machine, const Options& options, Context& context, const Predicate& bad = {});

/// There is an answer: what --checkpoint has left goes. A search that has seen everything does so itself; a violation is to be shown first. Of several processes, for
/// process 0.
void forget_checkpoint(const Options& options);

/// How a replayed path ends.
struct Replayed {
  bool possible = false;                              ///< every choice was open, and only the last step did not move
  uint32_t steps = 0;                                 ///< choices made
  machine::StepKind kind = machine::StepKind::Moved;  ///< of the last step
};
/// From reset(), leaving the machine in the last state. `seen` is called in every state, the first one included, with
/// the number of choices made so far; it ends the replay by returning false.
Replayed replay(machine::Machine& machine, std::span<const uint32_t> path,
                const std::function<bool(uint32_t)>& seen = {});

}  // namespace whittle::explore
