// Depth-first search, iterative. With reductions off its inner loop is: load, step, save, insert.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/block_stack.h"
#include "explore/dead.h"
#include "explore/run.h"
#include "explore/tree_store.h"
#include "explore/walker.h"

namespace whittle::explore {

/// `Sink` hears of every edge; see NoSink.
template <typename Store, bool kDynamic, typename Sink>
class DepthFirst {
  static_assert(!kDynamic || Store::kExact);

 public:
  DepthFirst(Run& run, Store& store, Sink& sink)
      : run_(run),
        machine_(run.machine),
        store_(store),
        sink_(sink),
        walker_(run.machine, run.options, run.context.limits, {run.watches(), run.branching(), kDynamic}),
        tracker_(store, run.options.max_open_edges, run.context.limits),
        blocks_(Store::kExact ? run.options.stack_bytes : ~uint64_t{0} / 2) {}

  void operator()() {
    begin();
    while (!frames_.empty() && !run_.done()) {
      Frame& top = frames_.back();
      if (top.next == top.count) {
        leave();
        continue;
      }
      if (run_.poll(store_, frames_.size(), frames_.size())) break;
      if (!at_top_) return_to_top();
      take(top.next++);
    }
    finish();
  }

 private:
  struct Frame {
    StateId state;
    uint32_t next, count;  ///< choices
    BlockStack::Offset block;
  };
  struct Nothing {
    Nothing(const Store&, uint64_t, Limits&) {}
  };
  using Tracker = std::conditional_t<kDynamic, DeadTracker, Nothing>;

  void begin() {
    machine_.reset();
    ++run_.figures.states_created;
    if (run_.watches()) atoms_ = machine_.observe();
    if (run_.bad_atoms(atoms_)) return run_.stop(Outcome::BadState);
    arrive(Arrival{});
  }

  void return_to_top() {
    const uint8_t* block = top_block();
    machine_.load(Block::bytes(block));
    if (run_.watches()) atoms_ = machine_.observe();
    at_top_ = true;
  }

  /// The block of the top frame, decoded again if it was dropped from the stack.
  const uint8_t* top_block() {
    Frame& top = frames_.back();
    if constexpr (Store::kExact) {
      if (!blocks_.holds(top.block)) {
        uint64_t size = store_.block_size(store_.length(top.state));
        blocks_.pop_to(top.block);
        blocks_.make_room(size);
        store_.decode(top.state, blocks_.at(top.block));
        blocks_.push(size);
      }
    }
    return blocks_.at(top.block);
  }

  void take(uint32_t choice) {
    Arrival arrival = walker_.first_step(choice);
    looked_for_ = false;
    if (arrival.kind == machine::StepKind::Moved && run_.reducing()) {
      if (arrives_at_known(arrival)) return;
      walker_.follow(arrival, choice, atoms_, Block::bytes(blocks_.at(frames_.back().block)));
    }
    if (arrival.kind == machine::StepKind::Moved) [[likely]] {
      atoms_ = arrival.atoms;
      if (run_.bad_atoms(atoms_)) return found(Outcome::BadState, arrival);
      return arrive(arrival);
    }
    at_top_ = false;
    if (arrival.kind == machine::StepKind::Violation) return found(Outcome::Violation, arrival);
    (arrival.kind == machine::StepKind::Cut ? run_.figures.cuts : run_.figures.pruned) += 1;
    sink_.dead_end(arrival);
    if constexpr (kDynamic) tracker_.dead_end(footprint());
  }

  /// A path may end after its first step, and most end in a state that is known. Whoever looks for it right there need
  /// not find out how that state goes on. (Where dead bytes are to be taken out first, that is more than it saves.)
  bool arrives_at_known(const Arrival& arrival) {
    if constexpr (!Store::kExact || kDynamic) return false;
    if (takes_out_dead_ || (run_.watches() && run_.bad_atoms(arrival.atoms))) return false;
    if constexpr (Store::kExact) {
      std::span<const uint8_t> bytes = machine_.save();
      uint64_t size = block_size(bytes.size());
      if (!blocks_.addressable(size)) return false;
      blocks_.make_room(size);
      StateId state = store_.find(bytes, blocks_.at(frames_.back().block), blocks_.at(blocks_.top()));
      looked_for_ = true;
      if (state == kNoState) return false;
      sink_.edge(state, arrival);
      ++run_.figures.revisits;
      at_top_ = false;
    }
    return true;
  }

  uint64_t block_size(uint64_t length) {
    if (length != last_length_) last_length_ = length, last_size_ = store_.block_size(length);
    return last_size_;
  }

  FootprintId footprint() {
    uint64_t begin = ticks_now();
    FootprintId id = tracker_.footprint(walker_);
    run_.dead_ticks += ticks_now() - begin;
    return id;
  }

  /// The machine stands in a state that may be new.
  void arrive(const Arrival& arrival) {
    std::span<const uint8_t> bytes = machine_.save();
    uint64_t size = block_size(bytes.size());
    if (!blocks_.addressable(size)) return run_.stop_for_memory();
    blocks_.make_room(size);
    const uint8_t* base = frames_.empty() ? nullptr : blocks_.at(frames_.back().block);
    uint8_t* out = blocks_.at(blocks_.top());
    Interned found;
    if constexpr (kDynamic) {
      found = insert_dynamic(bytes, base, out);
    } else {
      if (takes_out_dead_) bytes = run_.without_dead(bytes);
      if constexpr (Store::kExact) {
        if (looked_for_ && arrival.steps == 1)
          found = store_.insert_not_found(bytes, base, out);
        else
          found = store_.insert(bytes, base, out);
      } else {
        found = store_.insert(bytes, base, out);
      }
    }
    if (found.id == kNoState) [[unlikely]]
      return run_.stop_for_memory();
    if (!frames_.empty()) sink_.edge(found.id, arrival);
    if (!found.fresh) {
      ++run_.figures.revisits;
      if constexpr (kDynamic) tracker_.edge(found.id, footprint());
      at_top_ = false;
      return;
    }
    push(found.id, arrival, size);
  }

