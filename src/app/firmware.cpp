#include "app/firmware.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/output.h"
#include "avr/firmware.h"
#include "base/error.h"
#include "explore/ctl.h"
#include "explore/search.h"
#include "explore/traces.h"

namespace whittle::app {

namespace {

struct Answer {
  std::string formula;  ///< "" for the built-in checks alone
  explore::Truth truth = explore::Truth::Unknown;
  bool violation = false;
  std::string reason;
  std::vector<std::string> notes;
  std::vector<avr::TraceStep> trace;
  std::optional<size_t> loop;
  explore::Figures figures;
};

explore::Options search_options(const FirmwareSettings& firmware) {
  explore::Options out;
  out.reduce = firmware.reduce == "none"     ? explore::Reduce::None
               : firmware.reduce == "static" ? explore::Reduce::Static
                                             : explore::Reduce::OnTheFly;
  out.loop = firmware.loop == "pc"      ? explore::Loop::Location
             : firmware.loop == "state" ? explore::Loop::State
                                        : explore::Loop::Hash;
  out.dead = firmware.dead == "none"     ? explore::Dead::None
             : firmware.dead == "static" ? explore::Dead::Static
                                         : explore::Dead::Dynamic;
  out.deadlock_is_violation = false;
  return out;
}

avr::FirmwareOptions chip_options(const FirmwareSettings& firmware) {
  avr::FirmwareOptions out;
  out.device = firmware.mcu;
  out.environment_path = firmware.environment;
  out.chip.delayed = !firmware.early;
  out.chip.from_main = !firmware.from_reset;
  out.chip.timers_exact = firmware.timers == "exact";
  out.chip.check_written = firmware.check_written;
  out.chip.check_endless = firmware.check_endless;
  return out;
}

explore::Formula parse(avr::Firmware& firmware, const std::string& text) {
  return explore::parse_formula(text, [&](std::string_view atom) { return firmware.bind_atom(std::string(atom)); });
}

/// The firmware prepared for a formula. Formulas of branching time can tell when an input was decided: for them it is
/// decided when it is read.
std::unique_ptr<avr::Firmware> prepare(const std::string& file, const FirmwareSettings& settings,
                                       const std::string& text, explore::Formula& formula, Answer& answer) {
  avr::FirmwareOptions options = chip_options(settings);
  auto firmware = avr::load_firmware(file, options);
  formula = parse(*firmware, text);
  if (!options.chip.delayed || explore::trace_determined(formula)) return firmware;
  options.chip.delayed = false;
  firmware = avr::load_firmware(file, options);
  formula = parse(*firmware, text);
  answer.notes.push_back("a formula of branching time: inputs are decided when they are read");
  return firmware;
}

Answer ask(const std::string& file, const FirmwareSettings& settings, const std::string& text, Context& context) {
  Answer answer;
  answer.formula = text;
  explore::Formula formula;
  auto firmware = prepare(file, settings, text.empty() ? "AG true" : text, formula, answer);
  if (auto start = firmware->chip().start_atom()) formula = explore::after_start(formula, *start);
  explore::CtlResult result = explore::check(firmware->machine(), formula, search_options(settings), context);
  answer.truth = result.truth;
  answer.violation = result.violation;
  answer.reason = result.reason;
  answer.figures = result.figures;
  answer.notes.insert(answer.notes.end(), result.notes.begin(), result.notes.end());
  bool shows = result.violation || result.truth == explore::Truth::Fails;
  if (result.evidence && shows) {
    answer.trace = firmware->describe(result.evidence->choices);
    answer.loop = result.evidence->loop;
  }
  if (answer.truth == explore::Truth::Unknown && !firmware->chip().cut_reason().empty())
    answer.reason = firmware->chip().cut_reason();
  return answer;
}

/// A step that a reader wants to see even when most are left out.
bool telling(const avr::TraceStep& step) {
  if (!step.decision.empty() || !step.interrupt.empty() || !step.violation.empty()) return true;
  for (const avr::Change& c : step.changes) {
    bool plain = c.name.size() <= 3 && c.name[0] == 'r' && c.name[1] >= '0' && c.name[1] <= '9';
    if (!plain) return true;
  }
  return false;
}

std::vector<std::string> trace_lines(const Answer& answer, bool all) {
  std::vector<std::string> lines;
  std::string last_place;
  for (size_t i = 0; i < answer.trace.size(); ++i) {
    const avr::TraceStep& step = answer.trace[i];
    if (answer.loop && *answer.loop == i) lines.emplace_back("-- from here on, for ever --");
    if (!all && !telling(step)) continue;
    std::string place = fmt::format("{}:{}", step.file, step.line);
    if (step.line != 0 && place != last_place) lines.push_back(fmt::format("{}  {}", place, step.source));
    last_place = place;
    lines.push_back("    " + avr::to_text(step));
  }
  return lines;
}

/// Every instruction if they fit; else those that change variables or I/O, decide something, or are interrupts; of
/// these the last ones.
std::string trace_text(const Answer& answer, size_t limit) {
  std::vector<std::string> lines = trace_lines(answer, true);
  std::string out;
  if (limit != 0 && lines.size() > limit) {
    lines = trace_lines(answer, false);
    out = fmt::format(
        "  ({} instructions; those that change no variable, port or register of a peripheral are left out)\n",
        answer.trace.size());
  }
  size_t first = limit != 0 && lines.size() > limit ? lines.size() - limit : 0;
  if (first > 0) out += fmt::format("  ({} lines before; --trace-lines 0 prints all)\n", first);
  for (size_t i = first; i < lines.size(); ++i) out += "  " + lines[i] + "\n";
  return out;
}

void print(const Answer& answer, const Options& options) {
  const char* what = answer.violation                                ? "VIOLATION"
                     : answer.truth == explore::Truth::Holds         ? "holds"
                     : answer.truth == explore::Truth::Fails         ? "FAILS"
                     : answer.truth == explore::Truth::ProbablyHolds ? "probably holds"
                                                                     : "unknown";
  std::string name = answer.formula.empty() ? "built-in checks" : answer.formula;
  fmt::print("{}: {}{}\n", name, what, answer.reason.empty() ? "" : " (" + answer.reason + ")");
  if (!answer.trace.empty()) {
    fmt::print("{}", trace_text(answer, options.trace_lines));
    if (!answer.trace.back().violation.empty()) fmt::print("  {}\n", answer.trace.back().violation);
  }
  for (const std::string& note : answer.notes) fmt::print("  note: {}\n", note);
  fmt::print("  {} states stored, {} created, {:.1f} MB, {:.2f} s\n", answer.figures.states_stored,
             answer.figures.states_created, double(answer.figures.store_bytes) / 1e6, answer.figures.seconds);
}

nlohmann::json to_json(const avr::TraceStep& step) {
  nlohmann::json out = {{"address", step.pc}, {"instruction", step.instruction}};
  if (!step.function.empty()) out["function"] = step.function;
  if (step.line != 0) out["file"] = step.file, out["line"] = step.line;
  if (!step.decision.empty()) out["decision"] = step.decision;
  if (!step.interrupt.empty()) out["interrupt"] = step.interrupt;
  if (!step.violation.empty()) out["violation"] = step.violation;
  for (const avr::Change& c : step.changes)
    out["changes"].push_back({{"name", c.name}, {"before", c.before}, {"after", c.after}});
  return out;
}

void write_json(const std::vector<Answer>& answers, const std::string& verdict, const Options& options) {
  nlohmann::json out = {{"verdict", verdict}, {"device", options.firmware.mcu}, {"file", options.input.files.front()}};
  for (const Answer& a : answers) {
    nlohmann::json item = {{"formula", a.formula},
                           {"truth", explore::to_string(a.truth)},
                           {"violation", a.violation},
                           {"reason", a.reason},
                           {"states_stored", a.figures.states_stored},
                           {"states_created", a.figures.states_created},
                           {"seconds", a.figures.seconds}};
    for (const avr::TraceStep& step : a.trace) item["trace"].push_back(to_json(step));
    out["answers"].push_back(std::move(item));
  }
  write_file(options.json, out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace

void add_firmware_options(CLI::App& app, FirmwareSettings& firmware) {
  const char* group = "AVR firmware (FILE.elf or .hex)";
  app.add_option("--mcu", firmware.mcu, "Device: atmega16, atmega328p, ...; whittle show --as devices lists them")
      ->type_name("NAME")
      ->group(group);
  auto shared = [&](const std::string& name) { return app.get_option_no_throw(name) != nullptr; };
  if (!shared("--ctl"))
    app.add_option("--ctl", firmware.ctl, "Formula: AG(mode <= 6), AG(request -> AF served); may be given again")
        ->type_name("FORMULA")
        ->expected(1)
        ->take_all()
        ->group(group);
  app.add_option("--env", firmware.environment, "What the world around the chip does")->type_name("FILE")->group(group);
  app.add_option("--timers", firmware.timers, "any: running timers may show any value; exact: they count clock cycles")
      ->type_name("any|exact")
      ->check(CLI::IsMember({"any", "exact"}))
      ->group(group);
  if (!shared("--reduce"))
    app.add_option("--reduce", firmware.reduce, "Path reduction")
        ->check(CLI::IsMember({"none", "static", "onthefly"}))
        ->capture_default_str()
        ->group(group);
  if (!shared("--loop"))
    app.add_option("--loop", firmware.loop, "When a reduced path is a loop: same pc, state or hash")
        ->check(CLI::IsMember({"pc", "state", "hash"}))
        ->capture_default_str()
        ->group(group);
  if (!shared("--dead"))
    app.add_option("--dead", firmware.dead, "Dead variables")
        ->check(CLI::IsMember({"none", "static", "dynamic"}))
        ->capture_default_str()
        ->group(group);
  app.add_flag("--early", firmware.early, "Decide inputs when they are read, not when they are needed")->group(group);
  app.add_flag("--from-reset", firmware.from_reset, "Check start-up code too, not only from main() on")->group(group);
  app.add_flag("--check-written", firmware.check_written, "Reading RAM never written is a violation")->group(group);
  app.add_flag("--check-endless", firmware.check_endless, "An endless loop with interrupts disabled is a violation")
      ->group(group);
}

void adopt_search_options(Options& options) {
  for (const auto& [name, value] : options.engine_options) {
    if (name == "ctl") options.firmware.ctl.push_back(value);
    if (name == "reduce") options.firmware.reduce = value;
    if (name == "loop") options.firmware.loop = value;
    if (name == "dead") options.firmware.dead = value;
  }
}

bool is_firmware(const Options& options) {
  if (!options.firmware.mcu.empty()) return true;
  if (options.input.files.size() != 1) return false;
  const std::string& file = options.input.files.front();
  return file.ends_with(".elf") || file.ends_with(".hex") || file.ends_with(".ihex");
}

int check_firmware(const Options& options, Watch& watch) {
  if (options.input.files.size() != 1) fail_usage("one firmware file at a time");
  require_writable(options.json);
  std::vector<std::string> formulas = options.firmware.ctl;
  if (formulas.empty()) formulas.emplace_back();
  const std::string& file = options.input.files.front();
  {  // All formulas are read before the first search starts.
    auto firmware = avr::load_firmware(file, chip_options(options.firmware));
    for (const std::string& warning : firmware->image().warnings)
      std::fprintf(stderr, "whittle: warning: %s\n", warning.c_str());
    for (const std::string& text : formulas) {
      auto trial = avr::load_firmware(file, chip_options(options.firmware));
      if (!text.empty()) parse(*trial, text);
    }
  }
  Statistics statistics;
  Progress progress(!options.quiet);
  Context context{watch.limits(), statistics, progress};
  std::vector<Answer> answers;
  for (const std::string& text : formulas) answers.push_back(ask(file, options.firmware, text, context));
  progress.clear();
  watch.begin_report();
  bool violation = false, fails = false, unknown = false;
  for (const Answer& a : answers) {
    violation |= a.violation;
    fails |= !a.violation && a.truth == explore::Truth::Fails;
    unknown |= a.truth == explore::Truth::Unknown || a.truth == explore::Truth::ProbablyHolds;
  }
  std::string verdict = violation ? "false(firmware-check)" : fails ? "false(ctl)" : unknown ? "unknown" : "true";
  if (!options.json.empty()) write_json(answers, verdict, options);
  if (!options.quiet && options.json != "-") {
    for (const Answer& a : answers) print(a, options);
    auto firmware = avr::load_firmware(file, chip_options(options.firmware));
    fmt::print("assumed:\n");
    for (const std::string& assumption : firmware->assumptions()) fmt::print("  {}\n", assumption);
  }
  std::puts(verdict.c_str());
  std::fflush(stdout);
  return static_cast<int>(violation || fails ? ExitCode::False : unknown ? ExitCode::Unknown : ExitCode::True);
}

}  // namespace whittle::app
