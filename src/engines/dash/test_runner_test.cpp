// A test's history says what the machine had, concretely and over inputs.
#include "engines/dash/test_runner.h"

#include <gtest/gtest.h>

#include "exec/exec_test_support.h"

namespace whittle::engines::dash {
namespace {

using exec::test::add_function;
using exec::test::add_object;
using exec::test::Writer;
using program::Kind;
using program::LocationId;
using program::RegisterId;

/// Puts an input into a static object, a heap object and a loop: for (i = 0; i < n; ++i) sum += *p.
struct Summing {
  program::Program program;
  std::shared_ptr<const exec::Code> code;
  LocationId head = 0;
  RegisterId n = 0, i = 0, sum = 0, p = 0;
  uint64_t counter = 0;

  explicit Summing(bool in_loop = false) {
    add_object(program, "counter", {9, 0, 0, 0});
    program.place_objects();
    counter = program.objects[0].address;
    program.entry = add_function(program, "main", 32);
    Writer w(program, 0);
    Term rn = w.reg(32), ri = w.reg(32), rs = w.reg(32), rp = w.reg(64), x = w.reg(32);
    n = w.id(rn), i = w.id(ri), sum = w.id(rs), p = w.id(rp);
    head = w.label();
    LocationId body = w.label(), out = w.label();
    auto make = [&] { w.plain(Kind::HeapAlloc, {rp}, {w.num(8, 64), w.num(0, 1)}); };
    w.nondet(rn);
    make();
    w.store(w.t().add(rp, w.num(4, 64)), w.num(11));
    w.store(w.num(counter, 64), w.t().add(rn, w.num(1)));
    w.assign(ri, w.num(0));
    w.assign(rs, w.num(0));
    w.place(head);
    w.branch(w.t().ult(ri, rn), body, out);
    w.place(body);
    if (in_loop) make();
    w.load(x, rp);
    w.assign(rs, w.t().add(rs, x));
    w.assign(ri, w.t().add(ri, w.num(1)));
    w.go(head);
    w.place(out);
    w.halt(w.num(0));
    w.finish();
    program.functions[0].locations[head].loop_head = true;
    code = exec::test::compile(program);
  }
};

struct Tested {
  Summing& it;
  Space space{it.code, std::make_shared<program::analysis::Analyses>(it.code->program())};
  TestRunner runner{space, it.code};
  Limits limits;
  Test test;

