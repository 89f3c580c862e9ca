// Preconditions of random paths against the evaluator, over many states before the path.
#include "wp/precondition.h"

#include "wp/forall.h"
#include "wp/wp_test_support.h"

namespace whittle::wp::test {
namespace {

/// The predicate where every address is what it is at the end of the path.
Term at_known_addresses(RandomPath& random) {
  Evaluator evaluator(random.program, random.frames);
  Store& store = random.program.terms();
  return store.substitute(
      random.predicate, [](Term v) { return v; },
      [&](Term read) {
        Term address = store.constant(read.kid(0).width(), evaluator.value(random.state, read.kid(0)));
        return store.read(address, read.width());
      });
}

/// Does running the path from this state do what a precondition promises?
bool as_promised(RandomPath& random, State state, const std::vector<u128>& nondets, Term condition) {
  Evaluator evaluator(random.program, random.frames);
  for (size_t k = 0; k < random.path.size(); ++k) {
    const Step& step = random.path[k];
    for (Term demand : step.demands)
      if (evaluator.operand(state, step, demand) != 1) return false;
    if (!evaluator.run(state, step, nondets[k], nullptr)) return !step.firm;
  }
  return evaluator.value(state, condition) == 1;
}

void compare(uint64_t seed, bool nondet, uint64_t& holds, uint64_t& fails) {
  RandomPath random(seed, nondet);
  Evaluator evaluator(random.program, random.frames);
  Store& store = random.program.terms();
  Term condition = at_known_addresses(random);
  Term before = store.conjunction(precondition(random.frames, random.path, {condition}));
  for (Term v : term::variables(before)) ASSERT_TRUE(random.frames.register_of(v).known()) << "seed " << seed;
  for (int i = 0; i < 50; ++i) {
    State first = i == 0 ? random.start : random.neighbour();
    std::vector<u128> nondets = random.nondets;
    for (u128& value : nondets)
      if (i > 0 && random.pick(4) == 0) value = random.pick(8);
    const bool said = evaluator.value(first, before) == 1, good = as_promised(random, first, nondets, condition);
    ++(said ? holds : fails);
    if (said) ASSERT_TRUE(good) << "seed " << seed << ": " << term::to_c(store, before);
    if (!nondet && !said) ASSERT_FALSE(good) << "seed " << seed << ": " << term::to_c(store, before);
  }
}

TEST(Precondition, ExactWithoutChoices) {
  uint64_t holds = 0, fails = 0;
  for (int i = 0; i < programs(); ++i)
    ASSERT_NO_FATAL_FAILURE(compare(static_cast<uint64_t>(i) + 200'000, false, holds, fails));
  EXPECT_GT(holds, (holds + fails) / 20);  // the test tests something
  EXPECT_GT(fails, (holds + fails) / 20);
}

TEST(Precondition, ChoicesAreOnTheSafeSide) {
  uint64_t holds = 0, fails = 0;
  for (int i = 0; i < programs(); ++i)
    ASSERT_NO_FATAL_FAILURE(compare(static_cast<uint64_t>(i) + 100'000, true, holds, fails));
  EXPECT_GT(holds, (holds + fails) / 20);
}

/// One function, statements in a row, for the examples below.
struct Example {
  Program program;
  Frames frames{program};
  Path path;
  Example() {
    program.functions.resize(1);
    program.functions[0].name = "main";
  }
  Term reg(unsigned width, const char* name) {
    return program.functions[0].registers[program.add_register(0, width, name)].variable;
  }
  Term here(Term t) { return frames.in_frame(0, 0, t); }
  void run(Statement statement, Step step = {}) {
    step.function = 0;
    step.edge = static_cast<uint32_t>(program.functions[0].edges.size());
    program.functions[0].edges.push_back({0, 0, std::move(statement)});
    path.push_back(step);
  }
};

TEST(Precondition, BranchesThatAreNotFirmWeakenWhatComesAfter) {
  Example e;
  Store& s = e.program.terms();
  Term x = e.reg(32, "x"), y = e.reg(32, "y");
  Term small = s.slt(x, s.constant(32, 9)), even = s.eq(s.extract(x, 0, 1), s.constant(1, 0));
  e.run({.kind = Kind::Assume, .operands = {small}});
  e.run({.kind = Kind::Assume, .operands = {even}}, {.firm = true});
  e.run({.kind = Kind::Assign, .targets = {1}, .operands = {s.add(x, s.constant(32, 1))}});
  std::vector<Term> before = precondition(e.frames, e.path, {e.here(s.eq(y, s.constant(32, 5)))});
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before[0], s.implies(e.here(small), e.here(s.eq(x, s.constant(32, 4)))));
  EXPECT_EQ(before[1], s.implies(e.here(small), e.here(even)));
}

TEST(Precondition, NewMemoryAndUniversalBits) {
  Example e;
  Store& s = e.program.terms();
  e.reg(64, "p"), e.reg(64, "z");
  Term flag = e.reg(1, "flag"), size = s.constant(64, 8);
  e.run({.kind = Kind::HeapAlloc, .targets = {0}, .operands = {size, s.falsity()}}, {.address = 0x5000, .size = 8});
  e.run({.kind = Kind::HeapAlloc, .targets = {1}, .operands = {size, s.truth()}}, {.address = 0x6000, .size = 8});
  e.run({.kind = Kind::Nondet, .targets = {2}});
  auto zero_at = [&](uint64_t at) { return s.eq(s.read(s.constant(64, at), 32), s.constant(32, 0)); };
  auto before = [&](Term condition) {
    return s.conjunction(precondition(e.frames, e.path, {condition}));
  };
  EXPECT_TRUE(before(zero_at(0x6000)).is_true());
  EXPECT_TRUE(before(zero_at(0x5000)).is_false());
  EXPECT_EQ(before(zero_at(0x7000)), zero_at(0x7000));
  EXPECT_TRUE(before(e.here(flag)).is_false());
  Term implied = s.bor(e.here(flag), s.bnot(e.here(flag)));
  EXPECT_TRUE(before(implied).is_true());
}

TEST(ForAll, ExactWhereTheShapeSaysSo) {
  Store s;
  Term v = s.variable(32, "v"), t = s.variable(32, "t"), c = s.variable(1, "c");
  EXPECT_TRUE(for_all(s, s.eq(v, t), v).is_false());
  EXPECT_EQ(for_all(s, s.bnot(s.ult(v, t)), v), s.eq(t, s.constant(32, 0)));
  EXPECT_EQ(for_all(s, s.bor(c, s.eq(v, t)), v), c);
  EXPECT_EQ(for_all(s, s.eq(t, s.constant(32, 1)), v), s.eq(t, s.constant(32, 1)));
}

}  // namespace
}  // namespace whittle::wp::test
