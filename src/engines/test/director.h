// Who decides during a run: which thread goes on, and what value an input has.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engines/test/random.h"
#include "exec/machine.h"

namespace whittle::engines::test {

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// One of `enabled` (ascending, not empty). `last` is the thread that ran last, `yields` whether it stands at a
  /// Yield.
  virtual uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool yields) = 0;
  /// There is nothing to choose: only this thread can go on.
  virtual void forced(uint32_t thread) { (void)thread; }
};

/// The last thread as long as it can go on, then the lowest one.
std::unique_ptr<Scheduler> run_to_block();
/// Each thread gets `quantum` visible operations in turn. Thread `held_back` runs only when no other can (UINT32_MAX:
/// none).
std::unique_ptr<Scheduler> round_robin(uint32_t quantum, uint32_t held_back);
/// The first `picks` choices run to block, the rest is up to `then`: main gets to start all its threads first.
std::unique_ptr<Scheduler> delayed(uint64_t picks, std::unique_ptr<Scheduler> then);
/// Goes on with the same thread, except that one step in `one_in` is given to a thread chosen uniformly.
std::unique_ptr<Scheduler> random_walk(uint64_t seed, uint64_t one_in);
/// Probabilistic concurrency testing (Burckhardt and others, 2010): random priorities, the highest enabled thread runs,
/// and at `depth` - 1 random moments among the first `steps` the running thread drops below all others. Finds a bug
/// that needs `depth` ordering constraints with probability at least 1 / (threads * steps^(depth-1)). A thread that has
/// run for very long, or yields, drops too: it may be spinning on something only others can change.
std::unique_ptr<Scheduler> pct(uint64_t seed, unsigned depth, uint64_t steps);

/// A piece of a schedule: `count` visible operations of one thread, or as many as it can do.
struct Segment {
  static constexpr uint64_t kAll = UINT64_MAX;
  uint32_t thread = 0;
  uint64_t count = 0;
  bool operator==(const Segment&) const = default;
};
std::vector<Segment> segments_of(const std::vector<uint32_t>& schedule);
/// Follows the segments, passing over what cannot run, then runs to block.
std::unique_ptr<Scheduler> guided(std::vector<Segment> segments);

class InputSource {
 public:
  virtual ~InputSource() = default;
  virtual u128 next(unsigned width) = 0;
};

/// The listed values, then zeros.
std::unique_ptr<InputSource> listed_inputs(std::vector<u128> values);

/// What is worth trying as an input.
struct Values {
  std::vector<u128> constants;                            ///< found in the program; taken as they are and off by one
  std::map<unsigned, std::vector<u128>> accepted;         ///< by width: those that assumptions let pass
};
enum class InputStyle : uint8_t { Zero, Small, Boundary, Random, Constants, Accepted, Mixed };
constexpr unsigned kInputStyles = 7;
/// `values` must outlive the source.
std::unique_ptr<InputSource> random_inputs(uint64_t seed, InputStyle style, const Values& values);
/// The inputs of a run with a few of them replaced by what `others` has, then what `others` has.
std::unique_ptr<InputSource> mutated_inputs(uint64_t seed, std::vector<u128> run, std::unique_ptr<InputSource> others);

/// Constants of the program's statements, without its runtime's; ascending, each once.
std::vector<u128> program_constants(const program::Program& program);

}  // namespace whittle::engines::test
