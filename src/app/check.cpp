// whittle check: load, search, report.
#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/commands.h"
#include "app/firmware.h"
#include "app/load.h"
#include "app/output.h"
#include "app/registry.h"
#include "app/replay.h"
#include "base/error.h"
#include "base/nearest.h"
#include "report/report.h"

namespace whittle::app {

namespace {

std::unique_ptr<engines::Engine> find_engine(const std::string& name) {
  std::vector<std::unique_ptr<engines::Engine>> engines = make_engines();
  std::vector<std::string> names;
  for (auto& engine : engines) {
    if (engine->name() == name) return std::move(engine);
    names.emplace_back(engine->name());
  }
  std::string all;
  for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
  fail_usage("unknown engine {}{}; there is {}", name, suggestion(name, names), all);
}

engines::Settings settings_of(const Options& options) {
  engines::Settings settings;
  settings.seed = options.seed.value_or(1);
  settings.strict = options.strict;
  settings.cores = options.cores != 0 ? options.cores : std::max(1u, std::thread::hardware_concurrency());
  // Nobody would read the warnings.
  if (options.quiet && options.json.empty() && options.html.empty()) settings.set("vacuity", "no");
  for (const auto& [name, value] : options.engine_options) settings.set(name, value);
  return settings;
}

verdict::Verdict search(engines::Engine& engine, const program::Program& program,
                        const verdict::Specification& specification, const Options& options, Watch& watch) {
  verdict::Verdict verdict;
  verdict.engine = engine.name();
  Limits& limits = watch.limits();
  if (limits.poll_now() != Stop::No) {
    verdict.reason = to_string(limits.stopped()) + " before the search began";
  } else if (std::optional<std::string> reason = engine.supports(program, specification)) {
    verdict.reason = "this engine cannot try: " + *reason;
  } else {
    Statistics statistics;
    Progress progress(!options.quiet);
    Context context{limits, statistics, progress};
    verdict = engine.run(program, specification, settings_of(options), context);
    for (const auto& [name, value] : statistics.entries()) verdict.statistics.set(name, value);
  }
  return verdict;
}

void write_reports(const report::Run& run, const Options& options) {
  report::Sources sources;
  bool failed = run.verdict.answer == verdict::Answer::False;
  if (!options.html.empty()) write_file(options.html, report::html(run, sources));
  if (!options.sarif.empty()) write_file(options.sarif, report::sarif(run));
  if (!options.witness.empty() && failed)
    write_file(options.witness,
               options.witness.ends_with(".graphml") ? report::graphml_witness(run) : report::yaml_witness(run));
  if (!options.counterexample.empty() && failed)
    write_file(options.counterexample, counterexample_file(run.verdict, run.replay));
  if (!options.json.empty()) write_file(options.json, report::json(run));
}

void print(const report::Run& run, const Options& options) {
  bool machine_reads_stdout =
      options.json == "-" || options.html == "-" || options.sarif == "-" || options.witness == "-";
  if (!options.quiet && !machine_reads_stdout) {
    report::Sources sources;
    report::TextStyle style = text_style(options, false);
    write_file("-", report::counterexample_text(run, sources, style) + report::summary_text(run, style));
  }
  std::puts(verdict::verdict_line(run.verdict).c_str());
  std::fflush(stdout);
}

ExitCode exit_code(verdict::Answer answer) {
  switch (answer) {
    case verdict::Answer::True: return ExitCode::True;
    case verdict::Answer::False: return ExitCode::False;
    case verdict::Answer::Unknown: break;
  }
  return ExitCode::Unknown;
}

}  // namespace

int check(const Options& options, Watch& watch) {
  if (is_firmware(options)) return check_firmware(options, watch);
  for (const std::string& file : {options.json, options.html, options.sarif, options.witness, options.counterexample})
    require_writable(file);
  std::unique_ptr<engines::Engine> engine = find_engine(options.engine);
  report::Run run;
  run.specification = specification_of(options);
  program::Program program = load(options.input, run.specification, options.strict);
  if (!options.quiet) print_warnings(program.warnings);

  run.verdict = search(*engine, program, run.specification, options, watch);
  watch.begin_report();
  run.verdict.assumptions.insert(run.verdict.assumptions.begin(), program.assumptions.begin(),
                                 program.assumptions.end());
  run.warnings = program.warnings;
  run.version = WHITTLE_VERSION;
  run.command_line = options.command_line;
  run.files = options.input.files;
  run.data_model = options.input.data_model;
  run.seconds = watch.limits().elapsed();
  run.peak_memory = peak_memory();  // of the largest process
  if (run.verdict.answer == verdict::Answer::False) run.replay = replay_command(options, run.verdict.counterexample);
  write_reports(run, options);
  print(run, options);
  return static_cast<int>(exit_code(run.verdict.answer));
}

}  // namespace whittle::app
