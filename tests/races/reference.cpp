// The definition: all interleavings of the operations, every read seeing the last write; on each, happens-before as
// C11 5.1.2.4 and 7.17.4 define it, from the events of the run; a race is a pair of accesses to a common byte by two
// threads, one of them writing, not both atomic, neither before the other.
//
// POSIX says that the functions of mutexes and semaphores "synchronize memory", and leaves open what a trylock does that
// fails. Where weaker orders than seq_cst are used, all calls for one object are ordered as they come, those that fail too.
// Elsewhere only an unlock and a lock after it, a post and a wait after it are: whether there is a race is the same.
#include <array>
#include <optional>

#include "races/thread_language.h"

namespace whittle::test::races {
namespace {

using Kind = Operation::Kind;
constexpr size_t kThreads = 4;

/// Numbers of events of a run.
using Events = unsigned __int128;
constexpr size_t kMostEvents = 128;
Events only(size_t event) { return Events{1} << event; }

bool acquires(int order) {
  return order == Operation::kConsume || order == Operation::kAcquire || order == Operation::kAcquireRelease ||
         order == Operation::kSequential;
}
bool releases(int order) {
  return order == Operation::kRelease || order == Operation::kAcquireRelease || order == Operation::kSequential;
}

/// One step of a thread. Blocks are jumps.
struct Instruction {
  Kind kind = Kind::Read;
  int a = 0, b = 0;
  int order = 0, failure = 0;
  size_t otherwise = 0;  ///< where a condition that does not hold leads
  bool unlock = false, ends = false;
  bool object = false;  ///< Give, Take: the access to the object, not that to the pointer
};

/// Variables of the program, then the pointer, then the objects that are given, by the operation that does it.
constexpr int kPointer = Program::kVariables, kFirstObject = kPointer + 1, kMostObjects = 24;

struct Flattener {
  int objects = 0;

  void operator()(const std::vector<Operation>& list, std::vector<Instruction>& code) {
    for (const Operation& o : list) {
      if (o.kind == Kind::Add) {
        code.push_back({Kind::Read, o.a, 0});
        code.push_back({Kind::Add, o.a, 0});  // writes what was read, plus one
        continue;
      }
      if (o.kind == Kind::Give) {
        const int object = kFirstObject + objects++;
        code.push_back({.kind = o.kind, .a = object, .object = true});
        code.push_back({.kind = o.kind, .a = kPointer, .b = object, .order = o.order});
        continue;
      }
      if (o.kind == Kind::Take) {
        code.push_back({.kind = o.kind, .a = kPointer, .order = o.order});
        code.push_back({.kind = o.kind, .b = o.b, .object = true});
        continue;
      }
      const size_t at = code.size();
      code.push_back({o.kind, o.a, o.b, o.order, o.failure});
      (*this)(o.block, code);
      if (o.kind == Kind::Locked || o.kind == Kind::IfLocked) code.push_back({.kind = o.kind, .a = o.a, .unlock = true});
      code[at].otherwise = code.size();
    }
  }
};

struct Past {
  size_t thread = 0, event = 0;
  int first = 0, last = 0;
  bool write = false, atomic = false;
};

/// An atomic write, in the modification order of its variable.
struct Modification {
  size_t thread = 0, event = 0;
  bool update = false, releases = false;
  Events fences = 0;  ///< release fences before it in its thread
};

struct State {
  std::array<uint8_t, 4 * Program::kVariables> memory{};
  int pointer = 0;  ///< the object it points to, 0: null
  std::array<std::vector<Modification>, kPointer + 1> modifications{};
  std::array<int, Program::kMutexes> holder{-1, -1};
  std::array<Events, Program::kMutexes> unlocked{};
  std::array<int, Program::kSemaphores> count{};
  std::array<Events, Program::kSemaphores> posted{};
  struct Thread {
    bool started = false, ended = false;
    size_t at = 0;
    Events done = 0;      ///< its last event and whatever is before it
    Events fences = 0;    ///< its release fences
    Events unfenced = 0;  ///< what its atomic reads saw: an acquire fence comes after it
    int value = 0;        ///< read last
  };
  std::array<Thread, kThreads> threads{};
  std::vector<Past> past;
  std::vector<Events> before;  ///< of each event: those that happen before it

  int get(int variable) const {
    uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | memory[static_cast<size_t>(4 * variable + i)];
    return static_cast<int>(value);
  }
  void set(int variable, int value) {
    for (int i = 0; i < 4; ++i)
      memory[static_cast<size_t>(4 * variable + i)] = static_cast<uint8_t>(static_cast<uint32_t>(value) >> (8 * i));
  }
  /// The event and whatever is before it.
  Events up_to(size_t event) const { return before[event] | only(event); }
  Events up_to_all(Events events) const {
    Events all = 0;
    for (size_t e = 0; e < before.size(); ++e)
      if (events & only(e)) all |= up_to(e);
    return all;
  }
};

/// What synchronises with an acquiring read of the last value: the heads of all release sequences that the write of the
/// value belongs to, or the fences before them.
Events sources(const State& state, int variable) {
  const std::vector<Modification>& order = state.modifications[static_cast<size_t>(variable)];
  Events found = 0;
  for (size_t head = 0; head < order.size(); ++head) {
    bool reaches = true;
    for (size_t i = head + 1; i < order.size(); ++i) reaches &= order[i].update || order[i].thread == order[head].thread;
    if (!reaches) continue;
    if (order[head].releases) found |= only(order[head].event);
    found |= order[head].fences;
  }
  return found;
}

class Interleavings {
 public:
  Interleavings(const Program& program, uint64_t most)
      : left_(most), main_returns_(program.main_returns), all_calls_(program.weak) {
    Flattener flatten;
    for (const auto& thread : program.threads) {
      flatten(thread, code_.emplace_back());
      code_.back().push_back({.ends = true});
    }
    size_t events = 0;
    for (const auto& code : code_) events += code.size();
    if (events >= kMostEvents || flatten.objects > kMostObjects) left_ = 0;
  }

