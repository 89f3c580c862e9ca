#include "explore/walker.h"

#include <algorithm>
#include <cassert>

#include "base/hash.h"
#include "explore/ticks.h"

namespace whittle::explore {

using machine::StepKind;

namespace {
constexpr uint32_t kLongestStaticPath = 1u << 14;
}

void LoopDetector::start() {
  phase_ = Phase::Seek;
  power_ = length_ = 0;
  if (location_count_ != 0) std::fill(locations_.begin(), locations_.end(), 0);
  location_count_ = 0;
}

bool LoopDetector::location_again(uint64_t location) {
  if (2 * (location_count_ + 1) > locations_.size()) {
    std::vector<uint64_t> old(std::max<size_t>(16, locations_.size() * 2), 0);
    old.swap(locations_);
    location_count_ = 0;
    for (uint64_t kept : old)
      if (kept != 0) location_again(kept - 1);
  }
  uint64_t mask = locations_.size() - 1, value = location + 1;
  if (value == 0) value = ~uint64_t{0};  // two locations share a value: one more state is stored, no more
  for (uint64_t at = hash_mix(value) & mask;; at = (at + 1) & mask) {
    if (locations_[at] == value) return true;
    if (locations_[at] == 0) {
      locations_[at] = value;
      ++location_count_;
      return false;
    }
  }
}

void LoopDetector::set_mark(uint64_t location) {
  mark_location_ = location;
  std::span<const uint8_t> bytes = machine_.save();
  if (criterion_ == Loop::Hash)
    mark_hash_ = hash_bytes(bytes);
  else
    mark_.assign(bytes.begin(), bytes.end());
}

bool LoopDetector::same_as_mark() {
  std::span<const uint8_t> bytes = machine_.save();
  return criterion_ == Loop::Hash ? mark_hash_ == hash_bytes(bytes) : std::ranges::equal(mark_, bytes);
}

bool LoopDetector::closes() {
  if (phase_ != Phase::Seek) {
    uint64_t hash = hash_bytes(machine_.save());
    if (phase_ == Phase::Approach) return hash == smallest_ || --left_ == 0;
    smallest_ = std::min(smallest_, hash);
    if (--left_ == 0) {
      phase_ = Phase::Approach;
      left_ = length_;
      return hash == smallest_;
    }
    return false;
  }
  uint64_t location = machine_.position().location;
  if (criterion_ == Loop::Location) return location_again(location);
  if (power_ == 0) {  // the first state of the path
    power_ = 1;
    set_mark(location);
    return false;
  }
  ++length_;
  if (location == mark_location_ && same_as_mark()) {
    phase_ = Phase::Measure;
    smallest_ = hash_bytes(machine_.save());
    left_ = length_;
    return false;
  }
  if (length_ == power_) {
    power_ *= 2;
    length_ = 0;
    set_mark(location);
  }
  return false;
}

Walker::Walker(machine::Machine& machine, const Options& options, Patience patience, Need need)
    : machine_(machine), patience_(patience), reduce_(options.reduce), need_(need), loop_(machine, options.loop) {
  if (need_.footprints) machine_.trace_footprints(true);
}

Walker::~Walker() {
  if (need_.footprints) machine_.trace_footprints(false);
}

void Walker::compose() {
  const machine::Footprint& step = machine_.footprint();
  step_reads_.clear();
  for (machine::ByteRange range : step.reads) step_reads_.add(range);
  step_reads_.subtract(writes_);
  reads_.unite(step_reads_);
  for (machine::ByteRange range : step.writes) writes_.add(range);
}

/// The machine stands where the first step led.
void Walker::compose_first() {
  if (composed_) return;
  composed_ = true;
  reads_.clear();
  writes_.clear();
  compose();
}

Arrival Walker::first_step(uint32_t choice) {
  Arrival arrival;
  arrival.steps = 1;
  arrival.kind = machine_.step(choice);
  ++created_;
  if (need_.footprints) {
    number_ = machine_.footprint().number;
    composed_ = false;
    if (number_ == 0) compose_first();
  }
  if (need_.atoms && arrival.kind == StepKind::Moved) arrival.atoms = machine_.observe();
  return arrival;
}

bool Walker::ends_here(const Arrival& arrival, uint64_t atoms) {
  if (arrival.atoms != atoms && !need_.branching) return true;
  if (arrival.successors.count != 1) return true;
  // Every loop has a breaking location if the machine keeps its promise; if not, the search must still end.
  if (reduce_ == Reduce::Static) return machine_.position().breaking || arrival.steps >= kLongestStaticPath;
  if (arrival.steps == 1) loop_.start();
  return loop_.closes();
}

void Walker::follow(Arrival& arrival, uint32_t choice, uint64_t atoms, std::span<const uint8_t> origin) {
  const uint64_t created = created_;
  follow_on(arrival, choice, atoms, origin);
  if (created_ != created) ticks_ += ticks_now() - begin_ticks_;
}

void Walker::follow_on(Arrival& arrival, uint32_t choice, uint64_t atoms, std::span<const uint8_t> origin) {
  if (!need_.atoms) arrival.atoms = atoms;
  const bool changed = arrival.atoms != atoms;
  for (;;) {
    arrival.successors = machine_.successors();
    arrival.successors_known = true;
    if (ends_here(arrival, atoms)) return;
    if (patience_.over()) return;
    if (arrival.steps == 1) begin_ticks_ = ticks_now();
    if (need_.footprints) compose_first();
    StepKind kind = machine_.step(0);
    ++created_;
    uint64_t now = need_.atoms && kind == StepKind::Moved ? machine_.observe() : arrival.atoms;
    // A cut may be seen from the beginning of the path if it looks like the end: beyond is anything.
    if (need_.branching && (now != arrival.atoms || kind == StepKind::Pruned || (kind == StepKind::Cut && changed)))
      return go_back_one(arrival, choice, origin);
    ++arrival.steps;
    if (need_.footprints) compose(), number_ = 0;
    arrival.atoms = now;
    arrival.kind = kind;
    if (kind != StepKind::Moved) return;
    arrival.successors_known = false;
  }
}

/// To the state before the step that was just made. Rare, so the path is walked again rather than its states kept.
void Walker::go_back_one(Arrival& arrival, uint32_t choice, std::span<const uint8_t> origin) {
  machine_.load(origin);
  for (uint32_t i = 0; i < arrival.steps; ++i) {
    StepKind kind = machine_.step(i == 0 ? choice : 0);
    assert(kind == StepKind::Moved);
    (void)kind;
    ++created_;
  }
}

}  // namespace whittle::explore
