// Every engine, with its reductions on and off, against the definition of a data race (reference.cpp).
#include <gtest/gtest.h>

#include <map>

#include "engines/explicit/explicit_engine.h"
#include "engines/guided/guided_engine.h"
#include "engines/programs.h"
#include "engines/test/test_engine.h"
#include "races/litmus.h"
#include "races/thread_language.h"

namespace whittle::test {
namespace {

using engines::Settings;
using verdict::Property;

struct Configuration {
  std::string name;
  bool complete;  ///< decides these programs; else it looks for violations only
  std::function<verdict::Verdict(const program::Program&, const verdict::Specification&, Context&)> run;
};

template <typename Engine>
Configuration configuration(std::string name, const std::map<std::string, std::string>& set, bool complete = true) {
  Settings settings;
  for (const auto& [option, value] : set) settings.set(option, value);
  return {std::move(name), complete,
          [settings](const program::Program& program, const verdict::Specification& specification,
                     Context& context) {
            return Engine().run(program, specification, settings, context);
          }};
}

std::vector<Configuration> configurations() {
  using engines::explicit_::ExplicitEngine;
  using engines::guided::GuidedEngine;
  return {
      configuration<ExplicitEngine>("explicit", {}),
      configuration<ExplicitEngine>("explicit, plain", {{"reduce", "none"}, {"dead", "none"}, {"private-steps", "no"}}),
      configuration<ExplicitEngine>("explicit, dynamic", {{"reduce", "onthefly"}, {"dead", "dynamic"}}),
      configuration<ExplicitEngine>("explicit, breadth first", {{"order", "breadth"}}),
      configuration<ExplicitEngine>("explicit, symbolic", {{"values", "symbolic"}}),
      configuration<GuidedEngine>("guided", {}),
      configuration<GuidedEngine>("guided, full", {{"no-dpor", ""}, {"no-summaries", ""}, {"no-slicing", ""}}),
      configuration<engines::test::TestEngine>("test", {{"test-runs", "300"}}, false),
  };
}

struct Tally {
  unsigned races = 0, none = 0, large = 0, found_by_test = 0;
};

/// Holds all engines against the definition, on the programs that `program_of` numbers from `first`.
Tally compare(uint64_t first, unsigned count, const std::function<races::Program(uint64_t)>& program_of) {
  const std::vector<Configuration> all = configurations();
  verdict::Specification specification;
  specification.properties = {Property::NoDataRace};
  Tally tally;
  auto text_of = [&](uint64_t seed) { return races::to_c(program_of(seed), std::to_string(seed)); };
  for_each_text(races::c_prelude(), first, count, text_of,
                [&](program::Program& program, uint64_t seed, const std::string& text) {
                  const races::Answer expected = races::reference(program_of(seed), 300'000);
                  if (expected == races::Answer::TooLarge) {
                    ++tally.large;
                    return;
                  }
                  const bool race = expected == races::Answer::Race;
                  ++(race ? tally.races : tally.none);
                  for (const Configuration& c : all) {
                    Limits limits;
                    Statistics statistics;
                    Progress progress(false);
                    Context context{limits, statistics, progress};
                    verdict::Verdict verdict = c.run(program, specification, context);
                    const std::string where = c.name + ", seed " + std::to_string(seed) + ": " + verdict.reason +
                                              (verdict.violation ? verdict.violation->message : "") + "\n" + text;
                    const verdict::Answer right = race ? verdict::Answer::False : verdict::Answer::True;
                    if (c.complete || verdict.answer != verdict::Answer::Unknown)
                      ASSERT_EQ(verdict.answer, right) << where;
                    if (!c.complete) tally.found_by_test += verdict.answer == verdict::Answer::False;
                  }
                });
  std::printf("%u with a race (%u of them found by tests), %u without, %u too large\n", tally.races,
              tally.found_by_test, tally.none, tally.large);
  return tally;
}

TEST(Races, EnginesAgreeWithTheDefinition) {
  const Tally tally = compare(1, program_count(60, 1200), races::random_program);
  EXPECT_GT(tally.races, tally.none / 8);
  EXPECT_GT(tally.none, tally.races / 8);
}

TEST(Races, LitmusProgramsWithEveryMixOfOrders) {
  using races::Shape;
  for (int shape = 0; shape <= static_cast<int>(races::kLastShape); ++shape) {
    const Shape s = static_cast<Shape>(shape);
    const uint64_t mixes = races::mixes(s);
    const unsigned count = program_count(20, static_cast<unsigned>(std::min<uint64_t>(mixes, 500)));
    // An odd stride far from any of the numbers of choices meets all of them.
    auto program_of = [&](uint64_t number) { return races::litmus(s, (number * 1'000'003) % mixes); };
    const Tally tally = compare(0, count, program_of);
    const bool never = s == Shape::StoreBuffer || s == Shape::LoadBuffer;
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_LE(tally.large, count / 10) << "shape " << shape;
    EXPECT_TRUE(never || tally.none > 0) << "shape " << shape;
    EXPECT_GT(tally.races, 0u) << "shape " << shape;
  }
}

}  // namespace
}  // namespace whittle::test
