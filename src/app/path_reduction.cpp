#include "app/path_reduction.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/output.h"
#include "app/process.h"
#include "avr/firmware.h"
#include "app/suite/check_file.h"
#include "base/error.h"
#include "explore/ctl.h"
#include "explore/search.h"

namespace whittle::app::path_reduction {

namespace {

namespace fs = std::filesystem;

struct Settings {
  std::string directory = suite::bench_folder("avr"), json;
  bool skip_none = false;
};

struct Published {
  uint64_t stored, created;
  double megabytes, seconds;
};

struct Row {
  const char* table;
  const char* program;
  const char* label;
  explore::Reduce reduce;
  explore::Loop loop;
  const char* formula;  ///< nullptr: the whole state space
  Published published;
  const char* expected;  ///< truth published, or nullptr
};

constexpr auto kNone = explore::Reduce::None;
constexpr auto kStatic = explore::Reduce::Static;
constexpr auto kFly = explore::Reduce::OnTheFly;
constexpr auto kPc = explore::Loop::Location;
constexpr auto kHash = explore::Loop::Hash;
constexpr auto kState = explore::Loop::State;

constexpr Row kRows[] = {
    {"1", "vector", "same pc", kFly, kPc, nullptr, {1502901, 179089399, 408.67, 2123}, nullptr},
    {"1", "vector", "same hash", kFly, kHash, nullptr, {4656, 496768475, 23.7, 4891}, nullptr},
    {"1", "vector", "identity", kFly, kState, nullptr, {4656, 496768475, 23.7, 5057}, nullptr},
    {"2", "light_switch", "none", kNone, kHash, nullptr, {4268, 6296, 21.6, 0.42}, nullptr},
    {"2", "light_switch", "static", kStatic, kHash, nullptr, {1115, 16175, 20.9, 0.79}, nullptr},
    {"2", "light_switch", "on the fly", kFly, kHash, nullptr, {494, 25223, 20.7, 0.88}, nullptr},
    {"2", "plant", "none", kNone, kHash, nullptr, {130524, 135949, 52.28, 2.33}, nullptr},
    {"2", "plant", "static", kStatic, kHash, nullptr, {8552, 154921, 22.6, 2.81}, nullptr},
    {"2", "plant", "on the fly", kFly, kHash, nullptr, {3205, 167114, 21.4, 3.03}, nullptr},
    {"2", "reentrance", "none", kNone, kHash, nullptr, {107649, 110961, 44.4, 2.60}, nullptr},
    {"2", "reentrance", "static", kStatic, kHash, nullptr, {6628, 123003, 22.0, 2.08}, nullptr},
    {"2", "reentrance", "on the fly", kFly, kHash, nullptr, {3312, 124207, 21.3, 1.40}, nullptr},
    {"2", "window_lift", "none", kNone, kHash, nullptr, {2342564, 2589665, 633.9, 47.59}, nullptr},
    {"2", "window_lift", "static", kStatic, kHash, nullptr, {182709, 3818060, 64.1, 57.78}, nullptr},
    {"2", "window_lift", "on the fly", kFly, kHash, nullptr, {123585, 4123385, 50.4, 59.49}, nullptr},
    {"2", "vector", "none", kNone, kHash, nullptr, {47477797, 48419003, 11508.4, 772}, nullptr},
    {"2", "vector", "static", kStatic, kHash, nullptr, {4860321, 55584435, 1385.9, 784}, nullptr},
    {"2", "vector", "on the fly", kFly, kHash, nullptr, {4656, 496768475, 23.7, 4891}, nullptr},
    {"3", "window_lift", "(1)", kFly, kHash, "AG(mode >= 0 & mode <= 6)", {226452, 3792507, 78.33, 54.83}, "holds"},
    {"3",
     "window_lift",
     "(2)",
     kFly,
     kHash,
     "AG(mode = 5 => !E[(mode = 5 & !mode = 6) U (!mode = 5 & !mode = 6)])",
     {11665, 207964, 24.52, 3.64},
     "fails"},
    {"3", "plant", "(3)", kFly, kHash, "AG(tank >= 0 & tank <= 4)", {3678, 167114, 21.54, 2.32}, "holds"},
    {"3",
     "plant",
     "(4)",
     kFly,
     kHash,
     "AG(PORTA = 0x20 => AG PORTA = 0x20) & EF(PORTA = 0x20)",
     {77, 1839, 20.67, 0.6},
     "fails"},
};

struct Measured {
  explore::Figures figures;
  std::string truth;
};

Settings parse(const std::vector<std::string>& arguments) {
  Settings settings;
  CLI::App app("Tables 1 to 3 of On-the-fly Path Reduction, on AVR firmware", "whittle bench path-reduction");
  app.add_option("--dir", settings.directory, "Folder with the five programs, as .elf or as .c for avr-gcc")
      ->capture_default_str();
  app.add_flag("--skip-none", settings.skip_none, "Leave out the searches of vector without on-the-fly reduction");
  app.add_option("--json", settings.json, "Write the results")->type_name("FILE");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    settings.directory.clear();
  } catch (const CLI::ParseError& error) {
    fail_usage("bench path-reduction: {}", error.what());
  }
  return settings;
}

/// A folder of its own for compiled firmware, gone with it.
class Workshop {
 public:
  explicit Workshop(std::string sources) : sources_(std::move(sources)) {
    std::string pattern = (fs::temp_directory_path() / "whittle-avr-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) fail_internal("cannot make a folder for compiled firmware");
    folder_ = pattern;
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  std::string elf(const std::string& program) const {
    fs::path ready = fs::path(sources_) / (program + ".elf"), source = fs::path(sources_) / (program + ".c");
    if (fs::exists(ready)) return ready.string();
    if (!fs::exists(source))
      fail_input("{}: not there; --dir names the folder with the five programs", source.string());
    fs::path out = folder_ / (program + ".elf");
    if (fs::exists(out)) return out.string();
    Process compiler({"/usr/bin/env", "avr-gcc", "-mmcu=atmega16", "-gdwarf-4", "-Os", "-std=gnu99", "-o", out.string(),
                      source.string()},
                     60);
    while (!compiler.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (compiler.status() != 0) fail_input("{}: avr-gcc does not compile it (is avr-gcc installed?)", source.string());
    return out.string();
  }

 private:
  std::string sources_;
  fs::path folder_;
};

Measured measure(const Row& row, const std::string& elf, Context& context) {
  avr::FirmwareOptions options;
  options.device = "atmega16";
  auto firmware = avr::load_firmware(elf, options);
  explore::Options search;
  search.reduce = row.reduce;
  search.loop = row.loop;
  Measured out;
  if (row.formula == nullptr) {
    explore::Result result = explore::search(firmware->machine(), search, context);
    out.figures = result.figures;
    out.truth = explore::to_string(result.outcome);
  } else {
    auto bind = [&](std::string_view atom) { return firmware->bind_atom(std::string(atom)); };
    explore::Formula formula = explore::parse_formula(row.formula, bind);
    if (auto start = firmware->start_atom()) formula = explore::after_start(formula, *start);
    explore::CtlResult result = explore::check(firmware->machine(), formula, search, context);
    out.figures = result.figures;
    out.truth = explore::to_string(result.truth);
  }
  return out;
}

}  // namespace

int run(const std::vector<std::string>& arguments, Context& context) {
  Settings settings = parse(arguments);
  if (settings.directory.empty()) return 0;
  if (!settings.json.empty()) require_writable(settings.json);
  Workshop workshop(settings.directory);
  nlohmann::json report = nlohmann::json::array();
  bool agree = true;
  std::string table;
  for (const Row& row : kRows) {
    if (settings.skip_none && row.reduce != kFly && std::string_view(row.program) == "vector") continue;
    if (table != row.table) {
      table = row.table;
      fmt::print("\nTable {}\n{:<13}{:<11}{:>12}{:>14}{:>10}{:>9} |{:>11}{:>13}{:>9}{:>9}{:>12}\n", table, "program",
                 "options", "pub. stored", "created", "MB", "s", "stored", "created", "MB", "s", "created/s");
    }
    std::string elf = workshop.elf(row.program);
    context.progress.update([&] { return fmt::format("{} {}", row.program, row.label); });
    Measured m = measure(row, elf, context);
    context.progress.clear();
    const Published& p = row.published;
    double rate = m.figures.seconds > 0 ? double(m.figures.states_created) / m.figures.seconds : 0;
    std::string remark = row.expected != nullptr ? fmt::format("  {} (published: {})", m.truth, row.expected) : "";
    if (row.expected != nullptr) agree &= m.truth == row.expected;
    fmt::print("{:<13}{:<11}{:>12}{:>14}{:>10}{:>9} |{:>11}{:>13}{:>9.1f}{:>9.2f}{:>12.0f}{}\n", row.program, row.label,
               p.stored, p.created, p.megabytes, p.seconds, m.figures.states_stored, m.figures.states_created,
               double(m.figures.store_bytes) / 1e6, m.figures.seconds, rate, remark);
    std::fflush(stdout);
    report.push_back(
        {{"table", row.table},
         {"program", row.program},
         {"options", row.label},
         {"formula", row.formula != nullptr ? row.formula : ""},
         {"truth", m.truth},
         {"published",
          {{"stored", p.stored}, {"created", p.created}, {"megabytes", p.megabytes}, {"seconds", p.seconds}}},
         {"measured",
          {{"stored", m.figures.states_stored},
           {"created", m.figures.states_created},
           {"megabytes", double(m.figures.store_bytes) / 1e6},
           {"seconds", m.figures.seconds}}}});
    if (context.limits.stopped() != Stop::No) break;
  }
  if (!settings.json.empty()) write_file(settings.json, report.dump(1) + "\n");
  fmt::print("\nTruth values {} the published ones.\n", agree ? "are" : "DIFFER FROM");
  return agree ? 0 : static_cast<int>(ExitCode::Internal);
}

}  // namespace whittle::app::path_reduction
