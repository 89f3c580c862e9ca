// Shapes of lowered C: which statements, over which variables, in which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/compile.h"
#include "frontend/test_support.h"
#include "program/order.h"

namespace whittle::frontend {
namespace {

using program::Kind;
using program::Program;
using program::Statement;
using test::count;
using test::lower;
using test::statements;
using test::text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using verdict::Property;

Options ilp32() {
  Options options = test::standard_options();
  options.data_model = program::DataModel::ILP32;
  return options;
}

TEST(Variables, AreRegistersWithNamesAndTypes) {
  Program p = lower(
      "int f(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }\n"
      "int main(void) { return f(3); }");
  const program::Function& f = test::function(p, "f");
  ASSERT_EQ(f.parameter_count, 1u);
  EXPECT_EQ(f.registers[0].name, "n");
  EXPECT_EQ(p.types[f.registers[0].type].name, "int");
  EXPECT_EQ(f.registers.size(), 3u);  // n, sum, i: nothing else is needed
  EXPECT_EQ(f.edges.size(), 7u);      // two initialisations, test and its opposite, two updates, return
  EXPECT_EQ(count(p, "f", Kind::Load) + count(p, "f", Kind::Store), 0u);
}

TEST(Variables, OldValueIsKeptWhenTheVariableChanges) {
  Program p = lower("int f(int x) { int y = x++ * 2; return y + x; }\nint main(void) { return f(3); }");
  std::vector<Statement> assigns = statements(p, "f", Kind::Assign);
  ASSERT_EQ(assigns.size(), 2u);
  EXPECT_EQ(assigns[0].targets.size(), 2u) << "x and its old value, at once";
  EXPECT_EQ(text(p, assigns[0].operands[0]), "x + 1");
  EXPECT_EQ(text(p, assigns[0].operands[1]), "x");
}

TEST(Variables, SwapThroughATemporary) {
  Program p =
      lower("int f(int a, int b) { int t = a; a = b; b = t; return a - b; }\nint main(void) { return f(1, 2); }");
  std::vector<Statement> assigns = statements(p, "f", Kind::Assign);
  ASSERT_EQ(assigns.size(), 3u);
  EXPECT_EQ(text(p, assigns[1].operands[0]), "b");
  EXPECT_EQ(text(p, assigns[2].operands[0]), "t");
}

TEST(Variables, UninitialisedOnesAreAskedWhenTheyAreRead) {
  Program p = lower(
      "int main(void) { int a; int b = 1; int s = 0;\n"
      "  for (int i = 0; i < 2; i++) { int c; int d = 2; s += c + d; }\n"
      "  return a + b + s; }");
  std::vector<Statement> nondets = statements(p, "main", Kind::Nondet);
  ASSERT_EQ(nondets.size(), 2u);
  EXPECT_EQ(nondets[0].text, "uninitialised c");
  EXPECT_FALSE(nondets[0].input);
  EXPECT_EQ(nondets[1].text, "uninitialised a");
  const program::Function& main = test::function(p, "main");
  bool in_loop = false;
  for (const program::Edge& edge : main.edges)
    if (edge.statement.kind == Kind::Nondet && edge.statement.text == "uninitialised c")
      for (const program::Edge& before : main.edges)
        in_loop |= before.to == edge.from && text(p, before.statement.operands[0]) == "2";
  EXPECT_TRUE(in_loop) << "a new value in each round, after d := 2";
}

TEST(Variables, OneValueForAllReadsOfAnUninitialisedOne) {
  auto asked = [](const char* source) { return statements(lower(source), "f", Kind::Nondet).size(); };
  EXPECT_EQ(asked("int f(int n) { int a; return a - a; }\nint main(void) { return f(1); }"), 1u);
  // One on each way; after the join there is a value.
  EXPECT_EQ(asked("int f(int n) { int a, s; if (n) s = a; else s = 1 + a; return s + a; }\n"
                  "int main(void) { return f(1); }"), 2u);
  // Only the way on which it is read later.
  Program p = lower("int f(int n) { int a; if (n == 7) a = 1; else if (n == 8) return 2; return a; }\n"
                    "int main(void) { return f(1); }");
  ASSERT_EQ(statements(p, "f", Kind::Nondet).size(), 1u);
  // Read in each round, the same value: asked before the loop.
  EXPECT_EQ(asked("int f(int n) { int a, s = 0; while (n--) s += a; return s; }\nint main(void) { return f(1); }"), 1u);
}

TEST(Variables, WhatAConditionWritesHasAValue) {
  Program p = lower(
      "int f(const char *t, int n) { int c, s = 0;\n"
      "  for (int i = 0; i < n && (c = t[i]) != 0 && c != 9; i++) s += c;\n"
      "  return s; }\nint main(void) { return f(\"ab\", 2); }");
  EXPECT_EQ(count(p, "f", Kind::Nondet), 0u) << "the body is not entered where n ends the loop";
}

TEST(Variables, ObjectsInLoopsAreNewInEachRound) {
  Program p = lower(
      "int use(int *);\nint main(void) { int s = 0;\n"
      "  for (int i = 0; i < 2; i++) { int a[3]; s += use(a); }\n"
      "  for (int i = 0; i < 2; i++) { int b[3] = {1, 2, 3}; s += use(b); }\n  return s; }");
  EXPECT_EQ(count(p, "main", Kind::StackSave), 1u) << "only the one that is not initialised";
}

TEST(Variables, ConditionsOfLoopsNeedNoRegister) {
  Program p = lower("int main(void) { int i = 0, j = 9; while (i < 5 && j > 2) { i++; j--; } return i; }");
  EXPECT_EQ(test::function(p, "main").registers.size(), 2u);
  EXPECT_EQ(count(p, "main", Kind::Assign), 4u);
}

TEST(Variables, FallingOffAThreadFunctionIsNoInput) {
  Program p = lower(
      "int pthread_create(unsigned long *, void *, void *(*)(void *), void *);\n"
      "void *worker() { }\nint odd() { }\n"
      "int main(void) { unsigned long t; pthread_create(&t, 0, worker, 0); return odd(); }");
  EXPECT_EQ(count(p, "worker", Kind::Nondet), 0u);
  EXPECT_EQ(count(p, "odd", Kind::Nondet), 1u);
}

TEST(Checks, DivisionIsCheckedWhereItHappens) {
  Program p = lower("int f(int a, int b) { return a != 0 && b / a > 1; }\nint main(void) { return f(0, 1); }");
  const program::Function& f = test::function(p, "f");
  std::vector<Statement> checks = statements(p, "f", Kind::Check);
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(checks[0].property, Property::NoDivByZero);
  EXPECT_EQ(text(p, checks[0].operands[0]), "a != 0");
  for (const program::Edge& edge : f.edges)
    if (edge.statement.kind == Kind::Check && edge.statement.text == "division by zero") {
      for (const program::Edge& before : f.edges) {
        if (before.to == edge.from) {
          EXPECT_EQ(text(p, before.statement.operands[0]), "a != 0");
        }
      }
    }
}

TEST(Checks, UnusedDivisionIsCheckedToo) {
  Program p = lower("int main(void) { int z = 0; 1 / z; return 0; }");
  EXPECT_GE(count(p, "main", Kind::Check), 1u);
}

TEST(Checks, ConstantsNeedNone) {
  Program p = lower("int f(int a) { return a / 3 + a % 7 + (a << 3) + (a >> 31); }\nint main(void) { return f(0); }");
  EXPECT_EQ(count(p, "f", Kind::Check), 0u);
}

TEST(Checks, ShiftAmountIsCheckedInItsOwnWidth) {
  Program p = lower("int f(int a, long n) { return a << n; }\nint main(void) { return f(0, 1); }");
  std::vector<Statement> checks = statements(p, "f", Kind::Check);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].property, Property::NoBadShift);
  term::Assignment assignment;
  for (auto [amount, good] :
       {std::pair<uint64_t, int>{0, 1}, {31, 1}, {32, 0}, {uint64_t{1} << 32, 0}, {~uint64_t{0}, 0}}) {
    assignment.variable = [&, value = amount](term::Term) { return u128{value}; };
    EXPECT_EQ(p.terms().evaluate(checks[0].operands[0], assignment), u128(good)) << amount;
  }
}

