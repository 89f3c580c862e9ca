// The command line. CLI11 does the parsing; this file is the table of options and the words of --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "app/complaints.h"
#include "app/firmware.h"
#include "app/options.h"
#include "app/reference.h"
#include "app/registry.h"
#include "app/replay.h"
#include "app/task_definition.h"
#include "base/error.h"
#include "verdict/property.h"

namespace whittle::app {

namespace {

constexpr const char* kVerdicts =
    "The last line on stdout is the verdict: true, false(PROPERTY) or unknown.\n"
    "Exit status: 0 true, 10 false, 5 unknown, 64 wrong usage, 65 bad input, 70 internal error.\n";

/// The type's name lists the words already: help says them once.
CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::IsMember(words, CLI::ignore_case).description("");
}

/// CLI11 takes the largest number for one that is larger. What is no number at all is its own complaint.
CLI::Validator in_64_bits() {
  return CLI::Validator(
      [](const std::string& text) {
        uint64_t number = 0;
        auto result = std::from_chars(text.data(), text.data() + text.size(), number);
        return std::string(result.ec == std::errc::result_out_of_range || text.starts_with('-') ? "out of range" : "");
      },
      "");
}

void add_input_options(CLI::App& app, InputOptions& input) {
  app.add_option("FILE", input.files, "C sources (.c, .i), LLVM bitcode (.bc) or assembly (.ll); AVR firmware (.elf, .hex); a task definition (.yml)")->required();
  app.add_option("-I", input.include_paths, "Folder with headers")
      ->type_name("DIR")
      ->expected(1)
      ->group("Input")
      ->take_all();
  app.add_option("-D", input.defines, "Preprocessor macro")
      ->type_name("NAME[=VALUE]")
      ->expected(1)
      ->group("Input")
      ->take_all();
  app.add_option("--data-model", input.data_model, "Sizes: ILP32 (int, long and pointers of 32 bits) or LP64")
      ->type_name("ILP32|LP64")
      ->capture_default_str()
      ->group("Input")
      ->transform(one_of({"ILP32", "LP64"}));
  app.add_option("--entry", input.entry, "Function to start with")
      ->type_name("FUNCTION")
      ->capture_default_str()
      ->group("Input");
  auto list = [&](const char* name, std::vector<std::string>& values, const char* help, const char* type) {
    app.add_option(name, values, help)->type_name(type)->expected(1)->take_all()->group("Input");
  };
  auto number = [&](const char* name, unsigned& value, const char* help, unsigned most) {
    app.add_option(name, value, help)
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(0u, most).description(""))
        ->group("Input");
  };
  app.add_option("-p", input.database, "Flags of each file from the compile_commands.json in this folder")
      ->type_name("DIR|FILE")
      ->group("Input");
  list("--buffer", input.buffers, "--entry: this pointer leads to an object of up to N elements", "NAME=N");
  list("--length", input.lengths, "--entry: LENGTH is the number of elements of buffer NAME", "NAME:LENGTH");
  list("--string", input.strings, "--entry: this pointer leads to a text of up to N characters", "NAME=N");
  list("--null", input.nulls, "--entry: this pointer may be null", "NAME");
  number("--depth", input.depth, "--entry: how deep pointers lead to new objects, before they are null", 8);
  app.add_flag("--any-globals", input.any_globals, "--entry: global variables start with any value")->group("Input");
  list("--stub", input.stubs,
       "Replace a function: it returns any value (havoc-arguments: and changes what its arguments point to), zero, or is "
       "that of a file",
       "NAME=any|havoc-arguments|zero|FILE.c");
  list("--ignore", input.ignore, "Pass over what is violated at this place", "FILE:LINE[:COLUMN]");
  number("--args", input.arguments, "A main that looks at its arguments gets any command line of up to N; 0: argc is 1", 64);
  number("--arg-length", input.argument_length, "--args: most characters of each", 4096);
  number("--text-length", input.text_length, "Most characters of texts from getenv, getcwd, readdir and their relatives", 255);
  number("--signals", input.signals, "Up to N signals that have a handler arrive from outside, at any moment", 1000);
  app.add_flag("--malloc-may-fail", input.malloc_may_fail, "malloc and its relatives may return null")->group("Input");
  app.add_flag("--spurious-wakeups", input.spurious_wakeups, "Waiting for a condition variable may end for no reason")
      ->group("Input");
}

