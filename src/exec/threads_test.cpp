// Threads: what is visible, who can run, deadlocks, races, and states that do not depend on how they were reached.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "exec/exec_test_support.h"

namespace whittle::exec::test {
namespace {

using verdict::Property;
using Bytes = std::vector<uint8_t>;

Bytes saved(Machine& machine) {
  std::span<const uint8_t> s = machine.save();
  return {s.begin(), s.end()};
}

/// How all runs end: "exit 3", "violation no-data-race", "deadlock".
struct Everything {
  std::set<std::string> ends;
  size_t states = 0;
};

std::string ending(Machine& machine) {
  const Pause& pause = machine.pause();
  if (pause.kind == PauseKind::Halted) return "exit " + std::to_string(pause.status);
  if (pause.kind == PauseKind::Violation) return "violation " + std::string(verdict::name(pause.violation.property));
  if (pause.kind == PauseKind::Cut) return "cut";
  if (pause.kind == PauseKind::Pruned) return "pruned";
  return machine.deadlocked() ? "deadlock" : "";
}

Everything explore(const std::shared_ptr<const Code>& code, u128 inputs = 2) {
  Machine machine(code);
  Everything result;
  std::set<Bytes> seen;
  std::vector<Bytes> work{saved(machine)};
  seen.insert(work[0]);
  while (!work.empty()) {
    Bytes state = work.back();
    work.pop_back();
    machine.load(state);
    EXPECT_EQ(saved(machine), state);
    std::string end = ending(machine);
    if (!end.empty()) {
      result.ends.insert(end);
      continue;
    }
    bool input = machine.pause().kind == PauseKind::Input;
    for (uint32_t choice = 0; choice < (input ? inputs : machine.thread_count()); ++choice) {
      machine.load(state);
      if (input)
        machine.provide(choice);
      else if (machine.enabled(choice))
        machine.schedule(choice);
      else
        continue;
      end = ending(machine);
      if (!end.empty())
        result.ends.insert(end);
      else if (seen.insert(saved(machine)).second)
        work.push_back(saved(machine));
    }
  }
  result.states = seen.size();
  return result;
}

/// Two threads that run `worker(number)`, and a main that waits for both and halts with the value of x.
class ThreadsTest : public ::testing::Test {
 protected:
  ThreadsTest() {
    program.entry = add_function(program, "main");
    worker = add_function(program, "worker");
    x = object("x");
    done = object("done");
    lock = object("lock");
    program.place_objects();
  }
  size_t object(std::string name) { return add_object(program, std::move(name), {0, 0, 0, 0}); }
  Term at(Writer& w, size_t object) { return w.num(program.objects[object].address, 64); }

  void main_with(int count) {
    Writer w(program, 0);
    Term t = w.reg(32), v = w.reg(32);
    for (int i = 0; i < count; ++i)
      w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(i, 64), w.num(0, 64)});
    w.await(at(w, done), w.num(~0u), w.num(count), w.num(count));
    w.plain(Kind::AtomicEnd);
    w.load(v, at(w, x));
    w.halt(v);
  }
  void finish(Writer& w) {  // ++done, atomically
    Term old = w.reg(32);
    Statement s = w.make(Kind::AtomicRmw, {old}, {at(w, done), w.num(1)});
    s.width = 32;
    s.rmw = program::Rmw::Add;
    w.add(s);
    w.plain(Kind::Return);
  }
  void increment(Writer& w) {
    Term v = w.reg(32);
    w.load(v, at(w, x));
    w.store(at(w, x), w.t().add(v, w.num(1)));
  }
  std::shared_ptr<const Code> code() { return compile(program, specification); }

  program::Program program;
  FunctionId worker = 0;
  size_t x = 0, done = 0, lock = 0;
  verdict::Specification specification = verdict::default_specification();
};

