// dash against brute force: all inputs of random programs are run; no verdict may disagree, and every proof must check.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "engines/dash/dash_engine.h"
#include "engines/programs.h"
#include "exec/runner.h"
#include "proof/proof.h"

namespace whittle::engines::dash {
namespace {

using verdict::Answer;

struct Checked {
  verdict::Verdict verdict;
  std::string proof;  ///< the file's contents
};

Checked check(const program::Program& program, const verdict::Specification& specification, double seconds = 10,
              std::vector<std::pair<std::string, std::string>> options = {}) {
  Settings settings;
  for (const auto& [name, value] : options) settings.set(name, value);
  std::string file = (std::filesystem::temp_directory_path() / ("whittle-dash-" + std::to_string(getpid()))).string();
  settings.set("proof", file);
  std::filesystem::remove(file);
  Limits limits;
  limits.set_timeout(seconds);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  Checked result{DashEngine().run(program, specification, settings, context), ""};
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  result.proof = text.str();
  std::filesystem::remove(file);
  return result;
}

verdict::Specification unreach_call() {
  verdict::Specification specification;
  specification.properties = {verdict::Property::UnreachCall};
  return specification;
}

/// Some run violates something. Inputs are single bits; all are tried.
bool fails(const std::shared_ptr<const exec::Code>& code) {
  std::vector<u128> path;
  for (;;) {
    exec::RunPlan plan;
    plan.inputs = path;
    exec::RunResult result = exec::run(code, plan);
    if (result.end == exec::RunEnd::Violation) return true;
    path.clear();
    for (const auto& input : result.counterexample.inputs) path.push_back(input.value);
    while (!path.empty() && path.back() != 0) path.pop_back();
    if (path.empty()) return false;
    path.back() = 1;
  }
}

struct Tally {
  unsigned proved = 0, violated = 0, unknown = 0, checked = 0, refused = 0;
};

void compare(program::Program& program, uint64_t seed, const std::string& text, bool expected_known, Tally& tally,
             const verdict::Specification& specification, bool check_the_proof) {
  auto code = std::make_shared<exec::Code>(program, specification);
  Checked result = check(program, specification, 30, {{"dash-iterations", "300"}});
  if (result.verdict.answer == Answer::Unknown) {
    ++tally.unknown;
    return;
  }
  bool wrong = result.verdict.answer == Answer::False;
  ++(wrong ? tally.violated : tally.proved);
  EXPECT_EQ(result.verdict.statistics.count("iterations"), result.verdict.statistics.count("solver_calls"));
  if (expected_known) {
    ASSERT_EQ(fails(code), wrong) << "seed " << seed << "\n" << text;
  } else if (!wrong) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < 300; ++i) {
      exec::RunPlan plan;
      for (int k = 0; k < 12; ++k)
        plan.inputs.push_back(i % 3 == 0 ? random() % 4 : i % 3 == 1 ? random() % 64 : random());
      exec::RunResult run = exec::run(code, plan);
      ASSERT_NE(run.end, exec::RunEnd::Violation) << "seed " << seed << "\n" << text;
    }
  }
  if (!check_the_proof || wrong || result.proof.empty()) return;
  Limits limits;
  limits.set_timeout(20);
  proof::Outcome outcome = proof::check(proof::read(result.proof, program), program, specification, limits);
  ++(outcome.valid ? tally.checked : tally.refused);
}

void go(unsigned usual, unsigned all, uint64_t seed, bool wide, const verdict::Specification& specification) {
  generate::Options options;
  options.seed = seed;
  Tally tally;
  test::for_each_program(
      options, test::program_count(usual, all),
      [&](program::Program& program, uint64_t own_seed, const std::string& text) {
        compare(program, own_seed, text, !wide, tally, specification, own_seed % 4 == 0);
      },
      [&](generate::Options& own) {
        own.choices = 2 + own.seed % 7;
        own.statements = 5 + own.seed % 9;
        own.asserts = 2 + own.seed % 3;
        own.wide_inputs = wide;
      });
  std::cerr << "proved " << tally.proved << ", violated " << tally.violated << ", unknown " << tally.unknown
            << ", proofs checked " << tally.checked << ", refused " << tally.refused << "\n";
}

TEST(Dash, AgreesWithBruteForce) { go(40, 1500, 1, false, verdict::default_specification()); }
TEST(Dash, AgreesWithBruteForceOnReachabilityAlone) { go(30, 1000, 50'000, false, unreach_call()); }
TEST(Dash, AgreesWithRunsOfWideInputs) { go(30, 500, 100'000, true, verdict::default_specification()); }

}  // namespace
}  // namespace whittle::engines::dash
