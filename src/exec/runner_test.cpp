// Whole runs and their traces.
#include <gtest/gtest.h>

#include <set>

#include "exec/exec_test_support.h"

namespace whittle::exec::test {
namespace {

/// x = nondet(); y = model(x); a[1] = y; check(y != 8)
program::Program example() {
  program::Program program;
  program.types.push_back({program::Type::Kind::Integer, "int", 4, true});
  program.types.push_back({program::Type::Kind::Array, "int[2]", 8, false, 1, 2});
  program.entry = add_function(program, "main");
  FunctionId model = add_function(program, "model", 32);
  program.functions[model].runtime = true;
  add_object(program, "a", std::vector<uint8_t>(8, 0));
  program.objects[0].type = 2;
  program.place_objects();
  {
    Writer w(program, model);
    Term n = w.param(32, "n"), inner = w.reg(32, "inner");
    w.assign(inner, w.t().add(n, w.num(1)));
    w.plain(Kind::Return, {}, {inner});
  }
  {
    Writer w(program, 0);
    program::FunctionBuilder b(program, 0);
    Term x = b.var(b.reg(32, "x", 1)), y = b.var(b.reg(32, "y", 1));
    w.nondet(x, "__VERIFIER_nondet_int");
    w.call(model, {y}, {x});
    w.store(w.num(program.objects[0].address + 4, 64), y);
    w.check(w.t().ne(y, w.num(8)), verdict::Property::UnreachCall, "assertion y != 8 failed");
    w.halt(w.num(0));
  }
  return program;
}

TEST(Runner, ReplayGivesATraceWithoutTheInsideOfModels) {
  program::Program program = example();
  auto code = compile(program);
  RunResult first = run(code, {.inputs = {7}});
  ASSERT_EQ(first.end, RunEnd::Violation);
  RunResult again = replay(code, first.counterexample);
  ASSERT_EQ(again.end, RunEnd::Violation);
  EXPECT_EQ(again.violation->message, "assertion y != 8 failed");
  ASSERT_EQ(again.trace.steps.size(), 4u);
  const auto& steps = again.trace.steps;
  using Changes = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(steps[0].statement, "x = __VERIFIER_nondet_int()");
  EXPECT_EQ(steps[0].changes, (Changes{{"x", "7"}}));
  EXPECT_EQ(steps[1].statement, "y = model(x)");
  EXPECT_EQ(steps[1].changes, (Changes{{"y", "8"}}));
  EXPECT_EQ(steps[2].statement, "a[1] = y");
  EXPECT_EQ(steps[2].changes, (Changes{{"a[1]", "8"}}));
  EXPECT_EQ(steps[2].function, "main");
  EXPECT_EQ(steps[2].line, 3u);
  EXPECT_EQ(steps[3].line, 4u);
}

TEST(Runner, LimitsEndARun) {
  program::Program program;
  program.entry = add_function(program, "main");
  {
    Writer w(program, 0);
    Term i = w.reg(32);
    LocationId head = w.label();
    w.assign(i, w.num(0));
    w.place(head);
    w.assign(i, w.t().add(i, w.num(1)));
    w.go(head);
  }
  auto code = compile(program);
  RunPlan plan;
  plan.max_statements = 1000;
  RunResult result = run(code, plan);
  EXPECT_EQ(result.end, RunEnd::Budget);
  EXPECT_GE(result.statements, 1000u);
  EXPECT_LT(result.statements, 2000u);
  Limits limits;
  limits.interrupt();
  EXPECT_EQ(run(code, {}, &limits).end, RunEnd::Stopped);
}

TEST(Runner, EqualSeedsEqualRuns) {
  program::Program program = example();
  auto code = compile(program);
  RunPlan plan;
  plan.more_inputs = RunPlan::Inputs::Random;
  std::set<uint64_t> values;
  for (plan.seed = 0; plan.seed < 20; ++plan.seed) {
    u128 value = run(code, plan).counterexample.inputs[0].value;
    EXPECT_TRUE(run(code, plan).counterexample.inputs[0].value == value);
    values.insert(static_cast<uint64_t>(value));
  }
  EXPECT_GT(values.size(), 5u);
}

}  // namespace
}  // namespace whittle::exec::test