/// The number of an ended thread is given to a new one unless a word in memory names the old one; people see two threads.
TEST_F(ThreadsTest, NumbersComeAgainWhenNothingNamesTheThread) {
  {
    Writer w(program, 0);
    Term t = w.reg(32), v = w.reg(32);
    w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(0, 64), w.num(0, 64)});
    w.plain(Kind::Nondet, {v}, {});
    w.store(at(w, x), v);
    w.await(at(w, done), w.num(~0u), w.num(1), w.num(1));
    w.plain(Kind::AtomicEnd);
    w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(0, 64), w.num(0, 64)});
    w.plain(Kind::Yield);
    w.halt(t);
  }
  {
    Writer w(program, worker);
    finish(w);
  }
  const uint32_t word_of_1 = 0x7ffd0002;  // runtime/src/threads.h
  for (auto [value, number] : {std::pair<uint32_t, uint32_t>{word_of_1, 2}, {word_of_1 | 0x80000000u, 2}, {7, 1}}) {
    Machine machine(code());
    machine.schedule(0);
    ASSERT_EQ(machine.pause().kind, PauseKind::Input);
    machine.provide(value);
    while (machine.enabled(0)) machine.schedule(0);
    while (machine.alive(1)) machine.schedule(1);
    machine.schedule(0);
    ASSERT_TRUE(machine.alive(number)) << std::hex << value;
    EXPECT_EQ(machine.ordinal(number), 2u);
    machine.load(saved(machine));
    EXPECT_EQ(machine.ordinal(number), number);
  }
}

/// A new thread stands before its first statement, visible or not: to look at it must not execute it.
TEST_F(ThreadsTest, PendingExecutesNothing) {
  size_t one = add_object(program, "one", {1, 0, 0, 0});
  program.place_objects();
  main_with(1);
  {
    Writer w(program, worker);
    Term number = w.param(64);
    w.param(64);
    Term v = w.reg(32);
    w.load(v, at(w, one));  // nothing writes it: no visible operation
    w.assign(number, w.t().add(number, w.t().zext(v, 64)));
    w.store(at(w, x), w.t().extract(number, 0, 32));
    finish(w);
  }
  Machine machine(code());
  machine.schedule(0);
  machine.schedule(0);
  ASSERT_TRUE(machine.alive(1));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(machine.pending(1).kind, Pending::Kind::Unknown);
  machine.schedule(1);
  while (machine.alive(1)) machine.schedule(1);
  while (!machine.pause().final()) machine.schedule(0);
  EXPECT_EQ(machine.pause().kind, PauseKind::Halted);
  EXPECT_EQ(machine.pause().status, 1);
}

/// A new thread may go to its first visible operation beforehand: it is known then, and nothing comes out differently.
TEST_F(ThreadsTest, ApproachGoesToTheFirstVisibleOperation) {
  main_with(2);
  {
    Writer w(program, worker);
    Term number = w.param(64);
    w.param(64);
    w.assign(number, w.t().add(number, w.num(5, 64)));
    w.await(at(w, lock), w.num(~0u), w.num(0), w.num(0));
    w.store(at(w, lock), w.num(1));
    w.plain(Kind::AtomicEnd);
    w.store(at(w, x), w.t().extract(number, 0, 32));
    w.store(at(w, lock), w.num(0));
    finish(w);
  }
  auto run = [&](bool beforehand) {
    Machine machine(code());
    for (int i = 0; i < 2; ++i) machine.schedule(0);
    EXPECT_TRUE(machine.alive(1) && machine.alive(2));
    for (uint32_t t = 1; beforehand && t <= 2; ++t) {
      EXPECT_EQ(machine.approach(t).kind, PauseKind::Visible);
      EXPECT_EQ(machine.pending(t).kind, Pending::Kind::Await);
    }
    machine.schedule(1);  // has the lock
    EXPECT_EQ(machine.enabled(2), !beforehand);
    while (machine.alive(1)) machine.schedule(1);
    EXPECT_TRUE(machine.enabled(2));
    while (machine.alive(2)) machine.schedule(2);
    return saved(machine);
  };
  EXPECT_EQ(run(false), run(true));
}

