#include "interleavings/reference.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace whittle::interleavings {
namespace {

// Error numbers of Linux.
constexpr int kNotOwner = 1, kBusy = 16, kDeadlock = 35;

/// A body without nesting: control goes to the next instruction, or to `target`.
struct Instruction {
  Statement statement;
  size_t target = 0;  ///< where to go if the condition of an If does not hold, or in any case
  bool jump = false;  ///< nothing else
};
using Code = std::vector<Instruction>;

void flatten(const Body& body, Code& code) {
  for (const Statement& s : body) {
    size_t at = code.size();
    code.push_back({{s.op, s.a, s.b, s.c, {}, {}}, 0, false});
    if (s.op != Op::If) continue;
    flatten(s.yes, code);
    size_t end = code.size();
    code.push_back({{Op::If}, 0, true});
    code[at].target = code.size();
    flatten(s.no, code);
    code[end].target = code.size();
  }
}

enum class Life : int8_t { Unborn, Running, Ended };
enum class Phase : int8_t { None, Waiting, Woken };  ///< inside of a wait for the condition

struct Thread {
  Life life = Life::Unborn;
  Phase phase = Phase::None;
  int8_t at = 0, part = 0;  ///< the instruction, and which of its steps
  int8_t local[kLocals] = {}, own[kMembers] = {}, held = 0;
};

/// Vector clocks: how far each thread had come, as known somewhere.
constexpr int kThreads = 4, kPlain = kShared + kStructs * kMembers;
struct Clock {
  int8_t of[kThreads] = {};
  void join(const Clock& other) {
    for (int i = 0; i < kThreads; ++i) of[i] = std::max(of[i], other.of[i]);
  }
};
struct Clocks {
  Clock thread[kThreads], mutex[kMutexes], semaphore, atomic[kAtomics];
  Clock written[kPlain], read[kPlain];  ///< when each thread did so last
};

struct State {
  int8_t shared[kShared] = {}, atomic[kAtomics] = {}, structure[kStructs][kMembers] = {};
  int8_t owner[kMutexes] = {}, count[kMutexes] = {};  ///< owner: thread + 1, 0: free
  int8_t semaphore = 0;
  Thread thread[kThreads];
  Clocks clocks;  ///< all zero if no one asks for races
};

class Explorer {
 public:
  Explorer(const Program& program, size_t most, bool races) : program_(program), most_(most), races_(races) {
    for (const Body& body : program.bodies) {
      codes_.emplace_back();
      flatten(body, codes_.back());
    }
  }

  Outcome run() {
    State start;
    start.semaphore = static_cast<int8_t>(program_.semaphore);
    start.thread[0].life = Life::Running;
    for (int i = 0; races_ && i < kThreads; ++i) start.clocks.thread[i].of[i] = 1;
    add(start);
    while (!open_.empty() && !outcome_.undefined && !outcome_.race) {
      if (seen_.size() > most_) {
        outcome_.complete = false;
        break;
      }
      State state = open_.back();
      open_.pop_back();
      bool moved = false, left = false;
      for (size_t t = 0; t < codes_.size(); ++t) {
        if (state.thread[t].life != Life::Running) continue;
        left = true;
        moved |= step(state, t);
      }
      if (left && !moved) outcome_.deadlock = true;
    }
    outcome_.states = seen_.size();
    return outcome_;
  }

 private:
  void add(const State& state) {
    std::string bytes(reinterpret_cast<const char*>(&state), sizeof state);
    if (seen_.insert(std::move(bytes)).second) open_.push_back(state);
  }

  static int value(const Thread& t, const Statement& s) { return (s.b < 0 ? 0 : t.local[s.b]) + s.c; }
  static void give(Thread& t, int local, int value) {
    if (local >= 0) t.local[local] = static_cast<int8_t>(value);
  }

