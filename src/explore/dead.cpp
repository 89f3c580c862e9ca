#include "explore/dead.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace whittle::explore {

namespace {

/// Bytes of a block as whole words.
std::span<const uint64_t> padded(const uint8_t* block) {
  return {reinterpret_cast<const uint64_t*>(block + 8), (uint64_t{Block::length(block)} + 7) / 8};
}

}  // namespace

StateId CoverIndex::probe(uint64_t hash, SetId live, const uint8_t* block, const GrowingArray<SetId>& live_bound) {
  for (uint64_t at = hash >> (64 - bits_); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at] >> 32 != hash >> 32) continue;
    StateId state = static_cast<StateId>(slots_[at]) - 1;
    // The slot may belong to another set with the same hash: what counts is the state's own bound.
    if (store_.length(state) != Block::length(block) || !sets_.is_subset(live_bound[state], live)) continue;
    scratch_.resize(store_.block_size(store_.length(state)) / 8);
    uint8_t* stored = reinterpret_cast<uint8_t*>(scratch_.data());
    store_.decode(state, stored);
    if (sets_.equal_under(live, padded(stored), padded(block))) return state;
  }
  return kNoState;
}

uint32_t& CoverIndex::group(Kept kept, const uint8_t* block) {
  if (kept.number == 0) return groups_[sets_.masked_hash(kept.never_dead, padded(block))];
  if (kept.number >= numbered_groups_.size()) numbered_groups_.resize(2 * size_t{kept.number});
  return numbered_groups_[kept.number];
}

StateId CoverIndex::find(Kept kept, const uint8_t* block, const GrowingArray<SetId>& live_bound) {
  uint32_t first = 0;
  if (kept.number != 0)
    first = kept.number < numbered_groups_.size() ? numbered_groups_[kept.number] : 0;
  else if (auto it = groups_.find(sets_.masked_hash(kept.never_dead, padded(block))); it != groups_.end())
    first = it->second;
  for (uint32_t link = first; link != 0; link = links_[link - 1].next) {
    SetId live = links_[link - 1].live;
    StateId state = probe(sets_.masked_hash(live, padded(block)), live, block, live_bound);
    if (state != kNoState) return state;
  }
  return kNoState;
}

void CoverIndex::add(StateId state, Kept kept, const uint8_t* block, SetId live,
                     const GrowingArray<SetId>& live_bound) {
  uint64_t hash = sets_.masked_hash(live, padded(block));
  if (probe(hash, live, block, live_bound) != kNoState) return;  // whatever this state would cover is covered
  uint32_t& first = group(kept, block);
  uint32_t link = first;
  while (link != 0 && links_[link - 1].live != live) link = links_[link - 1].next;
  if (link == 0) {
    links_.push_back({live, first});
    first = static_cast<uint32_t>(links_.size());
  }
  if ((used_ + 1) * 4 > slots_.size() * 3) {
    ZeroedArray<uint64_t> old = std::move(slots_);
    slots_ = ZeroedArray<uint64_t>(uint64_t{1} << ++bits_);
    for (uint64_t i = 0; i < old.size(); ++i)
      if (old[i] != 0) insert(old[i]);
  }
  insert((hash >> 32 << 32) | (uint64_t{state} + 1));
  ++used_;
}

void CoverIndex::insert(uint64_t slot_value) {
  uint64_t at = slot_value >> (64 - bits_);
  while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot_value;
}

void DeadTracker::look(machine::Machine& machine, uint64_t length) {
  kept_.number = machine.cells_number();
  if (kept_.number < known_.size() && known_[kept_.number].is) {
    kept_.never_dead = known_[kept_.number].never_dead;
    entry_live_ = known_[kept_.number].entry_live;
    dead_.clear();
    return;
  }
  machine.cells(mortal_, dead_);
  machine::ByteRange all{0, static_cast<uint32_t>(length)};
  scratch_.clear();
  scratch_.add(all);
  for (machine::ByteRange range : mortal_) scratch_.remove(range);
  kept_.never_dead = sets_.intern(scratch_);
  scratch_.clear();
  scratch_.add(all);
  for (machine::ByteRange range : dead_) scratch_.remove(range);
  entry_live_ = sets_.unite(sets_.intern(scratch_), kept_.never_dead);
  if (kept_.number == 0 || !dead_.empty()) return;
  if (kept_.number >= known_.size()) known_.resize(2 * size_t{kept_.number});
  known_[kept_.number] = {true, kept_.never_dead, entry_live_};
}