Options with_overflow() {
  Options options = test::standard_options();
  options.specification.properties.insert(Property::NoOverflow);
  return options;
}

size_t overflow_checks(const std::string& source) {
  Program p = lower(source + "\nint main(void) { return 0; }", [] {
    Options options = with_overflow();
    options.entry = "f";
    return options;
  }());
  size_t found = 0;
  for (const Statement& statement : statements(p, "f", Kind::Check))
    found += statement.property == Property::NoOverflow;
  for (const Statement& statement : statements(p, "f", Kind::Error))
    found += statement.property == Property::NoOverflow;
  return found;
}

TEST(Checks, SignedOverflowOnlyWhereThereIsOne) {
  EXPECT_EQ(overflow_checks("int f(int a, int b) { return a + b; }"), 1u);
  EXPECT_EQ(overflow_checks("int f(int a) { return -a; }"), 1u);
  EXPECT_EQ(overflow_checks("int f(int a) { a++; return a; }"), 1u);
  EXPECT_EQ(overflow_checks("long f(long a, long b) { return a * b - 1; }"), 2u);
  EXPECT_EQ(overflow_checks("int f(short a, short b) { return a * b; }"), 0u) << "promoted to int";
  EXPECT_EQ(overflow_checks("unsigned f(unsigned a, unsigned b) { return a * b + 1; }"), 0u);
  EXPECT_EQ(overflow_checks("char f(char a) { a++; return a; }"), 0u) << "a conversion, no overflow";
  EXPECT_EQ(overflow_checks("int f(int a, int b) { return a / b; }"), 1u) << "INT_MIN / -1";
  EXPECT_EQ(overflow_checks("int f(int a, int b) { return a << b; }"), 1u);
  EXPECT_EQ(overflow_checks("unsigned f(unsigned a, int b) { return a << b; }"), 0u);
  EXPECT_EQ(overflow_checks("__int128 f(__int128 a, __int128 b) { return a * b; }"), 1u);
  EXPECT_EQ(overflow_checks("int f(int *a, int *b) { return a - b; }"), 0u);
}