TEST_F(ThreadsTest, LostUpdates) {
  main_with(2);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    increment(w);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 1", "exit 2"}));
  RunPlan plan;
  plan.more_steps = RunPlan::Scheduling::Random;
  std::set<int> seen;
  for (plan.seed = 0; plan.seed < 50; ++plan.seed) {
    RunResult result = run(code(), plan);
    seen.insert(result.status);
    RunPlan again;
    again.schedule = result.counterexample.schedule;
    EXPECT_EQ(run(code(), again).status, result.status);
  }
  EXPECT_EQ(seen, (std::set<int>{1, 2}));
}

TEST_F(ThreadsTest, RacesAreSeenWhateverTheOrder) {
  specification.properties.insert(Property::NoDataRace);
  main_with(2);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    increment(w);
    finish(w);
  }
  Everything all = explore(code());
  EXPECT_TRUE(all.ends.contains("violation no-data-race"));
  Machine machine(code());
  machine.schedule(0);  // stands before the second Spawn: the first needs no turn, there was one thread
  machine.schedule(0);
  machine.schedule(1);
  machine.schedule(1);  // it has read and written
  const Pause& pause = machine.schedule(2);
  EXPECT_EQ(pause.kind, PauseKind::Violation);
  EXPECT_EQ(pause.violation.message, "data race on x: thread 2 at test.c:1 and thread 1 at test.c:2");
}

TEST_F(ThreadsTest, AwaitMakesALock) {
  specification.properties.insert(Property::NoDataRace);
  main_with(3);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    w.await(at(w, lock), w.num(~0u), w.num(0), w.num(0));
    w.store(at(w, lock), w.num(1));
    w.plain(Kind::AtomicEnd);
    increment(w);
    w.plain(Kind::AtomicBegin);
    w.store(at(w, lock), w.num(0));
    w.plain(Kind::AtomicEnd);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 3"}));
}

TEST_F(ThreadsTest, AtomicRegionsAreNotInterrupted) {
  main_with(2);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    w.plain(Kind::AtomicBegin);
    w.plain(Kind::AtomicBegin);
    increment(w);
    w.plain(Kind::AtomicEnd);
    increment(w);
    w.plain(Kind::AtomicEnd);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 4"}));
}

TEST_F(ThreadsTest, AwaitInsideARegionReleasesIt) {
  // Thread 0 waits inside a region for the lock word that thread 1 sets in a region of its own.
  main_with(2);
  {
    Writer w(program, worker);
    Term n = w.param(64);
    w.param(64);
    LocationId waits = w.label(), sets = w.label(), end = w.label();
    w.branch(w.t().eq(n, w.num(0, 64)), waits, sets);
    w.place(waits);
    w.plain(Kind::AtomicBegin);
    increment(w);
    w.await(at(w, lock), w.num(~0u), w.num(1), w.num(5));
    increment(w);
    increment(w);
    w.plain(Kind::AtomicEnd);
    w.plain(Kind::AtomicEnd);
    w.go(end);
    w.place(sets);
    w.plain(Kind::AtomicBegin);
    w.store(at(w, lock), w.num(1));
    increment(w);
    w.plain(Kind::AtomicEnd);
    w.go(end);
    w.place(end);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 4"}));
}

TEST_F(ThreadsTest, DeadlockOfTwoLocks) {
  main_with(2);
  {
    Writer w(program, worker);
    Term n = w.param(64);
    w.param(64);
    LocationId ab = w.label(), ba = w.label(), end = w.label();
    auto take = [&](size_t object) {
      w.await(at(w, object), w.num(~0u), w.num(0), w.num(0));
      w.store(at(w, object), w.num(1));
      w.plain(Kind::AtomicEnd);
    };
    w.branch(w.t().eq(n, w.num(0, 64)), ab, ba);
    w.place(ab);
    take(x);
    take(lock);
    w.store(at(w, x), w.num(0));
    w.store(at(w, lock), w.num(0));
    w.go(end);
    w.place(ba);
    take(lock);
    take(x);
    w.store(at(w, x), w.num(0));
    w.store(at(w, lock), w.num(0));
    w.go(end);
    w.place(end);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"deadlock", "exit 0"}));
  RunPlan plan;
  plan.more_steps = RunPlan::Scheduling::Random;
  for (plan.seed = 0; plan.seed < 200; ++plan.seed) {
    RunResult result = run(code(), plan);
    if (result.end != RunEnd::Violation) continue;
    EXPECT_EQ(result.violation->property, Property::NoDeadlock);
    EXPECT_NE(result.violation->message.find("thread 0 waits at test.c:"), std::string::npos)
        << result.violation->message;
    return;
  }
  FAIL() << "no random run deadlocks";
}

