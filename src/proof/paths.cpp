#include "proof/paths.h"

#include <algorithm>
#include <compare>
#include <map>
#include <unordered_set>

#include "base/hash.h"
#include "program/analysis/weak_order.h"
#include "proof/executor.h"
#include "proof/join.h"
#include "proof/questions.h"
#include "proof/states.h"

namespace whittle::proof {

using program::kNone;
using program::analysis::WeakOrder;
using verdict::Property;

namespace {

/// Of a loop in which a thread does nothing that others can notice: then they get a turn all the same.
constexpr uint32_t kMostRoundsAlone = 256;

/// States with equal places are joined; the least is taken first.
struct Place {
  std::vector<std::vector<uint32_t>> threads;  ///< how far each has come
  std::vector<uint64_t> rest;                  ///< functions, objects, who goes on
  auto operator<=>(const Place&) const = default;
};

class Paths {
 public:
  Paths(const program::Program& program, const verdict::Specification& specification, Limits& limits, StateSpace& found)
      : specification_(specification),
        executor_(program, specification, Followed::Paths),
        join_(program, executor_),
        limits_(limits),
        questions_(executor_.symbols(), limits),
        found_(found) {
    for (const program::Function& function : program.functions)
      if (function.locations.empty())
        orders_.emplace_back();
      else
        orders_.emplace_back(WeakOrder(function));
  }

  Outcome run(const std::function<void(const StateSpace&)>& progressed) {
    found_ = {};
    wait(executor_.start(), std::nullopt);
    while (!waiting_.empty() && fine()) {
      if (limits_.poll_now() != Stop::No) return {false, false, to_string(limits_.stopped()), outcome_.obligations};
      if (progressed) progressed(found_);
      const auto first = waiting_.extract(waiting_.begin());
      expand(first.mapped());
    }
    outcome_.valid = fine();
    return outcome_;
  }

 private:
  /// A state between steps, or in the middle of one of `running`: then no other thread can have a turn.
  struct Moment {
    State state;
    std::optional<uint32_t> running;
  };

  bool fine() const { return outcome_.reason.empty(); }
  void fail(std::string reason, bool decided) {
    if (!fine()) return;
    outcome_.reason = std::move(reason);
    outcome_.decided = decided;
  }

  // Places

  Place place_of(const State& state, std::optional<uint32_t> running) const {
    Place place;
    place.rest.push_back(running ? *running + 1 : 0);
    for (const Thread& thread : state.threads) {
      std::vector<uint32_t>& far = place.threads.emplace_back();
      place.rest.insert(place.rest.end(), {thread.alive, thread.depth, thread.phase, thread.frames.size()});
      if (thread.frames.empty()) far.push_back(UINT32_MAX);
      for (const Frame& frame : thread.frames) {
        const WeakOrder& order = *orders_[frame.function];
        for (const auto& [loop, times] : frame.rounds) far.insert(far.end(), {order.slot(order.loops()[loop].head), times});
        far.push_back(order.slot(frame.location));
        place.rest.insert(place.rest.end(), {frame.function, frame.location, frame.made});
      }
    }
    for (const auto& [address, o] : state.objects)
      place.rest.insert(place.rest.end(), {address, o.bytes.size(), static_cast<uint64_t>(o.kind), o.alive, o.shared, o.thread, o.frame, o.sequence, o.edge});
    return place;
  }

  /// In which loops, and in which round of each, the function on top of a thread stands now.
  void count_rounds(Thread& thread, bool arrived) const {
    if (thread.frames.empty()) return;
    Frame& frame = thread.frames.back();
    const WeakOrder& order = *orders_[frame.function];
    std::vector<std::pair<uint32_t, uint32_t>> rounds;
    for (uint32_t loop = order.innermost(frame.location); loop != kNone; loop = order.loops()[loop].parent) {
      auto before = std::ranges::find(frame.rounds, loop, &std::pair<uint32_t, uint32_t>::first);
      const bool again = arrived && order.loops()[loop].head == frame.location;
      rounds.emplace_back(loop, before == frame.rounds.end() ? 0 : before->second + again);
    }
    std::ranges::reverse(rounds);
    frame.rounds = std::move(rounds);
  }