TEST(Checks, StandBeforeFolding) {
  auto checks = [](const std::string& expression) {
    Program p = lower("int main(void) { return " + expression + "; }", with_overflow());
    std::vector<std::string> found;
    for (const Statement& statement : statements(p, "main", Kind::Check))
      found.emplace_back(verdict::name(statement.property));
    return found;
  };
  using testing::ElementsAre;
  EXPECT_THAT(checks("1 / 0"), ElementsAre("no-div-by-zero"));
  EXPECT_THAT(checks("7 % (3 - 3)"), ElementsAre("no-div-by-zero"));
  EXPECT_THAT(checks("2147483647 + 1"), ElementsAre("no-overflow"));
  EXPECT_THAT(checks("1 << 33"), testing::Contains("no-bad-shift"));
  EXPECT_THAT(checks("(-2147483647 - 1) / -1"), ElementsAre("no-overflow"));
  EXPECT_THAT(checks("2147483646 + 1 + (1 << 3) / 2 - (7 >> 1)"), testing::Contains("no-overflow"));
  EXPECT_THAT(checks("1 + 2 * 3 - 4 / 2 + (1 << 4)"), testing::IsEmpty()) << "nothing can go wrong";
}

TEST(Branches, SwitchIsDisjointAndExhaustive) {
  Program p = lower(
      "int f(unsigned char c) { switch (c) { case 1: case 2: return 10; case 7: return 20; case 200 ... 203: return "
      "30;\n"
      "  default: return 40; } }\nint main(void) { return f(1); }");
  const program::Function& f = test::function(p, "f");
  for (const program::Location& location : f.locations) {
    if (location.edge_count < 2) continue;
    for (unsigned value = 0; value < 256; ++value) {
      term::Assignment assignment;
      assignment.variable = [&](term::Term) { return u128{value}; };
      unsigned holding = 0;
      for (uint32_t i = 0; i < location.edge_count; ++i)
        holding += p.terms().evaluate(f.edges[location.first_edge + i].statement.operands[0], assignment) == 1;
      EXPECT_EQ(holding, 1u) << value;
    }
  }
}

TEST(Calls, ErrorFunctionsAndAssertions) {
  Program p = lower(
      "#include <assert.h>\nvoid reach_error(void) { }\nint main(int argc, char **argv) {\n"
      "  assert(argc == 1);\n  if (argc > 5) reach_error();\n  return 0; }");
  std::vector<Statement> errors = statements(p, "main", Kind::Error);
  ASSERT_EQ(errors.size(), 2u);
  std::sort(errors.begin(), errors.end(), [](auto& a, auto& b) { return a.position.line < b.position.line; });
  EXPECT_EQ(errors[0].text, "assertion `argc == 1` failed");
  EXPECT_EQ(errors[0].position.line, 4u);
  EXPECT_THAT(errors[1].text, HasSubstr("reach_error"));
  EXPECT_EQ(errors[1].position.line, 5u);
  EXPECT_FALSE(p.find_function("reach_error")) << "it is not needed";
}

