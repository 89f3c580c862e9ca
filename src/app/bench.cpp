// whittle bench: the table of suites in registry.cpp.
#include <fmt/format.h>

#include <cstdio>

#include "app/commands.h"
#include "app/registry.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

int bench(const Options& options, Watch& watch) {
  if (options.suite.empty()) {
    fmt::print("Suites:\n");
    for (const Suite& suite : suites()) fmt::print("  {:<16}{}\n", suite.name, suite.description);
    return 0;
  }
  std::vector<std::string> names;
  for (const Suite& suite : suites()) {
    names.emplace_back(suite.name);
    if (suite.name != options.suite) continue;
    Statistics statistics;
    Progress progress;
    Context context{watch.limits(), statistics, progress};
    return suite.run(options.suite_arguments, context);
  }
  fail_usage("unknown suite {}{}; whittle bench lists them", options.suite, suggestion(options.suite, names));
}

}  // namespace whittle::app
