// whittle harness: a C file that calls one function of the program.
#include "app/commands.h"
#include "app/load.h"
#include "app/output.h"

namespace whittle::app {

int harness(const Options& options) {
  write_file("-", harness_for(options.input));
  return 0;
}

}  // namespace whittle::app
