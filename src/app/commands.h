// The commands, each from options to exit code. They print; errors come out as whittle::Error.
#pragma once

#include "app/options.h"
#include "app/watch.h"

namespace whittle::app {

int check(const Options& options, Watch& watch);
int run(const Options& options, Watch& watch);
int show(const Options& options);
int harness(const Options& options);
int check_proof(const Options& options, Watch& watch);
int bench(const Options& options, Watch& watch);

}  // namespace whittle::app
