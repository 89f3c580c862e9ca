#include "proof/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "proof/executor.h"
#include "proof/questions.h"

namespace whittle::proof {

using verdict::Property;

namespace {

class Space {
 public:
  Space(const program::Program& program, const verdict::Specification& specification, Limits& limits, StateSpace& found)
      : executor_(program, specification), specification_(specification), limits_(limits), questions_(executor_.symbols(), limits), found_(found) {}

  Outcome run(const std::function<void(const StateSpace&)>& progressed) {
    found_ = {};
    visit({executor_.start(), std::nullopt});
    while (!open_.empty() && fine()) {
      if (limits_.poll_now() != Stop::No) return {false, false, to_string(limits_.stopped()), steps_};
      if (progressed) progressed(found_);
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
  /// A state between steps, or one in which a thread waits for an input or for the value of a term.
  struct Moment {
    State state;
    std::optional<End> asked;
  };

  bool fine() const { return outcome_.reason.empty(); }

  using Decided = std::vector<u128>;  ///< hashes, sorted

  /// States are told apart by 128 bits of a hash. What is decided of inputs makes a state a part of the one without.
  /// Where a question was answered and nothing done since, the state asked about does not cover what follows.
  void visit(Moment moment, bool answered = false) {
    executor_.write(moment.state, bytes_);
    if (moment.asked) {
      bytes_.push_back(moment.asked->token);
      bytes_.push_back(static_cast<uint8_t>(moment.asked->thread));
      if (moment.asked->term) put(executor_.symbols().hash(moment.asked->term));
    }
    const uint64_t first = hash_bytes(bytes_, 1), second = hash_bytes(bytes_, 2);
    bytes_.clear();
    Decided decided;
    for (const auto& [id, known] : moment.state.decided)
      decided.push_back(u128{executor_.symbols().hash(known.first)} << 64 | hash_combine(static_cast<uint64_t>(known.second), static_cast<uint64_t>(known.second >> 64)));
    std::ranges::sort(decided);
    const u128 key = u128{first} << 64 | second;
    if (!answered && covered(key, decided)) return;
    if (decided.empty())
      seen_.insert(key);
    else
      parts_[key].push_back(decided);
    for (u128 known : decided) put(known);
    ++found_.states;
    found_.digest += first ^ hash_bytes(bytes_, 3);  // in whatever order
    open_.push_back(std::move(moment));
  }

  bool covered(u128 key, const Decided& decided) const {
    if (seen_.contains(key)) return true;
    auto parts = parts_.find(key);
    return parts != parts_.end() &&
           std::ranges::any_of(parts->second, [&](const Decided& part) { return std::ranges::includes(decided, part); });
  }

  void put(const auto& value) {
    const auto* from = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
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
    if (alive && !moved && specification_.has(Property::NoDeadlock)) fail("a deadlock is reached", !questions_.doubt());
  }

  void arrive(State state, const End& end) {
    ++steps_;
    switch (end.kind) {
      case End::Kind::Next: return visit({std::move(state), std::nullopt}, end.questions > 0);
      case End::Kind::Input: return visit({std::move(state), end});
      case End::Kind::Choice:
        if (end.questions > kMostQuestions) return fail("a statement that depends on too much", false);
        return visit({std::move(state), end}, end.questions > 0);
      case End::Kind::Over: return;
      case End::Kind::Violation: return fail("a violation is reached: " + end.what, !questions_.doubt());
      case End::Kind::Refused: return fail("not followed by the checker: " + end.what, false);
    }
  }

  void answer(const State& state, const End& asked) {
    std::string problem;
    const std::vector<u128> values = questions_.values(state, asked, problem);
    if (!problem.empty()) fail(problem, false);
    for (u128 value : values) {
      if (!fine()) return;
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
  Questions questions_;
  StateSpace& found_;
  Outcome outcome_;
  uint64_t steps_ = 0;
  std::vector<Moment> open_;
  std::unordered_set<u128, Hash> seen_;
  std::unordered_map<u128, std::vector<Decided>, Hash> parts_;
  std::vector<uint8_t> bytes_;
};

}  // namespace

void compare(const StateSpace& found, const StateSpace& claimed, Outcome& outcome) {
  if (outcome.valid && found != claimed)
    outcome = {false, true, fmt::format("the program has {} states, not {}, or other ones", found.states, claimed.states), outcome.obligations};
}

std::string not_looked_at(const verdict::Specification& specification) {
  for (Property property : {Property::NoDataRace, Property::ValidMemtrack, Property::Termination, Property::Ctl})
    if (specification.has(property)) return fmt::format("{} is not looked at in proofs by states", verdict::name(property));
  return "";
}

Outcome check_states(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                     StateSpace& states, const std::function<void(const StateSpace&)>& progressed) {
  if (std::string problem = not_looked_at(specification); !problem.empty()) return {false, false, problem};
  return Space(program, specification, limits, states).run(progressed);
}

}  // namespace whittle::proof
