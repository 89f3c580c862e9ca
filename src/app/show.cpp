// whittle show: the program as the checker sees it.
#include <cstdio>

#include "app/commands.h"
#include "app/load.h"
#include "app/output.h"
#include "avr/device.h"
#include "program/print.h"

namespace whittle::app {

int show(const Options& options) {
  if (options.show_as == "devices") {
    write_file("-", avr::devices_text());
    return 0;
  }
  program::Program program = load(options.input, specification_of(options), false);
  print_warnings(program.warnings);
  if (options.show_as == "cfg")
    write_file("-", program::to_cfg(program));
  else if (options.show_as == "dot")
    write_file("-", program::to_dot(program));
  else
    write_file("-", program::to_text(program));
  return 0;
}

}  // namespace whittle::app