  void wait(State state, std::optional<uint32_t> running) {
    const Place place = place_of(state, running);
    auto [there, fresh] = waiting_.try_emplace(place);
    there->second = {fresh ? std::move(state) : join_(std::move(there->second.state), state), running};
  }

  // Steps

  void expand(const Moment& moment) {
    const State& state = moment.state;
    if (!is_new(moment)) return;
    if (moment.running) {
      State next = state;
      const End end = executor_.go_on(next, *moment.running);
      return arrive(std::move(next), end);
    }
    bool alive = false, moved = false;
    for (uint32_t t = 0; t < state.threads.size() && fine(); ++t) {
      alive |= state.threads[t].alive;
      if (!executor_.can_step(state, t)) continue;
      moved = true;
      State next = state;
      const End end = executor_.step(next, t);
      arrive(std::move(next), end);
    }
    if (alive && !moved && specification_.has(Property::NoDeadlock)) fail("a deadlock is reached", !questions_.doubt());
  }

  /// Told apart by 128 bits of a hash. A state in the middle of a step is always followed.
  bool is_new(const Moment& moment) {
    executor_.write(moment.state, bytes_);
    auto put = [&](u128 value) {
      const auto* from = reinterpret_cast<const uint8_t*>(&value);
      bytes_.insert(bytes_.end(), from, from + sizeof value);
    };
    std::vector<std::pair<uint64_t, u128>> decided;
    for (const auto& [id, known] : moment.state.decided) decided.emplace_back(executor_.symbols().hash(known.first), known.second);
    std::ranges::sort(decided);
    for (const auto& [term, value] : decided) put(term), put(value);
    const uint64_t first = hash_bytes(bytes_, 1), second = hash_bytes(bytes_, 2);
    bytes_.clear();
    if (!moment.running && !seen_.insert(u128{first} << 64 | second).second) return false;
    ++found_.states;
    found_.digest += first;  // in whatever order
    return true;
  }

  void arrive(State state, const End& end) {
    ++outcome_.obligations;
    if (!fine()) return;
    switch (end.kind) {
      case End::Kind::Next: return settle(std::move(state), end);
      case End::Kind::Input:
      case End::Kind::Choice: return answer(state, end);
      case End::Kind::Over: return;
      case End::Kind::Violation: return fail("a violation is reached: " + end.what, !questions_.doubt());
      case End::Kind::Refused: return fail("not followed by the checker: " + end.what, false);
    }
  }

  void settle(State state, const End& end) {
    Thread& thread = state.threads[end.thread];
    count_rounds(thread, end.midway);
    if (!end.midway) return wait(std::move(state), std::nullopt);
    const auto& rounds = thread.frames.back().rounds;
    const bool turn = !rounds.empty() && rounds.back().second % kMostRoundsAlone == kMostRoundsAlone - 1;
    if (turn && thread.depth > 0) return fail("not followed by the checker: a long atomic region", false);
    wait(std::move(state), turn ? std::nullopt : std::optional(end.thread));
  }

  void answer(const State& state, const End& asked) {
    if (asked.questions > kMostQuestions) return fail("a statement that depends on too much", false);
    if (limits_.poll_now() != Stop::No) return fail(std::string(to_string(limits_.stopped())), false);
    std::string problem;
    const std::vector<u128> values = questions_.values(state, asked, problem);
    if (!problem.empty()) return fail(problem, false);
    for (u128 value : values) {
      State next = state;
      const End end = executor_.give(next, asked, value);
      arrive(std::move(next), end);
    }
  }

  struct Hash {
    size_t operator()(u128 value) const { return static_cast<size_t>(value); }
  };

  const verdict::Specification& specification_;
  Executor executor_;
  Join join_;
  Limits& limits_;
  Questions questions_;
  StateSpace& found_;
  Outcome outcome_;
  std::vector<std::optional<WeakOrder>> orders_;  ///< by function
  std::map<Place, Moment> waiting_;
  std::unordered_set<u128, Hash> seen_;
  std::vector<uint8_t> bytes_;
};

}  // namespace

Outcome check_paths(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                    StateSpace& states, const std::function<void(const StateSpace&)>& progressed) {
  if (std::string problem = not_looked_at(specification); !problem.empty()) return {false, false, problem};
  return Paths(program, specification, limits, states).run(progressed);
}

}  // namespace whittle::proof