TEST(Calls, ErrorFunctionBehindAPointer) {
  Program p = lower("void reach_error(void) { }\nint main(void) { void (*f)(void) = reach_error; f(); return 0; }");
  EXPECT_EQ(count(p, "reach_error", Kind::Error), 1u);
}

TEST(Calls, InputsAndAssumptions) {
  Program p = lower(
      "int __VERIFIER_nondet_int(void); _Bool nondet_bool(void); void __VERIFIER_assume(int);\n"
      "void __CPROVER_assume(_Bool); int other(int);\n"
      "int main(void) { int x = __VERIFIER_nondet_int(); _Bool b = nondet_bool();\n"
      "  __VERIFIER_assume(x > 1); __CPROVER_assume(b); return other(x); }\nint unused(void) { return missing(); }");
  std::vector<Statement> nondets = statements(p, "main", Kind::Nondet);
  ASSERT_EQ(nondets.size(), 3u);
  EXPECT_TRUE(nondets[0].input && nondets[1].input && !nondets[2].input);
  EXPECT_EQ(nondets[0].text, "__VERIFIER_nondet_int");
  EXPECT_EQ(nondets[2].text, "return value of other");
  EXPECT_EQ(count(p, "main", Kind::Assume), 2u);
  EXPECT_THAT(p.assumptions, ElementsAre(HasSubstr("`other`"))) << "`missing` cannot be reached";
  EXPECT_FALSE(p.find_function("unused"));
}

TEST(Calls, StrictRefusesFunctionsWithoutBody) {
  Options options = test::standard_options();
  options.strict = true;
  Program p = lower("int other(int);\nint main(void) { return other(1); }", options);
  std::vector<Statement> refused = statements(p, "main", Kind::Unsupported);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].text, "function without a body: other");
  EXPECT_EQ(refused[0].position.line, 2u);
}

TEST(Calls, AtomicFunctionsAreBracketed) {
  Program p = lower(
      "int x;\nvoid __VERIFIER_atomic_step(int a) { if (a) { x = 1; return; } x = 2; }\n"
      "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
      "int main(void) { __VERIFIER_atomic_step(1); __VERIFIER_atomic_begin(); x = 3; __VERIFIER_atomic_end(); return "
      "0; }");
  EXPECT_EQ(count(p, "__VERIFIER_atomic_step", Kind::AtomicBegin), 1u);
  EXPECT_EQ(count(p, "__VERIFIER_atomic_step", Kind::AtomicEnd), count(p, "__VERIFIER_atomic_step", Kind::Return));
  EXPECT_EQ(count(p, "main", Kind::AtomicBegin), 1u);
  EXPECT_EQ(count(p, "main", Kind::AtomicEnd), 1u);
}

TEST(Calls, NothingFollowsACallThatDoesNotReturn) {
  Program p = lower(
      "void exit(int) __attribute__((noreturn));\nvoid stop(int a) { exit(a); }\nvoid stop2(void) { stop(1); }\n"
      "int main(void) { stop2(); return 5; }");
  EXPECT_EQ(count(p, "main", Kind::Return), 0u);
  EXPECT_EQ(count(p, "main", Kind::Unsupported), 0u);
  EXPECT_EQ(count(p, "__whittle_start", Kind::Halt), 0u);
}

TEST(Calls, StructsByValueAreCopiedByTheCallee) {
  Program p = lower(
      "struct big { int a[10]; };\nint f(struct big b) { b.a[1] = 2; return b.a[0]; }\n"
      "int main(void) { struct big b = {{1}}; return f(b) + b.a[1]; }");
  EXPECT_EQ(count(p, "f", Kind::Copy), 1u);
  std::vector<Statement> objects = statements(p, "f", Kind::StackAlloc);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].text, "b");
  EXPECT_EQ(text(p, objects[0].operands[0]), "40");
}

