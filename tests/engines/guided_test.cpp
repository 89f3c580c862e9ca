// guided on random threaded programs: every combination of its reductions must answer as the plain search does, and
// where inputs are small enough as the explicit engine, which knows neither terms nor solvers.
#include <gtest/gtest.h>

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

Specification specification_for(uint64_t seed) {
  Specification specification = verdict::default_specification();
  if (seed % 3 == 1) specification.properties.erase(Property::NoDeadlock);
  if (seed % 3 == 2) specification.properties.erase(Property::UnreachCall);
  if (seed % 10 == 9) specification.properties.insert(Property::NoDataRace);
  return specification;
}

uint64_t runs_of(const verdict::Verdict& verdict) {
  return verdict.statistics.count("runs_full") + verdict.statistics.count("runs_partial");
}

struct Counts {
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

TEST(Random, EveryCombinationOfReductionsAnswersAlike) {
  Counts counts;
  generate::Options options;
  options.seed = 90'000;
  test::for_each_program(
      options, test::program_count(120, 3000),
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
            << " wrong (" << counts.deadlocks << " deadlocks), " << counts.compared << " compared with explicit; runs";
  for (unsigned i = 1; i < 8; ++i) std::cout << ' ' << counts.runs[i];
  std::cout << '\n';
  EXPECT_GT(counts.wrong, counts.programs / 20);
  EXPECT_LT(counts.large, counts.programs * 2 / 3);
}

}  // namespace
}  // namespace whittle::engines::guided
