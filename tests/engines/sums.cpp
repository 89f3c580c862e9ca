#include "engines/sums.h"

#include <fmt/format.h>

#include <random>
#include <set>

namespace whittle::test {

namespace {

using Kind = Sums::Kind;

/// Of all threads: the step it stands before, which access of it, its round, what it has read, what it kept.
struct State {
  std::vector<int> shared;
  int lock = -1;
  struct Thread {
    size_t step = 0;
    int part = 0, round = 0, first = 0, second = 0, kept = 0;
    auto operator<=>(const Thread&) const = default;
  };
  std::vector<Thread> threads;
  auto operator<=>(const State&) const = default;
};

class Reference {
 public:
  explicit Reference(const Sums& program) : program_(program) {}

  bool fails() {
    State start;
    start.shared = program_.initial;
    start.threads.resize(program_.threads.size());
    std::vector<State> work{start};
    std::set<State> seen{start};
    while (!work.empty()) {
      const State now = work.back();
      work.pop_back();
      bool over = true;
      for (size_t t = 0; t < now.threads.size(); ++t) {
        over &= ended(now, t);
        State next = now;
        if (ended(now, t) || !step(next, t)) continue;
        if (failed_) return true;
        if (seen.insert(next).second) work.push_back(next);
      }
      if (over && program_.final_fails(now.shared[0])) return true;
    }
    return false;
  }

 private:
  bool ended(const State& s, size_t t) const { return s.threads[t].round == program_.threads[t].rounds; }

  void advance(State& s, size_t t, size_t by) const {
    State::Thread& thread = s.threads[t];
    thread.part = thread.first = thread.second = 0;
    thread.step += by;
    if (thread.step < program_.threads[t].steps.size()) return;
    thread.step = 0;
    ++thread.round;
  }

  /// One access; false: the thread cannot go on.
  bool step(State& s, size_t t) {
    State::Thread& thread = s.threads[t];
    const Sums::Step& step = program_.threads[t].steps[thread.step];
    switch (step.kind) {
      case Kind::Add:
      case Kind::Subtract:
        if (thread.part == 0) return thread.first = s.shared[step.a], ++thread.part, true;
        if (thread.part == 1) return thread.second = s.shared[step.b], ++thread.part, true;
        s.shared[step.a] = thread.first + (step.kind == Kind::Add ? thread.second : -thread.second) + step.constant;
        break;
      case Kind::AtomicAdd:
        if (thread.part == 0) return thread.second = s.shared[step.b], ++thread.part, true;
        s.shared[step.a] += thread.second + step.constant;
        break;
      case Kind::Set: s.shared[step.a] = step.constant; break;
      case Kind::Above: return advance(s, t, s.shared[step.a] > step.constant ? 1 : 2), true;
      case Kind::Assert: failed_ |= s.shared[step.a] > step.constant; break;
      case Kind::AssertOfKept:
        failed_ |= thread.kept > step.constant;
        thread.kept = s.shared[step.a];
        break;
      case Kind::Assume:
        if (s.shared[step.a] > step.constant) return false;
        break;
      case Kind::Lock:
        if (s.lock >= 0) return false;
        s.lock = static_cast<int>(t);
        break;
      case Kind::Unlock: s.lock = -1; break;
    }
    advance(s, t, 1);
    return true;
  }

