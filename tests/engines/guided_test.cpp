// guided on random threaded programs: every combination of its reductions must answer as the plain search does, and
// where inputs are small enough as the explicit engine, which knows neither terms nor solvers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "cluster/forked_group.h"
#include "engines/buffer_programs.h"
#include "engines/explicit/explicit_engine.h"
#include "engines/guided/guided_engine.h"
#include "engines/programs.h"

namespace whittle::engines::guided {
namespace {

using verdict::Answer;
using verdict::Property;
using verdict::Specification;

struct Combination {
  bool dpor, summaries, slicing;
};

std::string show(const Combination& c) {
  return std::string(c.dpor ? "" : " --no-dpor") + (c.summaries ? "" : " --no-summaries") +
         (c.slicing ? "" : " --no-slicing");
}

template <typename Engine>
verdict::Verdict run(const program::Program& program, const Specification& specification, const Settings& settings) {
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  return Engine().run(program, specification, settings, context);
}

verdict::Verdict check(const program::Program& program, const Specification& specification, const Combination& c,
                       uint64_t steps) {
  Settings settings;
  if (!c.dpor) settings.set("no-dpor", "");
  if (!c.summaries) settings.set("no-summaries", "");
  if (!c.slicing) settings.set("no-slicing", "");
  settings.set("guided-steps", std::to_string(steps));
  settings.set("guided-rounds", "5");
  return run<GuidedEngine>(program, specification, settings);
}

/// By several processes, which share all but the first steps: forks of the search, or processes that were started together.
enum class Others : uint8_t { Forks, Group };
verdict::Verdict check_shared(const program::Program& program, const Specification& specification, unsigned processes,
                              uint64_t steps, const std::string& rounds, bool summaries, Others others) {
  Settings settings;
  if (!summaries) settings.set("no-summaries", "");
  settings.set("guided-alone", "1");
  settings.set("guided-split", processes % 2 == 0 ? "2" : "6");
  settings.set("guided-steps", std::to_string(steps));
  settings.set("guided-rounds", rounds);
  if (others == Others::Forks) {
    settings.cores = processes;
    return run<GuidedEngine>(program, specification, settings);
  }
  Limits limits;
  cluster::ForkedGroup workers(processes, limits, [&](cluster::Group& group, Limits& own) {
    settings.group = &group;
    Statistics statistics;
    Progress progress(false);
    Context context{own, statistics, progress};
    GuidedEngine().run(program, specification, settings, context);
  });
  settings.group = &workers.here();
  return run<GuidedEngine>(program, specification, settings);
}

Specification specification_for(uint64_t seed) {
  Specification specification = verdict::default_specification();
  if (seed % 3 == 1) specification.properties.erase(Property::NoDeadlock);
  if (seed % 3 == 2) specification.properties.erase(Property::UnreachCall);
  if (seed % 10 == 9) specification.properties.insert(Property::NoDataRace);
  if (seed % 4 == 3) specification.properties = {Property::UnreachCall};  // most of the program may be sliced away
  return specification;
}

uint64_t runs_of(const verdict::Verdict& verdict) {
  return verdict.statistics.count("runs_full") + verdict.statistics.count("runs_partial");
}

/// To look further than the usual programs do.
unsigned number(const char* variable, unsigned usual) {
  const char* text = std::getenv(variable);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : usual;
}

struct Counts {
  int shared = 0;
  int programs = 0, large = 0, wrong = 0, deadlocks = 0, compared = 0;
  uint64_t runs[8] = {};
};

void compare(const program::Program& program, uint64_t seed, const std::string& text, bool wide, Counts& counts) {
  Specification specification = specification_for(seed);
  verdict::Verdict plain = check(program, specification, {false, false, false}, 4'000);
  ++counts.programs;
  if (plain.answer == Answer::Unknown) {
    ASSERT_NE(plain.reason.find("limit of steps"), std::string::npos) << "seed " << seed << ": " << plain.reason;
    ++counts.large;
  } else {
    counts.wrong += plain.answer == Answer::False;
    counts.deadlocks += plain.violation && plain.violation->property == Property::NoDeadlock;
  }
  if (!wide) {
    Settings settings;
    Answer answer = run<explicit_::ExplicitEngine>(program, specification, settings).answer;
    ASSERT_NE(answer, Answer::Unknown) << "seed " << seed;
    if (plain.answer == Answer::Unknown) plain.answer = answer;
    ASSERT_EQ(plain.answer, answer) << "seed " << seed << ": the plain search is wrong\n" << text;
    ++counts.compared;
  }
  if (seed % 3 == 0) {
    const unsigned processes = 2 + seed / 3 % 3;
    const Others others = seed / 3 % 2 == 0 ? Others::Forks : Others::Group;
    verdict::Verdict shared = check_shared(program, specification, processes, 4'000, "5", seed % 2 == 0, others);
    if (shared.answer != Answer::Unknown) {
      if (plain.answer == Answer::Unknown) plain.answer = shared.answer;
      ASSERT_EQ(shared.answer, plain.answer) << "seed " << seed << ": " << processes << " processes\n" << text;
      ++counts.shared;
    }
  }
  for (unsigned i = 1; i < 8; ++i) {
    Combination c{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0};
    verdict::Verdict reduced = check(program, specification, c, 4'000);
    if (reduced.answer == Answer::Unknown) {
      ASSERT_NE(reduced.reason.find("limit of steps"), std::string::npos) << "seed " << seed << ": " << reduced.reason;
      continue;
    }
    if (plain.answer == Answer::Unknown) plain.answer = reduced.answer;
    ASSERT_EQ(reduced.answer, plain.answer) << "seed " << seed << show(c) << "\n" << text;
    counts.runs[i] += runs_of(reduced);
  }
}

// What must not go wrong when the reductions are used together. Each of these has a wrong answer waiting for whoever
// leaves out the remedy named.

verdict::Verdict check_text(const std::string& text, const std::string& rounds = "1") {
  program::Program program =
      test::load_text("#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\n" + text);
  Specification specification;
  specification.properties = {Property::UnreachCall};
  Settings settings;
  settings.set("guided-rounds", rounds);
  const verdict::Verdict alone = run<GuidedEngine>(program, specification, settings);
  for (unsigned processes : {2u, 3u}) {
    for (Others others : {Others::Forks, Others::Group}) {
      const verdict::Verdict shared = check_shared(program, specification, processes, UINT64_MAX, rounds, processes == 2, others);
      EXPECT_EQ(shared.answer, alone.answer) << processes << (others == Others::Group ? " in a group: " : " forks: ") << shared.reason;
    }
  }
  return alone;
}

// The first path has two independent writes and tries one order; on the second they go to the same place.
TEST(Traps, IndependenceThatTheSummaryReliesOn) {
  verdict::Verdict verdict = check_text(R"(
int x, y, *p = &x, *q = &y;
void *first(void *a) { *p = 1; return 0; }
void *second(void *a) { *q = 2; return 0; }
int main(void) {
  pthread_t s, t;
  int c = __VERIFIER_nondet_int();
  if (c == 3) q = &x;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (c == 3) assert(x != 1);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// In the order that the first path tries, the last write decides whatever the other one does: no condition on q comes
// from the assertion.
TEST(Traps, IndependenceThatNoConditionSpeaksOf) {
  verdict::Verdict verdict = check_text(R"(
int x, y, *p = &x, *q = &y;
void *first(void *a) { *q = 2; return 0; }
void *second(void *a) { *p = 1; return 0; }
int main(void) {
  pthread_t s, t;
  if (__VERIFIER_nondet_int() == 3) q = &x;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// On the first path the reader sleeps where the writer stands before `z = 1`: what it would do next was explored before
// `y = 1`. The second path comes there without having been anywhere else.
TEST(Traps, NoSleepSetsBehindSummaries) {
  verdict::Verdict verdict = check_text(R"(
int w, y, z;
void *reader(void *arg) {
  int c = (int)(long)arg;
  int t = w;
  int r = z;
  assert(!((t == 1) & (r == 0) & (c == 3)));
  return 0;
}
void *writer(void *arg) {
  int c = (int)(long)arg;
  w = 1;
  if (c != 3) y = 1;
  z = 1;
  return 0;
}
int main(void) {
  pthread_t s, t;
  long c = __VERIFIER_nondet_int();
  pthread_create(&s, 0, reader, (void *)c);
  pthread_create(&t, 0, writer, (void *)c);
  pthread_exit(0);
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// On the first path the sleeper reads y, and has nothing to do with `x = 1`; where the writer has done its second step
// nothing else is said of it. On the second path it reads x.
TEST(Traps, ASleepingThreadThatWouldDoSomethingElse) {
  verdict::Verdict verdict = check_text(R"(
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y, z, g, *p = &y;
void *sleeper(void *u) {
  __VERIFIER_atomic_begin();
  int r = *p, seen = g;
  __VERIFIER_atomic_end();
  assert(!((r == 1) & (seen == 0)));
  return 0;
}
void *writer(void *u) { z = 1; z = 2; x = 1; return 0; }
void *other(void *u) {
  __VERIFIER_atomic_begin();
  if (z == 1) g = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  if (__VERIFIER_nondet_int() == 3) p = &x;
  pthread_create(&t, 0, sleeper, 0);
  pthread_create(&t, 0, writer, 0);
  pthread_create(&t, 0, other, 0);
  pthread_exit(0);
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// When the reader has ended nothing can fail any more, but what the writer does then must be seen: it might come first.
TEST(Traps, HarmlessStepsThatMightComeFirst) {
  verdict::Verdict verdict = check_text(R"(
int w, z;
void *reader(void *arg) {
  int t = w;
  int r = z;
  assert(!((t == 1) & (r == 0)));
  return 0;
}
void *writer(void *arg) { w = 1; z = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  pthread_create(&t, 0, writer, 0);
  pthread_exit(0);
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// The program ends when main returns; what is started last may have run before that.
TEST(Traps, ThreadsRunBeforeTheEndOfTheProgram) {
  verdict::Verdict verdict = check_text(R"(
int x;
void *check(void *u) { assert(x == 0); return 0; }
void *write(void *u) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, check, 0);
  pthread_create(&t, 0, write, 0);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

TEST(Traps, ThreadsRunBeforeAnAbort) {
  verdict::Verdict verdict = check_text(R"(
#include <stdlib.h>
int x, unused;
void *check(void *u) { assert(x == 0); return 0; }
void *write(void *u) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, check, 0);
  pthread_create(&t, 0, write, 0);
  unused++;
  abort();
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// Run 5 of Figure 2 must be explored if x may be 11.
TEST(Traps, Run5OfFigure2) {
  verdict::Verdict verdict = check_text(R"(
int x, a, b;
void *writer(void *u) { x = 10; x = 20; return 0; }
void *reader(void *u) { a = x; b = x; return 0; }
int main(void) {
  pthread_t s, t;
  x = __VERIFIER_nondet_int();
  if (x > 11) return 0;
  pthread_create(&s, 0, writer, 0);
  pthread_create(&t, 0, reader, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a <= b);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// The error needs both reads first; the run that would make the reduction try that is cut by a summary.
TEST(Traps, WhatACutRunWouldHaveDone) {
  verdict::Verdict verdict = check_text(R"(
int x = 5, a, b;
void *writer(void *u) { x = 10; x = 20; return 0; }
void *reader(void *u) { a = x; b = x; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, writer, 0);
  pthread_create(&t, 0, reader, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!(a == 5 && b == 5));
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// What holds for the value that the first path happened to read does not hold for all.
TEST(Traps, InputsInMidPathAreForAll) {
  verdict::Verdict verdict = check_text(R"(
int x, y;
void *work(void *u) {
  y = 1;
  int v = __VERIFIER_nondet_int();
  int seen = x;
  assert(!(v == 5 && seen == 1));
  return 0;
}
int main(void) {
  pthread_t s;
  x = 2;
  if (__VERIFIER_nondet_int() == 3) x = 1;
  pthread_create(&s, 0, work, 0);
  y = 2;
  pthread_join(s, 0);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// The first path has used up its visits of touch() when it comes to `y = 1`, and is cut there: no reason to cut the
// second.
TEST(Traps, ABoundIsNoReason) {
  verdict::Verdict verdict = check_text(R"(
int c, x, y;
static void touch(void) { x = x + 1; }
void *work(void *unused) {
  if (c != 3) {
    touch();
    touch();
  }
  y = 1;
  touch();
  assert(c != 3);
  return 0;
}
int main(void) {
  pthread_t s;
  c = __VERIFIER_nondet_int();
  pthread_create(&s, 0, work, 0);
  y = 2;
  pthread_join(s, 0);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

TEST(Traps, ABoundIsNoProof) {
  verdict::Verdict verdict = check_text(R"(
int x;
void *work(void *u) {
  for (;;) x++;
}
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, work, 0);
  x = 5;
  pthread_join(s, 0);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::Unknown);
  EXPECT_NE(verdict.reason.find("the loop at"), std::string::npos) << verdict.reason;
}

// Without that every round of the loop would be another run, without end.
TEST(Traps, BusyWaitingIsWaiting) {
  verdict::Verdict verdict = check_text(R"(
volatile int flag, data;
void *work(void *u) { data = 1; flag = 1; return 0; }
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, work, 0);
  while (!flag) {}
  assert(data == 1);
  pthread_join(s, 0);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::True) << verdict.reason;
  EXPECT_EQ(verdict.statistics.count("solver_calls"), 0u);
}

// A thread without a scheduling point: rounds count what it does, too.
TEST(Endless, RoundsCountStatements) {
  verdict::Verdict verdict = check_text("int main(void) { unsigned x = 0; for (;;) x++; }");
  EXPECT_EQ(verdict.answer, Answer::Unknown);
  EXPECT_NE(verdict.reason.find("the loop at"), std::string::npos) << verdict.reason;
}

TEST(Endless, RoundsCountWaysThroughALoop) {
  verdict::Verdict verdict = check_text(R"(
int main(void) {
  unsigned x = __VERIFIER_nondet_int();
  while (x != 5) x++;
  assert(x == 5);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::Unknown);
  EXPECT_NE(verdict.reason.find("the loop at"), std::string::npos) << verdict.reason;
}

TEST(Endless, GoingRoundInOneStateIsTheEnd) {
  verdict::Verdict verdict = check_text(R"(
volatile int flag;
void *work(void *u) { return 0; }
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, work, 0);
  pthread_join(s, 0);
  while (!flag) {}
  assert(flag == 0);
  return 0;
}
)");
  EXPECT_EQ(verdict.answer, Answer::True) << verdict.reason;
}

// Slicing: what the threads do, and the order of it, has nothing to do with the assertion.
constexpr const char* kNothingShared = R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int shared, other;
void *work(void *u) {
  for (int i = 0; i < TIMES; i++) {
    pthread_mutex_lock(&m);
    shared = shared * 2 + i;
    pthread_mutex_unlock(&m);
    other++;
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  int own = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  shared = 7;
  other = shared;
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(CONDITION);
  return 0;
}
)";

TEST(Slicing, APropertyWithoutSharedVariablesTakesOneRun) {
  std::string text = std::string("#define TIMES 3\n#define CONDITION own * 2 % 2 == 0\n") + kNothingShared;
  verdict::Verdict verdict = check_text(text, "3");
  EXPECT_EQ(verdict.answer, Answer::True) << verdict.reason;
  EXPECT_EQ(runs_of(verdict), 1u);
}

TEST(Slicing, ASharedVariableTakesMore) {
  std::string text = std::string("#define TIMES 1\n#define CONDITION shared != 28\n") + kNothingShared;
  verdict::Verdict verdict = check_text(text, "3");
  EXPECT_EQ(verdict.answer, Answer::False) << verdict.reason;
}

// Small programs of another kind: threads that no one waits for, assertions inside of them, pointers that an input
// chooses, inputs in mid-path, busy waiting, accesses that matter to no one.

class Litmus {
 public:
  explicit Litmus(uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text =
        "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\n"
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x0, x1, x2, unused, *p = &x0, *q = &x1;\n";
    const unsigned threads = 2 + below(2);
    const bool joined = below(2) == 0;
    for (unsigned t = 0; t < threads; ++t) text += thread(t, threads == 2 ? 2 + below(3) : 1 + below(3));
    text += "int main(void) {\n  pthread_t t[3];\n  int c = __VERIFIER_nondet_int();\n";
    if (below(2)) text += "  if (c == 3) p = &x1;\n";
    if (below(3) == 0) text += "  if (c == 4) q = &x0;\n";
    if (below(3) == 0) text += "  x2 = c;\n";
    for (unsigned t = 0; t < threads; ++t)
      text += "  pthread_create(&t[" + number(t) + "], 0, thread" + number(t) + ", 0);\n";
    if (!joined) return text + "  pthread_exit(0);\n}\n";
    if (below(2)) text += "  " + simple();
    for (unsigned t = 0; t < threads; ++t) text += "  pthread_join(t[" + number(t) + "], 0);\n";
    return text + "  int r = x0, s = x1;\n" + check() + "  return 0;\n}\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  static std::string number(unsigned n) { return std::to_string(n); }
  std::string variable() { return below(6) == 0 ? "unused" : "x" + number(below(3)); }
  std::string local() { return below(2) ? "r" : "s"; }
  std::string check() { return "  assert(!(r == " + number(below(3)) + " && s == " + number(below(3)) + "));\n"; }
  std::string simple() {
    switch (below(8)) {
      case 0:
      case 1: return variable() + " = " + number(1 + below(2)) + ";\n";
      case 2: return std::string(below(2) ? "*p" : "*q") + " = " + number(1 + below(2)) + ";\n";
      case 3: return "__atomic_fetch_add(&" + variable() + ", 1, __ATOMIC_SEQ_CST);\n";
      default: return "unused++;\n";
    }
  }
  std::string statement() {
    switch (below(10)) {
      case 0:
      case 1:
      case 2: return "  " + local() + " = " + variable() + ";\n";
      case 3: return "  " + local() + " = " + (below(2) ? "*p" : "*q") + ";\n";
      case 4: return "  if (" + local() + " == " + number(below(2)) + ") " + simple();
      case 5:
        return "  pthread_mutex_lock(&m);\n  " + local() + " = " + variable() + ";\n  " + simple() +
               "  pthread_mutex_unlock(&m);\n";
      case 6: return below(3) ? "  " + simple() : "  " + local() + " = __VERIFIER_nondet_int();\n";
      case 7: return below(3) ? "  " + simple() : "  while (" + variable() + " == 0) {}\n";
      default: return "  " + simple();
    }
  }
  std::string thread(unsigned t, unsigned statements) {
    std::string text = "void *thread" + number(t) + "(void *u) {\n  int r = 0, s = 0;\n";
    for (unsigned i = 0; i < statements; ++i) text += statement();
    if (below(3) != 0) text += check();
    return text + "  return 0;\n}\n";
  }

  std::mt19937_64 random_;
};

// A thread goes up to its first visible operation when it is started.

TEST(NewThreads, AreNotTriedWhileTheLockIsTaken) {
  verdict::Verdict verdict = check_text(R"(
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int x = 10, y = 10;
    void *one(void *unused) {
      pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m);
      return 0;
    }
    void *two(void *unused) {
      pthread_mutex_lock(&m); x += 5; pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m); y -= 6; pthread_mutex_unlock(&m);
      return 0;
    }
    int main(void) {
      pthread_t a, b;
      pthread_create(&a, 0, one, 0);
      pthread_create(&b, 0, two, 0);
      pthread_join(a, 0);
      pthread_join(b, 0);
      assert(x == 16 || y == 5);
      return 0;
    })");
  EXPECT_EQ(verdict.answer, Answer::True);
  EXPECT_LE(runs_of(verdict), 6u);  // the orders of four sections; 12 with threads that are tried in vain
}

TEST(NewThreads, ADeadlockOfOneThatNeverRanIsReplayed) {
  program::Program program = test::load_text(R"(
    #include <pthread.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *other(void *unused) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      pthread_t thread;
      pthread_mutex_lock(&m);
      pthread_create(&thread, 0, other, 0);
      pthread_join(thread, 0);
      return 0;
    })");
  verdict::Verdict verdict = run<GuidedEngine>(program, verdict::default_specification(), {});
  ASSERT_EQ(verdict.answer, Answer::False);
  EXPECT_EQ(verdict.violation->property, Property::NoDeadlock);
}

/// What it does on the way may depend on inputs: then it waits where it began.
TEST(NewThreads, InputsBeforeTheFirstVisibleOperation) {
  verdict::Verdict verdict = check_text(R"(
    int x, y;
    void *other(void *argument) {
      int n = __VERIFIER_nondet_int();
      if (n == *(int *)argument) y = 1;
      else if (n == 7) x = 2;
      return 0;
    }
    int main(void) {
      pthread_t thread;
      int k = 3;
      pthread_create(&thread, 0, other, &k);
      k = 4;
      x = __VERIFIER_nondet_int() == 5;
      pthread_join(thread, 0);
      assert(x != 1 || y != 1);
      return 0;
    })");
  EXPECT_EQ(verdict.answer, Answer::False);
}

TEST(NewThreads, RacesAreBetweenThreadsThatCameThere) {
  program::Program program = test::load_text(R"(
    #include <pthread.h>
    int x;
    void *other(void *unused) { x = 1; return 0; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, 0, other, 0);
      x = 2;
      pthread_join(thread, 0);
      return 0;
    })");
  Specification specification;
  specification.properties = {Property::NoDataRace};
  EXPECT_EQ(run<GuidedEngine>(program, specification, {}).answer, Answer::False);
}

/// Three pairs of threads, each with a lock of its own: 8 orders, each pair is settled once.
TEST(Summaries, PairsOfThreadsAreSettledOneByOne) {
  verdict::Verdict verdict = check_text(R"(
    pthread_mutex_t locks[3];
    int owners[3];
    void *work(void *number) {
      int i = (int)(long)number % 3;
      pthread_mutex_lock(&locks[i]);
      if (owners[i] == 0) owners[i] = (int)(long)number + 1;
      assert(owners[i] == i + 1 || owners[i] == i + 4);
      pthread_mutex_unlock(&locks[i]);
      return 0;
    }
    int main(void) {
      pthread_t threads[6];
      for (long t = 0; t < 6; t++) pthread_create(&threads[t], 0, work, (void *)t);
      for (int t = 0; t < 6; t++) pthread_join(threads[t], 0);
      return 0;
    })",
                                        "2");
  EXPECT_EQ(verdict.answer, Answer::True);
  EXPECT_LE(runs_of(verdict), 4u);
}

TEST(Random, SmallProgramsOfAnotherKind) {
  const unsigned first = number("WHITTLE_SEED", 1'000),
                 count = number("WHITTLE_PROGRAMS", test::program_count(20, 1000));
  unsigned wrong = 0, right = 0, unknown = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    std::string text = Litmus(seed).program();
    program::Program program = test::load_text(text);
    Specification specification;
    specification.properties = {Property::UnreachCall};
    if (seed % 4 == 0) specification = verdict::default_specification();
    Answer expected = Answer::Unknown;
    for (unsigned i = 0; i < 8; ++i) {
      Combination c{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0};
      Answer answer = check(program, specification, c, 4'000).answer;
      if (answer == Answer::Unknown) continue;
      if (expected == Answer::Unknown) expected = answer;
      ASSERT_EQ(answer, expected) << "seed " << seed << show(c) << "\n" << text;
    }
    (expected == Answer::Unknown ? unknown : expected == Answer::True ? right : wrong) += 1;
  }
  std::cout << count << " programs: " << right << " right, " << wrong << " wrong, " << unknown << " unknown\n";
  EXPECT_GT(wrong, count / 20);
  EXPECT_GT(right, count / 10);
}

TEST(Random, EveryCombinationOfReductionsAnswersAlike) {
  Counts counts;
  generate::Options options;
  options.seed = number("WHITTLE_SEED", 90'000);
  test::for_each_program(
      options, number("WHITTLE_PROGRAMS", test::program_count(120, 3000)),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        compare(program, seed, text, seed % 2 == 0, counts);
      },
      [](generate::Options& own) {
        own.threads = 1 + own.seed % 3;
        own.statements = own.threads == 1 ? 4 : own.threads == 2 ? 2 : 1;
        own.choices = 2;
        own.asserts = 5;
        own.thread_choices = own.seed % 4 == 1 ? 1 : 0;
        own.choice_bits = 1 + own.seed % 2;
        own.wide_inputs = own.seed % 2 == 0;
        own.heap = own.seed % 5 == 0;
        own.nested_locks = own.seed % 3 == 2 ? 60 : 15;
      });
  RecordProperty("programs", counts.programs);
  RecordProperty("wrong", counts.wrong);
  std::cout << counts.programs << " programs, " << counts.large << " too large for the plain search, " << counts.wrong
            << " wrong (" << counts.deadlocks << " deadlocks), " << counts.compared << " compared with explicit, "
            << counts.shared << " with several processes; runs";
  for (unsigned i = 1; i < 8; ++i) std::cout << ' ' << counts.runs[i];
  std::cout << '\n';
  EXPECT_GT(counts.wrong, counts.programs / 20);
  EXPECT_LT(counts.large, counts.programs * 2 / 3);
}

/// One thread, indices that depend on inputs.
TEST(Random, BuffersAndTables) {
  test::against_brute_force(test::check_by<GuidedEngine>({}, 5), test::Buffers::Tables, 40, 3000);
}

/// Every order of writes is another one.
std::string writers(const std::string& claim) {
  return R"(
#include <assert.h>
#include <pthread.h>
unsigned x;
void *writer(void *arg) {
  for (int i = 0; i < 2; ++i) x = x * 3 + (unsigned)(unsigned long)arg;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, (void *)1);
  pthread_create(&two, 0, writer, (void *)2);
  writer((void *)5);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert()" + claim + R"();
}
)";
}

TEST(Shared, AStoppedSearchGoesOn) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "whittle_guided_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  Specification specification;
  specification.properties = {Property::UnreachCall};
  for (const char* claim : {"x != 12345", "x != 27 + 9 * 2 + 3 * 1 + 5"}) {
    program::Program program = test::load_text(writers(claim));
    Settings settings;
    settings.set("no-summaries", "");
    const Answer whole = run<GuidedEngine>(program, specification, settings).answer;
    ASSERT_NE(whole, Answer::Unknown);
    settings.set("guided-alone", "1");
    settings.set("guided-split", "16");
    settings.set("checkpoint-every", "0.01");
    unsigned stops = 0;
    for (double seconds = 0.02;; seconds *= 1.3, ++stops) {
      settings.cores = 1 + stops % 3;
      settings.set(fs::exists(folder + "/guided.checkpoint") ? "resume" : "checkpoint", folder);
      Limits limits;
      limits.set_timeout(seconds);
      Statistics statistics;
      Progress progress(false);
      Context context{limits, statistics, progress};
      const verdict::Verdict part = GuidedEngine().run(program, specification, settings, context);
      if (part.answer == Answer::Unknown) {
        ASSERT_NE(part.reason.find("--resume goes on from here"), std::string::npos) << part.reason;
        continue;
      }
      EXPECT_EQ(part.answer, whole) << part.reason;
      break;
    }
    EXPECT_FALSE(fs::exists(folder + "/guided.checkpoint")) << "an answer needs no checkpoint";
    EXPECT_TRUE(stops > 0 || whole != Answer::True);
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace whittle::engines::guided