  Interned insert_dynamic(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out) {
    uint64_t begin = ticks_now();
    tracker_.look(machine_, bytes.size());
    bytes = run_.without(bytes, tracker_.dead());
    StateId state = store_.find(bytes, base, out);
    if (state == kNoState) {
      // A failed find leaves the bytes in the block, which is all that a cover is asked for.
      state = tracker_.find_cover(out);
      if (state != kNoState) ++run_.figures.covered;
    }
    run_.dead_ticks += ticks_now() - begin;
    if (state != kNoState) return {state, false};
    return store_.insert_not_found(bytes, base, out);
  }

  void push(StateId state, const Arrival& arrival, uint64_t size) {
    machine::Successors successors = arrival.successors_known ? arrival.successors : machine_.successors();
    if constexpr (kDynamic) tracker_.enter(state, frames_.empty() ? 0 : footprint());
    // A frame whose last choice is taken needs its bytes no more: its successor takes their place.
    BlockStack::Offset at = blocks_.top();
    if (!kDynamic && !frames_.empty() && frames_.back().next == frames_.back().count) {
      at = frames_.back().block;
      frames_.back().block = BlockStack::kNone;
    }
    blocks_.push_at(at, size);
    frames_.push_back({state, 0, successors.count, at});
    if (run_.reducing()) steps_.push_back(arrival.steps);
    sink_.enter(state, atoms_);
    at_top_ = true;
    run_.figures.max_depth = std::max<uint64_t>(run_.figures.max_depth, frames_.size());
    if (successors.count == 0) end_of_path(successors.ending);
    if (blocks_.full()) drop_lower_half();
  }

  void end_of_path(machine::Ending ending) {
    sink_.ending(ending);
    if (ending == machine::Ending::Cut) ++run_.figures.cuts;
    if (ending != machine::Ending::Deadlock) return;
    ++run_.figures.deadlocks;
    if constexpr (kDynamic) tracker_.mark_all_live(store_.length(frames_.back().state));
    if (!run_.options.deadlock_is_violation) return;
    run_.stop(Outcome::Deadlock);
    collect_path();
  }

  void leave() {
    if constexpr (kDynamic) {
      uint64_t begin = ticks_now();
      tracker_.leave(top_block());
      run_.dead_ticks += ticks_now() - begin;
    }
    sink_.leave(frames_.back().state);
    if (frames_.back().block != BlockStack::kNone) blocks_.pop_to(frames_.back().block);
    frames_.pop_back();
    if (run_.reducing()) steps_.pop_back();
    at_top_ = false;
  }

  void drop_lower_half() {
    if constexpr (!Store::kExact) return;
    BlockStack::Offset half = blocks_.top();
    for (size_t i = frames_.size(); i-- > 0;) {
      if (frames_[i].block == BlockStack::kNone) continue;
      if ((blocks_.top() - frames_[i].block) * uint64_t{16} > run_.options.stack_bytes) break;
      half = frames_[i].block;
    }
    half = std::min(half, frames_.back().block);
    blocks_.drop_below(half);
  }

  void found(Outcome outcome, const Arrival& last) {
    run_.stop(outcome);
    collect_path();
    extend_path(run_.result.path, frames_.back().next - 1, last.steps);
  }

  /// The choices that lead to the top frame.
  void collect_path() {
    for (size_t i = 0; i + 1 < frames_.size(); ++i)
      extend_path(run_.result.path, frames_[i].next - 1, run_.reducing() ? steps_[i + 1] : 1);
  }

  void finish() {
    run_.figures.states_created += walker_.created();
    run_.reduce_ticks += walker_.ticks();
    run_.figures.search_bytes =
        blocks_.peak_bytes() + run_.figures.max_depth * (sizeof(Frame) + (run_.reducing() ? 4 : 0));
    if constexpr (kDynamic) {
      run_.figures.search_bytes += tracker_.bytes();
      if (!tracker_.exact_components())
        run_.result.notes.push_back("dead variables: components too large for exact sets were left with coarser ones");
    }
  }

  Run& run_;
  machine::Machine& machine_;
  Store& store_;
  Sink& sink_;
  Walker walker_;
  Tracker tracker_;
  BlockStack blocks_;
  std::vector<Frame> frames_;
  GrowingArray<uint32_t> steps_;  ///< of the path that led to each frame; only when paths are reduced
  uint64_t atoms_ = 0;            ///< of the machine's current state, if watched
  bool looked_for_ = false;       ///< the store does not know the state after the first step of the path
  uint64_t last_length_ = ~uint64_t{0}, last_size_ = 0;  ///< of a block
  const bool takes_out_dead_ = run_.options.dead == Dead::Static && !run_.machine.leaves_out_dead();
  bool at_top_ = false;  ///< the machine stands in the top frame's state
};

/// Hears nothing.
struct NoSink {
  void enter(StateId, uint64_t) {}
  void edge(StateId, const Arrival&) {}
  void dead_end(const Arrival&) {}
  void ending(machine::Ending) {}
  void leave(StateId) {}
};

}  // namespace whittle::explore
