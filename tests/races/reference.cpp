// The definition: all interleavings of the operations under sequential consistency; on each, happens-before by vector
// clocks; a race is a pair of accesses to a common byte by two threads, one of them writing, not both atomic, neither
// before the other.
#include <algorithm>
#include <array>

#include "races/thread_language.h"

namespace whittle::test::races {
namespace {

using Kind = Operation::Kind;
constexpr size_t kThreads = 4;
using Clock = std::array<uint32_t, kThreads>;

void join(Clock& into, const Clock& other) {
  for (size_t i = 0; i < kThreads; ++i) into[i] = std::max(into[i], other[i]);
}

/// One step of a thread. Blocks are jumps.
struct Instruction {
  Kind kind = Kind::Read;
  int a = 0, b = 0;
  size_t otherwise = 0;  ///< where a condition that does not hold leads
  bool unlock = false, ends = false;
};

void flatten(const std::vector<Operation>& list, std::vector<Instruction>& code) {
  for (const Operation& o : list) {
    if (o.kind == Kind::Add) {
      code.push_back({Kind::Read, o.a, 0});
      code.push_back({Kind::Add, o.a, 0});  // writes what was read, plus one
      continue;
    }
    const size_t at = code.size();
    code.push_back({o.kind, o.a, o.b});
    flatten(o.block, code);
    if (o.kind == Kind::Locked || o.kind == Kind::IfLocked) code.push_back({o.kind, o.a, 0, 0, true});
    code[at].otherwise = code.size();
  }
}

struct Past {
  size_t thread = 0;
  uint32_t time = 0;  ///< of that thread
  int first = 0, last = 0;
  bool write = false, atomic = false;
};

struct State {
  std::array<uint8_t, 4 * Program::kVariables> memory{};
  std::array<Clock, Program::kVariables> published{};
  std::array<int, Program::kMutexes> holder{-1, -1};
  std::array<Clock, Program::kMutexes> unlocked{};
  std::array<int, Program::kSemaphores> count{};
  std::array<Clock, Program::kSemaphores> posted{};
  struct Thread {
    bool started = false, ended = false;
    size_t at = 0;
    Clock clock{};
    int value = 0;  ///< read last
  };
  std::array<Thread, kThreads> threads{};
  std::vector<Past> past;

  int get(int variable) const {
    uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | memory[static_cast<size_t>(4 * variable + i)];
    return static_cast<int>(value);
  }
  void set(int variable, int value) {
    for (int i = 0; i < 4; ++i)
      memory[static_cast<size_t>(4 * variable + i)] = static_cast<uint8_t>(static_cast<uint32_t>(value) >> (8 * i));
  }
};

class Interleavings {
 public:
  Interleavings(const Program& program, uint64_t most) : left_(most), main_returns_(program.main_returns) {
    for (const auto& thread : program.threads) {
      flatten(thread, code_.emplace_back());
      code_.back().push_back({Kind::Read, 0, 0, 0, false, true});
    }
  }

  Answer run() {
    State state;
    state.threads[0].started = true;
    state.threads[0].clock[0] = 1;
    bool race = explore(state);
    return race ? Answer::Race : left_ == 0 ? Answer::TooLarge : Answer::NoRace;
  }

 private:
  bool explore(const State& state) {
    for (size_t t = 0; t < code_.size(); ++t) {
      const State::Thread& thread = state.threads[t];
      if (!thread.started || thread.ended || !enabled(state, code_[t][thread.at])) continue;
      if (left_ == 0) return false;
      --left_;
      State next = state;
      bool halted = false;
      if (!step(next, t, halted)) return true;
      if (!halted && explore(next)) return true;
    }
    return false;
  }

  static bool enabled(const State& state, const Instruction& i) {
    const size_t a = static_cast<size_t>(i.a);
    if (i.ends || i.unlock) return true;
    if (i.kind == Kind::Locked || i.kind == Kind::Lock) return state.holder[a] < 0;
    if (i.kind == Kind::Wait) return state.count[a] > 0;
    if (i.kind == Kind::Join) return state.threads[a].ended;
    return true;
  }

