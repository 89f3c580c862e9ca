// Random programs with inputs, gone through with terms for the inputs by the executor of the checker, state by state and by
// paths, against brute force:
// all values of inputs of which two bits count; runs with random values where all bits count.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "engines/programs.h"
#include "exec/runner.h"
#include "proof/paths.h"
#include "proof/states.h"

namespace whittle::proof {
namespace {

struct Tally {
  unsigned valid = 0, refuted = 0, open = 0;
};

/// State by state, and by paths that are joined.
class Inputs : public testing::TestWithParam<decltype(&check_states)> {};
INSTANTIATE_TEST_SUITE_P(Checkers, Inputs, testing::Values(check_states, check_paths),
                         [](const auto& info) { return info.param == check_states ? "States" : "Paths"; });

Outcome outcome_of(const program::Program& program, decltype(&check_states) check, Tally& tally) {
  Limits limits;
  limits.set_timeout(10);
  StateSpace space;
  const Outcome outcome = check(program, verdict::default_specification(), limits, space, {});
  ++(outcome.valid ? tally.valid : outcome.decided ? tally.refuted : tally.open);
  return outcome;
}

unsigned inputs_of(uint64_t seed) { return 1 + seed % 3; }

void expect(const Tally& tally) {
  fmt::print("{} valid, {} refuted, {} open\n", tally.valid, tally.refuted, tally.open);
  EXPECT_GT(tally.valid, 0u);
  EXPECT_GT(tally.refuted, 0u);
}

TEST_P(Inputs, AgreeWithBruteForce) {
  generate::Options options;
  options.seed = 200'000;
  Tally tally;
  test::for_each_program(
      options, test::program_count(100, 3000),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        const Outcome outcome = outcome_of(program, GetParam(), tally);
        auto code = std::make_shared<exec::Code>(program, verdict::default_specification());
        bool fails = false;
        for (unsigned values = 0; values < 1u << 2 * inputs_of(seed) && !fails; ++values) {
          exec::RunPlan plan;
          for (unsigned k = 0; k < inputs_of(seed); ++k) plan.inputs.push_back(values >> 2 * k & 3);
          fails = exec::run(code, plan).end == exec::RunEnd::Violation;
        }
        if (!outcome.valid && !outcome.decided) return;
        ASSERT_EQ(fails, !outcome.valid) << "seed " << seed << ": " << outcome.reason << "\n" << text;
      },
      [](generate::Options& own) {
        own.choice_bits = 2;
        own.choices = inputs_of(own.seed);
        own.statements = 5 + own.seed % 9;
        own.asserts = 2 + own.seed % 3;
      });
  expect(tally);
}

TEST_P(Inputs, AgreeWithRunsOfWideInputs) {
  generate::Options options;
  options.seed = 300'000;
  options.wide_inputs = true;
  Tally tally;
  test::for_each_program(
      options, test::program_count(30, 1000),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        if (!outcome_of(program, GetParam(), tally).valid) return;
        auto code = std::make_shared<exec::Code>(program, verdict::default_specification());
        std::mt19937_64 random(seed);
        for (int i = 0; i < 300; ++i) {
          exec::RunPlan plan;
          for (int k = 0; k < 12; ++k) plan.inputs.push_back(i % 3 == 0 ? random() % 4 : i % 3 == 1 ? random() % 64 : random());
          ASSERT_NE(exec::run(code, plan).end, exec::RunEnd::Violation) << "seed " << seed << "\n" << text;
        }
      },
      [](generate::Options& own) {
        own.choices = 2 + own.seed % 4;
        own.statements = 5 + own.seed % 9;
      });
  expect(tally);
}

}  // namespace
}  // namespace whittle::proof
