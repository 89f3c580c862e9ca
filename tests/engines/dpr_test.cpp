// dpr against brute force: every oracle of random programs is run; verdicts must agree, and no learned reason may speak
// for an oracle that fails.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "engines/buffer_programs.h"
#include "engines/dpr/dpr_engine.h"
#include "engines/dpr/learn.h"
#include "engines/dpr/oracles.h"
#include "engines/dpr/run.h"
#include "engines/programs.h"
#include "solve/stack.h"

namespace whittle::engines::dpr {
namespace {

/// How every oracle ends.
using Table = std::map<std::vector<bool>, End>;

struct Bench {
  const program::Program& program;
  std::shared_ptr<exec::Code> code = std::make_shared<exec::Code>(program, verdict::default_specification());
  exec::SymbolicMachine machine{program, code};
  Regions regions{program};
  std::unique_ptr<solve::Solver> solver = solve::make_solver(program.terms());
  Choices choices{program, machine.machine(), *solver};
  Limits limits{};
  RunLimits bounds{};

  Outcome go(const Oracle& oracle, Joins* joins) { return run(machine, choices, oracle, joins, bounds, limits); }

  Table enumerate() {
    Table table;
    std::vector<bool> path;
    for (;;) {
      Outcome outcome = go([&](size_t level) { return level >= path.size() || path[level]; }, nullptr);
      table[outcome.choices] = outcome.end;
      path = outcome.choices;
      while (!path.empty() && !path.back()) path.pop_back();
      if (path.empty()) return table;
      path.back() = false;
    }
  }
};

/// Does the run of an oracle make these choices? (One that ends before a choice comes up agrees with it.)
bool agrees(const std::vector<bool>& oracle, const std::vector<Literal>& choices) {
  for (Literal literal : choices)
    if (literal.level < oracle.size() && oracle[literal.level] != literal.value) return false;
  return true;
}

std::string show(const std::vector<bool>& oracle) {
  std::string text;
  for (bool choice : oracle) text += choice ? '1' : '0';
  return text;
}

void compare(program::Program& program, uint64_t seed, const std::string& text, uint64_t& saved, uint64_t& all) {
  Bench bench{program};
  Table table = bench.enumerate();
  bool fails = false;
  for (const auto& [oracle, end] : table) {
    ASSERT_NE(end, End::Cut) << "seed " << seed;
    fails |= end == End::Violation;
  }
  Oracles oracles(seed % 2 == 0 ? Oracles::Order::Guided : Oracles::Order::Random, seed);
  bool found = false;
  size_t runs = 0;
  while (!found && oracles.next()) {
    ASSERT_LE(++runs, table.size()) << "seed " << seed << ": more runs than oracles\n" << text;
    Joins joins(bench.machine, bench.regions);
    Outcome outcome = bench.go([&](size_t level) { return oracles.choice(level); }, &joins);
    found = outcome.end == End::Violation;
    if (found) break;
    for (const Reason& reason :
         learn(joins.kept(), outcome.choices, bench.choices, program.terms(), *bench.solver, {})) {
      for (const auto& [oracle, end] : table)
        if (end == End::Violation) {
          ASSERT_FALSE(agrees(oracle, reason.choices)) << "seed " << seed << ": learned from " << show(outcome.choices)
                                                       << " what removes the failing " << show(oracle) << "\n"
                                                       << text;
        }
      ASSERT_TRUE(agrees(outcome.choices, reason.choices)) << "seed " << seed;
      oracles.remove(reason.choices);
    }
  }
  ASSERT_EQ(found, fails) << "seed " << seed << "\n" << text;
  all += table.size();
  saved += table.size() - runs;
}

TEST(Dpr, AgreesWithBruteForceAndEveryReasonHolds) {
  generate::Options options;
  options.seed = 1;
  uint64_t saved = 0, all = 0;
  test::for_each_program(
      options, test::program_count(400, 5000),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        compare(program, seed, text, saved, all);
      },
      [](generate::Options& own) {
        own.choices = 2 + own.seed % 11;
        own.statements = 5 + own.seed % 9;
        own.asserts = 2 + own.seed % 3;
      });
  RecordProperty("oracles", static_cast<int>(all));
  RecordProperty("not_run", static_cast<int>(saved));
  EXPECT_GT(saved * 2, all) << "learning should spare more than half of all oracles";
}

TEST(Dpr, TakesWiderValuesBitByBit) {
  generate::Options options;
  options.seed = 100'000;
  uint64_t saved = 0, all = 0;
  test::for_each_program(
      options, test::program_count(80, 1000),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        // Inputs are whole bytes of which two bits are used: 8 choices each.
        compare(program, seed, text, saved, all);
      },
      [](generate::Options& own) {
        own.choice_bits = 2;
        own.choices = 2;
        own.statements = 8;
      });
}