FootprintId DeadTracker::footprint(Walker& walker) {
  const uint32_t number = walker.footprint_number();
  if (number == 0) return sets_.footprint(walker.reads(), walker.writes());
  if (number >= known_footprints_.size()) known_footprints_.resize(2 * size_t{number});
  FootprintId& known = known_footprints_[number];
  if (known == 0) known = sets_.footprint(walker.reads(), walker.writes()) + 1;
  return known - 1;
}

void DeadTracker::enter(StateId state, FootprintId through) {
  if (!stack_.empty()) log(state, through);
  assert(state == live_.size());
  live_.push_back(entry_live_);
  kept_of_.push_back(kept_);
  closed_.push_back(0);
  stack_.push_back({state, kept_.never_dead, through, state, edges_.size(), open_.size(), false, false});
  open_.push_back(state);
}

void DeadTracker::mark_all_live(uint64_t length) {
  scratch_.clear();
  scratch_.add({0, static_cast<uint32_t>(length)});
  SetId all = sets_.intern(scratch_);
  stack_.back().live = all;
  live_[stack_.back().state] = all;  // static analysis knows nothing of deadlocks, either
}

void DeadTracker::log(StateId to, FootprintId through) {
  if (edges_.size() >= max_open_edges_) {
    stack_.back().edges_lost = overflow_ = true;
    return;
  }
  edges_.push_back({stack_.back().state, to, through});
}

void DeadTracker::edge(StateId target, FootprintId through) {
  Top& top = stack_.back();
  top.live = sets_.unite(top.live, sets_.before(through, live_[target]));
  log(target, through);
  if (closed_[target] != 0) return;
  // Tarjan's low needs entry numbers; states are numbered in the order of entry.
  top.low = std::min(top.low, target);
  top.cyclic = true;
}

void DeadTracker::dead_end(FootprintId through) {
  Top& top = stack_.back();
  top.live = sets_.unite(top.live, sets_.before(through, kEmptySet));
  // Logged as an edge to nowhere, because the exact solution starts from scratch.
  log(kNoState, through);
}

void DeadTracker::leave(const uint8_t* block) {
  Top top = stack_.back();
  stack_.pop_back();
  SetId bound = sets_.intersect(top.live, live_[top.state]);
  if (bound != live_[top.state]) {
    covers_.add(top.state, kept_of_[top.state], block, bound, live_);
    live_[top.state] = bound;
  }
  if (top.low == top.state) complete(top);
  if (stack_.empty()) return;
  Top& below = stack_.back();
  below.live = sets_.unite(below.live, sets_.before(top.through, live_[top.state]));
  if (closed_[top.state] == 0) {
    below.low = std::min(below.low, top.low);
    below.cyclic = true;
    below.edges_lost |= top.edges_lost;
  }
}

void DeadTracker::complete(const Top& top) {
  // When the last component is complete nothing is left to be matched with it.
  if (top.cyclic && !top.edges_lost && !stack_.empty()) {
    std::vector<std::pair<StateId, SetId>> bounds;
    for (uint64_t i = top.first_open; i < open_.size(); ++i) bounds.emplace_back(open_[i], live_[open_[i]]);
    const bool solved = solve(top);
    for (auto& [state, bound] : bounds) std::swap(live_[state], bound);  // bound: now the solution
    if (!solved) return;  // the search ends
    std::vector<uint64_t> block;
    for (auto [state, solution] : bounds) {
      if (limits_.poll() != Stop::No) return;
      SetId exact = sets_.intersect(live_[state], solution);
      if (exact == live_[state]) continue;
      block.resize(store_.block_size(store_.length(state)) / 8);
      store_.decode(state, reinterpret_cast<uint8_t*>(block.data()));
      covers_.add(state, kept_of_[state], reinterpret_cast<uint8_t*>(block.data()), exact, live_);
      live_[state] = exact;
    }
  }
  for (uint64_t i = top.first_open; i < open_.size(); ++i) closed_[open_[i]] = 1;
  open_.resize(top.first_open);
  edges_.resize(top.first_edge);
}

/// Least solution of the equation over the component that `top` completes; everything outside is exact or a bound.
bool DeadTracker::solve(const Top& top) {
  for (uint64_t i = top.first_open; i < open_.size(); ++i) live_[open_[i]] = kept_of_[open_[i]].never_dead;
  // States entered later come first: most edges of a path lead forward.
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t i = edges_.size(); i-- > top.first_edge;) {
      if ((i & 255) == 0 && limits_.poll() != Stop::No) return false;
      const Edge& edge = edges_[i];
      SetId after = edge.to == kNoState ? kEmptySet : live_[edge.to];
      SetId now = sets_.unite(live_[edge.from], sets_.before(edge.through, after));
      if (now == live_[edge.from]) continue;
      live_[edge.from] = now;
      changed = true;
    }
  }
  return true;
}

}  // namespace whittle::explore
