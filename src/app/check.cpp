// whittle check: load, search, report.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

#include "app/answers.h"
#include "app/certificate.h"
#include "app/commands.h"
#include "app/coverage.h"
#include "app/firmware.h"
#include "app/load.h"
#include "app/output.h"
#include "app/project.h"
#include "app/registry.h"
#include "app/replay.h"
#include "app/validate.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/pace.h"
#include "base/slice.h"
#include "engines/claims/claim_search.h"
#include "engines/test/minimise.h"
#include "exec/detailed_tracer.h"
#include "program/analysis/call_graph.h"
#include "report/report.h"
#include "solve/stack.h"

namespace whittle::app {

namespace {

/// With --coverage and --timeout: the least share of the time that the search gets, and the most seconds that it leaves.
constexpr double kSearchBeforeCoverage = 0.8, kMostForCoverage = 10;

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
  // The warnings would not be read.
  if (options.quiet && options.json.empty() && options.html.empty()) settings.set("vacuity", "no");
  for (const auto& [name, value] : options.engine_options) settings.set(name, value);
  return settings;
}

/// What an engine is asked: a program or firmware.
struct Task {
  std::function<std::optional<std::string>()> refused;  ///< why the engine cannot try; nothing: it can
  std::function<verdict::Verdict(Context&)> run;
};

solve::SolverOptions solver_options(const Options& options) {
  return {solve::engine_named(options.solver), options.cross_check, options.smt_log};
}

/// What could not be written is no reason to lose the verdict. Answers why.
std::vector<std::string> write_reports(const report::Run& run, const Options& options) {
  report::Sources sources(run.texts);
  std::vector<std::string> problems;
  auto write = [&](const std::string& file, auto&& text) {
    if (file.empty()) return;
    try {
      write_file(file, text());
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  };
  write(options.html, [&] { return report::html(run, sources); });
  write(options.sarif, [&] { return report::sarif(run); });
  if (run.coverage)
    write(options.coverage, [&] {
      return options.coverage.ends_with(".html") ? report::coverage_page(*run.coverage, sources, options.input.files.front())
                                                 : report::lcov(*run.coverage);
    });
  const bool graphml = options.witness.ends_with(".graphml");
  if (run.verdict.answer == verdict::Answer::True && !is_firmware(options) && !graphml)
    write(options.witness, [&] { return report::yaml_witness(run); });
  if (run.verdict.answer == verdict::Answer::False) {
    write(options.witness, [&] { return graphml ? report::graphml_witness(run) : report::yaml_witness(run); });
    write(options.counterexample, [&] { return counterexample_file(run.verdict, run.replay, options.input.files); });
  }
  write(options.json, [&] { return report::json(run); });
  return problems;
}

void print(const report::Run& run, const Options& options) {
  bool machine_reads_stdout =
      options.json == "-" || options.html == "-" || options.sarif == "-" || options.witness == "-" || options.coverage == "-";
  if (!options.quiet && !machine_reads_stdout) {
    report::Sources sources(run.texts);
    report::TextStyle style = text_style(options, false);
    std::string witness;  // of a formula that holds because there is such a path
    if (run.verdict.answer == verdict::Answer::True) witness = report::trace_text(run, sources, style);
    std::string counterexamples = report::counterexample_text(run, sources, style);
    for (const report::Run& other : report::further_violations(run)) counterexamples += "\n" + report::counterexample_text(other, sources, style);
    write_file("-", witness + counterexamples + report::summary_text(run, style));
  }
  if (options.format == "github") write_file("-", report::github_annotations(run));
  if (!machine_reads_stdout) std::puts(verdict::verdict_line(run.verdict).c_str());
  flush_stdout();
}

/// Of several formulas, the one that the verdict is about; 0 when there is one at most.
uint64_t formula_number(const verdict::Verdict& verdict) {
  for (const auto& [name, value] : verdict.statistics.entries())
    if (const uint64_t* number = std::get_if<uint64_t>(&value); name == "formula" && number != nullptr) return *number;
  return 0;
}

ExitCode exit_code(verdict::Answer answer) {
  switch (answer) {
    case verdict::Answer::True: return ExitCode::True;
    case verdict::Answer::False: return ExitCode::False;
    case verdict::Answer::Unknown: break;
  }
  return ExitCode::Unknown;
}

void finish(report::Run& run, const Options& options, Watch& watch) {
  run.version = WHITTLE_VERSION;
  run.command_line = options.command_line;
  run.files = options.input.files;
  run.seconds = watch.limits().elapsed();
  run.peak_memory = watch.limits().memory_use().peak();
  if (run.verdict.answer == verdict::Answer::False) run.texts = made_texts(options.input);
  const std::vector<std::string> problems = write_reports(run, options);
  print(run, options);
  for (const std::string& problem : problems) std::fprintf(stderr, "whittle: warning: %s\n", problem.c_str());
}

/// Everything is said and written: what large structures hold is the kernel's to take back.
[[noreturn]] void leave(ExitCode code) {
  std::fflush(nullptr);
  _exit(static_cast<int>(code));
}

/// The other processes of the run, if there are any, wait for this one. Not when a signal came: some may be gone.
void leave_group(Watch& watch) {
  if (watch.group() != nullptr && watch.limits().stopped() != Stop::Interrupt) watch.group()->leave();
}

/// What a run of the tool adds to its verdict.
void complete(report::Run& run, const Options& options) {
  if (run.trace.steps.empty()) run.trace = verdict::detailed(run.verdict.trace);
  if (is_firmware(options)) run.trace.lanes = {"program", "interrupts"};
  if (run.verdict.answer == verdict::Answer::False)
    run.replay = replay_command(options, run.verdict.counterexample, formula_number(run.verdict));
}

/// What is known while the search goes on: printed if it has to be given up.
class SoFar {
 public:
  void set(const verdict::Verdict& verdict, const verdict::Claims& claims) {
    std::lock_guard lock(mutex_);
    verdict_ = verdict;
    claims_ = claims;
  }
  void tell(report::Run& run) {
    std::lock_guard lock(mutex_);
    if (!verdict_) return;
    run.verdict = *verdict_;
    run.claims = claims_;
  }

 private:
  std::mutex mutex_;
  std::optional<verdict::Verdict> verdict_;
  verdict::Claims claims_;
};

verdict::Verdict search(engines::Engine& engine, const Task& task, const report::Run& run, const Options& options,
                        Watch& watch, SoFar* so_far = nullptr) {
  verdict::Verdict verdict;
  verdict.engine = engine.name();
  Limits& limits = watch.limits();
  if (limits.poll_now() != Stop::No) {
    verdict.reason = to_string(limits.stopped()) + " before the search began";
  } else if (std::optional<std::string> reason = task.refused()) {
    verdict.reason = "this engine cannot try: " + *reason;
  } else {
    Statistics statistics;
    Progress progress(!options.quiet);
    LastWords last_words;
    Watch::Report given_up(watch, [&, unfinished = run, name = verdict.engine](const std::string& why) mutable {
      unfinished.verdict.engine = name;
      if (so_far) so_far->tell(unfinished);
      if (unfinished.verdict.answer == verdict::Answer::Unknown) unfinished.verdict.reason = why;
      last_words.tell(unfinished.verdict.statistics);
      complete(unfinished, options);
      finish(unfinished, options, watch);
      leave(exit_code(unfinished.verdict.answer));
    });
    const solve::SolverOptions solver = solver_options(options);
    std::optional<Slice> before_coverage;
    if (!options.coverage.empty() && std::isfinite(limits.timeout()))
      before_coverage.emplace(limits, std::max(limits.remaining() * kSearchBeforeCoverage, limits.remaining() - kMostForCoverage));
    Context context{before_coverage ? before_coverage->limits() : limits, statistics, progress, &last_words, &solver};
    // Engines that run others say themselves how far these are, and have no last words of their own.
    Pace pace;
    Progress line(!options.quiet);
    Ticker ticker(0.2, [&] {
      Statistics now;
      last_words.tell(now);
      const std::string text = pace.text(now, limits.elapsed());
      if (!text.empty()) line.show([&] { return fmt::format("{}: {}, {}", engine.name(), text, limits_text(limits)); });
    });
    verdict = task.run(context);
    for (const auto& [name, value] : statistics.entries()) verdict.statistics.set(name, value);
  }
  return verdict;
}

verdict::Verdict check_firmware(report::Run& run, const Options& options, Watch& watch) {
  std::unique_ptr<engines::Engine> engine = find_engine(options.engine == "auto" ? "explicit" : options.engine);
  if (auto reason = engine->supports_system())
    fail_usage("--engine {} does not apply to firmware: {}", options.engine, *reason);
  run.specification = firmware_specification(options);
  run.data_model = options.firmware.mcu;
  std::unique_ptr<machine::System> system = load_firmware(options);
  run.warnings = system->warnings();
  print_warnings(run.warnings);
  engines::Settings settings = settings_of(options);
  if (std::string formulas = formulas_of(options); !formulas.empty()) settings.set("ctl", formulas);
  const Certificate certificate(options);
  verdict::Verdict verdict = search(*engine,
                                    {[] { return std::optional<std::string>(); },
                                     [&](Context& context) { return engine->run_system(*system, settings, context); }},
                                    run, options, watch);
  certificate.settle_firmware(watch.limits(), run, verdict);
  return verdict;
}

/// Or is the verdict alone what is wanted?
bool somebody_reads_it(const Options& options) {
  if (!options.quiet || options.format == "github") return true;
  for (const std::string* file : {&options.json, &options.html, &options.sarif, &options.witness, &options.counterexample,
                                  &options.coverage})
    if (!file->empty()) return true;
  return false;
}

/// Of a formula or an endless run, the trace is the engine's: the machine alone does not see where it fails, and may run on forever.
bool machine_sees(const verdict::Violation& violation, const verdict::Trace& trace) {
  return violation.property != verdict::Property::Ctl && violation.property != verdict::Property::Termination && !trace.loop_start;
}

/// Fewer context switches, smaller inputs, whichever engine found the violation; and the run once more, for the reports.
/// Nothing if the machine does not get to it again.
std::optional<exec::Told> tell_violation(const program::Program& program, const verdict::Specification& specification,
                                         const Options& options, const verdict::Verdict& verdict, Watch& watch) {
  auto code = std::make_shared<const exec::Code>(program, specification);
  const double before = watch.limits().elapsed();
  std::optional<verdict::Counterexample> small = engines::test::make_small(code, verdict, watch.limits());
  if (options.verbose)
    std::fprintf(stderr, "whittle: found %s counterexample by trying others, %.2f s\n", small ? "a smaller" : "no smaller",
                 watch.limits().elapsed() - before);
  for (const verdict::Counterexample* candidate : {small ? static_cast<const verdict::Counterexample*>(&*small) : nullptr, &verdict.counterexample}) {
    if (candidate == nullptr) continue;
    exec::Told told = exec::tell(code, *candidate, &watch.limits());
    if (told.violation && told.violation->property == verdict.violation->property) return told;
  }
  return std::nullopt;
}

void tell_first(const program::Program& program, report::Run& run, const Options& options, verdict::Verdict& verdict, Watch& watch) {
  std::optional<exec::Told> told = tell_violation(program, run.specification, options, verdict, watch);
  if (!told) return;
  verdict.violation = std::move(told->violation);
  verdict.counterexample = std::move(told->counterexample);
  verdict.trace = verdict::plain(told->trace);
  run.trace = std::move(told->trace);
}

void tell_finding(const program::Program& program, const report::Run& run, const Options& options, verdict::Finding& finding, Watch& watch) {
  finding.detailed = verdict::detailed(finding.trace);
  if (machine_sees(finding.violation, finding.trace)) {
    verdict::Verdict verdict;
    verdict.answer = verdict::Answer::False;
    verdict.violation = finding.violation;
    verdict.counterexample = finding.counterexample;
    verdict.trace = finding.trace;
    const program::Program others = passing_over(program, finding.ignored);
    std::optional<exec::Told> told = tell_violation(others, finding.specification, options, verdict, watch);
    // Another violation of the same property has a report of its own.
    if (told && verdict::same_place(*told->violation, finding.violation)) {
      finding.violation = *told->violation;
      finding.counterexample = std::move(told->counterexample);
      finding.detailed = std::move(told->trace);
    }
  }
  Options again = options;
  again.counterexample.clear();  // the file has the first one
  if (finding.specification.properties != run.specification.properties) {
    again.property.clear();
    for (verdict::Property property : finding.specification.properties)
      again.property += (again.property.empty() ? "" : ",") + std::string(verdict::name(property));
  }
  again.input.ignore.insert(again.input.ignore.end(), finding.ignored.begin(), finding.ignored.end());
  finding.replay = replay_command(again, finding.counterexample);
}

/// Does anyone read what is known of parts?
bool lists_claims(const Options& options) {
  return !options.quiet || !options.json.empty() || !options.html.empty() || !options.sarif.empty();
}

/// What was looked at: for --coverage, and in the page unless it shows a violation.
void add_coverage(const program::Program& program, report::Run& run, const Options& options, const verdict::Verdict& verdict,
                  Watch& watch) {
  constexpr double kSeconds = 10, kForThePage = 2;
  const bool page = !options.html.empty() && verdict.answer != verdict::Answer::False;
  if (options.coverage.empty() && !page) return;
  // A limit that is reached meanwhile costs the coverage, not the verdict.
  Watch::Report given_up(watch, [&, known = run, found = verdict](const std::string& why) mutable {
    known.verdict = found;
    known.warnings.push_back("no coverage: " + why);
    std::fprintf(stderr, "whittle: warning: no coverage: %s\n", why.c_str());
    finish(known, options, watch);
    leave(exit_code(found.answer));
  });
  CoverageTask task{program, run.specification, {}, [&] { return find_engine(options.engine); }, settings_of(options),
                    options.coverage.empty()                           ? kForThePage
                    : std::isfinite(watch.limits().timeout()) ? watch.limits().remaining() / 2
                                                              : kSeconds};
  task.settings.set("vacuity", "no");
  if (verdict.answer == verdict::Answer::False) task.known_runs.push_back(verdict.counterexample);
  auto coverage = std::make_shared<const report::Coverage>(measure_coverage(task, watch.limits()));
  if (coverage->runs > 0) {
    run.coverage = std::move(coverage);
  } else if (!options.coverage.empty()) {
    const bool time = watch.limits().stopped() != Stop::Interrupt;
    run.warnings.push_back(time ? "no coverage: no time was left for runs (--timeout)" : "no coverage: the run was interrupted");
    fmt::print(stderr, "whittle: warning: {}\n", run.warnings.back());
  }
}

/// With a proof wanted, for the engine that can write one: a share of the time, and the seconds that this is a share of if there are more.
constexpr double kOfTimeFirst = 0.6, kMostFirst = 1000;

constexpr double kForCheckpoint = 60;  ///< seconds after a limit or Ctrl-C, at most, to write the last one

verdict::Verdict check_program(report::Run& run, const Options& options, Watch& watch) {
  const Certificate certificate(options);
  std::unique_ptr<engines::Engine> engine = find_engine(options.engine);
  const bool shared = watch.group() != nullptr;
  if (shared && (options.all || certificate.wanted())) fail_usage("--all and proofs in files are for one process");
  if (!certificate.wanted() && !shared) engine = remembering(std::move(engine), options);  // an answer that is kept says not why
  run.specification = specification_of(options);
  run.data_model = options.input.data_model;
  program::Program program = load(options.input, run.specification, options.strict);
  // Of programs with one thread only dash can say why in general: it begins, and others come after it.
  std::unique_ptr<engines::Engine> first;
  if (certificate.wanted() && options.engine == "auto" && !program::analysis::CallGraph(program).concurrent())
    first = find_engine("dash");
  const bool kept = std::ranges::any_of(options.engine_options, [](const auto& option) { return option.first == "checkpoint" || option.first == "resume"; });
  if (kept) watch.allow_after_stop(kForCheckpoint);
  if (kept && options.all) fail_usage("--all asks one question after another: it does not go with --checkpoint and --resume");
  run.warnings = program.warnings;
  print_warnings(program.warnings);
  if (options.verbose)
    std::fprintf(stderr, "whittle: read in %.2f s: %zu functions, %zu static objects; engine %s\n",
                 watch.limits().elapsed(), program.functions.size(), program.objects.size(), options.engine.c_str());
  SoFar so_far;
  verdict::Verdict verdict =
      search(*engine,
             {[&] { return engine->supports(program, run.specification); },
              [&](Context& context) {
                engines::Settings settings = settings_of(options);
                settings.group = watch.group();
                if (certificate.wanted()) settings.set("proof", certificate.file());
                // Random runs prove nothing, so parts tell no more than the whole. Proofs in files and checkpoints are about the whole.
                const bool parts = lists_claims(options) && options.engine != "test" && !settings.flag("proof") && !shared && !kept;
                auto ask = [&](engines::Engine& asked, Context& own) {
                  return engines::answer_claims(asked, program, run.specification, settings,
                                                {.all = options.all,
                                                 .parts = parts,
                                                 .so_far = [&](const verdict::Verdict& known, const verdict::Claims& claims) { so_far.set(known, claims); }},
                                                own, run.claims);
                };
                if (!first || first->supports(program, run.specification)) return ask(*engine, context);
                Slice slice(context.limits, kOfTimeFirst * std::min(context.limits.remaining(), kMostFirst));
                Context own{slice.limits(), context.statistics, context.progress, context.last_words, context.solver_options};
                verdict::Verdict answer = ask(*first, own);
                if (answer.answer != verdict::Answer::Unknown || context.limits.poll_now() != Stop::No) return answer;
                run.claims = {};
                return ask(*engine, context);
              }},
             run, options, watch, &so_far);
  if (shared && watch.group()->rank() != 0) {  // process 0 has the answer
    watch.begin_report();
    leave_group(watch);
    leave(ExitCode::True);
  }
  if (verdict.answer == verdict::Answer::False && verdict.violation && somebody_reads_it(options)) {
    if (machine_sees(*verdict.violation, verdict.trace)) tell_first(program, run, options, verdict, watch);
    for (verdict::Finding& finding : run.claims.findings) tell_finding(program, run, options, finding, watch);
  }
  certificate.settle(program, run.specification, watch.limits(), run, verdict);
  add_coverage(program, run, options, verdict, watch);
  verdict.assumptions.insert(verdict.assumptions.begin(), program.assumptions.begin(), program.assumptions.end());
  return verdict;
}

/// A run along the witness, or one that is found by searching and fits it.
verdict::Verdict validate_violation(report::Run& run, const report::Witness& witness, const Options& options, Watch& watch) {
  constexpr double kFollow = 20;  // seconds, or a third of the time
  {
    run.specification = specification_of(options);
    run.data_model = options.input.data_model;
    const program::Program program = load(options.input, run.specification, options.strict);
    auto code = std::make_shared<const exec::Code>(program, run.specification);
    Limits& limits = watch.limits();
    if (auto found = follow_witness(code, witness, std::min(kFollow, limits.remaining() / 3), limits)) {
      tell_first(program, run, options, *found, watch);
      found->notes.emplace_back("the witness is confirmed: the run follows its waypoints");
      return *found;
    }
  }
  verdict::Verdict verdict = check_program(run, options, watch);
  if (verdict.answer == verdict::Answer::True) verdict.notes.emplace_back("the witness is refuted: there is no such run");
  if (verdict.answer != verdict::Answer::False) return verdict;
  if (fits_witness(verdict, witness)) {
    verdict.notes.emplace_back("the witness is confirmed: a run with its inputs ends in its target");
    return verdict;
  }
  verdict::Verdict other;
  other.engine = verdict.engine;
  other.reason = fmt::format("the witness is not confirmed: another violation was found, at {}:{}", verdict.violation->file, verdict.violation->line);
  run.trace = {};
  run.claims = {};
  return other;
}

/// The property is proved together with the invariants, as assertions at their places.
verdict::Verdict validate_invariants(report::Run& run, const report::Witness& witness, const Options& options, Watch& watch) {
  WithInvariants changed(options.input, witness);
  Options with = options;
  with.input = changed.input();
  with.error_function = WithInvariants::kFails;
  verdict::Verdict verdict = check_program(run, with, watch);
  if (verdict.answer == verdict::Answer::False) {
    const bool invariant = verdict.violation->message.find(WithInvariants::kFails) != std::string::npos;
    verdict::Verdict refuted;
    refuted.engine = verdict.engine;
    refuted.reason = fmt::format("the witness is refuted: {} at {}:{}", invariant ? "an invariant does not hold" : verdict.violation->message,
                                 verdict.violation->file, verdict.violation->line);
    run.trace = {};
    run.claims = {};
    return refuted;
  }
  if (verdict.answer != verdict::Answer::True) return verdict;
  if (!changed.partial().empty()) {
    report::Run alone;
    const verdict::Verdict without = check_program(alone, options, watch);
    if (without.answer != verdict::Answer::True) {
      verdict.answer = verdict::Answer::Unknown;
      verdict.reason = fmt::format("the property was proved with the witness's invariants, of which some need not have a value ({}), but not without them",
                                   changed.partial().front());
      run.claims = {};
      return verdict;
    }
  }
  if (!changed.left_out().empty()) {
    verdict.answer = verdict::Answer::Unknown;
    verdict.reason = fmt::format("{} of the witness's invariants cannot be checked, the first is {}; the property was proved", changed.left_out().size(),
                                 changed.left_out().front());
    return verdict;
  }
  verdict.notes.push_back(fmt::format("the witness is confirmed: its {} invariants hold, and the property with them", changed.checked()));
  return verdict;
}

verdict::Verdict validate(report::Run& run, const Options& options, Watch& watch) {
  if (is_firmware(options)) fail_usage("--validate is for C programs");
  const report::Witness witness = read_fitting_witness(options, specification_of(options));
  return witness.violation ? validate_violation(run, witness, options, watch) : validate_invariants(run, witness, options, watch);
}

}  // namespace

int check(const Options& options, Watch& watch) {
  if (options.input.files.empty()) return check_project(options, watch);
  report::Run run;
  run.verdict = !options.validate.empty() ? validate(run, options, watch)
                : is_firmware(options)    ? check_firmware(run, options, watch)
                                          : check_program(run, options, watch);
  watch.begin_report();
  complete(run, options);
  finish(run, options, watch);
  leave_group(watch);
  leave(exit_code(run.verdict.answer));
}

}  // namespace whittle::app