  const Sums& program_;
  bool failed_ = false;
};

}  // namespace

bool Sums::final_fails(int value) const {
  return least == 0 ? value > bound : static_cast<unsigned>(value - least) > static_cast<unsigned>(bound);
}

bool Sums::fails() const { return Reference(*this).fails(); }

std::string Sums::text() const {
  std::string out;
  auto name = [&](int v) { return fmt::format("v{}_{}", v, seed); };
  for (size_t v = 0; v < initial.size(); ++v) out += fmt::format("static int {} = {};\n", name(static_cast<int>(v)), initial[v]);
  out += fmt::format("static pthread_mutex_t m_{} = PTHREAD_MUTEX_INITIALIZER;\n", seed);
  for (size_t t = 0; t < threads.size(); ++t) {
    out += fmt::format("static void *t{}_{}(void *p) {{\n  int kept = 0;\n  for (int i = 0; i < {}; i++) {{\n", t, seed, threads[t].rounds);
    for (const Step& s : threads[t].steps) {
      const std::string a = name(s.a), b = name(s.b);
      switch (s.kind) {
        case Kind::Add: out += fmt::format("{{ int x = {0}; int y = {1}; {0} = x + y + {2}; }}\n", a, b, s.constant); break;
        case Kind::AtomicAdd: out += fmt::format("{{ int y = {1}; __atomic_fetch_add(&{0}, y + {2}, __ATOMIC_SEQ_CST); }}\n", a, b, s.constant); break;
        case Kind::Subtract: out += fmt::format("{{ int x = {0}; int y = {1}; {0} = x - y + {2}; }}\n", a, b, s.constant); break;
        case Kind::Set: out += fmt::format("{} = {};\n", a, s.constant); break;
        case Kind::Above: out += fmt::format("if ({} > {})\n", a, s.constant); break;
        case Kind::Assert: out += fmt::format("assert({} <= {});\n", a, s.constant); break;
        case Kind::AssertOfKept: out += fmt::format("{{ assert(kept <= {}); kept = {}; }}\n", s.constant, a); break;
        case Kind::Assume: out += fmt::format("__VERIFIER_assume({} <= {});\n", a, s.constant); break;
        case Kind::Lock: out += fmt::format("pthread_mutex_lock(&m_{});\n", seed); break;
        case Kind::Unlock: out += fmt::format("pthread_mutex_unlock(&m_{});\n", seed); break;
      }
    }
    out += "  }\n  return p;\n}\n";
  }
  out += fmt::format("int main_{}(void) {{\n  pthread_t t[{}];\n", seed, threads.size());
  for (size_t t = 0; t < threads.size(); ++t) out += fmt::format("  pthread_create(&t[{0}], 0, t{0}_{1}, 0);\n", t, seed);
  for (size_t t = 0; t < threads.size(); ++t) out += fmt::format("  pthread_join(t[{}], 0);\n", t);
  const std::string above = least == 0 ? name(0) : fmt::format("(unsigned){} - {}u", name(0), least);
  return out + fmt::format("  assert({} <= {});\n  return 0;\n}}\n", above, bound);
}

Sums random_sums(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  Sums made;
  made.seed = seed;
  for (int v = 0; v < 2 + below(2); ++v) made.initial.push_back(below(3));
  const auto variables = static_cast<int>(made.initial.size());
  const bool pure = below(3) != 0;  // nothing but sums and bounds
  for (int t = 0; t < 2 + (below(4) == 0 ? 1 : 0); ++t) {
    Sums::Thread thread;
    thread.rounds = 1 + below(3);
    const bool locks = below(3) == 0;
    if (locks) thread.steps.push_back({Kind::Lock});
    for (int s = 0; s < 1 + below(2); ++s) {
      Sums::Step step{Kind::Add, below(variables), below(variables), below(2)};
      const int kind = below(10);
      if (kind == 0) step = {Kind::Assert, below(variables), 0, 2 + below(20)};
      if (kind == 1) step = {Kind::AssertOfKept, below(variables), 0, 2 + below(20)};
      if (kind == 6 || kind == 7) step.kind = Kind::AtomicAdd;
      if (!pure && kind == 2) step.kind = Kind::Subtract;
      if (!pure && kind == 3) step = {Kind::Set, below(variables), 0, below(4) - 1};
      if (!pure && kind == 4) step = {Kind::Assume, below(variables), 0, 1 + below(12)};
      if (!pure && kind == 5) {
        thread.steps.push_back({Kind::Above, below(variables), 0, below(8)});
        step = {Kind::Add, below(variables), below(variables), below(3) - 1};
      }
      thread.steps.push_back(step);
    }
    if (locks) thread.steps.push_back({Kind::Unlock});
    made.threads.push_back(std::move(thread));
  }
  made.bound = 3 + below(3) * below(16);
  if (below(3) == 0) made.least = 1 + below(5);
  return made;
}

}  // namespace whittle::test