  /// False: a race.
  static bool access(State& state, size_t t, int variable, int byte, int size, bool write, bool atomic) {
    const int first = 4 * variable + byte, last = first + size - 1;
    const Clock& now = state.threads[t].clock;
    for (const Past& p : state.past)
      if (p.thread != t && p.first <= last && first <= p.last && (p.write || write) && !(p.atomic && atomic) &&
          p.time > now[p.thread])
        return false;
    state.past.push_back({t, now[t], first, last, write, atomic});
    return true;
  }

  bool step(State& state, size_t t, bool& halted) {
    State::Thread& me = state.threads[t];
    const Instruction& i = code_[t][me.at];
    const size_t a = static_cast<size_t>(i.a);
    ++me.clock[t];
    size_t next = me.at + 1;
    if (i.ends) {
      me.ended = true;
      halted = t == 0 && main_returns_;
      return true;
    }
    auto acquire = [&] { join(me.clock, state.published[a]); };
    bool fine = true;
    switch (i.kind) {
      case Kind::Read:
        fine = access(state, t, i.a, 0, 4, false, false);
        me.value = state.get(i.a);
        break;
      case Kind::Write:
        fine = access(state, t, i.a, 0, 4, true, false);
        state.set(i.a, i.b);
        break;
      case Kind::Add:
        fine = access(state, t, i.a, 0, 4, true, false);
        state.set(i.a, me.value + 1);
        break;
      case Kind::WriteByte:
        fine = access(state, t, i.a, i.b, 1, true, false);
        state.memory[4 * a + static_cast<size_t>(i.b)] = 1;
        break;
      case Kind::IfPlain:
        fine = access(state, t, i.a, 0, 4, false, false);
        if (state.get(i.a) != i.b) next = i.otherwise;
        break;
      case Kind::AtomicRead:
        acquire();
        fine = access(state, t, i.a, 0, 4, false, true);
        break;
      case Kind::IfAtomic:
        acquire();
        fine = access(state, t, i.a, 0, 4, false, true);
        if (state.get(i.a) != i.b) next = i.otherwise;
        break;
      case Kind::AtomicWrite:
        fine = access(state, t, i.a, 0, 4, true, true);
        state.set(i.a, i.b);
        state.published[a] = me.clock;  // readers see this write, not the ones before
        break;
      case Kind::AtomicAdd:
        acquire();
        fine = access(state, t, i.a, 0, 4, true, true);
        state.set(i.a, state.get(i.a) + 1);
        state.published[a] = me.clock;
        break;
      case Kind::IfExchanged: {
        acquire();
        const bool equal = state.get(i.a) == i.b;
        fine = access(state, t, i.a, 0, 4, equal, true);
        if (equal) {
          state.set(i.a, 3);
          state.published[a] = me.clock;
        } else {
          next = i.otherwise;
        }
        break;
      }
      case Kind::Lock:
      case Kind::Locked:
      case Kind::IfLocked:
        if (i.unlock) {
          state.holder[a] = -1;
          state.unlocked[a] = me.clock;
        } else if (state.holder[a] >= 0) {
          next = i.otherwise;
        } else {
          state.holder[a] = static_cast<int>(t);
          join(me.clock, state.unlocked[a]);
        }
        break;
      case Kind::Post:
        ++state.count[a];
        join(state.posted[a], me.clock);
        break;
      case Kind::Wait:
        --state.count[a];
        join(me.clock, state.posted[a]);
        break;
      case Kind::Create:
        state.threads[a].started = true;
        join(state.threads[a].clock, me.clock);
        state.threads[a].clock[a] = 1;
        break;
      case Kind::Join: join(me.clock, state.threads[a].clock); break;
      case Kind::Detach: break;
    }
    me.at = next;
    return fine;
  }

  std::vector<std::vector<Instruction>> code_;
  uint64_t left_;
  bool main_returns_;
};

}  // namespace

Answer reference(const Program& program, uint64_t most) { return Interleavings(program, most).run(); }

}  // namespace whittle::test::races
