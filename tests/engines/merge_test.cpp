// merge against brute force: all inputs of random programs are run.
#include <gtest/gtest.h>

#include "engines/buffer_programs.h"
#include "engines/merge/merge_engine.h"
#include "engines/programs.h"
#include "exec/runner.h"

namespace whittle::engines::merge {
namespace {

using verdict::Answer;

const test::Check check = test::check_by<MergeEngine>();

TEST(MergeAgainstBruteForce, Parsers) { test::against_brute_force(check, test::Buffers::Parsers, 60, 3000); }

TEST(MergeAgainstBruteForce, BuffersAndTables) { test::against_brute_force(check, test::Buffers::Tables, 60, 3000); }

TEST(MergeAgainstBruteForce, BranchesLoopsAndProcedures) {
  unsigned proved = 0, violated = 0, unknown = 0;
  generate::Options options;
  options.seed = 70'000;
  options.heap = true;
  test::for_each_program(
      options, test::program_count(60, 2000),
      [&](program::Program& program, uint64_t own, const std::string& text) {
        const verdict::Specification specification = verdict::default_specification();
        auto code = std::make_shared<exec::Code>(program, specification);
        const verdict::Verdict verdict = check(program, specification);
        if (verdict.answer == Answer::Unknown) {
          ++unknown;
          return;
        }
        const bool wrong = verdict.answer == Answer::False;
        ++(wrong ? violated : proved);
        ASSERT_EQ(test::fails(code), wrong) << "seed " << own << "\n" << text;
      },
      [](generate::Options& own) {
        own.choices = 2 + own.seed % 7;
        own.statements = 5 + own.seed % 9;
      });
  std::printf("%u proved, %u violated, %u unknown\n", proved, violated, unknown);
  EXPECT_GT(proved + violated, 10 * unknown);
}

}  // namespace
}  // namespace whittle::engines::merge