/// Options whose text is turned into a number once parsing is over.
struct Texts {
  std::string timeout, memory;
  std::map<std::string, std::string> engine_values;
  std::vector<std::string> formulas;  ///< --ctl, which firmware takes more than once
  std::vector<std::string> fair;      ///< --fair
  std::map<std::string, bool> engine_flags;
};

void add_limits(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("--timeout", texts.timeout, "Stop after this time: 10s, 5m, 1h [none]")
      ->type_name("TIME")
      ->group("Limits");
  app.add_option("--memory", texts.memory, "Stop at this much memory: 512M, 2G [most of the machine's]")
      ->type_name("SIZE")
      ->group("Limits");
  app.add_option("--seed", options.seed, "Start of the random choices: equal seeds, equal runs")
      ->type_name("N")
      ->check(in_64_bits())
      ->group("Limits");
}

void add_cores(CLI::App& app, Options& options) {
  app.add_option("--cores", options.cores, "Engines that auto runs at a time; threads of explicit [all cores]")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u).description(""))
      ->group("Limits");
}

void add_reports(CLI::App& app, Options& options) {
  app.add_option("--trace-lines", options.trace_lines, "Longest trace printed, in lines; 0: no limit")
      ->type_name("N")
      ->check(in_64_bits())
      ->capture_default_str()
      ->group("Output");
}

void add_project(CLI::App& app, Options& options) {
  app.add_option("--project", options.project, "Run the checks of this file [whittle.yml here or in a folder above]")
      ->type_name("FILE")
      ->expected(0, 1)
      ->group("Project (no FILE)");
  app.add_option("--only", options.only, "Only these checks, with commas between them")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->group("Project (no FILE)");
  app.add_option("--jobs", options.jobs, "Checks that run at once [as many as there are cores]")
      ->type_name("N")
      ->group("Project (no FILE)");
  app.add_flag("--no-answers", options.no_answers, "Search again, whatever was answered before")->group("Project (no FILE)");
}

