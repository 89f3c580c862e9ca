// Breadth-first search: the first violation found is one with the fewest stored states on its path.
//
// States are numbered in the order of their discovery, so with a store that can decode them the queue is just a number.
// Lossy stores cannot: then the bytes of the current and of the next level are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/run.h"
#include "explore/tree_store.h"

namespace whittle::explore {

template <typename Store>
class BreadthFirst {
 public:
  BreadthFirst(Run& run, Store& store)
      : run_(run),
        machine_(run.machine),
        store_(store),
        walker_(run.machine, run.options, run.context.limits, {run.watches(), run.branching(), false}) {}

  void operator()() {
    begin();
    uint64_t level_end = store_.size();
    for (StateId state = 0; state < store_.size() && !run_.done(); ++state) {
      if (state == level_end) {
        level_end = store_.size();
        next_level();
      }
      load(state);
      uint32_t count = arrived_.count;
      for (uint32_t choice = 0; choice < count && !run_.done(); ++choice) {
        if (run_.poll(store_, run_.figures.max_depth, store_.size() - state)) break;
        if (choice != 0) machine_.load(Block::bytes(base()));
        take(state, choice);
      }
    }
    finish();
  }

 private:
  struct Parent {
    StateId state;
    uint32_t choice;
  };

  uint8_t* base() { return reinterpret_cast<uint8_t*>(here_.data()); }

  void begin() {
    machine_.reset();
    ++run_.figures.states_created;
    run_.figures.max_depth = 1;
    uint64_t atoms = run_.watches() ? machine_.observe() : 0;
    if (run_.bad_atoms(atoms)) return run_.stop(Outcome::BadState);
    arrive(Arrival{}, {kNoState, 0});
    if (!run_.done()) next_level();
  }

  void next_level() {
    ++run_.figures.max_depth;
    if constexpr (!Store::kExact) {
      level_.swap(coming_);
      coming_.clear();
      level_at_ = 0;
    }
  }

  /// Brings the machine and here_ to the state.
  void load(StateId state) {
    if constexpr (Store::kExact) {
      here_.resize(store_.block_size(store_.length(state)) / 8);
      store_.decode(state, base());
    } else {
      const uint8_t* block = level_.data() + level_at_;
      uint64_t size = store_.block_size(Block::length(block));
      here_.resize(size / 8);
      std::memcpy(base(), block, size);
      level_at_ += size;
    }
    machine_.load(Block::bytes(base()));
    arrived_ = machine_.successors();
    atoms_ = run_.watches() ? machine_.observe() : 0;
  }

  void take(StateId from, uint32_t choice) {
    Arrival arrival = walker_.go(choice, atoms_, Block::bytes(base()));
    if (arrival.kind == machine::StepKind::Violation) return found(Outcome::Violation, {from, choice}, arrival.steps);
    if (arrival.kind != machine::StepKind::Moved) {
      (arrival.kind == machine::StepKind::Cut ? run_.figures.cuts : run_.figures.pruned) += 1;
      return;
    }
    if (run_.bad_atoms(arrival.atoms)) return found(Outcome::BadState, {from, choice}, arrival.steps);
    arrive(arrival, {from, choice});
  }

  void arrive(const Arrival& arrival, Parent parent) {
    std::span<const uint8_t> bytes = machine_.save();
    if (run_.options.dead != Dead::None) bytes = run_.without_dead(bytes);
    there_.resize(store_.block_size(bytes.size()) / 8);
    uint8_t* out = reinterpret_cast<uint8_t*>(there_.data());
    Interned stored = store_.insert(bytes, here_.empty() ? nullptr : base(), out);
    if (stored.id == kNoState) return run_.stop_for_memory();
    if (!stored.fresh) {
      ++run_.figures.revisits;
      return;
    }
    parents_.push_back(parent);
    if (run_.reducing()) steps_.push_back(arrival.steps);
    if constexpr (!Store::kExact) {
      coming_.insert(coming_.end(), out, out + there_.size() * 8);
      widest_ = std::max<uint64_t>(widest_, level_.size() + coming_.size());
    }
    machine::Successors successors = arrival.successors_known ? arrival.successors : machine_.successors();
    if (successors.count != 0) return;
    if (successors.ending == machine::Ending::Cut) ++run_.figures.cuts;
    if (successors.ending != machine::Ending::Deadlock) return;
    ++run_.figures.deadlocks;
    if (run_.options.deadlock_is_violation) found(Outcome::Deadlock, parent, arrival.steps);
  }

  void found(Outcome outcome, Parent last, uint32_t steps) {
    run_.stop(outcome);
    std::vector<std::pair<uint32_t, uint32_t>> edges;  // choice and steps, backwards
    for (; last.state != kNoState; last = parents_[last.state]) {
      edges.emplace_back(last.choice, steps);
      if (run_.reducing()) steps = steps_[last.state];
    }
    for (size_t i = edges.size(); i-- > 0;)
      extend_path(run_.result.path, edges[i].first, run_.reducing() ? edges[i].second : 1);
  }

  void finish() {
    run_.figures.states_created += walker_.created();
    run_.reduce_ticks += walker_.ticks();
    run_.figures.search_bytes = parents_.bytes() + steps_.bytes() + widest_;
  }

  Run& run_;
  machine::Machine& machine_;
  Store& store_;
  Walker walker_;
  GrowingArray<Parent> parents_;
  GrowingArray<uint32_t> steps_;
  std::vector<uint64_t> here_, there_;  ///< blocks
  machine::Successors arrived_;
  uint64_t atoms_ = 0;
  std::vector<uint8_t> level_, coming_;
  uint64_t level_at_ = 0, widest_ = 0;
};

}  // namespace whittle::explore