  Answer run() {
    State state;
    state.threads[0].started = true;
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
    const Events before = state.threads[t].done;
    for (const Past& p : state.past)
      if (p.thread != t && p.first <= last && first <= p.last && (p.write || write) && !(p.atomic && atomic) &&
          !(before & only(p.event)))
        return false;
    state.past.push_back({t, state.before.size() - 1, first, last, write, atomic});
    return true;
  }

  /// The event of this step is an atomic read.
  static void saw(State& state, size_t t, int variable, int order) {
    State::Thread& me = state.threads[t];
    const Events from = sources(state, variable);
    if (acquires(order)) synchronise(state, t, from);
    me.unfenced |= from;
  }
  static void synchronise(State& state, size_t t, Events with) {
    state.before.back() |= state.up_to_all(with);
    state.threads[t].done |= state.before.back();
  }
  static void modifies(State& state, size_t t, int variable, int order, bool update) {
    state.modifications[static_cast<size_t>(variable)].push_back(
        {t, state.before.size() - 1, update, releases(order), state.threads[t].fences});
  }

  bool step(State& state, size_t t, bool& halted) {
    State::Thread& me = state.threads[t];
    const Instruction& i = code_[t][me.at];
    const size_t a = static_cast<size_t>(i.a);
    state.before.push_back(me.done);
    const size_t event = state.before.size() - 1;
    me.done |= only(event);
    size_t next = me.at + 1;
    if (i.ends) {
      me.ended = true;
      halted = t == 0 && main_returns_;
      return true;
    }
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
        saw(state, t, i.a, i.order);
        fine = access(state, t, i.a, 0, 4, false, true);
        break;
      case Kind::IfAtomic:
        saw(state, t, i.a, i.order);
        fine = access(state, t, i.a, 0, 4, false, true);
        if (state.get(i.a) != i.b) next = i.otherwise;
        break;
      case Kind::AtomicWrite:
        fine = access(state, t, i.a, 0, 4, true, true);
        state.set(i.a, i.b);
        modifies(state, t, i.a, i.order, false);
        break;
      case Kind::AtomicAdd:
        saw(state, t, i.a, i.order);
        fine = access(state, t, i.a, 0, 4, true, true);
        state.set(i.a, state.get(i.a) + 1);
        modifies(state, t, i.a, i.order, true);
        break;
      case Kind::IfExchanged: {
        const bool equal = state.get(i.a) == i.b;
        saw(state, t, i.a, equal ? i.order : i.failure);
        fine = access(state, t, i.a, 0, 4, equal, true);
        if (equal) {
          state.set(i.a, 3);
          modifies(state, t, i.a, i.order, true);
        } else {
          next = i.otherwise;
        }
        break;
      }
      case Kind::Fence:
        if (acquires(i.order)) synchronise(state, t, me.unfenced);
        if (releases(i.order)) me.fences |= only(event);
        break;
      case Kind::Give:
        fine = access(state, t, i.a, 0, 4, true, !i.object);
        if (i.object) break;
        state.pointer = i.b;
        modifies(state, t, kPointer, i.order, false);
        break;
      case Kind::Take:
        if (i.object) {
          fine = access(state, t, me.value, 0, 4, i.b != 0, false);
          break;
        }
        saw(state, t, kPointer, i.order);
        fine = access(state, t, kPointer, 0, 4, false, true);
        me.value = state.pointer;
        if (me.value == 0) ++next;
        break;
      case Kind::Lock:
      case Kind::Locked:
      case Kind::IfLocked:
        if (all_calls_ || (!i.unlock && state.holder[a] < 0)) synchronise(state, t, state.unlocked[a]);
        if (all_calls_ || i.unlock) state.unlocked[a] |= only(event);
        if (i.unlock)
          state.holder[a] = -1;
        else if (state.holder[a] >= 0)
          next = i.otherwise;
        else
          state.holder[a] = static_cast<int>(t);
        break;
      case Kind::Post:
        ++state.count[a];
        if (all_calls_) synchronise(state, t, state.posted[a]);
        state.posted[a] |= only(event);
        break;
      case Kind::Wait:
        --state.count[a];
        synchronise(state, t, state.posted[a]);
        if (all_calls_) state.posted[a] |= only(event);
        break;
      case Kind::Create:
        state.threads[a].started = true;
        state.threads[a].done = me.done;
        break;
      case Kind::Join: synchronise(state, t, state.threads[a].done); break;
      case Kind::Detach: break;
    }
    me.at = next;
    return fine;
  }

  std::vector<std::vector<Instruction>> code_;
  uint64_t left_;
  bool main_returns_;
  bool all_calls_;
};

}  // namespace

Answer reference(const Program& program, uint64_t most) { return Interleavings(program, most).run(); }

}  // namespace whittle::test::races
