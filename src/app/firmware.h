// AVR firmware on the command line: its options, which options it refuses, and the system that engines search.
#pragma once

#include <memory>

#include "app/options.h"
#include "machine/system.h"

namespace CLI {
class App;
}

namespace whittle::app {

/// --mcu and its companions.
void add_firmware_options(CLI::App& app, FirmwareSettings& firmware);

/// A device was named, or the only file is an .elf or .hex.
bool is_firmware(const Options& options);

/// Every option is honoured or refused by name: those that mean nothing to firmware, or to a C program. Error (usage).
void refuse_options(const Options& options);

/// The firmware as options ask for it.
std::unique_ptr<machine::System> load_firmware(const Options& options);

/// What is checked of firmware: its built-in checks, and formulas if there are any.
verdict::Specification firmware_specification(const Options& options);

/// The formulas of --ctl, one a line.
std::string formulas_of(const Options& options);

/// The conditions of --fair, one a line.
std::string fairness_of(const Options& options);

/// The part of a replay command that names the device and what the machine depends on. `formula`: which one of --ctl
/// the counterexample is about, from 1.
std::string firmware_arguments(const Options& options, uint64_t formula);

}  // namespace whittle::app