TEST_F(ThreadsTest, PrivateObjectsAreInvisibleUntilTheyEscape) {
  main_with(2);
  {
    Writer w(program, worker);
    Term n = w.param(64);
    w.param(64);
    Term p = w.reg(64), h = w.reg(64), v = w.reg(64);
    LocationId escapes = w.label(), end = w.label();
    w.plain(Kind::StackAlloc, {p}, {w.num(8, 64)}, "local");
    w.plain(Kind::HeapAlloc, {h}, {w.num(8, 64), w.num(1, 1)});
    w.store(h, p);
    w.store(p, w.num(1, 64));
    w.load(v, p);
    w.branch(w.t().eq(n, w.num(7, 64)), escapes, end);
    w.place(escapes);
    w.store(at(w, x), w.t().extract(h, 0, 32));
    w.go(end);
    w.place(end);
    w.store(p, w.num(2, 64));
    w.plain(Kind::HeapFree, {}, {h});
    finish(w);
  }
  // Nothing of this is visible but the increment of `done`: at most 2 turns for each worker.
  Machine machine(code());
  machine.schedule(0);
  machine.schedule(0);
  EXPECT_EQ(machine.schedule(1).kind, PauseKind::ThreadEnded)
      << "everything before the first visible operation, and after it";
}

TEST_F(ThreadsTest, EscapeThroughAHeapObject) {
  main_with(2);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    Term p = w.reg(64), h = w.reg(64);
    w.plain(Kind::StackAlloc, {p}, {w.num(8, 64)}, "local");
    w.plain(Kind::HeapAlloc, {h}, {w.num(8, 64), w.num(1, 1)});
    w.store(h, p);
    w.store(at(w, x), w.t().extract(h, 0, 32));  // publishes h, and what it points to
    w.store(p, w.num(2, 64));
    w.plain(Kind::HeapFree, {}, {h});
    finish(w);
  }
  Machine machine(code());
  machine.schedule(0);
  machine.schedule(0);
  std::vector<Pending::Kind> kinds;
  while (machine.schedule(1).kind == PauseKind::Visible) kinds.push_back(machine.pending(1).kind);
  using enum Pending::Kind;
  EXPECT_EQ(kinds, (std::vector<Pending::Kind>{Access, Free, Access, Free}));
}

TEST_F(ThreadsTest, AllocationOrderOfThreadsDoesNotMatter) {
  main_with(2);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    Term p = w.reg(64);
    w.plain(Kind::Yield);
    w.plain(Kind::HeapAlloc, {p}, {w.num(24, 64), w.num(1, 1)});
    w.store(p, w.num(5));
    w.plain(Kind::Yield);
    w.plain(Kind::HeapFree, {}, {p});
    finish(w);
  }
  auto run_in_order = [&](std::vector<uint32_t> order) {
    Machine machine(code());
    for (uint32_t t : order) machine.schedule(t);
    return saved(machine);
  };
  EXPECT_EQ(run_in_order({0, 0, 1, 2}), run_in_order({0, 0, 2, 1}));
  EXPECT_EQ(run_in_order({0, 0, 1, 1, 2}), run_in_order({0, 0, 2, 1, 1}));
  EXPECT_NE(run_in_order({0, 0, 1}), run_in_order({0, 0, 2}));
}

