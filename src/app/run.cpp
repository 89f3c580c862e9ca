// whittle run: the program on the concrete machine, with given or random inputs and schedule.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/commands.h"
#include "app/firmware.h"
#include "app/load.h"
#include "app/output.h"
#include "app/replay.h"
#include "base/error.h"
#include "engines/explicit/system_search.h"
#include "exec/runner.h"
#include "report/report.h"

namespace whittle::app {

namespace {

exec::RunPlan plan_of(const Options& options) {
  exec::RunPlan plan;
  if (!options.counterexample.empty()) {
    ReplayData data = read_counterexample(options.counterexample);
    plan.inputs = std::move(data.inputs);
    plan.schedule = std::move(data.schedule);
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
  run.verdict.statistics.set("statements", result.statements);
  if (result.violation) {
    run.verdict.answer = verdict::Answer::False;
    run.verdict.violation = result.violation;
  }
  return run;
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
  engines::explicit_::Prepared prepared = engines::explicit_::prepare(*loaded, formulas);
  machine::Story story = prepared.system->describe(choices);
  report.verdict.trace = std::move(story.trace);
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

}  // namespace

int run(const Options& options, Watch& watch) {
  require_writable(options.json);
  if (is_firmware(options)) return replay_firmware(options, watch);
  verdict::Specification specification = specification_of(options);
  exec::RunPlan plan = plan_of(options);
  program::Program program = load(options.input, specification, false);
  print_warnings(program.warnings);
  auto code = std::make_shared<const exec::Code>(program, specification);
  exec::RunResult result = exec::run(code, plan, &watch.limits());
  std::fflush(stdout);
  if (result.violation && result.trace.steps.empty())
    result.trace = exec::replay(code, result.counterexample, &watch.limits()).trace;
  watch.begin_report();
  report::Run report = report_of(options, specification, result, watch);
  report::Sources sources;
  report::TextStyle style = text_style(options, true);
  std::string text;
  if (result.violation)
    text = report::counterexample_text(report, sources, style);
  else if (options.trace)
    text = report::trace_text(report, sources, style);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!options.json.empty()) write_file(options.json, report::json(report));
  return conclude(result);
}

}  // namespace whittle::app