void add_check(CLI::App& root, Options& options, Texts& texts,
               const std::vector<std::unique_ptr<engines::Engine>>& engines) {
  CLI::App& app = *root.add_subcommand("check", "Prove or refute properties of a program");
  app.footer(
      std::string("Everything after -- is handed to clang: whittle check a.c -- -std=c99\n"
                  "Without FILE, the checks of the project file whittle.yml are run.\n\n") +
      kVerdicts);
  add_input_options(app, options.input);
  add_project(app, options);
  std::string names;
  for (const auto& engine : engines) names += fmt::format("{}{}", names.empty() ? "" : "|", engine->name());
  app.add_option("--engine", options.engine, "How to search")
      ->type_name(names)
      ->capture_default_str()
      ->group("Search");
  app.add_option("--property", options.property,
                 "What to check: names with commas between them, or a .prp file "
                 "[unreach-call,valid-deref,valid-free,no-div-by-zero,no-bad-shift,no-deadlock,lock-discipline]")
      ->type_name("NAME,...|FILE.prp")
      ->group("Search");
  app.add_flag("--all", options.all, "Find every violation, and answer for each property and assertion")->group("Search");
  app.add_flag("--strict", options.strict, "Reaching a function without a body makes the answer unknown")
      ->group("Search");
  app.add_option("--solver", options.solver, "Which solver engines ask; auto: the fastest for the kind of question")
      ->type_name("auto|z3|cvc5|cadical")
      ->transform(one_of({"auto", "z3", "cvc5", "cadical"}))
      ->capture_default_str()
      ->group("Search");
  app.add_flag("--cross-check", options.cross_check,
               "Ask the other solver, too, and answer unknown where they disagree: slow")
      ->group("Search");
  app.add_option("--smt-log", options.smt_log, "Write every question to the solver into this folder, as SMT-LIB")
      ->type_name("DIR")
      ->group("Search");
  app.add_option("--answers", options.answers,
                 "Keep answers in this folder; a program that was asked the same before is not searched again")
      ->type_name("DIR")
      ->group("Search");
  add_limits(app, options, texts);
  add_cores(app, options);
  add_reports(app, options);
  app.add_option("--json", options.json, "Write a report as JSON; - is stdout")->type_name("FILE")->group("Output");
  app.add_option("--html", options.html, "Write a report as one HTML page")->type_name("FILE")->group("Output");
  app.add_option("--coverage", options.coverage,
                 "Write which lines and branches runs reach and which are proved unreachable: lcov, or a page if FILE ends in .html")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--proof", options.proof, "Write why nothing can go wrong, for whittle check-proof")->type_name("FILE")->group("Output");
  app.add_flag("--require-proof", options.require_proof, "Without a proof that check-proof can follow the answer is unknown")->group("Search");
  app.add_option("--sarif", options.sarif, "Write a report as SARIF 2.1.0")->type_name("FILE")->group("Output");
  app.add_option("--witness", options.witness,
                 "Write a witness of the violation or of the proof: format 2.0, or 1.0 if FILE ends in .graphml (violations only)")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--validate", options.validate, "Confirm or refute a witness: is there such a run, do its invariants hold?")
      ->type_name("WITNESS")
      ->group("Input");
  app.add_option("--counterexample", options.counterexample,
                 "Write inputs and schedule for whittle run --counterexample")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--format", options.format,
                 "Report on stdout: text, or github (also annotations of the lines that a violation is about)")
      ->type_name("text|github")
      ->capture_default_str()
      ->transform(one_of({"text", "github"}))
      ->group("Output");
  app.add_flag("--quiet", options.quiet, "Print the verdict only; warnings still go to stderr")->group("Output");
  app.add_flag("--statistics", options.statistics, "Print all figures of the engine that decided")->group("Output");
  app.add_flag("--verbose", options.verbose, "Say on stderr what is decided on the way, with times")->group("Output");
  for (const auto& engine : engines) {
    for (const engines::Option& option : engine->options()) {
      std::string name(option.name), group = fmt::format("Engine {}", engine->name());
      std::string help = fmt::format("{}{}", option.help,
                                     option.default_value.empty() ? "" : fmt::format(" [{}]", option.default_value));
      if (app.get_option_no_throw("--" + name) != nullptr) continue;  // engines may share an option
      if (option.value.empty()) {
        app.add_flag("--" + name, texts.engine_flags[name], help)->group(group);
      } else if (name == "ctl" || name == "fair") {
        app.add_option("--" + name, name == "ctl" ? texts.formulas : texts.fair, help)
            ->type_name(std::string(option.value))
            ->expected(1)
            ->take_all()
            ->group(group);
      } else {
        app.add_option("--" + name, texts.engine_values[name], help)
            ->type_name(std::string(option.value))
            ->group(group);
      }
    }
  }
  add_firmware_options(app, options.firmware);
}