TEST(Calls, KindredFunctionsBehindPointers) {
  Program p = lower(
      "int one() { return 1; }\nint two(int a, int b) { return a + b; }\n"
      "int main(int argc, char **argv) { int (*f)() = argc > 1 ? one : two; return f(3, 4); }");
  EXPECT_EQ(count(p, "main", Kind::Call), 1u) << "one() gets no arguments";
  EXPECT_EQ(count(p, "main", Kind::IndirectCall), 1u);
}

TEST(Varargs, AreLaidOutLikeTheStack) {
  std::string source =
      "#include <stdarg.h>\nint sum(int n, ...) { va_list ap; va_start(ap, n); double d = va_arg(ap, double);\n"
      "  int i = va_arg(ap, int); va_end(ap); return d + i; }\n"
      "int main(void) { char c = 3; return sum(2, 1.5, c); }\n";
  Program wide = lower(source);
  std::vector<Statement> stores = statements(wide, "main", Kind::Store);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(stores[1].width, 64u);
  EXPECT_EQ(text(wide, statements(wide, "main", Kind::StackAlloc)[0].operands[0]), "16");
  EXPECT_EQ(test::function(wide, "sum").parameter_count, 2u);
  EXPECT_EQ(count(wide, "main", Kind::StackRestore), 1u);
  Program narrow = lower(source, ilp32());
  EXPECT_EQ(text(narrow, statements(narrow, "main", Kind::StackAlloc)[0].operands[0]), "12");
}

TEST(Atomics, EveryForm) {
  Program p = lower(
      "#include <stdatomic.h>\natomic_int a; int b; long long *q;\nint main(void) { atomic_store(&a, 1);\n"
      "  int x = atomic_load(&a); atomic_fetch_add(&a, 2); __sync_fetch_and_or(&b, 4);\n"
      "  int e = 1; atomic_compare_exchange_strong(&a, &e, 3); __sync_synchronize();\n"
      "  __sync_bool_compare_and_swap(&b, 1, 2); __atomic_exchange_n(&b, 5, __ATOMIC_SEQ_CST);\n"
      "  return x + __sync_add_and_fetch(&b, 1); }");
  EXPECT_EQ(count(p, "main", Kind::AtomicRmw), 4u);
  EXPECT_EQ(count(p, "main", Kind::AtomicCas), 2u);
  EXPECT_EQ(count(p, "main", Kind::Fence), 1u);
  size_t atomic_loads = 0, atomic_stores = 0;
  for (const Statement& s : statements(p, "main", Kind::Load)) atomic_loads += s.atomic;
  for (const Statement& s : statements(p, "main", Kind::Store)) atomic_stores += s.atomic;
  EXPECT_EQ(atomic_loads, 1u);
  EXPECT_EQ(atomic_stores, 1u);
}

TEST(Atomics, Orders) {
  using program::Order;
  Program p = lower(
      "#include <stdatomic.h>\natomic_int a;\nint main(void) {\n"
      "  int x = atomic_load_explicit(&a, memory_order_relaxed) + atomic_load_explicit(&a, memory_order_consume);\n"
      "  atomic_store_explicit(&a, 1, memory_order_relaxed); atomic_store_explicit(&a, x, memory_order_release);\n"
      "  atomic_fetch_add_explicit(&a, 2, memory_order_acquire); atomic_thread_fence(memory_order_release);\n"
      "  atomic_signal_fence(memory_order_seq_cst); atomic_compare_exchange_strong_explicit(&a, &x, 3,\n"
      "    memory_order_release, memory_order_relaxed); __sync_synchronize(); return a++; }");
  auto orders = [&](Kind kind) {
    std::vector<Order> found;
    for (const Statement& s : statements(p, "main", kind))
      if (s.atomic || kind == Kind::Fence) found.push_back(program::order_of(s));
    return found;
  };
  EXPECT_THAT(orders(Kind::Load), ElementsAre(Order::Relaxed, Order::Acquire));
  EXPECT_THAT(orders(Kind::Store), ElementsAre(Order::Relaxed, Order::Release));
  EXPECT_THAT(orders(Kind::AtomicRmw), ElementsAre(Order::Acquire, Order::Both));
  EXPECT_THAT(orders(Kind::AtomicCas), ElementsAre(Order::Release));
  EXPECT_EQ(program::failure_order(statements(p, "main", Kind::AtomicCas)[0]), Order::Relaxed);
  EXPECT_THAT(orders(Kind::Fence), ElementsAre(Order::Release, Order::Both));
}

