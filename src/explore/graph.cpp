#include "explore/graph.h"

namespace whittle::explore {

using machine::Ending;
using machine::StepKind;

StateGraph::StateGraph(Run& run, TreeStore& store, unsigned atoms)
    : run_(run),
      store_(store),
      speaker_(run.context.last_words, [this](Statistics& statistics) { run_.tell(store_, statistics); }),
      walker_(run.machine, run.options, run.context.limits, {true, true, false}),
      atom_bytes_(std::max(1u, (atoms + 7) / 8)) {
  add_edge(0, 0);
}

void StateGraph::add_state(uint64_t atoms) {
  begin_.push_back(kUnexpanded);
  for (unsigned i = 0; i < atom_bytes_; ++i) atoms_.push_back(static_cast<uint8_t>(atoms >> (8 * i)));
}

void StateGraph::add_edge(StateId target, uint32_t steps) {
  edges_.push_back(target);
  if (run_.reducing()) steps_.push_back(steps);
}

void StateGraph::open_edges(StateId state) {
  begin_[state] = edges_.size();
  add_edge(0, 0);
}

void StateGraph::begin() {
  run_.machine.reset();
  ++run_.figures.states_created;
  arrive(run_.machine.observe());
}

/// Stores the machine's current state.
StateId StateGraph::arrive(uint64_t atoms) {
  std::span<const uint8_t> bytes = run_.machine.save();
  if (run_.options.dead != Dead::None) bytes = run_.without_dead(bytes);
  there_.resize(store_.block_size(bytes.size()) / 8);
  const uint8_t* base = here_.empty() ? nullptr : reinterpret_cast<const uint8_t*>(here_.data());
  Interned stored = store_.insert(bytes, base, reinterpret_cast<uint8_t*>(there_.data()));
  if (stored.id == kNoState) {
    run_.stop_for_memory();
    return 0;
  }
  if (stored.fresh)
    add_state(atoms);
  else
    ++run_.figures.revisits;
  return stored.id;
}

void StateGraph::expand(StateId state) {
  here_.resize(store_.block_size(store_.length(state)) / 8);
  uint8_t* block = reinterpret_cast<uint8_t*>(here_.data());
  store_.decode(state, block);
  run_.machine.load(Block::bytes(block));
  const uint64_t atoms = run_.machine.observe();
  machine::Successors successors = run_.machine.successors();
  open_edges(state);
  if (successors.count == 0) {
    run_.figures.deadlocks += successors.ending == Ending::Deadlock;
    if (successors.ending == Ending::Cut) {
      ++run_.figures.cuts;
      add_edge(kCut, 1);
    }
  }
  for (uint32_t choice = 0; choice < successors.count; ++choice) {
    if (run_.poll(store_, 0, store_.size() - state)) break;
    if (choice != 0) run_.machine.load(Block::bytes(block));
    Arrival arrival = walker_.go(choice, atoms, Block::bytes(block));
    if (arrival.kind == StepKind::Violation) {
      violation_state_ = state;
      violation_choice_ = choice;
      violation_steps_ = arrival.steps;
      run_.stop(Outcome::Violation);
      break;
    }
    if (arrival.kind != StepKind::Moved) {
      (arrival.kind == StepKind::Cut ? run_.figures.cuts : run_.figures.pruned) += 1;
      add_edge(no_target(arrival), arrival.steps);
    } else {
      add_edge(arrive(arrival.atoms), arrival.steps);
    }
    if (run_.done()) break;
  }
  edges_[begin_[state]] = static_cast<uint32_t>(edges_.size() - begin_[state] - 1);
}

void StateGraph::Sink::leave(StateId state) {
  graph_.open_edges(state);
  for (uint64_t i = starts_.back(); i < pending_.size(); ++i) graph_.add_edge(pending_[i].first, pending_[i].second);
  graph_.edges_[graph_.begin_[state]] = static_cast<uint32_t>(pending_.size() - starts_.back());
  pending_.resize(starts_.back());
  starts_.pop_back();
}

}  // namespace whittle::explore