  explicit Tested(Summing& of, const TestPlan& plan, u128 others = 0) : it(of) {
    test = runner.run(
        plan, [&](size_t, unsigned) { return others; }, {}, limits);
  }
  std::vector<uint32_t> visits(LocationId at) const {
    std::vector<uint32_t> found;
    for (uint32_t v = 0; v < test.visits.size(); ++v)
      if (test.visits[v].place.location == at) found.push_back(v);
    return found;
  }
  u128 value(uint32_t visit, RegisterId reg) const { return test.evaluate(space, visit, space.variable(0, reg)); }
  Term word(uint64_t address) { return space.terms().read(space.terms().constant(64, address), 32); }
  /// What a state is over the inputs is, for the inputs of the run, what it is.
  void agrees() {
    auto& store = space.terms();
    auto input = [&](Term v) -> u128 {
      const size_t k = space.input_number(v);
      return k < test.inputs.size() ? test.inputs[k].value : 0;
    };
    std::vector<Term> looked_at{word(it.counter)};
    for (RegisterId reg : {it.n, it.i, it.sum, it.p}) looked_at.push_back(space.variable(0, reg));
    for (const Site& site : space.sites()) {
      looked_at.push_back(site.alive);
      looked_at.push_back(word(site.address + 4));
    }
    for (uint32_t v = 0; v < test.visits.size(); ++v)
      for (Term t : looked_at) {
        std::vector<Term> pins;
        Term over_inputs = test.symbolic(space, v, t, pins);
        EXPECT_EQ(store.evaluate(over_inputs, {input, {}}), test.evaluate(space, v, t)) << v;
      }
  }
};

TEST(TestRunner, KeepsWhatTheMachineHadAtEveryVisit) {
  Summing program;
  Tested run(program, {{3}, {}, {}}, 5);
  ASSERT_EQ(run.test.end, dash::Test::End::Finished);
  const auto heads = run.visits(program.head);
  ASSERT_EQ(heads.size(), 4u);
  for (uint32_t k = 0; k < heads.size(); ++k) {
    EXPECT_EQ(run.value(heads[k], program.i), k);
    EXPECT_EQ(run.value(heads[k], program.sum), 5 * k);
    EXPECT_EQ(run.test.evaluate(run.space, heads[k], run.word(program.counter)), 4u);
  }
  EXPECT_EQ(run.test.evaluate(run.space, 0, run.word(program.counter)), 9u);  // before the program has done anything
  run.agrees();
}

TEST(TestRunner, ObjectsLieAtTheirSites) {
  Summing program;
  Tested run(program, {{1}, {}, {}});
  ASSERT_EQ(run.space.sites().size(), 1u);
  const Site& site = run.space.sites()[0];
  const auto heads = run.visits(program.head);
  EXPECT_EQ(run.value(heads[0], program.p), site.address);
  EXPECT_EQ(run.test.evaluate(run.space, heads[0], site.alive), 1u);
  EXPECT_EQ(run.test.evaluate(run.space, 0, site.alive), 0u);
  EXPECT_EQ(run.test.evaluate(run.space, heads[0], run.word(site.address + 4)), 11u);
}

TEST(TestRunner, BytesThatWereNeverWrittenHaveTheirValueFromTheBegin) {
  Summing program;
  TestPlan plan{{2}, {}, {}};
  Tested first(program, plan);
  const uint64_t at = first.space.sites()[0].address;
  plan.memory = {{at, 7}, {at + 1, 0}, {at + 2, 0}, {at + 3, 0}};
  Tested run(program, plan);
  const auto heads = run.visits(program.head);
  EXPECT_EQ(run.test.inputs.size(), 2u);                                // asked for once
  EXPECT_EQ(run.test.evaluate(run.space, heads[0], run.word(at)), 7u);  // read later
  EXPECT_EQ(run.value(heads[2], program.sum), 14u);
  run.agrees();
  Tested never(program, {{0}, {}, plan.memory});
  EXPECT_EQ(never.test.evaluate(never.space, never.visits(program.head)[0], never.word(at)), 7u);  // and never read
}

TEST(TestRunner, PathConditionsHoldForTheRunAndSayWhichWayItWent) {
  Summing program;
  Tested run(program, {{2}, {}, {}});
  auto& store = run.space.terms();
  auto holds = [&](u128 n) {
    for (Term t : run.test.conditions)
      if (store.evaluate(t, {[&](Term v) { return run.space.input_number(v) == 0 ? n : 0; }, {}}) == 0) return false;
    return true;
  };
  EXPECT_TRUE(holds(2));
  EXPECT_FALSE(holds(1));
  EXPECT_FALSE(holds(3));
  EXPECT_EQ(run.test.visits[run.visits(program.head)[0]].conditions, 0u);
}

TEST(TestRunner, ObjectsWithoutASiteAreFollowed) {
  Summing program(true);
  Tested run(program, {{3}, {}, {}}, 1);
  EXPECT_EQ(run.test.end, dash::Test::End::Finished);
  EXPECT_EQ(run.space.sites().size(), 1u);
  const auto heads = run.visits(program.head);
  ASSERT_EQ(heads.size(), 4u);
  EXPECT_EQ(run.value(heads[3], program.sum), 3u);
  EXPECT_NE(run.value(heads[1], program.p), run.value(heads[2], program.p));
}

TEST(TestRunner, TellsWhetherItCameToAStatement) {
  Summing program;
  TestPlan plan{{0}, {}, {}};
  plan.watch_context = 0;
  for (uint32_t e = 0; e < program.program.functions[0].edges.size(); ++e)
    if (program.program.functions[0].edges[e].statement.kind == Kind::Load) plan.watch_edge = e;
  EXPECT_FALSE(Tested(program, plan).test.watched);
  plan.inputs = {1};
  EXPECT_TRUE(Tested(program, plan).test.watched);
}

}  // namespace
}  // namespace whittle::engines::dash