  /// Adds what the thread can do next. False: it has to wait. Several steps of what no other thread sees are one.
  bool step(State state, size_t number) {
    Thread& t = state.thread[number];
    const Code& code = codes_[number];
    for (;;) {
      if (static_cast<size_t>(t.at) == code.size()) return end(state, number, number == 0);
      const Instruction& instruction = code[static_cast<size_t>(t.at)];
      const Statement& s = instruction.statement;
      if (instruction.jump) {
        t.at = static_cast<int8_t>(instruction.target);
        continue;
      }
      switch (s.op) {
        case Op::Set: give(t, s.a, value(t, s)); break;
        case Op::GetMember: give(t, s.a, t.own[s.b]); break;
        case Op::SetMember: t.own[s.a] = static_cast<int8_t>(value(t, s)); break;
        case Op::If:
          if (t.local[s.a] != s.c) {
            t.at = static_cast<int8_t>(instruction.target);
            continue;
          }
          break;
        case Op::Assert:
          if (t.local[s.a] == s.c) return outcome_.assertion = true;
          break;
        case Op::Return: return end(state, number, number == 0);
        case Op::Exit: return end(state, number, false);
        default: return visible(state, number, s);
      }
      ++t.at;
    }
  }

  bool end(State& state, size_t number, bool program) {
    if (program) return true;  // nothing comes after it
    state.thread[number] = {};
    state.thread[number].life = Life::Ended;
    add(state);
    return true;
  }

  // Happens-before

  void acquire(State& state, size_t number, const Clock& from) {
    if (races_) state.clocks.thread[number].join(from);
  }
  void release(State& state, size_t number, Clock& to) {
    if (!races_) return;
    to.join(state.clocks.thread[number]);
    ++state.clocks.thread[number].of[number];
  }
  static int plain(int shared) { return shared; }
  static int plain(int structure, int member) { return kShared + structure * kMembers + member; }
  void access(State& state, size_t number, int place, bool write) {
    if (!races_) return;
    Clocks& c = state.clocks;
    const Clock& now = c.thread[number];
    for (size_t other = 0; other < kThreads; ++other)
      if (other != number && (c.written[place].of[other] > now.of[other] ||
                              (write && c.read[place].of[other] > now.of[other])))
        outcome_.race = true;
    (write ? c.written : c.read)[place].of[number] = now.of[number];
  }

