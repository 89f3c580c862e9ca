// Effects of random paths against the evaluator, over many states before the path.
#include "wp/effect.h"

#include "semantics/apply.h"
#include "wp/wp_test_support.h"

namespace whittle::wp::test {
namespace {

/// The effect of a path, and what its fresh variables stand for.
struct Followed {
  Followed(RandomPath& random, Effect::Reads reads)
      : program(random.program), frames(random.frames), effect(random.program.terms(), reads) {}

  void over(const Path& path) {
    for (index = 0; index < path.size(); ++index) over(path[index]);
  }

  void over(const Step& s) {
    step = &s;
    const Statement& statement = program.functions[s.function].edges[s.edge].statement;
    if (statement.kind == Kind::Call) {
      for (uint32_t i = 0; i < statement.operands.size(); ++i)
        effect.assign(frames.variable(s.callee_frame, s.callee, i), now(statement.operands[i]));
    } else if (statement.kind == Kind::Return) {
      const Statement& call = program.functions[s.caller].edges[s.call_edge].statement;
      effect.assign(frames.variable(s.caller_frame, s.caller, call.targets[0]), now(statement.operands[0]));
    } else {
      semantics::apply(frames.meanings().of(s.function, s.edge), *this);
    }
  }

  Term now(Term t) { return effect.now(frames.in_frame(step->frame, step->function, t)); }
  Term address(Term t) { return now(t); }
  Term arbitrary(const semantics::Assign& a) {
    inputs.emplace_back(index, effect.fresh(program.functions[step->function].registers[a.target].width()));
    return inputs.back().second;
  }
  void guard(Term condition) { effect.guard(condition); }
  void assign(RegisterId target, Term value) {
    effect.assign(frames.variable(step->frame, step->function, target), value);
  }
  void write(Term address, Term value) { effect.write(address, value); }
  void bulk(const semantics::Write& w) {
    Term size = now(w.size);
    sizes.push_back(program.terms().eq(size, program.terms().constant(size.width(), step->size)));
    if (w.kind == semantics::Write::Kind::Copy)
      effect.copy(now(w.address), now(w.value), step->size);
    else
      effect.fill(now(w.address), now(w.value), step->size);
  }
  std::map<uint32_t, u128> values(const std::vector<u128>& nondets) const {
    std::map<uint32_t, u128> values;
    for (auto [at, variable] : inputs) values[variable.variable()] = nondets[at] & mask128(variable.width());
    return values;
  }