void add_run(CLI::App& root, Options& options, Texts& texts) {
  CLI::App& app = *root.add_subcommand("run", "Run a program concretely, or replay a counterexample");
  app.footer(
      "Exit status: the program's own when it ends normally, 10 if it violates a property, 5 if it was stopped.\n");
  add_input_options(app, options.input);
  app.add_option("--inputs", options.inputs,
                 "Values of nondeterministic choices, in order: a file or VALUE[:COUNT] with commas; then 0")
      ->type_name("FILE|V,...")
      ->group("Run");
  app.add_option("--schedule", options.schedule, "Thread of each visible step: a file or THREAD[:COUNT] with commas")
      ->type_name("FILE|T,...")
      ->group("Run");
  app.add_option("--counterexample", options.counterexample, "Inputs and schedule that whittle check wrote")
      ->type_name("FILE")
      ->group("Run");
  app.add_option("--property", options.property, "What to check on the way, as for whittle check")
      ->type_name("NAME,...|FILE.prp")
      ->group("Run");
  app.add_flag("--trace", options.trace, "Print every statement: thread, source line, values changed (on stderr)")
      ->group("Run");
  app.add_flag("--native", options.native,
               "Build the program with clang and repeat the run natively, under the sanitizer for the property")
      ->group("Run");
  app.add_flag("--gdb", options.gdb, "With --native: in gdb, stopped where it fails")->group("Run");
  app.add_option("--export", options.export_folder, "Write the native program into this folder, with a Makefile")
      ->type_name("DIR")
      ->group("Run");
  app.add_option("--tests", options.tests,
                 "Run many times, for --timeout or 10s, and write inputs that reach new code as tests: XML, .ktest, C")
      ->type_name("DIR")
      ->group("Run");
  add_limits(app, options, texts);
  add_reports(app, options);
  app.add_option("--json", options.json, "Write a report as JSON; - is stdout")->type_name("FILE")->group("Output");
  app.add_option("--ctl", texts.formulas, "Firmware: the formula that the counterexample is about")
      ->type_name("FORMULA")
      ->expected(1)
      ->take_all()
      ->group("Run");
  app.add_option("--fair", texts.fair, "Firmware: the conditions of --fair that the formula was checked with")
      ->type_name("CONDITION")
      ->expected(1)
      ->take_all()
      ->group("Run");
  add_firmware_options(app, options.firmware);
}

void add_show(CLI::App& root, Options& options) {
  CLI::App& app = *root.add_subcommand("show", "Show the program as the checker sees it");
  add_input_options(app, options.input);
  app.get_option("FILE")->required(false);
  app.add_option("--as", options.show_as,
                 "program (text), cfg (locations and edges), dot (Graphviz), or devices (AVR chips known; no file)")
      ->type_name("program|cfg|dot|devices")
      ->capture_default_str()
      ->transform(one_of({"program", "cfg", "dot", "devices"}));
}

void add_harness(CLI::App& root, Options& options) {
  CLI::App& app =
      *root.add_subcommand("harness", "Write a C file that calls a function with any arguments, to be changed and kept");
  app.footer("whittle harness parse parse.c --buffer text=16 > parse_harness.c\n");
  app.add_option("FUNCTION", options.input.entry, "The function")->required();
  add_input_options(app, options.input);
  for (const char* other : {"--entry", "--stub", "--ignore", "--args", "--arg-length", "--text-length", "--signals", "--malloc-may-fail", "--spurious-wakeups"}) app.remove_option(app.get_option(other));
}

void add_check_proof(CLI::App& root, Options& options, Texts& texts) {
  CLI::App& app = *root.add_subcommand("check-proof", "Check a proof that whittle check --proof wrote, independently");
  app.footer(
      "What was proved, and for which data model, is in the proof, and is printed. The last line is `valid` (exit "
      "status "
      "0),\n"
      "`invalid: ` and the first step that fails (exit status 10), or `unknown: ` and why (exit status 5).\n");
  app.add_option("PROOF", options.proof, "The proof")->required();
  add_input_options(app, options.input);
  app.remove_option(app.get_option("--data-model"));
  app.add_option("--property", options.property, "What must be proved, as for whittle check: a proof that claims less is invalid")
      ->type_name("NAME,...|FILE.prp");
  app.add_option("--env", options.firmware.environment, "Of firmware: the environment that the proof is about")->type_name("FILE");
  add_limits(app, options, texts);
  app.add_option("--json", options.json, "Write a report as JSON; - is stdout")->type_name("FILE")->group("Output");
  app.add_flag("--quiet", options.quiet, "Print the last line only")->group("Output");
}

void add_bench(CLI::App& root, Options& options) {
  CLI::App& app = *root.add_subcommand("bench", "Run a suite of benchmarks; without a name, list them");
  app.add_option("SUITE", options.suite, "Name of the suite");
  app.prefix_command();  // the rest belongs to the suite, --help too
  app.set_help_flag();
}

