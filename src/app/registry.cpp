#include "app/registry.h"

#include "app/path_reduction.h"
#include "app/suite/compare_suite.h"
#include "app/suite/dash_suite.h"
#include "app/suite/dead_variables_suite.h"
#include "app/suite/dpr_suite.h"
#include "app/suite/explicit_peers_suite.h"
#include "app/suite/guided_suite.h"
#include "app/suite/parsers_suite.h"
#include "app/suite/scale_suite.h"
#include "app/suite/solvers_suite.h"
#include "app/suite/startup_suite.h"
#include "app/svcomp.h"
#include "engines/auto/auto_engine.h"
#include "engines/crowd/crowd_engine.h"
#include "engines/dash/dash_engine.h"
#include "engines/dpr/dpr_engine.h"
#include "engines/explicit/explicit_engine.h"
#include "engines/guided/guided_engine.h"
#include "engines/merge/merge_engine.h"
#include "engines/shape/shape_engine.h"
#include "engines/test/test_engine.h"

namespace whittle::app {

namespace {

/// All but `auto`, which takes its pick of these.
std::vector<std::unique_ptr<engines::Engine>> make_searchers() {
  std::vector<std::unique_ptr<engines::Engine>> engines;
  engines.push_back(std::make_unique<engines::test::TestEngine>());
  engines.push_back(std::make_unique<engines::explicit_::ExplicitEngine>());
  engines.push_back(std::make_unique<engines::dpr::DprEngine>());
  engines.push_back(std::make_unique<engines::guided::GuidedEngine>());
  engines.push_back(std::make_unique<engines::merge::MergeEngine>());
  engines.push_back(std::make_unique<engines::dash::DashEngine>());
  engines.push_back(std::make_unique<engines::crowd::CrowdEngine>());
  engines.push_back(std::make_unique<engines::shape::ShapeEngine>());
  return engines;
}

}  // namespace

std::vector<std::unique_ptr<engines::Engine>> make_engines() {
  std::vector<std::unique_ptr<engines::Engine>> engines = make_searchers();
  engines.insert(engines.begin(), std::make_unique<engines::auto_::AutoEngine>(make_searchers));
  return engines;
}

std::span<const Suite> suites() {
  static const Suite kSuites[] = {
      {"svcomp",
       "score a checkout of the competition's collection: --dir DIR [--sets A,B] [--property P,Q|all] [--engine E] [--timeout "
       "60s] [--memory 2G] [--jobs N] [--cores N] [--json FILE] [--html FILE]",
       [](const std::vector<std::string>& arguments, Context& context) { return svcomp::run(arguments, context, nullptr); }},
      {"compare",
       "two files of results of bench svcomp: who solved what, how fast: A.json B.json [--scatter FILE.svg] [--quantile "
       "FILE.svg] [--json FILE]",
       suite::compare},
      {"startup", "time and memory of the shortest runs: [--file FILE.c] [--runs N] [--bars] [--json FILE]", suite::startup},
      {"path-reduction", "tables 1 to 3 of On-the-fly Path Reduction, on AVR firmware: [--dir DIR] [--json FILE]",
       path_reduction::run},
      {"dpr", "dynamic path reduction: MAX-3SAT and NFA, published and measured: [--quick] [--json FILE] [--svg FILE]",
       suite::dpr},
      {"dash",
       "proofs from tests: the paper's figures and driver table, published and measured: [--quick] [--dir DIR [--sets "
       "A,B] [--proofs]] [--timeout 60s] [--json FILE] [--svg FILE]",
       suite::dash},
      {"dead-variables", "states and time with dead variables, published and measured: [--dir DIR] [--json FILE]",
       suite::dead_variables},
      {"explicit-peers", "the explicit engine beside SPIN and rumur: [--dir DIR] [--quick] [--json FILE]",
       suite::explicit_peers},
      {"scale",
       "the explicit engine with 1, 2 and 8 threads, or --processes: [--dir DIR] [--quick] [--rounds N] [--json FILE] [--items N] "
       "[--plan STATES,MACHINES,CORES[,GIGABITS]]",
       suite::scale},
      {"guided",
       "assertion-guided symbolic execution: figures 2, 3, 4, 9 and table 2, published and measured: [--dir DIR] "
       "[--timeout SECONDS] [--quick] [--json FILE] [--svg FILE]",
       suite::guided},
      {"parsers",
       "harnesses for public parsers, codecs and allocators, beside CBMC: --dir DIR [--only NAME] [--timeout 60s] [--memory 2G] "
       "[--engine E] [--cbmc PROGRAM] [--json FILE]",
       suite::parsers},
      {"solvers",
       "the same questions asked of each solver, by kind of question: [--engine E] [--only NAME] [--timeout 20s] [--json FILE]",
       suite::solvers},
  };
  return kSuites;
}

}  // namespace whittle::app
