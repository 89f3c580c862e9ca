// whittle bench: the table of suites in registry.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/commands.h"
#include "app/registry.h"
#include "app/svcomp.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

int bench(const Options& options, Watch& watch) {
  bool help = std::ranges::any_of(options.suite_arguments, [](const auto& word) { return word == "--help" || word == "-h"; });
  if (options.suite.empty()) {
    if (help) fmt::print("Run a suite of benchmarks; without a name, list them\nUsage: whittle bench [SUITE [ARGUMENTS]]\n\n");
    fmt::print("Suites:\n");
    for (const Suite& suite : suites()) fmt::print("  {:<16}{}\n", suite.name, suite.description);
    return 0;
  }
  std::vector<std::string> names;
  for (const Suite& suite : suites()) {
    names.emplace_back(suite.name);
    if (suite.name != options.suite) continue;
    if (help && suite.name != "svcomp") {  // which has its own
      size_t colon = suite.description.rfind(": ");  // arguments are last
      bool parts = colon != std::string_view::npos;
      fmt::print("whittle bench {}{}\n  {}\n", suite.name, parts ? " " + std::string(suite.description.substr(colon + 2)) : "",
                 suite.description.substr(0, colon));
      return 0;
    }
    Statistics statistics;
    Progress progress;
    Context context{watch.limits(), statistics, progress};
    if (suite.name == "svcomp") return svcomp::run(options.suite_arguments, context, watch.group());
    return suite.run(options.suite_arguments, context);
  }
  fail_usage("unknown suite {}{}; whittle bench lists them", options.suite, suggestion(options.suite, names));
}

}  // namespace whittle::app