void add_completion(CLI::App& root, std::string& shell) {
  CLI::App& app = *root.add_subcommand("completion", "Print what a shell needs to complete command lines");
  app.footer("whittle completion bash > ~/.local/share/bash-completion/completions/whittle\n");
  app.add_option("SHELL", shell, "bash, zsh or fish")
      ->type_name("bash|zsh|fish")
      ->required()
      ->transform(one_of({"bash", "zsh", "fish"}));
}

void add_help(CLI::App& root, std::string& command, std::string& form) {
  CLI::App& app = *root.add_subcommand("help", "Help on whittle or on a command");
  app.add_option("COMMAND", command, "The command");
  app.add_option("--as", form, "text; man: the manual page; markdown: docs/cli.md")
      ->type_name("text|man|markdown")
      ->capture_default_str()
      ->transform(one_of({"text", "man", "markdown"}));
}

/// What is read is never written over.
void keep_inputs(const Options& options) {
  namespace fs = std::filesystem;
  const bool check = options.command == Command::Check;
  std::vector<std::pair<std::string, std::string>> written{{"--json", options.json}, {"--html", options.html}, {"--sarif", options.sarif},
                                                           {"--witness", options.witness}, {"--coverage", options.coverage}};
  std::vector<std::string> read = options.input.files;
  if (check)
    written.emplace_back("--counterexample", options.counterexample), written.emplace_back("--proof", options.proof);
  else
    read.push_back(options.counterexample), read.push_back(options.proof);
  for (const std::string& file : {options.validate, options.property, options.firmware.environment, options.project}) read.push_back(file);
  for (const std::optional<std::string>& file : {options.inputs, options.schedule})
    if (file) read.push_back(*file);
  std::error_code error;
  for (const auto& [option, file] : written) {
    if (file.empty() || file == "-") continue;
    for (const std::string& input : read)
      if (!input.empty() && fs::equivalent(file, input, error)) fail_usage("{} {} would write over a file that is read", option, file);
  }
  for (size_t i = 0; i < written.size(); ++i)
    for (size_t k = i + 1; k < written.size(); ++k)
      if (!written[i].second.empty() && written[i].second != "-" && fs::path(written[i].second).lexically_normal() == fs::path(written[k].second).lexically_normal())
        fail_usage("{} and {} are to write the same file, {}", written[i].first, written[k].first, written[i].second);
}

void finish(Options& options, const Texts& texts, const CLI::App& root) {
  const CLI::App& app = *root.get_subcommands().front();
  const std::string& name = app.get_name();
  options.command = name == "check"         ? Command::Check
                    : name == "run"         ? Command::Run
                    : name == "show"        ? Command::Show
                    : name == "harness"     ? Command::Harness
                    : name == "check-proof" ? Command::CheckProof
                                            : Command::Bench;
  auto given = [&](const char* option) { return app.get_option_no_throw(option) != nullptr && app.get_option_no_throw(option)->count() > 0; };
  if (given("--timeout")) options.timeout = parse_duration(texts.timeout);
  if (given("--memory")) options.memory = parse_size(texts.memory);
  for (const auto& [key, value] : texts.engine_values)
    if (!value.empty()) options.engine_options.emplace_back(key, value);
  for (const std::string& formula : texts.formulas) options.engine_options.emplace_back("ctl", formula);
  std::string fair;
  for (const std::string& condition : texts.fair) fair += condition + "\n";
  if (!fair.empty()) options.engine_options.emplace_back("fair", fair);
  for (const auto& [key, on] : texts.engine_flags)
    if (on) options.engine_options.emplace_back(key, "");
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) options.given[option->get_name()] = option->results();
  apply_task_definition(options);
  for (const std::string& formula : texts.formulas)
    if (formula.find_first_not_of(" \t\n") == std::string::npos) fail_usage("--ctl: the formula is empty");
  if (options.command == Command::Check || options.command == Command::Run) {
    refuse_options(options);
    keep_inputs(options);
  }
  for (const char* of_project : {"--project", "--only", "--jobs", "--no-answers"})
    if (!options.input.files.empty() && options.given.contains(of_project))
      fail_usage("{} is about a project file, and {} is a file to check: one or the other", of_project, options.input.files.front());
  if (options.command == Command::Show && options.input.files.empty() && options.show_as != "devices")
    fail_usage("no file given (whittle show --help tells more)");
  if (options.command == Command::Bench) options.suite_arguments = app.remaining();
}