  bool visible(State& state, size_t number, const Statement& s) {
    Thread& t = state.thread[number];
    Clocks& c = state.clocks;
    const int8_t me = static_cast<int8_t>(number + 1);
    auto done = [&] {
      t.part = 0;
      ++t.at;
      add(state);
      return true;
    };
    auto part_done = [&](int parts) {
      if (++t.part == parts) return done();
      add(state);
      return true;
    };
    switch (s.op) {
      case Op::Load: access(state, number, plain(s.b), false), give(t, s.a, state.shared[s.b]); return done();
      case Op::Store: access(state, number, plain(s.a), true), state.shared[s.a] = static_cast<int8_t>(value(t, s)); return done();
      case Op::AtomicLoad: acquire(state, number, c.atomic[s.b]), give(t, s.a, state.atomic[s.b]); return done();
      case Op::AtomicStore: release(state, number, c.atomic[s.a]), state.atomic[s.a] = static_cast<int8_t>(value(t, s)); return done();
      case Op::AtomicAdd:
        give(t, s.a, state.atomic[s.b]);
        acquire(state, number, c.atomic[s.b]), release(state, number, c.atomic[s.b]);
        state.atomic[s.b] = static_cast<int8_t>(state.atomic[s.b] + s.c);
        return done();
      case Op::Exchange: {
        bool same = state.atomic[s.b] == s.c;
        acquire(state, number, c.atomic[s.b]);
        if (same) release(state, number, c.atomic[s.b]), state.atomic[s.b] = static_cast<int8_t>(s.c + 1);
        give(t, s.a, same);
        return done();
      }
      case Op::StoreMember: access(state, number, plain(s.a, s.b), true), state.structure[s.a][s.b] = static_cast<int8_t>(s.c); return done();
      case Op::LoadStruct: access(state, number, plain(s.b, t.part), false), t.own[t.part] = state.structure[s.b][t.part]; return part_done(kMembers);
      case Op::StoreStruct: access(state, number, plain(s.a, t.part), true), state.structure[s.a][t.part] = t.own[t.part]; return part_done(kMembers);
      case Op::CopyStruct:
        access(state, number, t.part % 2 == 0 ? plain(s.b, t.part / 2) : plain(s.a, t.part / 2), t.part % 2 != 0);
        if (t.part % 2 == 0)
          t.held = state.structure[s.b][t.part / 2];
        else
          state.structure[s.a][t.part / 2] = t.held, t.held = 0;
        return part_done(2 * kMembers);
      case Op::PassStruct:
        access(state, number, plain(s.b, t.part), false);
        t.held = static_cast<int8_t>(t.held + state.structure[s.b][t.part]);
        if (t.part + 1 == kMembers) give(t, s.a, t.held), t.held = 0;
        return part_done(kMembers);
      case Op::Lock: return lock(state, number, s, false) && done();
      case Op::TryLock: return lock(state, number, s, true) && done();
      case Op::Unlock: {
        if (state.owner[s.b] != me) {
          if (program_.mutex[s.b] == MutexKind::Normal) return outcome_.undefined = true;
          give(t, s.a, kNotOwner);
          return done();
        }
        unlock(state, number, s.b);
        give(t, s.a, 0);
        return done();
      }
      case Op::Wait:
        if (t.phase == Phase::None) {
          if (state.owner[s.b] != me || state.count[s.b] != 0) return outcome_.undefined = true;
          unlock(state, number, s.b);
          t.phase = Phase::Waiting;
          t.part = static_cast<int8_t>(s.b);  // all that wait must do so with the same mutex
          for (const Thread& other : state.thread)
            if (other.phase == Phase::Waiting && other.part != t.part) return outcome_.undefined = true;
          add(state);
          return true;
        }
        if (t.phase == Phase::Waiting || state.owner[s.b] != 0) return false;
        state.owner[s.b] = me;
        acquire(state, number, c.mutex[s.b]);
        t.phase = Phase::None;
        return done();
      case Op::Signal: {
        bool any = false;
        ++t.at;
        for (size_t i = 0; i < codes_.size(); ++i)
          if (state.thread[i].phase == Phase::Waiting) {
            any = true;
            State next = state;
            next.thread[i].phase = Phase::Woken;
            next.thread[i].part = 0;
            add(next);
          }
        if (!any) add(state);
        return true;
      }
      case Op::Broadcast:
        for (Thread& other : state.thread)
          if (other.phase == Phase::Waiting) other.phase = Phase::Woken, other.part = 0;
        return done();
      case Op::SemWait:
        if (state.semaphore == 0) return false;
        --state.semaphore;
        acquire(state, number, c.semaphore);
        return done();
      case Op::SemTryWait:
        give(t, s.a, state.semaphore == 0 ? -1 : 0);
        if (state.semaphore != 0) --state.semaphore, acquire(state, number, c.semaphore);
        return done();
      case Op::SemPost: release(state, number, c.semaphore), ++state.semaphore; return done();
      case Op::Create: release(state, number, c.thread[s.a]), state.thread[s.a].life = Life::Running; return done();
      case Op::Join:
        if (state.thread[s.a].life != Life::Ended) return false;
        acquire(state, number, c.thread[s.a]);
        return done();
      case Op::Detach: return done();
      default: return false;
    }
  }

  bool lock(State& state, size_t number, const Statement& s, bool only_try) {
    const int8_t me = static_cast<int8_t>(number + 1);
    Thread& t = state.thread[number];
    if (state.owner[s.b] == 0) {
      state.owner[s.b] = me;
      acquire(state, number, state.clocks.mutex[s.b]);
      give(t, s.a, 0);
    } else if (state.owner[s.b] == me && program_.mutex[s.b] == MutexKind::Recursive) {
      ++state.count[s.b];
      give(t, s.a, 0);
    } else if (only_try) {
      give(t, s.a, kBusy);
    } else if (state.owner[s.b] == me && program_.mutex[s.b] == MutexKind::ErrorCheck) {
      give(t, s.a, kDeadlock);
    } else {
      return false;
    }
    return true;
  }
  void unlock(State& state, size_t number, int mutex) {
    if (state.count[mutex] > 0) {
      --state.count[mutex];
    } else {
      state.owner[mutex] = 0;
      release(state, number, state.clocks.mutex[mutex]);
    }
  }

  const Program& program_;
  const size_t most_;
  const bool races_;
  std::vector<Code> codes_;
  std::vector<State> open_;
  std::unordered_set<std::string> seen_;
  Outcome outcome_;
};

}  // namespace

Outcome explore(const Program& program, size_t most_states, Races races) {
  return Explorer(program, most_states, races == Races::LookedFor).run();
}

}  // namespace whittle::interleavings