verdict::Verdict check(const std::string& text, const std::vector<std::pair<std::string, std::string>>& options = {}) {
  program::Program program = test::load_text(text);
  Settings settings;
  for (const auto& [name, value] : options) settings.set(name, value);
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  return DprEngine().run(program, verdict::default_specification(), settings, context);
}

verdict::Verdict check(const program::Program& program, unsigned cores, const std::string& checkpoint = {},
                       double seconds = 1e9, bool learn = true) {
  Settings settings;
  if (!learn) settings.set("dpr-learn", "no");
  settings.cores = cores;
  settings.set("dpr-alone", "0");
  if (!checkpoint.empty()) {
    settings.set("checkpoint-every", "0.01");
    settings.set(std::filesystem::exists(checkpoint + "/dpr.checkpoint") ? "resume" : "checkpoint", checkpoint);
  }
  Limits limits;
  limits.set_timeout(seconds);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  return DprEngine().run(program, verdict::default_specification(), settings, context);
}

TEST(Dpr, SeveralProcessesAnswerAsOne) {
  generate::Options options;
  options.seed = 7'000;
  test::for_each_program(
      options, test::program_count(25, 500),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        const verdict::Verdict one = check(program, 1), three = check(program, 3);
        ASSERT_EQ(one.answer, three.answer) << "seed " << seed << ": " << one.reason << " / " << three.reason << "\n" << text;
        ASSERT_EQ(one.violation.has_value(), three.violation.has_value());
      },
      [](generate::Options& own) {
        own.choices = 2 + own.seed % 11;
        own.statements = 5 + own.seed % 9;
        own.asserts = 1 + own.seed % 3;
      });
}

/// Every path counts: nothing can be learned from one for another.
std::string digits(unsigned choices, const std::string& claim) {
  return "extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);\n"
         "int main(void) { unsigned sum = 7; for (int i = 0; i < " +
         std::to_string(choices) + "; ++i) if (__VERIFIER_nondet_bool()) sum = sum * 2654435761u + 3; else sum = sum * 40503u + 1;\n" +
         "  if (" + claim + ") __VERIFIER_error();\n  return 0; }\n";
}

TEST(Dpr, SeveralProcessesShareWhatCannotBeLearned) {
  program::Program holds = test::load_text(digits(12, "sum % 2 == 2"));
  const verdict::Verdict all = check(holds, 3, {}, 1e9, false);
  EXPECT_EQ(all.answer, verdict::Answer::True) << all.reason;
  EXPECT_NE(all.reason.find(" runs"), std::string::npos) << all.reason;
  program::Program fails = test::load_text(digits(12, "sum == 0x12345678"));
  program::Program same = test::load_text(digits(12, "sum == 0x12345678"));
  EXPECT_EQ(check(fails, 3, {}, 1e9, false).answer, check(same, 1).answer);
}

