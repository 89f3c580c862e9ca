// whittle run: the program on the concrete machine, with given or random inputs and schedule.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/commands.h"
#include "app/firmware.h"
#include "app/load.h"
#include "app/native.h"
#include "app/output.h"
#include "app/replay.h"
#include "base/error.h"
#include "engines/explicit/system_search.h"
#include "engines/test/collect.h"
#include "exec/native_script.h"
#include "exec/runner.h"
#include "exec/detailed_tracer.h"
#include "report/report.h"
#include "report/test_suite.h"

namespace whittle::app {

namespace {

exec::RunPlan plan_of(const Options& options, const ReplayData& data) {
  exec::RunPlan plan;
  if (!options.counterexample.empty()) {
    plan.inputs = data.inputs;
    plan.schedule = data.schedule;
  }
  if (options.inputs) plan.inputs = parse_inputs(*options.inputs);
  if (options.schedule) plan.schedule = parse_schedule(*options.schedule);
  if (options.seed) {
    plan.seed = *options.seed;
    plan.more_inputs = exec::RunPlan::Inputs::Random;
    plan.more_steps = exec::RunPlan::Scheduling::Random;
  }
  plan.keep_trace = options.trace || !options.json.empty();
  plan.output = [](int descriptor, std::span<const uint8_t> bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), descriptor == 2 ? stderr : stdout);
  };
  return plan;
}

report::Run report_of(const Options& options, const verdict::Specification& specification,
                      const exec::RunResult& result, Watch& watch) {
  report::Run run;
  run.version = WHITTLE_VERSION;
  run.command_line = options.command_line;
  run.files = options.input.files;
  run.data_model = options.input.data_model;
  run.specification = specification;
  run.seconds = watch.limits().elapsed();
  run.peak_memory = watch.limits().memory_use().peak();
  run.verdict.engine = "run";
  run.verdict.counterexample = result.counterexample;
  run.verdict.trace = result.trace;
  run.trace = verdict::detailed(result.trace);
  run.verdict.statistics.set("statements", result.statements);
  if (result.violation) {
    run.verdict.answer = verdict::Answer::False;
    run.verdict.violation = result.violation;
  }
  return run;
}

/// Inputs and schedule were made for this program: throws Error (bad input) with the first difference if not. Found by a
/// run that writes nothing.
void require_fit(const Options& options, const ReplayData& data, exec::RunPlan plan, const std::shared_ptr<const exec::Code>& code,
                 Watch& watch) {
  if (options.counterexample.empty() && !options.schedule) return;
  plan.output = {};
  plan.keep_trace = false;
  const exec::RunResult result = exec::run(code, plan, &watch.limits());
  if (result.end == exec::RunEnd::Stopped) return;
  const std::string change = first_change(data, options.input.files);
  const std::string what = options.counterexample.empty() ? "--schedule" : options.counterexample;
  const std::vector<uint32_t>& done = result.counterexample.schedule;
  std::string difference;
  for (size_t i = 0; i < plan.schedule.size() && difference.empty(); ++i) {
    if (i >= done.size())
      difference = fmt::format("the run ends after {} of its {} steps", i, plan.schedule.size());
    else if (done[i] != plan.schedule[i])
      difference = fmt::format("step {} is one of thread {}, which is not there or cannot go on", i + 1, plan.schedule[i]);
  }
  if (difference.empty() && !options.counterexample.empty() && !options.inputs &&
      result.counterexample.inputs.size() < plan.inputs.size())
    difference = fmt::format("the run asks for {} of its {} inputs", result.counterexample.inputs.size(), plan.inputs.size());
  if (!difference.empty())
    fail_input("{} does not fit this program: {}{}", what, difference, change.empty() ? "" : " (" + change + ")");
  if (!change.empty()) std::fprintf(stderr, "whittle: warning: %s: %s\n", what.c_str(), change.c_str());
}

