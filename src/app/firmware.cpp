#include "app/firmware.h"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/replay.h"
#include "avr/firmware.h"
#include "base/error.h"

namespace whittle::app {

namespace {

constexpr std::array kForFirmware = {"--env", "--timers", "--early", "--from-reset", "--check-written", "--check-endless"};

// Options of check and run that firmware takes besides those above.
constexpr std::array kShared = {"FILE",  "--mcu",    "--ctl", "--fair", "--engine", "--property",    "--timeout", "--memory",
                                "--json", "--html",  "--sarif", "--format",    "--quiet",  "--statistics", "--verbose", "--trace-lines", "--trace",   "--counterexample",
                                "--proof", "--require-proof", "--order", "--reduce", "--loop",   "--dead",   "--store",       "--schedule", "--help"};

template <typename Names>
bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Of a C program: what only firmware can be asked.
void refuse_firmware_questions(const Options& options) {
  if (options.command == Command::Run && options.given.contains("--ctl")) fail_usage("run --ctl is for firmware");
  if (options.property.find("firmware-check") == std::string::npos) return;
  if (verdict::parse_specification(options.property).has(verdict::Property::FirmwareCheck))
    fail_usage("--property firmware-check is for firmware: FILE.elf or FILE.hex with --mcu NAME");
}

}  // namespace

void add_firmware_options(CLI::App& app, FirmwareSettings& firmware) {
  const char* group = "AVR firmware (FILE.elf or .hex)";
  app.add_option("--mcu", firmware.mcu, "Device: atmega16, atmega328p, ...; whittle show --as devices lists them")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--env", firmware.environment, "What the world around the chip does")->type_name("FILE")->group(group);
  app.add_option("--timers", firmware.timers, "any: running timers may show any value; exact: they count clock cycles")
      ->type_name("any|exact")
      ->check(CLI::IsMember({"any", "exact"}).description(""))
      ->group(group);
  app.add_flag("--early", firmware.early, "Decide inputs when they are read, not when they are needed")->group(group);
  app.add_flag("--from-reset", firmware.from_reset, "Check start-up code too, not only from main() on")->group(group);
  app.add_flag("--check-written", firmware.check_written, "Reading RAM never written is a violation")->group(group);
  app.add_flag("--check-endless", firmware.check_endless, "An endless loop with interrupts disabled is a violation")
      ->group(group);
}

bool is_firmware(const Options& options) {
  if (!options.firmware.mcu.empty()) return true;
  if (options.input.files.size() != 1) return false;
  const std::string& file = options.input.files.front();
  return file.ends_with(".elf") || file.ends_with(".hex") || file.ends_with(".ihex");
}

void refuse_options(const Options& options) {
  bool firmware = is_firmware(options);
  for (const auto& [name, values] : options.given) {
    bool special = contains(kForFirmware, name);
    if (!firmware && special) fail_usage("{} is for firmware: FILE.elf or FILE.hex with --mcu NAME", name);
    if (firmware && !special && !contains(kShared, name)) fail_usage("{} does not apply to firmware", name);
  }
  if (!firmware) return refuse_firmware_questions(options);
  if (!options.input.clang_flags.empty()) fail_usage("what follows -- is for clang and does not apply to firmware");
  if (options.input.files.size() != 1) fail_usage("one firmware file at a time");
  if (options.property.empty()) return;
  for (verdict::Property property : verdict::parse_specification(options.property).properties)
    if (property != verdict::Property::FirmwareCheck && property != verdict::Property::Ctl)
      fail_usage("--property {} does not apply to firmware, which has firmware-check and ctl", verdict::name(property));
}

std::unique_ptr<machine::System> load_firmware(const Options& options) {
  avr::FirmwareOptions firmware;
  firmware.device = options.firmware.mcu;
  firmware.environment_path = options.firmware.environment;
  firmware.chip.delayed = !options.firmware.early;
  firmware.chip.from_main = !options.firmware.from_reset;
  firmware.chip.timers_exact = options.firmware.timers == "exact";
  firmware.chip.check_written = options.firmware.check_written;
  firmware.chip.check_endless = options.firmware.check_endless;
  return avr::load_firmware(options.input.files.front(), firmware);
}

std::string formulas_of(const Options& options) {
  std::string lines;
  for (const auto& [name, value] : options.engine_options)
    if (name == "ctl") lines += value + "\n";
  return lines;
}

std::string fairness_of(const Options& options) {
  for (const auto& [name, value] : options.engine_options)
    if (name == "fair") return value;
  return {};
}

verdict::Specification firmware_specification(const Options& options) {
  verdict::Specification specification;
  specification.properties = {verdict::Property::FirmwareCheck};
  if (!formulas_of(options).empty()) specification.properties.insert(verdict::Property::Ctl);
  return specification;
}

std::string firmware_arguments(const Options& options, uint64_t formula) {
  const FirmwareSettings& firmware = options.firmware;
  std::string out = " --mcu " + quote(firmware.mcu);
  if (!firmware.environment.empty()) out += " --env " + quote(firmware.environment);
  if (firmware.timers != "any") out += " --timers " + firmware.timers;
  if (firmware.early) out += " --early";
  if (firmware.from_reset) out += " --from-reset";
  if (firmware.check_written) out += " --check-written";
  if (firmware.check_endless) out += " --check-endless";
  uint64_t number = 0;
  for (const auto& [name, value] : options.engine_options)
    if (name == "ctl" && (++number == formula || formula == 0)) out += " --ctl " + quote(value);
  std::istringstream conditions(fairness_of(options));
  for (std::string condition; std::getline(conditions, condition);) out += " --fair " + quote(condition);
  return out;
}

}  // namespace whittle::app
