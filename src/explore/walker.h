// Takes one choice and goes on to the next state that is stored: itself without path reduction, else the end of the
// elementary path that starts with the choice.
//
// Where a path ends, besides branches, ends, loops and breaking locations:
// - Temporal formulas need what the paper asks for: after the first transition of a path no atom may change, because a
//   state that can only go on to the change differs from one that still had a choice. The path ends *before* the
//   change. It also ends before a step that is pruned: the state there lasts forever.
// - Where only reachability counts, the path ends right *after* the step that changed an atom, so nothing has to be
//   undone, and a counterexample ends with the step that made the difference.
// To end a path early is always sound; it only stores a state more.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.h"
#include "explore/byte_sets.h"
#include "explore/options.h"
#include "machine/machine.h"

namespace whittle::explore {

/// Recognises that a path without branches goes in circles. Brent's algorithm: each state is compared with one earlier
/// state, which moves on at powers of two, so a path of a million steps keeps one state and not a million; states are
/// looked at only when the location matches. Once the loop is closed, the path is led on to the state of the loop with
/// the smallest hash: all paths into that loop then store the same state, wherever they entered.
class LoopDetector {
 public:
  LoopDetector(machine::Machine& machine, Loop criterion) : machine_(machine), criterion_(criterion) {}
  void start();
  /// Is the machine's current state where the path should end?
  bool closes();

 private:
  bool location_again(uint64_t location);
  bool same_as_mark();
  void set_mark(uint64_t location);

  machine::Machine& machine_;
  Loop criterion_;
  enum class Phase : uint8_t { Seek, Measure, Approach } phase_ = Phase::Seek;
  uint64_t mark_location_ = 0, mark_hash_ = 0, power_ = 0, length_ = 0, left_ = 0, smallest_ = 0;
  std::vector<uint8_t> mark_;
  std::vector<uint64_t> locations_;  ///< open addressing, for Loop::Location
  uint64_t location_count_ = 0;
};

/// When a search gives up in the middle of a path.
struct Patience {
  Limits* limits = nullptr;                 ///< polled, if there are any
  const std::atomic<bool>* stop = nullptr;  ///< looked at, if there is one: set by another thread
  bool over() const {
    return (stop != nullptr && stop->load(std::memory_order_relaxed)) ||
           (limits != nullptr && limits->poll() != Stop::No);
  }
};

struct Arrival {
  machine::StepKind kind = machine::StepKind::Moved;
  uint32_t steps = 0;              ///< taken; the bad one included
  uint64_t atoms = 0;              ///< where it arrived, if watched
  machine::Successors successors;  ///< where it arrived, if known
  bool successors_known = false;
};

class Walker {
 public:
  struct Need {
    bool atoms = false;       ///< keep changes of atoms visible
    bool branching = false;   ///< keep what temporal formulas can tell apart, not only what is reachable
    bool footprints = false;  ///< compose reads() and writes()
  };
  Walker(machine::Machine& machine, const Options& options, Limits& limits, Need need)
      : Walker(machine, options, Patience{&limits}, need) {}
  Walker(machine::Machine& machine, const Options& options, Patience patience, Need need);
  ~Walker();
  void set_patience(Patience patience) { patience_ = patience; }

  /// From the machine's current state, whose atoms are `atoms` and whose bytes are `origin`, up to dead ones.
  Arrival go(uint32_t choice, uint64_t atoms, std::span<const uint8_t> origin) {
    Arrival arrival = first_step(choice);
    if (arrival.kind == machine::StepKind::Moved && reduce_ != Reduce::None) follow(arrival, choice, atoms, origin);
    return arrival;
  }
  /// The same in two steps. After the first one a path may always end; follow() requires that it Moved.
  Arrival first_step(uint32_t choice);
  void follow(Arrival& arrival, uint32_t choice, uint64_t atoms, std::span<const uint8_t> origin);

  /// Of the last go(): bytes of the state it started from that were read before being written, bytes of the state it
  /// arrived at that were written.
  const ByteSet& reads() { return compose_first(), reads_; }
  const ByteSet& writes() { return compose_first(), writes_; }
  /// If it was a single step whose footprint has a number: that; else 0.
  uint32_t footprint_number() const { return number_; }

  uint64_t created() const { return created_; }
  /// Time spent beyond the first step of each path.
  uint64_t ticks() const { return ticks_; }

 private:
  void follow_on(Arrival& arrival, uint32_t choice, uint64_t atoms, std::span<const uint8_t> origin);
  bool ends_here(const Arrival& arrival, uint64_t atoms);
  void compose();
  void compose_first();
  void go_back_one(Arrival& arrival, uint32_t choice, std::span<const uint8_t> origin);

  machine::Machine& machine_;
  Patience patience_;
  const Reduce reduce_;
  const Need need_;
  LoopDetector loop_;
  ByteSet reads_, writes_, step_reads_;
  uint32_t number_ = 0;   ///< of the footprint of a path of one step
  bool composed_ = true;  ///< reads_ and writes_ are those of the path: not yet if a number says as much
  uint64_t created_ = 0, ticks_ = 0, begin_ticks_ = 0;
};

}  // namespace whittle::explore
