// What every order of search shares: options, figures, limits, the predicate, and how a search stops.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <span>
#include <vector>

#include "explore/search.h"
#include "explore/ticks.h"
#include "explore/walker.h"

namespace whittle::explore {

/// Appends a reduced path: one choice, then steps that had no other.
inline void extend_path(std::vector<uint32_t>& path, uint32_t choice, uint32_t steps) {
  path.push_back(choice);
  path.resize(path.size() + steps - 1, 0);
}

class Run {
 public:
  /// `temporal`: the graph must be one that temporal formulas cannot tell from the full one.
  Run(machine::Machine& machine_, const Options& options_, Context& context_, const Predicate& bad, bool temporal)
      : machine(machine_), options(options_), context(context_), bad_(bad), temporal_(temporal) {}

  machine::Machine& machine;
  const Options& options;
  Context& context;
  Result result;
  Figures& figures = result.figures;
  uint64_t reduce_ticks = 0, dead_ticks = 0;

  bool watches() const { return temporal_ || bad_; }
  bool branching() const { return temporal_; }
  const Predicate& bad() const { return bad_; }
  bool reducing() const { return options.reduce != Reduce::None; }
  bool bad_atoms(uint64_t atoms) {
    if (!bad_) return false;
    if (atoms != last_atoms_ || !asked_) last_bad_ = bad_(last_atoms_ = atoms), asked_ = true;
    return last_bad_;
  }

  bool done() const { return done_; }
  void stop(Outcome outcome) {
    done_ = true;
    result.outcome = outcome;
  }
  void give_up(std::string reason) {
    stop(Outcome::Unknown);
    result.reason = std::move(reason);
  }
  void stop_for_memory() { give_up("memory limit reached"); }

  /// Call once per transition; true: stop.
  template <typename Store>
  bool poll(const Store& store, uint64_t depth, uint64_t frontier) {
    if (Stop reason = context.limits.poll(); reason != Stop::No) [[unlikely]]
      give_up(to_string(reason));
    if ((++polls_ & 255) != 0) return done_;
    depth_ = depth, frontier_ = frontier;
    if (store.size() >= options.max_states) give_up(fmt::format("limit of {} states reached", options.max_states));
    return done_;
  }

  /// What can be said of the search at any time.
  template <typename Store>
  void tell(const Store& store, Statistics& statistics) const {
    Figures now = figures;
    now.states_stored = store.size();
    now.store_bytes = store.bytes();
    now.seconds = rate_.elapsed();
    now.put(statistics);
    statistics.set("depth", depth_);
    statistics.set("frontier", frontier_);
  }

  /// The bytes with the ranges set to zero, in a buffer that lasts until the next call.
  std::span<const uint8_t> without(std::span<const uint8_t> bytes, const std::vector<machine::ByteRange>& ranges) {
    if (ranges.empty()) return bytes;
    buffer_.assign(bytes.begin(), bytes.end());
    for (machine::ByteRange range : ranges) std::fill_n(buffer_.begin() + range.begin, range.length, uint8_t{0});
    return buffer_;
  }
  /// Without what static analysis knows to be dead in the machine's current state.
  std::span<const uint8_t> without_dead(std::span<const uint8_t> bytes) {
    if (leaves_out_dead_) return bytes;
    uint64_t begin = ticks_now();
    machine.cells(mortal_, dead_);
    bytes = without(bytes, dead_);
    dead_ticks += ticks_now() - begin;
    return bytes;
  }

  /// Fills in what is common to all results. `lossy`: the store may have dropped states.
  template <typename Store>
  void conclude(const Store& store, bool lossy) {
    if (!done_) result.outcome = lossy ? Outcome::ProbablyHolds : Outcome::Holds;
    if (figures.cuts != 0 && (result.outcome == Outcome::Holds || result.outcome == Outcome::ProbablyHolds))
      give_up(fmt::format("{} paths were cut", figures.cuts));
    figures.states_stored = store.size();
    figures.store_bytes = store.bytes() + machine.shared_bytes();
    figures.peak_memory = context.limits.memory_use().peak();
    figures.seconds = rate_.elapsed();
    figures.cpu_seconds = static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
    figures.reduce_seconds = rate_.seconds(reduce_ticks);
    figures.dead_seconds = rate_.seconds(dead_ticks);
    context.progress.clear();
  }

 private:
  const Predicate bad_;
  const bool temporal_;
  const bool leaves_out_dead_ = machine.leaves_out_dead();
  bool done_ = false, asked_ = false, last_bad_ = false;
  uint64_t last_atoms_ = 0, polls_ = 0;
  uint64_t depth_ = 0, frontier_ = 0;  ///< when it was polled last
  TickRate rate_;
  const std::clock_t cpu_start_ = std::clock();
  std::vector<uint8_t> buffer_;
  std::vector<machine::ByteRange> mortal_, dead_;
};

}  // namespace whittle::explore