/// An option that the chosen engine does not know would be passed over in silence, --ctl even with `true`. To `auto`,
/// the option of one engine says which engine is wanted.
void settle_engine(Options& options, const std::vector<std::unique_ptr<engines::Engine>>& engines) {
  auto is_formula = [](const auto& option) { return option.first == "ctl"; };
  if (std::ranges::count_if(options.engine_options, is_formula) > 1)
    fail_usage("--ctl is given more than once: join the formulas with &&, or check one after the other");
  for (const auto& [name, value] : options.engine_options) {
    std::vector<std::string> owners;
    for (const auto& engine : engines)
      for (const engines::Option& option : engine->options())
        if (option.name == name) owners.emplace_back(engine->name());
    if (std::ranges::find(owners, options.engine) != owners.end()) continue;
    if (options.engine == "auto" && owners.size() == 1) {
      options.engine = owners.front();
      continue;
    }
    std::string all;
    for (const std::string& owner : owners) all += (all.empty() ? "" : " or ") + owner;
    fail_usage("--{} is an option of engine {}, not of {}", name, all, options.engine);
  }
}

std::string join(int argc, const char* const* argv) {
  std::string text = "whittle";
  for (int i = 1; i < argc; ++i) text += " " + quote(argv[i]);
  return text;
}

void file_is_optional(CLI::App& root) { root.get_subcommand("check")->get_option("FILE")->required(false); }

/// `check` has files or is about a project. CLI11 would let `-I inc a.c` take both words for folders if FILE were optional
/// from the beginning.
void parse_arguments(CLI::App& root, const std::vector<std::string>& arguments) {
  auto parse = [&] {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // the order CLI11 wants
    root.parse(reversed);
  };
  try {
    parse();
  } catch (const CLI::RequiredError&) {
    if (!root.got_subcommand("check") || root.get_subcommand("check")->get_option("FILE")->count() > 0) throw;
    file_is_optional(root);
    root.clear();
    parse();
  }
}

std::nullopt_t print_text(const std::string& text) {
  fmt::print("{}", text);
  return std::nullopt;
}

}  // namespace

std::optional<Options> parse_command_line(int argc, const char* const* argv) {
  Options options;
  Texts texts;
  options.command_line = join(argc, argv);
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  // CLI11 would take what follows -- for files.
  if (auto dashes = std::find(arguments.begin(), arguments.end(), "--"); dashes != arguments.end()) {
    options.input.clang_flags.assign(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
  }
  std::vector<std::unique_ptr<engines::Engine>> engines = make_engines();

  CLI::App root("whittle, a software model checker for C programs and AVR firmware", "whittle");
  root.set_version_flag("-v,--version", "whittle " WHITTLE_VERSION, "Version, on one line");
  root.footer(std::string("whittle COMMAND --help tells more about a command.\n\n") + kVerdicts);
  root.require_subcommand(1);
  auto formatter = std::make_shared<CLI::Formatter>();
  formatter->column_width(32);
  root.formatter(formatter);
  add_check(root, options, texts, engines);
  add_run(root, options, texts);
  add_show(root, options);
  add_harness(root, options);
  add_check_proof(root, options, texts);
  add_bench(root, options);
  std::string shell, help_on, help_form = "text";
  add_completion(root, shell);
  add_help(root, help_on, help_form);
  try {
    parse_arguments(root, arguments);
  } catch (const CLI::CallForVersion&) {
    fmt::print("whittle {}\n", WHITTLE_VERSION);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    file_is_optional(root);
    fmt::print("{}", root.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    complain(root, error);
  }
  file_is_optional(root);
  if (root.got_subcommand("completion")) return print_text(completion(root, shell));
  if (root.got_subcommand("help")) return print_text(help(root, help_on, help_form));
  finish(options, texts, root);
  if (options.command == Command::Check && !is_firmware(options)) settle_engine(options, engines);
  return options;
}

}  // namespace whittle::app
