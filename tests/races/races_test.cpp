// Every engine, with its reductions on and off, against the definition of a data race (reference.cpp).
#include <gtest/gtest.h>

#include <map>

#include "engines/explicit/explicit_engine.h"
#include "engines/guided/guided_engine.h"
#include "engines/programs.h"
#include "engines/test/test_engine.h"
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

TEST(Races, EnginesAgreeWithTheDefinition) {
  const std::vector<Configuration> all = configurations();
  verdict::Specification specification;
  specification.properties = {Property::NoDataRace};
  unsigned races = 0, none = 0, large = 0, found_by_test = 0;
  auto text_of = [](uint64_t seed) { return races::to_c(races::random_program(seed), std::to_string(seed)); };
  for_each_text(races::c_prelude(), 1, program_count(60, 1200), text_of,
                [&](program::Program& program, uint64_t seed, const std::string& text) {
                  const races::Answer expected = races::reference(races::random_program(seed), 300'000);
                  if (expected == races::Answer::TooLarge) {
                    ++large;
                    return;
                  }
                  const bool race = expected == races::Answer::Race;
                  ++(race ? races : none);
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
                    if (!c.complete) found_by_test += verdict.answer == verdict::Answer::False;
                  }
                });
  std::printf("%u with a race (%u of them found by tests), %u without, %u too large\n", races, found_by_test, none,
              large);
  EXPECT_GT(races, none / 8);
  EXPECT_GT(none, races / 8);
}

}  // namespace
}  // namespace whittle::test