TEST(Dpr, AStoppedSearchGoesOn) {
  std::string folder = (std::filesystem::temp_directory_path() / "whittle_dpr_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  program::Program program = test::load_text(digits(12, "sum == 7"));
  const verdict::Verdict whole = check(program, 1);
  ASSERT_NE(whole.answer, verdict::Answer::Unknown);
  unsigned stops = 0;
  double seconds = 0.02;
  verdict::Verdict part = check(program, 1, folder, seconds);
  for (; part.answer == verdict::Answer::Unknown; ++stops) {
    ASSERT_NE(part.reason.find("--resume goes on from here"), std::string::npos) << part.reason;
    seconds *= 1.2;  // however slow the machine is
    part = check(program, 1 + stops % 3, folder, seconds);
  }
  EXPECT_EQ(part.answer, whole.answer);
  EXPECT_FALSE(std::filesystem::exists(folder + "/dpr.checkpoint")) << "an answer needs no checkpoint";
  EXPECT_GT(stops, 0u);
  std::filesystem::remove_all(folder);
}

/// The paper's foo (figure 1), with what happens in the second else-branch besides z = z + 1.
std::string foo(const std::string& second_else) {
  return "extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);\n"
         "int main(void) { int x = 5, y = 8, z = 10;\n"
         "  if (__VERIFIER_nondet_bool()) y = y - 1; else y = y + 1;\n"
         "  x = 2 * x;\n"
         "  if (__VERIFIER_nondet_bool()) z = z - 1; else { z = z + 1; " +
         second_else + " }\n  if (x > 10) __VERIFIER_error();\n  return 0; }\n";
}

TEST(Dpr, ProvesFigureOneAfterOneRun) {
  verdict::Verdict verdict = check(foo(""));
  EXPECT_EQ(verdict.answer, verdict::Answer::True);
  EXPECT_EQ(verdict.statistics.count("explored"), 1u);
  EXPECT_EQ(verdict.statistics.count("pruned"), 3u);
}

TEST(Dpr, LearnsFromFigureTwoWhatThePaperDoes) {
  program::Program program = test::load_text(foo("x = x + 1;"));
  Bench bench{program};
  Joins joins(bench.machine, bench.regions);
  Outcome outcome = bench.go([](size_t) { return true; }, &joins);
  auto reasons = learn(joins.kept(), outcome.choices, bench.choices, program.terms(), *bench.solver, {});
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_EQ(reasons[0].choices,
            (std::vector<Literal>{{1, true}}));  // the two oracles with the second choice false remain
  verdict::Verdict verdict = check(foo("x = x + 1;"));
  EXPECT_EQ(verdict.answer, verdict::Answer::False);
  EXPECT_EQ(verdict.statistics.count("explored"), 2u);
  verdict::Verdict harmless = check(foo("x = x + 0;"));
  EXPECT_EQ(harmless.answer, verdict::Answer::True);
  EXPECT_LE(harmless.statistics.count("explored"), 2u);
}

TEST(Dpr, BoundsMakeTheAnswerUnknown) {
  verdict::Verdict verdict = check(
      "extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);\n"
      "int main(void) { int n = 0; while (__VERIFIER_nondet_bool()) n++; if (n < 0) __VERIFIER_error(); return 0; }\n",
      {{"k", "5"}});
  EXPECT_EQ(verdict.answer, verdict::Answer::Unknown);
  EXPECT_NE(verdict.reason.find("oracle depth 5"), std::string::npos) << verdict.reason;
}

TEST(Dpr, RunsNothingTwiceWhereNothingCanBeLearned) {
  std::string text =
      "#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);\n"
      "int count; int main(void) { for (int i = 0; i < 9; i++)\n"
      "  if (__VERIFIER_nondet_bool()) { int *p = malloc(4); *p = i; count += *p >= 0; free(p); }\n"
      "  if (count > 9) __VERIFIER_error(); return 0; }\n";
  verdict::Verdict verdict = check(text);
  EXPECT_EQ(verdict.answer, verdict::Answer::True);
  EXPECT_EQ(verdict.statistics.count("explored"), 512u);
  EXPECT_EQ(check(text, {{"dpr-learn", "no"}}).statistics.count("explored"), 512u);
}

TEST(Dpr, AgreesWithBruteForceOnBuffersAndTables) {
  test::against_brute_force(test::check_by<DprEngine>({}, 5), test::Buffers::Tables, 40, 3000);
}

}  // namespace
}  // namespace whittle::engines::dpr