  Program& program;
  Frames& frames;
  Effect effect;
  size_t index = 0;
  const Step* step = nullptr;
  std::vector<std::pair<size_t, Term>> inputs;  ///< by step
  std::vector<Term> sizes;                      ///< what was copied or filled is as large as it was
};

TEST(Effect, ExactWhereTheAliasesHold) {
  uint64_t states = 0, aliased = 0, holds = 0, fails = 0, conditions = 0;
  for (int seed = 0; seed < programs(); ++seed) {
    RandomPath random(static_cast<uint64_t>(seed), true);
    Evaluator evaluator(random.program, random.frames);
    Store& store = random.program.terms();
    Followed followed(random, Effect::Reads::Later);
    auto at_start = [&](Term t) { return evaluator.value(random.start, t, followed.values(random.nondets)); };
    followed.over(random.path);
    Resolution resolution(followed.effect, Oracle(std::function<u128(Term)>(at_start)));
    std::vector<Term> all;
    for (Term size : followed.sizes) {
      Term here = resolution.of(size, all);
      all.push_back(here);
    }
    Term before = resolution.of(
        store.band(followed.effect.pre(random.predicate), store.conjunction(followed.effect.guards())), all);
    conditions += all.size();
    Term aliases = store.conjunction(all);
    for (int i = 0; i < 50; ++i, ++states) {
      State first = i == 0 ? random.start : random.neighbour();
      std::vector<u128> nondets = random.nondets;
      for (u128& value : nondets)
        if (i > 0 && random.pick(4) == 0) value = random.pick(8);
      auto inputs = followed.values(nondets);
      const bool here = evaluator.value(first, aliases, inputs) == 1;
      ASSERT_TRUE(here || i > 0) << "seed " << seed << ": this execution has the aliasing it has";
      if (!here) continue;
      State last = first;
      bool good = true;
      for (size_t k = 0; k < random.path.size() && good; ++k)
        good = evaluator.run(last, random.path[k], nondets[k], nullptr);
      good = good && evaluator.value(last, random.predicate) == 1;
      ++aliased;
      ++(good ? holds : fails);
      ASSERT_EQ(evaluator.value(first, before, inputs) == 1, good)
          << "seed " << seed << ": " << term::to_c(store, before) << "\nunder " << term::to_c(store, aliases);
    }
  }
  EXPECT_GT(aliased, states / 5);  // the test tests something
  EXPECT_LT(aliased, states);
  EXPECT_GT(holds, aliased / 20);
  EXPECT_GT(fails, aliased / 20);
  EXPECT_GT(conditions, static_cast<uint64_t>(programs()));
}

/// Fresh variables stand for what is not followed: no state is lost.
TEST(Effect, AllCasesSayNothingWrong) {
  for (int seed = 0; seed < programs() / 10; ++seed) {
    RandomPath random(static_cast<uint64_t>(seed) + 300'000, false);
    Evaluator evaluator(random.program, random.frames);
    Store& store = random.program.terms();
    Followed followed(random, Effect::Reads::Cases);
    followed.over(random.path);
    Term before = store.band(followed.effect.pre(random.predicate), store.conjunction(followed.effect.guards()));
    bool open = false;
    for (Term v : term::variables(before)) open |= !random.frames.register_of(v).known();
    if (open) continue;
    for (int i = 0; i < 20; ++i) {
      State first = random.neighbour(), last = first;
      if (evaluator.value(first, store.conjunction(followed.sizes)) != 1) continue;
      bool good = true;
      for (size_t k = 0; k < random.path.size() && good; ++k) good = evaluator.run(last, random.path[k], 0, nullptr);
      good = good && evaluator.value(last, random.predicate) == 1;
      ASSERT_EQ(evaluator.value(first, before) == 1, good) << "seed " << seed;
    }
  }
}

TEST(Effect, ResolvesReadsAgainstWrites) {
  Store s;
  Term p = s.variable(64, "p"), x = s.variable(32, "x");
  Effect effect(s, Effect::Reads::Later);
  Term word = s.constant(64, 0x2000);
  effect.write(word, x);
  effect.write(s.constant(64, 0x2004), s.constant(8, 1));
  std::vector<Term> aliases;
  EXPECT_EQ(effect.pre(s.read(word, 32)), x);
  EXPECT_EQ(effect.pre(s.read(s.constant(64, 0x2002), 16)), s.extract(x, 16, 16));
  EXPECT_EQ(effect.pre(s.read(s.constant(64, 0x2005), 8)), s.read(s.constant(64, 0x2005), 8));
  EXPECT_EQ(effect.pre(s.read(s.constant(64, 0x2003), 16)),
            s.concat(s.constant(8, 1), s.extract(x, 24, 8)));  // from two writes
  Term read = effect.pre(s.read(p, 8));
  EXPECT_TRUE(read.is_variable());
  EXPECT_EQ(effect.pre(s.read(p, 8)), read) << "one read, one variable";
  Resolution resolution(effect, Oracle([&](Term) -> u128 { return 0; }));  // all differences are 0: p points to the byte
  EXPECT_EQ(resolution.of(x, aliases), x);
  EXPECT_TRUE(aliases.empty()) << "what does not depend on the read needs no condition";
  EXPECT_EQ(resolution.of(read, aliases), s.constant(8, 1));
  EXPECT_EQ(aliases, std::vector<Term>{s.eq(s.sub(p, s.constant(64, 0x2004)), s.constant(64, 0))});
}

TEST(Effect, AReadThroughAReadIsResolvedFromTheInside) {
  Store s;
  Term p = s.variable(64, "p"), q = s.variable(64, "q"), r = s.variable(64, "r"), x = s.variable(64, "x");
  Effect effect(s, Effect::Reads::Later);
  effect.write(p, q);  // *p = q
  effect.write(s.constant(64, 0x3000), x);
  Term twice = effect.pre(s.read(s.read(r, 64), 64));  // **r
  Resolution same(effect, Oracle([&](Term) -> u128 { return 0; }));
  std::vector<Term> aliases;
  EXPECT_EQ(same.of(twice, aliases), x);
  EXPECT_EQ(aliases.size(), 2u) << "r points to 0x3000, and x as well";
  Resolution apart(effect, Oracle([&](Term) -> u128 { return 0x100; }));
  aliases.clear();
  EXPECT_EQ(apart.of(twice, aliases), s.read(s.read(r, 64), 64));
}

TEST(Effect, MemoryWithoutAValueIsTheSameAtEveryRead) {
  Store s;
  Effect effect(s);
  Term object = s.constant(64, 0x5000), other = s.constant(64, 0x6000);
  effect.write_any(object, 8);
  Term first = effect.pre(s.read(object, 32));
  EXPECT_TRUE(first.is_variable());
  EXPECT_EQ(effect.pre(s.read(object, 32)), first);
  EXPECT_EQ(effect.without_value(), (std::vector<std::pair<uint64_t, Term>>{{0x5000, first}}));
  effect.write_anywhere([](uint64_t address) { return address < 0x6000; });
  EXPECT_NE(effect.pre(s.read(object, 32)), first);
  EXPECT_EQ(effect.pre(s.read(other, 32)), s.read(other, 32));
}

}  // namespace
}  // namespace whittle::wp::test
