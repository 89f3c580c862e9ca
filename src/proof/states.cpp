#include "proof/states.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/hash.h"
#include "proof/executor.h"

namespace whittle::proof {

using verdict::Property;

namespace {

constexpr unsigned kWidestInput = 8;  ///< bits: all values are tried

class Space {
 public:
  Space(const program::Program& program, const verdict::Specification& specification, Limits& limits, StateSpace& found)
      : executor_(program, specification), specification_(specification), limits_(limits), found_(found) {}

  Outcome run() {
    found_ = {};
    visit({executor_.start(), std::nullopt});
    while (!open_.empty() && fine()) {
      if (limits_.poll_now() != Stop::No) return {false, false, to_string(limits_.stopped()), steps_};
      const Moment moment = std::move(open_.back());
      open_.pop_back();
      if (moment.asked)
        answer(moment.state, *moment.asked);
      else
        expand(moment.state);
    }
    outcome_.valid = fine();
    outcome_.obligations = steps_;
    return outcome_;
  }

 private:
  /// A state between steps, or one in which a thread waits for an input.
  struct Moment {
    State state;
    std::optional<End> asked;
  };

  bool fine() const { return outcome_.reason.empty(); }

  /// States are told apart by 128 bits of a hash.
  void visit(Moment moment) {
    executor_.write(moment.state, bytes_);
    if (moment.asked) {
      bytes_.push_back(moment.asked->token);
      bytes_.push_back(static_cast<uint8_t>(moment.asked->thread));
    }
    const uint64_t first = hash_bytes(bytes_, 1), second = hash_bytes(bytes_, 2);
    if (!seen_.insert(u128{first} << 64 | second).second) return;
    ++found_.states;
    found_.digest += first;  // in whatever order
    open_.push_back(std::move(moment));
  }

  void expand(const State& state) {
    bool alive = false, moved = false;
    for (uint32_t t = 0; t < state.threads.size() && fine(); ++t) {
      alive |= state.threads[t].alive;
      if (!executor_.can_step(state, t)) continue;
      moved = true;
      State next = state;
      End end = executor_.step(next, t);
      arrive(std::move(next), end);
    }
    if (alive && !moved && specification_.has(Property::NoDeadlock)) fail("a deadlock is reached", true);
  }

  void arrive(State state, const End& end) {
    ++steps_;
    switch (end.kind) {
      case End::Kind::Next: return visit({std::move(state), std::nullopt});
      case End::Kind::Input: return visit({std::move(state), end});
      case End::Kind::Over: return;
      case End::Kind::Violation: return fail("a violation is reached: " + end.what, true);
      case End::Kind::Refused: return fail("not followed by the checker: " + end.what, false);
    }
  }

  void answer(const State& state, const End& asked) {
    if (asked.width > kWidestInput)
      return fail(fmt::format("the program asks for {} bits ({}): too many values to try", asked.width, asked.what), false);
    for (uint32_t value = 0; value < uint32_t{1} << asked.width && fine(); ++value) {
      State next = state;
      End end = executor_.give(next, asked, value);
      arrive(std::move(next), end);
    }
  }

  void fail(std::string reason, bool decided) {
    if (!fine()) return;
    outcome_.reason = std::move(reason);
    outcome_.decided = decided;
  }

  struct Hash {
    size_t operator()(u128 value) const { return static_cast<size_t>(value); }
  };

  Executor executor_;
  const verdict::Specification& specification_;
  Limits& limits_;
  StateSpace& found_;
  Outcome outcome_;
  uint64_t steps_ = 0;
  std::vector<Moment> open_;
  std::unordered_set<u128, Hash> seen_;
  std::vector<uint8_t> bytes_;
};

}  // namespace

Outcome check_states(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                     StateSpace& states) {
  for (Property property : {Property::NoDataRace, Property::ValidMemtrack, Property::Termination, Property::Ctl})
    if (specification.has(property))
      return {false, false, fmt::format("{} is not looked at in proofs by states", verdict::name(property))};
  return Space(program, specification, limits, states).run();
}

}  // namespace whittle::proof
