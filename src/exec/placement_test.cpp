// Who looks on decides where objects lie, and hears of every statement once it is done.
#include <gtest/gtest.h>

#include "exec/exec_test_support.h"
#include "exec/symbolic.h"

namespace whittle::exec::test {
namespace {

/// Puts every object at one address.
struct OnePlace : Placement {
  uint64_t address = 0;
  std::vector<uint64_t> sizes;
  uint64_t place(uint32_t, FunctionId, uint32_t, uint64_t size) override {
    sizes.push_back(size);
    return address;
  }
};

/// p = malloc(8); maybe free(p); q = malloc(16); p == q is an error.
program::Program two_objects(bool freed) {
  program::Program p;
  p.entry = add_function(p, "main", 32);
  Writer w(p, 0);
  Term first = w.reg(64), second = w.reg(64);
  w.plain(Kind::HeapAlloc, {first}, {w.num(8, 64), w.num(0, 1)});
  w.store(first, w.num(5));
  if (freed) w.plain(Kind::HeapFree, {}, {first});
  w.plain(Kind::HeapAlloc, {second}, {w.num(16, 64), w.num(1, 1)});
  w.check(w.t().ne(first, second));
  w.halt(w.num(0));
  w.finish();
  return p;
}

TEST(Placement, ObjectsLieWhereItSays) {
  program::Program p = two_objects(true);
  Machine machine(compile(p));
  OnePlace places;
  places.address = (machine.area(0, ObjectInfo::Kind::Heap).begin + machine.area(0, ObjectInfo::Kind::Heap).end) / 2;
  machine.set_placement(&places);
  machine.reset();
  EXPECT_EQ(machine.schedule(0).kind, PauseKind::Violation);  // both at the same place, one after the other
  EXPECT_EQ(places.sizes, (std::vector<uint64_t>{8, 16}));
  EXPECT_EQ(machine.object_at(places.address)->size, 16u);
  EXPECT_TRUE(machine.initialised(places.address, 16));
  machine.set_placement(nullptr);
  machine.reset();
  EXPECT_EQ(machine.schedule(0).kind, PauseKind::Halted);
}

TEST(Placement, NothingIsPutOnWhatLives) {
  program::Program p = two_objects(false);
  Machine machine(compile(p));
  OnePlace places;
  const Machine::Area heap = machine.area(0, ObjectInfo::Kind::Heap);
  machine.set_placement(&places);
  for (uint64_t address : {heap.begin, heap.begin + 8, heap.begin - 64, heap.end - 8}) {
    places.address = address;
    machine.reset();
    EXPECT_EQ(machine.schedule(0).kind, PauseKind::Cut) << address;
  }
  places.address = 0;  // as the machine likes
  machine.reset();
  EXPECT_EQ(machine.schedule(0).kind, PauseKind::Halted);
}

/// Writes down what each statement left in the register that it is about.
struct Historian : Listener {
  SymbolicMachine* machine = nullptr;
  std::vector<uint32_t> announced, done;
  std::vector<Term> terms;
  void statement(uint32_t, FunctionId, uint32_t edge) override { announced.push_back(edge); }
  void withdrawn(uint32_t) override { announced.pop_back(); }
  void executed(uint32_t, FunctionId, uint32_t edge) override {
    done.push_back(edge);
    terms.push_back(machine->register_term(0, 0, 0));
  }
};

TEST(Observer, HearsWhatWasExecutedOnceItIsDone) {
  program::Program p;
  p.entry = add_function(p, "main", 32);
  {
    Writer w(p, 0);
    Term x = w.reg(32), y = w.reg(32);
    w.assign(x, w.num(7));
    w.nondet(x);
    w.assign(x, w.t().add(x, w.num(1)));  // never read again
    w.nondet(y);
    w.check(w.t().ne(y, w.num(3)));
    w.halt(w.num(0));
  }
  SymbolicMachine machine(p, compile(p));
  Historian historian;
  historian.machine = &machine;
  machine.set_observer(&historian);
  machine.reset();
  machine.schedule(0);
  ASSERT_EQ(machine.pause().kind, PauseKind::Input);
  EXPECT_EQ(historian.done, (std::vector<uint32_t>{0}));
  Term a = p.terms().variable(32, "a"), b = p.terms().variable(32, "b");
  machine.provide(a, 1);
  ASSERT_EQ(machine.pause().kind, PauseKind::Input);
  machine.provide(b, 3);
  ASSERT_EQ(machine.pause().kind, PauseKind::Violation);
  EXPECT_EQ(historian.done, (std::vector<uint32_t>{0, 1, 2, 3}));  // not the check that failed
  EXPECT_EQ(historian.announced, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  const std::vector<Term> expected{p.terms().constant(32, 7), a, p.terms().add(a, p.terms().constant(32, 1))};
  EXPECT_EQ(std::vector<Term>(historian.terms.begin(), historian.terms.begin() + 3), expected);
}

}  // namespace
}  // namespace whittle::exec::test
