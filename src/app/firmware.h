// whittle check for AVR firmware: options, search, report.
#pragma once

#include "app/options.h"
#include "app/watch.h"

namespace CLI {
class App;
}

namespace whittle::app {

/// --mcu, --ctl and their companions, for `whittle check`. Options an engine already has (--reduce, --dead, --ctl) are
/// shared with it.
void add_firmware_options(CLI::App& app, FirmwareSettings& firmware);

/// After parsing: what was given through an engine's option of the same name.
void adopt_search_options(Options& options);

/// A device was named, or the only file is an .elf or .hex.
bool is_firmware(const Options& options);

/// One answer for each formula, the built-in checks always; the last line is the verdict.
int check_firmware(const Options& options, Watch& watch);

}  // namespace whittle::app
