// The order in which the locations of a function are gone through, so that ways that meet are joined before anything
// after them is looked at.
//
// A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings"): every cycle has a
// head, and what belongs to it stands together after the head. Where a way leads backwards it leads to the head of a
// loop it is in; it waits in the slot at the loop's end until all of this round through the loop has been gone through.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace whittle::program::analysis {

class WeakOrder {
 public:
  explicit WeakOrder(const Function& function);

  struct Loop {
    LocationId head = 0;
    uint32_t end = 0;         ///< slot for what goes round again
    uint32_t parent = kNone;  ///< the loop around it
  };

  uint32_t slot(LocationId l) const { return slot_[l]; }
  /// Where a state that goes from one location to another one waits.
  uint32_t waits(LocationId from, LocationId to) const {
    return slot_[to] > slot_[from] ? slot_[to] : loops_[headed_[to]].end;
  }
  bool is_end(uint32_t slot) const { return of_slot_[slot].loop != kNone; }
  uint32_t loop_ending(uint32_t slot) const { return of_slot_[slot].loop; }
  LocationId location(uint32_t slot) const { return of_slot_[slot].location; }
  const std::vector<Loop>& loops() const { return loops_; }
  uint32_t innermost(LocationId l) const { return innermost_[l]; }  ///< of a head: its own loop; or kNone
  uint32_t headed(LocationId l) const { return headed_[l]; }        ///< the loop with this head, or kNone
  bool joins(LocationId l) const { return predecessors_[l] > 1; }

 private:
  struct Slot {
    LocationId location = kNone;
    uint32_t loop = kNone;  ///< at whose end it is; then it has no location
  };
  struct Element;
  using Sequence = std::vector<Element>;  ///< last element first
  struct Element {
    LocationId location;
    bool loop;
    Sequence body;
  };
  uint32_t visit(LocationId l, Sequence& into);
  void lay_out(const Sequence& sequence, uint32_t parent);

  const Function& function_;
  std::vector<uint32_t> slot_, innermost_, headed_, predecessors_;
  std::vector<Slot> of_slot_;
  std::vector<Loop> loops_;
  std::vector<uint32_t> number_;
  std::vector<LocationId> stack_;
  uint32_t counter_ = 0;
};

}  // namespace whittle::program::analysis