TEST_F(ThreadsTest, NumbersOfEndedThreadsAreUsedAgain) {
  Term value;
  {
    Writer w(program, 0);
    Term a = w.reg(32), b = w.reg(32);
    Term f = w.num(program::Program::function_address(worker), 64);
    w.plain(Kind::Spawn, {a}, {f, w.num(0, 64), w.num(0, 64)});
    w.await(at(w, done), w.num(~0u), w.num(1), w.num(1));
    w.plain(Kind::AtomicEnd);
    w.plain(Kind::Yield);
    w.plain(Kind::Spawn, {b}, {f, w.num(0, 64), w.num(0, 64)});
    w.halt(w.t().add(w.t().mul(a, w.num(10)), b));
  }
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 11"}));
}

// A thread frees an object that main has a pointer to, and makes another one: here or there.
TEST_F(ThreadsTest, FreedPlacesCanBeGivenAgain) {
  {
    Writer w(program, worker);
    Term p = w.param(64), q = w.param(64), place = w.reg(64), choice = w.reg(1), made = w.reg(64), larger = w.reg(64);
    (void)q;
    LocationId again = w.label(), fresh = w.label(), end = w.label();
    w.plain(Kind::HeapFree, {}, {p});
    w.plain(Kind::Freed, {larger}, {w.num(100'000, 64), w.num(0, 64), at(w, x)});
    w.check(w.t().eq(larger, w.num(0, 64)));
    w.plain(Kind::Freed, {place}, {w.num(8, 64), w.num(0, 64), at(w, x)});
    w.check(w.t().eq(place, p));
    w.nondet(choice);
    w.branch(choice, again, fresh);
    w.place(again);
    w.plain(Kind::HeapAlloc, {made}, {w.num(8, 64), w.num(1, 1), place});
    w.check(w.t().eq(made, p));
    w.store(p, w.num(5));  // the old pointer leads to it
    w.go(end);
    w.place(fresh);
    w.plain(Kind::HeapAlloc, {made}, {w.num(8, 64), w.num(1, 1)});
    w.check(w.t().ne(made, p));
    w.place(end);
    w.plain(Kind::Return);
  }
  {
    Writer w(program, 0);
    Term p = w.reg(64), thread = w.reg(32), v = w.reg(32);
    w.plain(Kind::HeapAlloc, {p}, {w.num(8, 64), w.num(1, 1)});
    w.plain(Kind::Spawn, {thread},
            {w.num(program::Program::function_address(worker), 64), p, w.num(0, 64)});
    w.plain(Kind::Yield);
    w.load(v, p);
    w.halt(v);
  }
  Everything all = explore(compile(program));
  EXPECT_TRUE(all.ends.contains("violation valid-deref")) << "the use of freed memory is found";
  EXPECT_TRUE(all.ends.contains("exit 5"));
  EXPECT_TRUE(all.ends.contains("exit 0"));
  EXPECT_FALSE(all.ends.contains("violation unreach-call"));
  EXPECT_FALSE(all.ends.contains("cut"));
}

// Shared: only while others are alive, of what they can reach, outside of regions.
TEST_F(ThreadsTest, SharedIsWhatOthersCanReachNow) {
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    w.store(at(w, x), w.num(1));
    w.plain(Kind::Return);
  }
  {
    Writer w(program, 0);
    Term x = at(w, this->x), p = w.reg(64), q = w.reg(64), thread = w.reg(32), answer = w.reg(1);
    auto ask = [&](Term address, bool expected) {
      w.plain(Kind::Shared, {answer}, {address});
      w.check(w.t().eq(answer, w.num(expected ? 1 : 0, 1)));
    };
    w.plain(Kind::StackAlloc, {p}, {w.num(4, 64)}, "p");
    w.plain(Kind::StackAlloc, {q}, {w.num(4, 64)}, "q");
    ask(x, false);
    w.plain(Kind::Spawn, {thread}, {w.num(program::Program::function_address(worker), 64), p, w.num(0, 64)});
    ask(x, true);
    ask(p, true);
    ask(q, false);
    w.plain(Kind::AtomicBegin);
    ask(x, false);
    w.plain(Kind::AtomicEnd);
    w.halt(w.num(0));
  }
  Machine machine(compile(program));
  machine.reset();
  for (int i = 0; i < 10 && machine.pause().scheduling(); ++i) machine.schedule(0);
  EXPECT_EQ(ending(machine), "exit 0");
}

TEST_F(ThreadsTest, MainMayEndFirst) {
  {
    Writer w(program, 0);
    Term t = w.reg(32);
    w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(0, 64), w.num(0, 64)});
    w.plain(Kind::ThreadExit);
  }
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    increment(w);
    w.await(at(w, x), w.num(~0u), w.num(2), w.num(9));
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"deadlock"}));
}