TEST(Atomics, LibraryCalls) {
  Program p = lower(
      "struct odd { char c[3]; } s, t;\n_Atomic struct odd o;\nint main(void) { o = s; t = o;\n"
      "  struct { char pad; long long v; } __attribute__((packed)) u = {0, 1};\n"
      "  return __atomic_fetch_add(&u.v, 1, 5); }",
      ilp32());
  EXPECT_THAT(p.assumptions, IsEmpty());
  EXPECT_EQ(count(p, "main", Kind::Unsupported), 0u);
}

TEST(Refused, ByNameAndLine) {
  struct Case {
    const char* source;
    const char* what;
  };
  for (const Case& c :
       {Case{"#include <ucontext.h>\nucontext_t c;\nint main(void) {\n  return getcontext(&c); }", "getcontext"},
        Case{"\n\nint main(void) {\n  __asm__ volatile (\"hlt\"); return 0; }", "inline assembly: hlt"},
        Case{"\n\nint main(int n, char **v) { if (n == 7)\n __builtin_unreachable(); return 0; }", "unreachable"}}) {
    auto error = test::error_of([&] {
      Program p = lower(c.source);
      std::vector<Statement> refused = statements(p, "main", Kind::Unsupported);
      ASSERT_EQ(refused.size(), 1u) << c.source;
      EXPECT_THAT(refused[0].text, HasSubstr(c.what));
      EXPECT_GE(refused[0].position.line, 1u);
    });
    EXPECT_EQ(error.first, 0) << error.second;
  }
}

TEST(Branches, ComputedGoto) {
  Program p =
      lower("int main(int n, char **v) { static void *l[] = {&&a, &&b};\n  goto *l[n];\na: return 1;\nb: return 2; }");
  EXPECT_EQ(count(p, "main", Kind::Return), 1u);
  EXPECT_EQ(count(p, "main", Kind::Unsupported), 1u) << "for an address that is no label";
  EXPECT_EQ(count(p, "main", Kind::Assume), 3u);
}

TEST(Refused, NotABarrier) {
  Program p = lower(
      "int main(void) { int x = 1; __asm__ volatile (\"\" ::: \"memory\"); __asm__ volatile (\"\" : \"+r\"(x)); return "
      "x; }");
  EXPECT_EQ(count(p, "main", Kind::Unsupported), 0u);
}

TEST(Start, MainGetsItsArguments) {
  Program p = lower("int main(int argc, char **argv, char **envp) { return argc; }");
  std::vector<Statement> calls = statements(p, "__whittle_start", Kind::Call);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].operands[0].value(), 1u);
  const program::Object& argv = p.objects[*p.object_at(calls[0].operands[1].value64())];
  uint64_t name = 0;
  std::copy(argv.initial.begin(), argv.initial.begin() + 8, reinterpret_cast<uint8_t*>(&name));
  const program::Object& object = p.objects[*p.object_at(name)];
  EXPECT_STREQ(reinterpret_cast<const char*>(object.initial.data()), "program");
  EXPECT_EQ(argv.size, 16u);
}

TEST(Start, AnotherEntryGetsInputs) {
  Options options = test::standard_options();
  options.entry = "f";
  Program p = lower("int f(int a, char b, double c) { return a + b; }", options);
  std::vector<Statement> nondets = statements(p, "__whittle_harness", Kind::Nondet);
  ASSERT_EQ(nondets.size(), 3u);
  EXPECT_TRUE(nondets[0].input);
  EXPECT_EQ(nondets[0].text, "nondet_a");
  EXPECT_EQ(p.functions[*p.find_function("__whittle_harness")].registers[nondets[2].targets[0]].width(), 64u);
}

TEST(Start, ConstructorsComeFirst) {
  Program p = lower(
      "int x;\n__attribute__((constructor(200))) void b(void) { x = 2; }\n"
      "__attribute__((constructor(101))) void a(void) { x = 1; }\nint main(void) { return x; }");
  std::vector<std::string> called;
  for (const Statement& call : statements(p, "__whittle_start", Kind::Call))
    called.push_back(p.functions[call.callee].name);
  EXPECT_THAT(called, ElementsAre("a", "b", "main"));
}

