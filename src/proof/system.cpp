#include "proof/system.h"

#include <unordered_set>
#include <vector>

#include "base/hash.h"

namespace whittle::proof {

using machine::Ending;
using machine::StepKind;

namespace {

/// Of states with one way on, so many are passed in a row; then one is kept, so that no circle goes unnoticed.
constexpr uint32_t kPassed = 1000;

class Walk {
 public:
  Walk(machine::Machine& machine, const std::function<bool(uint64_t)>& bad, Limits& limits, StateSpace& found)
      : machine_(machine), bad_(bad), limits_(limits), found_(found) {}

  Outcome run(const std::function<void(const StateSpace&)>& progressed) {
    found_ = {};
    machine_.trace_footprints(false);
    machine_.reset();
    if (is_fine_here()) keep();
    while (!open_.empty() && fine()) {
      if (progressed) progressed(found_);
      const State state = std::move(open_.back());
      open_.pop_back();
      machine_.load(state);
      const uint32_t choices = machine_.successors().count;
      for (uint32_t choice = 0; choice < choices && fine(); ++choice) {
        machine_.load(state);
        follow(choice);
      }
    }
    outcome_.valid = fine();
    return outcome_;
  }

 private:
  using State = std::vector<uint8_t>;

  bool fine() const { return outcome_.reason.empty(); }
  void fail(std::string reason, bool decided) {
    outcome_.reason = std::move(reason);
    outcome_.decided = decided;
  }

  /// Makes the choice, and goes on to a state with several choices, or with none.
  void follow(uint32_t choice) {
    for (uint32_t passed = 0;; ++passed, choice = 0) {
      if (limits_.poll() != Stop::No) return fail(to_string(limits_.stopped()), false);
      ++outcome_.obligations;
      switch (machine_.step(choice)) {
        case StepKind::Moved: break;
        case StepKind::Pruned: return;
        case StepKind::Violation: return fail("a violation is reached", true);
        case StepKind::Cut: return fail("something is met that is not modelled, or a limit of the chip's model", false);
      }
      if (!is_fine_here()) return;
      if (machine_.successors().count != 1 || passed == kPassed) return keep();
    }
  }

  bool is_fine_here() {
    if (machine_.successors().ending == Ending::Cut) fail("something is met that is not modelled, or a limit of the chip's model", false);
    if (fine() && bad_(machine_.observe())) fail("a state is reached in which the formula does not hold", true);
    return fine();
  }

  /// States are told apart by 128 bits of a hash.
  void keep() {
    const std::span<const uint8_t> bytes = machine_.save();
    const uint64_t first = hash_bytes(bytes, 1);
    if (!seen_.insert(u128{first} << 64 | hash_bytes(bytes, 2)).second) return;
    ++found_.states;
    found_.digest += first ^ hash_bytes(bytes, 3);  // in whatever order
    open_.emplace_back(bytes.begin(), bytes.end());
  }

  struct Hash {
    size_t operator()(u128 value) const { return static_cast<size_t>(value); }
  };

  machine::Machine& machine_;
  const std::function<bool(uint64_t)>& bad_;
  Limits& limits_;
  StateSpace& found_;
  Outcome outcome_;
  std::vector<State> open_;
  std::unordered_set<u128, Hash> seen_;
};

}  // namespace

Outcome check_system(machine::Machine& machine, const std::function<bool(uint64_t)>& bad, Limits& limits, StateSpace& states,
                     const std::function<void(const StateSpace&)>& progressed) {
  return Walk(machine, bad, limits, states).run(progressed);
}

}  // namespace whittle::proof
