// whittle against clang's sanitizers: on every input a random C program ends alike, with the same violation on the same
// line or the same status; and what engines answer is what all inputs together say.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "engines/dash/dash_engine.h"
#include "engines/dpr/dpr_engine.h"
#include "engines/explicit/explicit_engine.h"
#include "engines/guided/guided_engine.h"
#include "engines/merge/merge_engine.h"
#include "exec/runner.h"
#include "frontend/frontend.h"
#include "sanitizers/c_programs.h"
#include "sanitizers/native.h"

namespace whittle::sanitizers {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "whittle-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};

unsigned from_environment(const char* name, unsigned otherwise) {
  const char* value = std::getenv(name);
  return value ? static_cast<unsigned>(std::stoul(value)) : otherwise;
}

program::Program load(uint64_t seed, const fs::path& folder, const verdict::Specification& specification) {
  fs::path source = folder / "program.c";
  std::ofstream(source) << c_prelude() << c_program(seed) << "int main(void) { return main_" << seed << "(); }\n";
  frontend::Options options;
  options.specification = specification;
  options.runtime = WHITTLE_RUNTIME;
  return frontend::load_program({source.string()}, options);
}

struct Contestant {
  std::unique_ptr<engines::Engine> engine;
  double seconds;  ///< the exhaustive one takes as long as it needs
  unsigned every;  ///< takes part in one of so many programs
  unsigned asked = 0, unknown = 0;
};

std::vector<Contestant> contestants() {
  const double forever = std::numeric_limits<double>::infinity();
  std::vector<Contestant> all;
  all.push_back({std::make_unique<engines::explicit_::ExplicitEngine>(), forever, 1});
  all.push_back({std::make_unique<engines::merge::MergeEngine>(), 2, 1});
  all.push_back({std::make_unique<engines::guided::GuidedEngine>(), 1, 1});
  all.push_back({std::make_unique<engines::dpr::DprEngine>(), 1, 1});
  // dash answers few of them within a second, and the rest of the time is its solver's.
  all.push_back({std::make_unique<engines::dash::DashEngine>(), 1, 10});
  return all;
}

verdict::Verdict verdict_of(Contestant& of, const program::Program& program,
                            const verdict::Specification& specification) {
  Limits limits;
  limits.set_timeout(of.seconds);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  return of.engine->run(program, specification, engines::Settings(), context);
}

std::string show(const std::string& property, unsigned line, int status) {
  if (property.empty()) return "status " + std::to_string(status);
  return property + " at line " + std::to_string(line);
}

std::string show(const exec::RunResult& result) {
  if (result.end == exec::RunEnd::Halted) return show("", 0, result.status);
  if (result.end == exec::RunEnd::Violation)
    return show(std::string(verdict::name(result.violation->property)), result.violation->line, 0);
  return "not followed: " + result.reason;
}

struct Figures {
  unsigned programs = 0, runs = 0, violations = 0;
  std::vector<Contestant> engines = contestants();
};

void compare(uint64_t seed, const std::vector<Ending>& native, const fs::path& folder, Figures& figures) {
  verdict::Specification specification =
      verdict::parse_specification("unreach-call,valid-deref,valid-free,no-overflow,no-div-by-zero,no-bad-shift");
  program::Program program = load(seed, folder, specification);
  auto code = std::make_shared<exec::Code>(program, specification);
  std::set<std::string> wrong;
  for (size_t input = 0; input < native.size(); ++input) {
    exec::RunPlan plan;
    for (unsigned bit = 0; bit < kInputBits; ++bit) plan.inputs.push_back(input >> bit & 1);
    exec::RunResult result = exec::run(code, plan);
    const Ending& expected = native[input];
    std::string natively = show(expected.property, expected.line, expected.status);
    EXPECT_EQ(show(result), natively) << "seed " << seed << ", input " << input << ": " << expected.report;
    if (!expected.property.empty()) wrong.insert(natively);
    ++figures.runs;
    figures.violations += !expected.property.empty();
    if (testing::Test::HasFailure()) return;
  }
  for (Contestant& contestant : figures.engines) {
    if (seed % contestant.every != 0) continue;
    ++contestant.asked;
    verdict::Verdict verdict = verdict_of(contestant, program, specification);
    if (verdict.answer == verdict::Answer::Unknown) {
      ++contestant.unknown;
    } else if (verdict.answer == verdict::Answer::True) {
      EXPECT_TRUE(wrong.empty()) << contestant.engine->name() << " says that seed " << seed << " is right";
    } else {
      std::string found = show(std::string(verdict::name(verdict.violation->property)), verdict.violation->line, 0);
      EXPECT_TRUE(wrong.contains(found)) << contestant.engine->name() << " on seed " << seed << ": " << found;
    }
  }
  ++figures.programs;
}

/// Memory that is left, asked for alone: the other violations end a run before.
void compare_leaks(uint64_t seed, const std::vector<Ending>& native, const fs::path& folder) {
  verdict::Specification specification = verdict::parse_specification("valid-memcleanup");
  program::Program program = load(seed, folder, specification);
  auto code = std::make_shared<exec::Code>(program, specification);
  for (size_t input = 0; input < native.size(); ++input) {
    if (!native[input].property.empty()) continue;
    exec::RunPlan plan;
    for (unsigned bit = 0; bit < kInputBits; ++bit) plan.inputs.push_back(input >> bit & 1);
    bool leak = exec::run(code, plan).end == exec::RunEnd::Violation;
    EXPECT_EQ(leak, native[input].leak) << "seed " << seed << ", input " << input;
  }
}

TEST(Sanitizers, AgreeOnRandomPrograms) {
  unsigned count = from_environment("WHITTLE_PROGRAMS", std::getenv("WHITTLE_LONG") ? 5000 : 40);
  uint64_t first = from_environment("WHITTLE_SEED", 1);
  constexpr unsigned kBatch = 25;
  Figures figures;
  for (unsigned done = 0; done < count; done += kBatch) {
    Folder folder;
    std::vector<uint64_t> seeds;
    for (unsigned i = done; i < std::min(done + kBatch, count); ++i) seeds.push_back(first + i);
    for (const auto& [seed, endings] : run_natively(seeds, folder.path.string())) {
      ASSERT_EQ(endings.size(), size_t{1} << kInputBits);
      compare(seed, endings, folder.path, figures);
      if (!HasFailure() && seed % 5 == 0) compare_leaks(seed, endings, folder.path);
      if (!HasFailure()) continue;
      std::cout << c_program(seed);
      return;
    }
  }
  std::cout << figures.programs << " programs, " << figures.runs << " runs, " << figures.violations
            << " with a violation; unknown:";
  for (const Contestant& it : figures.engines)
    std::cout << " " << it.engine->name() << " " << it.unknown << " of " << it.asked;
  std::cout << "\n";
  EXPECT_LE(figures.engines[0].unknown, figures.programs / 20) << "too many verdicts are unknown to compare";
}

}  // namespace
}  // namespace whittle::sanitizers