TEST(Runtime, OnlyWhatIsNeededAndTheUsersOwnWins) {
  test::Folder folder;
  std::string models =
      folder.write("models.c",
                   "static int helper(void) { return 7; }\nint needed(void) { return helper(); }\n"
                   "int own(void) { return 1; }\nint unneeded(void) { return 2; }\n"
                   "int table[4];\nint deep(void) { return table[0]; }\nint deeper(void) { return deep(); }");
  Options options = test::standard_options();
  std::string bitcode = folder.write("models.bc", compile(models, options).bitcode);
  options.runtime = bitcode;
  std::string source = folder.write("a.c",
                                    "int needed(void), own(void), deeper(void);\nint own(void) { return 3; }\n"
                                    "int main(void) { return needed() + own() + deeper(); }");
  Program p = load_program({source}, options);
  p.validate();
  EXPECT_TRUE(test::function(p, "needed").runtime);
  EXPECT_TRUE(test::function(p, "helper").runtime);
  EXPECT_TRUE(test::function(p, "deep").runtime);
  EXPECT_FALSE(test::function(p, "own").runtime);
  EXPECT_FALSE(test::function(p, "main").runtime);
  EXPECT_EQ(text(p, statements(p, "own", Kind::Return)[0].operands[0]), "3");
  EXPECT_FALSE(p.find_function("unneeded"));
  EXPECT_TRUE(p.objects[*p.find_object("table")].runtime);
  EXPECT_THAT(p.assumptions, IsEmpty());
}

TEST(Primitives, BecomeStatements) {
  Program p = lower(
      "void __whittle_await32(const volatile int *, int, int, int); void __whittle_atomic_end(void);\n"
      "int __whittle_spawn(void (*)(void *, void *), void *, void *); void __whittle_thread_exit(void) "
      "__attribute__((noreturn));\n"
      "int __whittle_self(void); void __whittle_yield(void); void __whittle_output(int, const void *, unsigned long);\n"
      "void *__whittle_heap_alloc(unsigned long, _Bool); void __whittle_heap_free(void *); unsigned long "
      "__whittle_object_size(const void *);\n"
      "void __whittle_check(_Bool, int, const char *); void __whittle_assume(_Bool); void __whittle_halt(int, const "
      "char *) __attribute__((noreturn));\n"
      "double __whittle_math1(const char *, double); void __whittle_nondet_memory(void *, unsigned long);\n"
      "int w;\nvoid t(void *a, void *b) { __whittle_thread_exit(); }\n"
      "int main(void) { __whittle_await32(&w, -1, 1, 2); __whittle_atomic_end(); int n = __whittle_spawn(t, 0, 0);\n"
      "  n += __whittle_self(); __whittle_yield(); char *m = __whittle_heap_alloc(4, 1); n += "
      "__whittle_object_size(m);\n"
      "  __whittle_output(1, m, 4); __whittle_heap_free(m); __whittle_check(n > 0, 11, \"message\"); "
      "__whittle_assume(n < 9);\n"
      "  double d = __whittle_math1(\"sin\", 1.0); int x; char y[20]; __whittle_nondet_memory(&x, 4); "
      "__whittle_nondet_memory(y, 20);\n"
      "  __whittle_halt(d + x + y[0], \"exit\"); }");
  for (Kind kind : {Kind::Await, Kind::AtomicEnd, Kind::Spawn, Kind::Self, Kind::Yield, Kind::HeapAlloc,
                    Kind::ObjectSize, Kind::Output, Kind::HeapFree, Kind::Check, Kind::HostMath, Kind::Halt})
    EXPECT_EQ(count(p, "main", kind), 1u) << name(kind);
  EXPECT_EQ(count(p, "t", Kind::ThreadExit), 1u);
  EXPECT_EQ(statements(p, "main", Kind::Check)[0].property, Property::LockDiscipline);
  EXPECT_EQ(statements(p, "main", Kind::Check)[0].text, "message");
  EXPECT_EQ(statements(p, "main", Kind::HostMath)[0].text, "sin");
  EXPECT_EQ(count(p, "main", Kind::Nondet), 2u) << "one for the int, one in the loop over the array";
}

TEST(Local, AccessesToPrivateObjects) {
  Program p = lower(
      "void other(int *);\nint main(int argc, char **argv) { int a[4], b[4]; a[argc] = 1; b[argc] = 2; other(b); "
      "return a[0] + b[0]; }");
  std::vector<Statement> stores = statements(p, "main", Kind::Store);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_TRUE(stores[0].local);
  EXPECT_FALSE(stores[1].local);
}

}  // namespace
}  // namespace whittle::frontend