TEST_F(ThreadsTest, InputBeforeTheFirstVisibleOperation) {
  main_with(2);
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    Term c = w.reg(32), v = w.reg(32);
    w.nondet(c);
    w.load(v, at(w, x));
    w.store(at(w, x), w.t().add(v, c));
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 0", "exit 1", "exit 2"}));
}

TEST_F(ThreadsTest, UninitialisedSharedMemory) {
  // Main publishes uninitialised memory; both workers read it and must agree on the value.
  size_t pointer = add_object(program, "pointer", Bytes(8, 0), 8);
  program.place_objects();
  {
    Writer w(program, 0);
    Term t = w.reg(32), v = w.reg(32), p = w.reg(64);
    w.plain(Kind::HeapAlloc, {p}, {w.num(1, 64), w.num(0, 1)});
    w.store(at(w, pointer), p);
    for (int i = 0; i < 2; ++i)
      w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(i, 64), w.num(0, 64)});
    w.await(at(w, done), w.num(~0u), w.num(2), w.num(2));
    w.plain(Kind::AtomicEnd);
    w.load(v, at(w, x));
    w.halt(v);
  }
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    Term p = w.reg(64), c = w.reg(8), v = w.reg(32);
    w.load(p, at(w, pointer));
    w.load(c, p);
    w.plain(Kind::AtomicBegin);
    w.load(v, at(w, x));
    w.store(at(w, x), w.t().add(v, w.t().zext(c, 32)));
    w.plain(Kind::AtomicEnd);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 0", "exit 2"}));
}

TEST_F(ThreadsTest, UseAfterFreeByAnotherThread) {
  size_t pointer = add_object(program, "pointer", Bytes(8, 0), 8);
  program.place_objects();
  {
    Writer w(program, 0);
    Term t = w.reg(32), p = w.reg(64);
    w.plain(Kind::HeapAlloc, {p}, {w.num(4, 64), w.num(1, 1)});
    w.store(at(w, pointer), p);
    w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(0, 64), w.num(0, 64)});
    w.plain(Kind::HeapFree, {}, {p});
    w.await(at(w, done), w.num(~0u), w.num(1), w.num(1));
    w.plain(Kind::AtomicEnd);
    w.halt(w.num(0));
  }
  {
    Writer w(program, worker);
    w.param(64), w.param(64);
    Term p = w.reg(64), v = w.reg(32);
    w.load(p, at(w, pointer));
    w.load(v, p);
    finish(w);
  }
  EXPECT_EQ(explore(code()).ends, (std::set<std::string>{"exit 0", "violation valid-deref"}));
}

}  // namespace
}  // namespace whittle::exec::test
