// Random programs of threads: every engine's verdict against that of a reference interpreter, which tries all
// interleavings and shares no code with whittle.
//
// WHITTLE_INTERLEAVINGS=N runs N programs, WHITTLE_INTERLEAVINGS_SEED=S begins with that seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engines/auto/auto_engine.h"
#include "engines/explicit/explicit_engine.h"
#include "engines/guided/guided_engine.h"
#include "engines/test/test_engine.h"
#include "frontend/frontend.h"
#include "interleavings/reference.h"
#include "proof/paths.h"
#include "proof/states.h"

namespace whittle::interleavings {
namespace {

namespace fs = std::filesystem;
using engines::Settings;
using verdict::Answer;
using verdict::Property;

std::vector<std::unique_ptr<engines::Engine>> searchers() {
  std::vector<std::unique_ptr<engines::Engine>> engines;
  engines.push_back(std::make_unique<engines::test::TestEngine>());
  engines.push_back(std::make_unique<engines::explicit_::ExplicitEngine>());
  engines.push_back(std::make_unique<engines::guided::GuidedEngine>());
  return engines;
}

unsigned number(const char* variable, unsigned usual) {
  const char* text = std::getenv(variable);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : usual;
}

struct Run {
  std::string name;
  std::unique_ptr<engines::Engine> engine;
  Settings settings;
  bool decides = true;  ///< small as the programs are, it must come to an answer
};

Run made(std::string name, std::unique_ptr<engines::Engine> engine,
         std::initializer_list<std::pair<const char*, const char*>> options = {}, bool decides = true) {
  Run run{std::move(name), std::move(engine), {}, decides};
  for (const auto& [option, value] : options) run.settings.set(option, value);
  for (const auto& [option, value] : options) run.name += fmt::format(" --{} {}", option, value);
  return run;
}

/// Every engine, and on some programs without its reductions.
std::vector<Run> runs_for(uint64_t seed) {
  using engines::explicit_::ExplicitEngine;
  using engines::guided::GuidedEngine;
  std::vector<Run> runs;
  runs.push_back(made("explicit", std::make_unique<ExplicitEngine>()));
  runs.push_back(made("guided", std::make_unique<GuidedEngine>()));
  if (seed % 2 == 0)
    runs.push_back(made("test", std::make_unique<engines::test::TestEngine>(), {{"test-runs", "300"}}, false));
  if (seed % 8 == 1)
    runs.push_back(made("explicit", std::make_unique<ExplicitEngine>(),
                        {{"reduce", "none"}, {"dead", "none"}, {"private-steps", "no"}, {"repeat-steps", "no"}}));
  if (seed % 8 == 2) runs.push_back(made("explicit", std::make_unique<ExplicitEngine>(), {{"dead", "dynamic"}}));
  if (seed % 8 == 3) runs.push_back(made("explicit", std::make_unique<ExplicitEngine>(), {{"values", "symbolic"}}));
  if (seed % 8 == 4)
    runs.push_back(made("guided", std::make_unique<GuidedEngine>(), {{"no-dpor", ""}, {"guided-steps", "20000"}}, false));
  if (seed % 8 == 5) runs.push_back(made("guided", std::make_unique<GuidedEngine>(), {{"no-summaries", ""}}, false));
  if (seed % 8 == 6) runs.push_back(made("auto", std::make_unique<engines::auto_::AutoEngine>(searchers)));
  return runs;
}

struct Counts {
  unsigned programs = 0, runs = 0, assertions = 0, deadlocks = 0, races = 0, safe = 0, undecided = 0, differences = 0;
};

void compare(const std::string& bitcode, const std::string& entry, uint64_t seed, Property property, bool wrong,
             const std::string& text, Counts& counts) {
  frontend::Options load;
  load.entry = entry;
  load.specification.properties = {property};
  load.runtime = WHITTLE_RUNTIME;
  program::Program program = frontend::load_program({bitcode}, load);
  for (const auto& go : {proof::check_states, proof::check_paths}) {
    if (property == Property::NoDataRace) break;
    Limits limits;
    limits.set_timeout(60);
    proof::StateSpace space;
    const proof::Outcome outcome = go(program, load.specification, limits, space, {});
    ++counts.runs;
    if (outcome.valid || outcome.decided) {
      EXPECT_EQ(outcome.valid, !wrong) << "seed " << seed << ", " << name(property) << ": the checker of proofs: " << outcome.reason
                                       << "\n" << prelude() << text;
    } else {
      ++counts.undecided;
      fmt::print("seed {}: the checker of proofs does not decide: {}\n", seed, outcome.reason);
    }
  }
  for (Run& run : runs_for(seed)) {
    Limits limits;
    limits.set_timeout(60);
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    verdict::Verdict verdict = run.engine->run(program, load.specification, run.settings, context);
    ++counts.runs;
    if (verdict.answer == Answer::Unknown) {
      counts.undecided += run.decides;
      if (run.decides) fmt::print("seed {}: {} does not decide: {}\n", seed, run.name, verdict.reason);
      continue;
    }
    if ((verdict.answer == Answer::False) == wrong) continue;
    ++counts.differences;
    ADD_FAILURE() << "seed " << seed << ", " << name(property) << ": " << run.name << " answers "
                  << (wrong ? "true" : "false") << ", the definition " << (wrong ? "false" : "true") << "\n"
                  << prelude() << text;
  }
}

TEST(Interleavings, EveryEngineAnswersAsTheDefinition) {
  const bool long_run = std::getenv("WHITTLE_LONG") != nullptr;
  const unsigned wanted = number("WHITTLE_INTERLEAVINGS", long_run ? 2000 : 40);
  uint64_t seed = number("WHITTLE_INTERLEAVINGS_SEED", 1);
  constexpr size_t kMostStates = 20'000, kBatch = 50;
  std::string name = (fs::temp_directory_path() / "whittle-test-XXXXXX").string();
  fs::path folder = mkdtemp(name.data());
  Counts counts;
  while (counts.programs < wanted && counts.differences < 10) {
    struct Case {
      uint64_t seed;
      Outcome outcome;
      bool race;
      std::string text;
    };
    std::vector<Case> batch;
    std::ofstream source(folder / "batch.c");
    source << prelude();
    while (batch.size() < std::min<size_t>(kBatch, wanted - counts.programs)) {
      Program program = generate(seed);
      Outcome outcome = explore(program, kMostStates), ordered = explore(program, kMostStates, Races::LookedFor);
      if (!outcome.undefined && outcome.complete && (ordered.complete || ordered.race)) {
        batch.push_back({seed, outcome, ordered.race, to_c(program, std::to_string(seed))});
        source << batch.back().text;
      }
      ++seed;
    }
    source.close();
    // As the front end compiles: members of structs are told in the metadata of copies.
    std::string bitcode = folder / "batch.bc";
    std::string command = fmt::format(WHITTLE_CLANG " -w -g -O1 -Xclang -disable-llvm-passes -Xclang -disable-lifetime-markers "
                                      "-fstrict-aliasing -Xclang -new-struct-path-tbaa -fno-builtin -emit-llvm -c -o {} {}",
                                      bitcode, (folder / "batch.c").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    for (const Case& c : batch) {
      ++counts.programs;
      counts.assertions += c.outcome.assertion;
      counts.deadlocks += c.outcome.deadlock;
      counts.races += c.race;
      counts.safe += !c.outcome.assertion && !c.outcome.deadlock;
      std::string entry = "main_" + std::to_string(c.seed);
      compare(bitcode, entry, c.seed, Property::UnreachCall, c.outcome.assertion, c.text, counts);
      compare(bitcode, entry, c.seed, Property::NoDataRace, c.race, c.text, counts);
      compare(bitcode, entry, c.seed, Property::NoDeadlock, c.outcome.deadlock, c.text, counts);
    }
  }
  fs::remove_all(folder);
  fmt::print("{} programs ({} fail an assertion, {} deadlock, {} do neither, {} have a race), {} runs, {} undecided, {} differences\n",
             counts.programs, counts.assertions, counts.deadlocks, counts.safe, counts.races, counts.runs, counts.undecided,
             counts.differences);
  EXPECT_GT(counts.assertions, counts.programs / 20);
  EXPECT_GT(counts.deadlocks, counts.programs / 20);
  EXPECT_GT(counts.races, counts.programs / 20);
  EXPECT_GT(counts.safe, counts.programs / 20);
}

}  // namespace
}  // namespace whittle::interleavings
