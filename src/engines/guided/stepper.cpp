#include "engines/guided/stepper.h"

#include <algorithm>
#include <bit>

namespace whittle::engines::guided {

using exec::PauseKind;
using verdict::Property;

namespace {

constexpr unsigned kMostUnseen = 10'000;  ///< visible operations outside of the slice in one step
constexpr unsigned kShortRound = 200;     ///< statements that may make up a loop that changes nothing
constexpr unsigned kManyInputs = 200;     ///< in one step, times the bound of the round: it may go on like that forever
constexpr uint32_t kMostAlone = 16;       ///< scheduling points of a thread that is left alone

}  // namespace

Stepper::Stepper(exec::SymbolicMachine& machine, Standing& standing, Path& path, Recorder& recorder, bool learns,
                 const Options& options, Context& context)
    : machine_(machine),
      standing_(standing),
      path_(path),
      recorder_(recorder),
      learns_(learns),
      options_(options),
      context_(context) {
  const verdict::Specification& specification = machine.machine().code().specification();
  checks_end_ = specification.has(Property::ValidMemtrack) || specification.has(Property::ValidMemcleanup);
  machine.machine().set_budget(exec::kPatience);
}

void Stepper::reset() {
  schedule.clear();
  machine_.machine().set_observed({});
  pausing_alone_ = false;
}

/// The only thread that is left is not disturbed by anybody, but where its ways meet again a summary of one may speak
/// for the others: it stops before its next writes, too.
bool Stepper::pause_alone(const Node& node) {
  static constexpr exec::Pending::Range kEverything[] = {{0, UINT64_MAX, true, true}};
  const bool alone = learns_ && node.created > 1 && std::has_single_bit(node.alive) && node.alone < kMostAlone &&
                     !machine_.empty() && !standing_.may_start_threads(node.thread);
  if (alone != pausing_alone_)
    machine_.machine().set_observed(alone ? std::span<const exec::Pending::Range>(kEverything)
                                          : std::span<const exec::Pending::Range>());
  return pausing_alone_ = alone;
}

/// False: stopped by a limit. A Budget pause: given up.
bool Stepper::run(const Node& node, uint64_t bound) {
  const uint32_t thread = node.thread;
  uint64_t begin = machine_.machine().statements();
  const uint64_t most =
      std::min(options_.statements, bound > options_.statements ? UINT64_MAX : bound * exec::kPatience);
  endless_ = Endless::No;
  auto go = [&](bool noted) {
    if (noted) schedule.push_back(thread);
    machine_.schedule(thread);
  };
  go(node.alone == 0);  // no other thread would stop there
  uint64_t inputs = 0;
  for (unsigned unseen = 0;;) {
    const exec::Pause& pause = machine_.pause();
    if (pause.kind == PauseKind::Input) {
      if (context_.limits.poll() != Stop::No) return false;
      if (++inputs / kManyInputs > bound) {
        endless_ = Endless::Cut;
        return true;
      }
      if (pause.memory != 0) recorder_.uninitialised();
      Term variable = path_.next_input(pause.width, pause.origin);
      machine_.provide(variable, path_.value(variable));
    } else if (pause.kind == PauseKind::Budget) {
      if (context_.limits.poll_now() != Stop::No) return false;
      machine_.machine().yield_here();
      if (machine_.pause().kind != PauseKind::Budget) return true;
      if (goes_round(thread)) return true;
      if (machine_.pause().kind != PauseKind::Budget) continue;
      if (machine_.machine().statements() - begin > most) {
        endless_ = Endless::Cut;
        return true;
      }
      machine_.resume();
    } else if (pause.kind == PauseKind::Visible && unseen < kMostUnseen && standing_.passes_unseen(thread)) {
      ++unseen;
      go(!pausing_alone_);
    } else if (pause.kind == PauseKind::Visible && standing_.about_to_finish(thread)) {
      go(!pausing_alone_);
    } else {
      return true;
    }
  }
}

/// At a Budget pause of a thread that is alone: does it come back to the same state, and so forever?
bool Stepper::goes_round(uint32_t thread) {
  if (checks_end_ || machine_.machine().in_atomic_region(thread)) return false;
  Snapshot before = machine_.save();
  Snapshot now = machine_.save();
  machine_.machine().set_budget(1);
  for (unsigned i = 0; i < kShortRound && machine_.pause().kind == PauseKind::Budget; ++i) {
    machine_.resume();
    if (machine_.pause().kind != PauseKind::Budget) break;
    machine_.save(now);
    if (now.bytes != before.bytes || now.overlay.registers() != before.overlay.registers() ||
        now.overlay.memory() != before.overlay.memory())
      continue;
    endless_ = Endless::Round;
    break;
  }
  machine_.machine().set_budget(exec::kPatience);
  return endless_ == Endless::Round;
}

/// A thread that was just started goes as far as no other thread can tell: what it stands before is known then, and if
/// it waits there, it is not tried in vain. The schedule of a counterexample does not mention it, so it must not matter
/// for what happens when that is done: a number that was used before may have addresses in use.
void Stepper::approach_new_threads(const Node& node) {
  exec::Machine& machine = machine_.machine();
  uint32_t name = node.created;
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    if (!machine.alive(t) || (node.alive >> t & 1) || name++ != t) continue;
    Recorder::Mark mark = recorder_.mark();
    bool there = machine_.approach(t);
    recorder_.finish();
    if (!there) recorder_.rewind(mark);
  }
}

}  // namespace whittle::engines::guided