/// What a run says about its end, on stderr; and the exit code.
int conclude(const exec::RunResult& result) {
  constexpr int kUnknown = static_cast<int>(ExitCode::Unknown);
  constexpr int kAborted = 134;  // what a shell shows for SIGABRT
  switch (result.end) {
    case exec::RunEnd::Violation: return static_cast<int>(ExitCode::False);
    case exec::RunEnd::Halted:
      if (!result.aborted) return result.status & 0xff;
      std::fputs("whittle: the program aborted\n", stderr);
      return kAborted;
    case exec::RunEnd::Cut:
      std::fprintf(stderr, "whittle: the run cannot go on: %s\n", result.reason.c_str());
      return kUnknown;
    case exec::RunEnd::Pruned:
      std::fputs("whittle: an assumption failed: with these inputs this is no run of the program\n", stderr);
      return kUnknown;
    case exec::RunEnd::Deadlock:
      std::fputs("whittle: deadlock (not a violation of what was asked for)\n", stderr);
      return kUnknown;
    case exec::RunEnd::Budget:
    case exec::RunEnd::Stopped: std::fprintf(stderr, "whittle: stopped: %s\n", result.reason.c_str()); return kUnknown;
  }
  return kUnknown;
}

/// Firmware: the choices of a counterexample, one after the other.
int replay_firmware(const Options& options, Watch& watch) {
  std::vector<uint32_t> choices;
  if (!options.counterexample.empty()) choices = read_counterexample(options.counterexample).schedule;
  if (options.schedule) choices = parse_schedule(*options.schedule);
  std::string formulas = formulas_of(options);
  if (std::ranges::count(formulas, '\n') > 1) fail_usage("--ctl: a counterexample is about one formula");
  if (!formulas.empty()) formulas.pop_back();
  report::Run report = report_of(options, firmware_specification(options), {}, watch);
  report.data_model = options.firmware.mcu;
  auto loaded = load_firmware(options);
  print_warnings(loaded->warnings());
  engines::explicit_::Prepared prepared = engines::explicit_::prepare(*loaded, formulas, fairness_of(options));
  machine::Story story = prepared.system->describe(choices);
  report.verdict.trace = std::move(story.trace);
  report.trace = verdict::detailed(report.verdict.trace);
  report.trace.lanes = {"program", "interrupts"};
  report.verdict.violation = story.violation;
  report.verdict.counterexample.schedule = choices;
  report.verdict.statistics = {};
  report.verdict.statistics.set("steps", uint64_t{report.verdict.trace.steps.size()});
  if (story.violation) report.verdict.answer = verdict::Answer::False;
  report::Sources sources;
  report::TextStyle style = text_style(options, true);
  std::string text = story.violation ? report::counterexample_text(report, sources, style)
                                     : report::trace_text(report, sources, style);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!options.json.empty()) write_file(options.json, report::json(report));
  return static_cast<int>(story.violation ? ExitCode::False : ExitCode::True);
}

/// Or a value that memory without one has, or that a model of the library needs: a test cannot be given these.
bool is_asked_for(const std::string& origin) {
  return origin.find("nondet") != std::string::npos || origin.starts_with("klee_") || origin.starts_with("return value of ");
}

