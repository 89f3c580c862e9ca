// Sequential programs: arithmetic, calls, memory, checks, input and output.
#include <gtest/gtest.h>

#include "exec/exec_test_support.h"

namespace whittle::exec::test {
namespace {

using verdict::Property;

/// Writes the body of main, runs it, gives the result.
class MachineTest : public ::testing::Test {
 protected:
  MachineTest() { program.entry = add_function(program, "main"); }
  RunResult run(const RunPlan& plan = {}) { return exec::run(compile(program, specification), plan); }
  std::string violation(const RunPlan& plan = {}) {
    RunResult result = run(plan);
    if (result.end != RunEnd::Violation) return "no violation: " + result.reason;
    return std::string(verdict::name(result.violation->property)) + ": " + result.violation->message;
  }
  program::Program program;
  verdict::Specification specification = verdict::default_specification();
};

TEST_F(MachineTest, SumsInALoop) {
  {
    Writer w(program, 0);
    Term i = w.reg(32, "i"), sum = w.reg(32, "sum");
    w.assign(i, w.num(0));
    w.assign(sum, w.num(0));
    LocationId head = w.label(), body = w.label(), exit = w.label();
    w.place(head);
    w.branch(w.t().slt(i, w.num(10)), body, exit);
    w.place(body);
    w.assign(sum, w.t().add(sum, i));
    w.assign(i, w.t().add(i, w.num(1)));
    w.go(head);
    w.place(exit);
    w.halt(sum);
  }
  RunResult result = run();
  EXPECT_EQ(result.end, RunEnd::Halted);
  EXPECT_EQ(result.status, 45);
  EXPECT_EQ(result.statements, 2u + 1 + 10 * 4 + 1 + 1);
}

TEST_F(MachineTest, BudgetPausesAndGoesOn) {
  {
    Writer w(program, 0);
    Term i = w.reg(32, "i");
    w.assign(i, w.num(0));
    LocationId head = w.label(), body = w.label(), exit = w.label();
    w.place(head);
    w.branch(w.t().slt(i, w.num(1000)), body, exit);
    w.place(body);
    w.assign(i, w.t().add(i, w.num(1)));
    w.go(head);
    w.place(exit);
    w.halt(i);
  }
  Machine machine(compile(program));
  machine.set_budget(7);
  int pauses = 0;
  const Pause* pause = &machine.schedule(0);
  for (; pause->kind == PauseKind::Budget; ++pauses) {
    std::span<const uint8_t> state = machine.save();
    std::vector<uint8_t> copy(state.begin(), state.end());
    machine.reset();
    machine.load(copy);
    EXPECT_TRUE(std::ranges::equal(copy, machine.save()));
    pause = &machine.resume();
  }
  EXPECT_EQ(pause->kind, PauseKind::Halted);
  EXPECT_EQ(pause->status, 1000);
  EXPECT_GT(pauses, 300);
}

TEST_F(MachineTest, CallsReturnValuesAndRecurse) {
  FunctionId factorial = add_function(program, "factorial", 32);
  {
    Writer w(program, factorial);
    Term n = w.param(32, "n"), r = w.reg(32);
    LocationId base = w.label(), more = w.label();
    w.branch(w.t().slt(n, w.num(2)), base, more);
    w.place(base);
    w.plain(Kind::Return, {}, {w.num(1)});
    w.place(more);
    w.call(factorial, {r}, {w.t().sub(n, w.num(1))});
    w.plain(Kind::Return, {}, {w.t().mul(n, r)});
  }
  {
    Writer w(program, 0);
    Term r = w.reg(32);
    w.call(factorial, {r}, {w.num(10)});
    w.halt(r);
  }
  EXPECT_EQ(run().status, 3628800);
}

TEST_F(MachineTest, EndlessRecursionIsCutNotViolated) {
  FunctionId f = add_function(program, "f");
  {
    Writer w(program, f);
    w.call(f, {}, {});
    w.plain(Kind::Return);
  }
  {
    Writer w(program, 0);
    w.call(f, {}, {});
    w.halt(w.num(0));
  }
  RunResult result = run();
  EXPECT_EQ(result.end, RunEnd::Cut);
  EXPECT_NE(result.reason.find("stack overflow"), std::string::npos) << result.reason;
}

TEST_F(MachineTest, ParallelAssignSwaps) {
  {
    Writer w(program, 0);
    Term a = w.reg(32), b = w.reg(32), wide = w.reg(128), other = w.reg(128);
    w.assign(a, w.num(3));
    w.assign(b, w.num(5));
    w.assign(wide, w.t().constant(128, (u128{7} << 64) | 1));
    w.assign(other, w.num(2, 128));
    w.add(w.make(Kind::Assign, {a, b, wide, other}, {b, a, other, w.t().add(wide, other)}));
    w.check(w.t().eq(other, w.t().constant(128, (u128{7} << 64) | 3)));
    w.check(w.t().eq(wide, w.num(2, 128)));
    w.halt(w.t().add(w.t().mul(a, w.num(10)), b));
  }
  EXPECT_EQ(run().status, 53);
}

TEST_F(MachineTest, StaticMemoryAndBounds) {
  add_object(program, "buf", std::vector<uint8_t>(40, 0));
  add_object(program, "text", {'h', 'i', 0}, 1, true);
  program.place_objects();
  uint64_t buf = program.objects[0].address, text = program.objects[1].address;
  FunctionId f = 0;
  Term index;
  {
    Writer w(program, f);
    index = w.reg(32, "i");
    Term value = w.reg(32), c = w.reg(8);
    w.nondet(index);
    w.load(c, w.num(text + 1, 64));
    w.check(w.t().eq(c, w.num('i', 8)));
    w.store(w.t().add(w.num(buf, 64), w.t().mul(w.t().sext(index, 64), w.num(4, 64))), w.num(77));
    w.load(value, w.num(buf + 36, 64));
    w.halt(value);
  }
  EXPECT_EQ(run({.inputs = {9}}).status, 77);
  EXPECT_EQ(run({.inputs = {8}}).status, 0);
  EXPECT_EQ(violation({.inputs = {10}}), "valid-deref: write of 4 bytes just past the end of buf (40 bytes)");
  RunResult result = run({.inputs = {10}});
  EXPECT_EQ(result.violation->line, 4u);
  EXPECT_EQ(result.violation->file, "test.c");
  EXPECT_EQ(result.counterexample.inputs.size(), 1u);
  specification = only({Property::UnreachCall});
  EXPECT_EQ(run({.inputs = {10}}).end, RunEnd::Cut);
}

TEST_F(MachineTest, MisalignedAndConstantWrites) {
  add_object(program, "x", std::vector<uint8_t>(16, 0), 16);
  add_object(program, "k", std::vector<uint8_t>(4, 1), 4, true);
  program.place_objects();
  {
    Writer w(program, 0);
    Term choice = w.reg(8), p = w.reg(64);
    LocationId a = w.label(), b = w.label(), c = w.label(), d = w.label();
    w.nondet(choice);
    w.branch(w.t().eq(choice, w.num(0, 8)), a, b);
    w.place(a);
    w.assign(p, w.num(program.objects[0].address + 2, 64));
    w.go(c);
    w.place(b);
    w.assign(p, w.num(program.objects[1].address, 64));
    w.go(c);
    w.place(c);
    Statement s = w.make(Kind::Store, {}, {p, w.num(9)});
    s.width = 32;
    s.align = 4;
    w.add(s);
    w.go(d);
    w.place(d);
    w.halt(w.num(0));
  }
  EXPECT_EQ(violation({.inputs = {0}}),
            "valid-deref: write of 4 bytes at offset 2 of x (16 bytes) is misaligned: 4 bytes demanded");
  EXPECT_EQ(violation({.inputs = {1}}), "valid-deref: write of 4 bytes at offset 0 of k (4 bytes), which is constant");
  specification = only({Property::UnreachCall});
  EXPECT_EQ(run({.inputs = {0}}).end, RunEnd::Halted);
}

/// malloc, use, free, then what `misuse` says.
class HeapTest : public MachineTest {
 protected:
  void build(int misuse) {
    Writer w(program, 0);
    Term p = w.reg(64, "p"), v = w.reg(32, "v");
    w.plain(Kind::HeapAlloc, {p}, {w.num(8, 64), w.num(0, 1)});
    w.store(p, w.num(42));
    w.load(v, p);
    if (misuse == 1) w.load(v, w.t().add(p, w.num(8, 64)));
    if (misuse == 2) w.plain(Kind::HeapFree, {}, {w.t().add(p, w.num(4, 64))});
    if (misuse != 5) w.plain(Kind::HeapFree, {}, {p});
    if (misuse == 3) w.load(v, p);
    if (misuse == 4) w.plain(Kind::HeapFree, {}, {p});
    if (misuse == 6) w.load(v, w.num(0, 64));
    w.halt(v);
  }
};

TEST_F(HeapTest, FreedInOrder) {
  specification = everything();
  build(0);
  EXPECT_EQ(run().status, 42);
}
TEST_F(HeapTest, OutOfBounds) {
  build(1);
  EXPECT_EQ(violation(), "valid-deref: read of 4 bytes just past the end of heap object allocated at test.c:1 (8 bytes)");
}
TEST_F(HeapTest, FreeOfTheMiddle) {
  build(2);
  EXPECT_EQ(violation(), "valid-free: free of offset 4 of heap object allocated at test.c:1, not of its begin");
}
TEST_F(HeapTest, UseAfterFree) {
  build(3);
  EXPECT_EQ(
      violation(),
      "valid-deref: read of 4 bytes at offset 0 of heap object allocated at test.c:1 (8 bytes) after it was freed");
}
TEST_F(HeapTest, DoubleFree) {
  build(4);
  EXPECT_EQ(violation(), "valid-free: heap object allocated at test.c:1 is freed a second time");
}
TEST_F(HeapTest, Leak) {
  specification = only({Property::ValidMemcleanup});
  build(5);
  EXPECT_EQ(violation(),
            "valid-memcleanup: heap object allocated at test.c:1 (8 bytes) is not freed when the program ends");
  specification = only({Property::ValidMemtrack});
  EXPECT_EQ(run().end, RunEnd::Halted) << "p is in scope and still points to it";
}
TEST_F(HeapTest, Null) {
  build(6);
  EXPECT_EQ(violation(), "valid-deref: read of 4 bytes through a null pointer");
}

TEST_F(MachineTest, LostMemoryIsLeaked) {
  specification = only({Property::ValidMemtrack});
  {
    Writer w(program, 0);
    Term p = w.reg(64, "p"), q = w.reg(64, "p");
    w.plain(Kind::HeapAlloc, {p}, {w.num(8, 64), w.num(0, 1)});
    w.plain(Kind::HeapAlloc, {q}, {w.num(8, 64), w.num(0, 1)});  // the same variable, assigned again
    w.halt(w.num(0));
  }
  EXPECT_EQ(
      violation(),
      "valid-memtrack: heap object allocated at test.c:1 (8 bytes) is never freed and nothing points to it any more");
}

TEST_F(MachineTest, UninitialisedMemoryIsAnInput) {
  {
    Writer w(program, 0);
    Term p = w.reg(64, "p"), v = w.reg(32, "v"), again = w.reg(32);
    w.plain(Kind::StackAlloc, {p}, {w.num(8, 64)}, "local");
    w.store(w.t().add(p, w.num(1, 64)), w.num(0xab, 8));
    w.load(v, p);
    w.load(again, p);
    w.check(w.t().eq(v, again));
    w.halt(v);
  }
  RunResult result = run({.inputs = {0x11, 0x2233}});
  EXPECT_EQ(result.status, 0x2233ab11);
  ASSERT_EQ(result.counterexample.inputs.size(), 2u);
  EXPECT_EQ(result.counterexample.inputs[0].origin, "local[0]");  // made by the start function, as command lines are
  EXPECT_EQ(result.counterexample.inputs[0].width, 8u);
  EXPECT_EQ(result.counterexample.inputs[1].width, 16u);
}

TEST_F(MachineTest, UseAfterReturn) {
  FunctionId f = add_function(program, "f", 64);
  {
    Writer w(program, f);
    Term p = w.reg(64);
    w.plain(Kind::StackAlloc, {p}, {w.num(4, 64)}, "x");
    w.store(p, w.num(1));
    w.plain(Kind::Return, {}, {p});
  }
  {
    Writer w(program, 0);
    Term p = w.reg(64), q = w.reg(64), v = w.reg(32);
    w.call(f, {p}, {});
    w.call(f, {q}, {});
    w.load(v, p);
    w.halt(v);
  }
  EXPECT_EQ(violation(), "valid-deref: read of 4 bytes at offset 0 of x (4 bytes) after its lifetime ended");
}

TEST_F(MachineTest, AddressesAreReusedOnlyWhenNothingPointsThere) {
  {
    Writer w(program, 0);
    Term p = w.reg(64, "p"), i = w.reg(32, "i");
    LocationId head = w.label(), body = w.label(), exit = w.label();
    w.assign(i, w.num(0));
    w.place(head);
    w.branch(w.t().ult(i, w.num(100000)), body, exit);
    w.place(body);
    w.plain(Kind::HeapAlloc, {p}, {w.num(4, 64), w.num(1, 1)});
    w.plain(Kind::HeapFree, {}, {p});
    w.assign(i, w.t().add(i, w.num(1)));
    w.go(head);
    w.place(exit);
    w.halt(w.t().extract(p, 0, 32));
  }
  // Without reuse the last address would be 6 MiB up.
  EXPECT_LT(static_cast<uint32_t>(run().status), program::layout::kDynamicBase + 0x10000);
}

TEST_F(MachineTest, StackSaveRestore) {
  {
    Writer w(program, 0);
    Term mark = w.reg(64), p = w.reg(64), q = w.reg(64), v = w.reg(8);
    w.plain(Kind::StackAlloc, {q}, {w.num(4, 64)}, "outer");
    w.store(q, w.num(7));
    w.plain(Kind::StackSave, {mark});
    w.plain(Kind::StackAlloc, {p}, {w.num(4, 64)}, "vla");
    w.store(p, w.num(1));
    w.plain(Kind::StackRestore, {}, {mark});
    w.load(v, q);
    w.check(w.t().eq(v, w.num(7, 8)));
    w.load(v, p);
    w.halt(w.num(0));
  }
  EXPECT_EQ(violation(), "valid-deref: read of 1 byte at offset 0 of vla (4 bytes) after its lifetime ended");
}

TEST_F(MachineTest, CopyFillAndObjectSize) {
  add_object(program, "a", {1, 2, 3, 4, 5, 6, 7, 8});
  add_object(program, "b", std::vector<uint8_t>(8, 0));
  program.place_objects();
  uint64_t a = program.objects[0].address, b = program.objects[1].address;
  {
    Writer w(program, 0);
    Term v = w.reg(64), size = w.reg(64);
    w.plain(Kind::Copy, {}, {w.num(b, 64), w.num(a + 2, 64), w.num(4, 64)});
    w.plain(Kind::Fill, {}, {w.num(b + 4, 64), w.num(0xee, 8), w.num(2, 64)});
    w.plain(Kind::Copy, {}, {w.num(a + 1, 64), w.num(a, 64), w.num(7, 64)});  // overlapping
    w.load(v, w.num(b, 64));
    w.check(w.t().eq(v, w.num(0x0000eeee06050403, 64)));
    w.load(v, w.num(a, 64));
    w.check(w.t().eq(v, w.num(0x0706050403020101, 64)));
    w.plain(Kind::ObjectSize, {size}, {w.num(b + 3, 64)});
    w.check(w.t().eq(size, w.num(8, 64)));
    w.plain(Kind::Copy, {}, {w.num(b, 64), w.num(a, 64), w.num(9, 64)});
    w.halt(w.num(0));
  }
  EXPECT_EQ(violation(), "valid-deref: read of 9 bytes at offset 0 of a (8 bytes)");
}

TEST_F(MachineTest, AtomicsOnOneThread) {
  add_object(program, "x", {10, 0, 0, 0});
  program.place_objects();
  Term x;
  {
    Writer w(program, 0);
    x = w.num(program.objects[0].address, 64);
    Term old = w.reg(32), ok = w.reg(1), v = w.reg(32);
    Statement s = w.make(Kind::AtomicRmw, {old}, {x, w.num(5)});
    s.width = 32;
    s.rmw = program::Rmw::Sub;
    w.add(s);
    w.check(w.t().eq(old, w.num(10)));
    Statement cas = w.make(Kind::AtomicCas, {old, ok}, {x, w.num(5), w.num(6)});
    cas.width = 32;
    w.add(cas);
    w.check(ok);
    w.add(cas);
    w.check(w.t().bnot(ok));
    s.rmw = program::Rmw::Max;
    s.operands[1] = w.num(uint32_t(-3));
    w.add(s);
    w.load(v, x);
    w.halt(v);
  }
  EXPECT_EQ(run().status, 6);
}

TEST_F(MachineTest, IndirectCalls) {
  FunctionId f = add_function(program, "twice", 32);
  {
    Writer w(program, f);
    Term x = w.param(32);
    w.plain(Kind::Return, {}, {w.t().mul(x, w.num(2))});
  }
  {
    Writer w(program, 0);
    Term p = w.reg(64), r = w.reg(32);
    w.nondet(p);
    w.plain(Kind::IndirectCall, {r}, {p, w.num(21)});
    w.halt(r);
  }
  EXPECT_EQ(run({.inputs = {program::Program::function_address(f)}}).status, 42);
  EXPECT_EQ(violation({.inputs = {0}}), "valid-deref: call through a null pointer");
  EXPECT_EQ(violation({.inputs = {0x1234567}}), "valid-deref: call of address 0x1234567, where no function is");
  EXPECT_EQ(run({.inputs = {program::Program::function_address(0)}}).end, RunEnd::Cut) << "main has no parameter";
}

TEST_F(MachineTest, OutputHostMathAndErrorFunctions) {
  add_object(program, "text", {'h', 'i', '!'}, 1, true);
  program.place_objects();
  FunctionId error = add_function(program, "reach_error");
  {
    Writer w(program, error);
    w.plain(Kind::Return);
  }
  {
    Writer w(program, 0);
    Term root = w.reg(64);
    w.plain(Kind::Output, {}, {w.num(1), w.num(program.objects[0].address, 64), w.num(3, 64)});
    w.plain(Kind::HostMath, {root}, {w.num(0x4000000000000000, 64), w.num(0x4008000000000000, 64)}, "pow");
    w.check(w.t().eq(root, w.num(0x4020000000000000, 64)));
    w.call(error, {}, {});
    w.halt(w.num(0));
  }
  std::string text;
  RunPlan plan;
  plan.output = [&](int fd, std::span<const uint8_t> bytes) {
    text += std::to_string(fd) + std::string(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(violation(plan), "unreach-call: reach_error() is called");
  EXPECT_EQ(text, "1hi!");
}

TEST_F(MachineTest, UncheckedProperties) {
  {
    Writer w(program, 0);
    Term x = w.reg(8);
    w.nondet(x);
    w.check(w.t().ne(x, w.num(1, 8)), Property::NoOverflow);
    w.check(w.t().ne(x, w.num(2, 8)), Property::NoDivByZero);
    w.check(w.t().ne(x, w.num(3, 8)), Property::UnreachCall);
    w.plain(Kind::Assume, {}, {w.t().ne(x, w.num(4, 8))});
    w.halt(w.num(0));
  }
  specification = only({});
  EXPECT_EQ(run({.inputs = {1}}).end, RunEnd::Halted);
  EXPECT_EQ(run({.inputs = {2}}).end, RunEnd::Cut);
  EXPECT_TRUE(run({.inputs = {3}}).aborted);
  EXPECT_EQ(run({.inputs = {4}}).end, RunEnd::Pruned);
  specification = everything();
  EXPECT_EQ(violation({.inputs = {1}}), "no-overflow: check failed");
  EXPECT_EQ(violation({.inputs = {2}}), "no-div-by-zero: check failed");
}

TEST_F(MachineTest, SwitchWithManyCases) {
  {
    Writer w(program, 0);
    Term x = w.reg(32), r = w.reg(32);
    w.nondet(x);
    LocationId from = w.here(), join = w.label();
    (void)from;
    std::vector<LocationId> arms;
    program::FunctionBuilder b(program, 0);
    Term rest = w.t().truth();
    for (int i = 0; i < 9; ++i) {
      arms.push_back(w.label());
      Statement s = w.make(Kind::Assume, {}, {i < 8 ? w.t().eq(x, w.num(i * 1000)) : rest});
      if (i < 8) rest = w.t().band(rest, w.t().bnot(s.operands[0]));
      b.edge(from, arms.back(), s);
    }
    for (int i = 0; i < 9; ++i) {
      LocationId arm = arms[i];
      Statement s = w.make(Kind::Assign, {r}, {w.num(i)});
      b.edge(arm, join, s);
    }
    b.edge(join, kNone, [&] {
      Statement s = w.make(Kind::Halt, {}, {r});
      s.text = "exit";
      return s;
    }());
  }
  for (int i = 0; i < 8; ++i) EXPECT_EQ(run({.inputs = {static_cast<u128>(i * 1000)}}).status, i);
  EXPECT_EQ(run({.inputs = {5}}).status, 8);
  EXPECT_EQ(run({.inputs = {8000}}).status, 8);
}

}  // namespace
}  // namespace whittle::exec::test