/// --tests: inputs that reach new code, as suites.
int write_tests(const Options& options, const std::shared_ptr<const exec::Code>& code, const exec::RunPlan& plan,
                Watch& watch) {
  constexpr double kSeconds = 10;
  const double seconds = std::isfinite(options.timeout) ? watch.limits().remaining() * 0.9 : kSeconds;
  engines::test::Collection found =
      engines::test::collect_tests(code, {plan.inputs}, options.seed.value_or(1), seconds, watch.limits());
  std::vector<report::TestCase> cases;
  for (const engines::test::CollectedTest& test : found.tests) {
    report::TestCase one{{}, {}, test.run.violation.has_value(), test.status, test.aborted};
    for (size_t i = 0; i < test.run.counterexample.inputs.size(); ++i) {
      const verdict::Input& input = test.run.counterexample.inputs[i];
      if (!is_asked_for(input.origin)) continue;
      one.inputs.push_back(input);
      one.names.push_back(i < test.run.trace.inputs.size() ? test.run.trace.inputs[i].variable : "");
    }
    cases.push_back(std::move(one));
  }
  std::error_code error;
  std::filesystem::create_directories(options.tests, error);
  if (error) fail_input("cannot make the folder {}: {}", options.tests, error.message());
  report::SuiteInfo info{WHITTLE_VERSION, options.input.files.front(), "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                         options.input.entry, options.input.data_model,
                         fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
  for (const auto& [name, bytes] : report::test_suite(cases, info))
    write_file((std::filesystem::path(options.tests) / name).string(), bytes);
  std::fprintf(stderr, "whittle: %zu tests from %llu runs reach %llu of %llu statements\n", cases.size(),
               static_cast<unsigned long long>(found.runs), static_cast<unsigned long long>(found.reached),
               static_cast<unsigned long long>(found.edges));
  return static_cast<int>(ExitCode::True);
}

int repeat_natively(const Options& options, const std::shared_ptr<const exec::Code>& code,
                    const exec::RunResult& result, Watch& watch) {
  const exec::NativeCalls calls = read_native_calls();
  exec::NativeScript script = exec::native_script(code, result.counterexample, calls, &watch.limits());
  if (script.violation)
    std::fprintf(stderr, "whittle: to be repeated: %s:%u: %s\n", script.violation->file.c_str(), script.violation->line,
                 script.violation->message.c_str());
  return run_native(options, script, calls, watch);
}

}  // namespace

int run(const Options& options, Watch& watch) {
  require_writable(options.json);
  const bool native = options.native || options.gdb || !options.export_folder.empty();
  if (native && is_firmware(options)) fail_usage("--native is for C programs: firmware does not run on this machine");
  if (is_firmware(options)) return replay_firmware(options, watch);
  if (native && !options.input.ignore.empty())
    fail_usage("--native does not go with --ignore: the native program fails at {} and does not get any further", options.input.ignore.front());
  verdict::Specification specification = specification_of(options);
  ReplayData data;
  if (!options.counterexample.empty()) data = read_counterexample(options.counterexample);
  exec::RunPlan plan = plan_of(options, data);
  program::Program program = load(options.input, specification, false);
  print_warnings(program.warnings);
  auto code = std::make_shared<const exec::Code>(program, specification);
  if (!options.tests.empty()) return write_tests(options, code, plan, watch);
  if (native) plan.output = {};  // the native program writes it
  require_fit(options, data, plan, code, watch);
  exec::RunResult result = exec::run(code, plan, &watch.limits());
  std::fflush(stdout);
  if (native) return repeat_natively(options, code, result, watch);
  exec::Told told;
  if (result.violation) {
    told = exec::tell(code, result.counterexample, &watch.limits());
    if (told.violation) result.violation = told.violation;
  }
  watch.begin_report();
  report::Run report = report_of(options, specification, result, watch);
  if (result.violation) report.trace = std::move(told.trace);
  report::Sources sources(made_texts(options.input));
  report::TextStyle style = text_style(options, true);
  std::string text;
  if (result.violation)
    text = report::counterexample_text(report, sources, style);
  else if (options.trace)
    text = report::trace_text(report, sources, style);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!options.json.empty()) write_file(options.json, report::json(report));
  if (options.inputs && result.end != exec::RunEnd::Stopped && result.counterexample.inputs.size() < plan.inputs.size())
    std::fprintf(stderr, "whittle: warning: the run asks for %zu of the %zu values of --inputs\n",
                 result.counterexample.inputs.size(), plan.inputs.size());
  return conclude(result);
}

}  // namespace whittle::app
