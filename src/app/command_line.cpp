// The command line. CLI11 does the parsing; this file is the table of options and the words of --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/firmware.h"
#include "app/options.h"
#include "app/registry.h"
#include "base/error.h"
#include "base/nearest.h"
#include "verdict/property.h"

namespace whittle::app {

namespace {

constexpr const char* kVerdicts =
    "The last line on stdout is the verdict: true, false(PROPERTY) or unknown.\n"
    "Exit status: 0 true, 10 false, 5 unknown, 64 wrong usage, 65 bad input, 70 internal error.\n";

void add_input_options(CLI::App& app, InputOptions& input) {
  app.add_option("FILE", input.files, "C sources (.c, .i), LLVM bitcode (.bc) or assembly (.ll)")->required();
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
  app.add_option("--data-model", input.data_model, "ILP32 (int, long and pointers of 32 bits) or LP64")
      ->type_name("MODEL")
      ->capture_default_str()
      ->group("Input")
      ->transform(CLI::IsMember({"ILP32", "LP64"}, CLI::ignore_case));
  app.add_option("--entry", input.entry, "Function to start with")
      ->type_name("FUNCTION")
      ->capture_default_str()
      ->group("Input");
}

/// Options whose text is turned into a number once parsing is over.
struct Texts {
  std::string timeout, memory;
  std::map<std::string, std::string> engine_values;
  std::vector<std::string> formulas;  ///< --ctl, which firmware takes more than once
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
      ->group("Limits");
}

void add_cores(CLI::App& app, Options& options) {
  app.add_option("--cores", options.cores, "Engines that auto runs at a time [all cores]")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u))
      ->group("Limits");
}

void add_reports(CLI::App& app, Options& options) {
  app.add_option("--trace-lines", options.trace_lines, "Longest trace printed, in lines; 0: no limit")
      ->type_name("N")
      ->capture_default_str()
      ->group("Output");
}

void add_check(CLI::App& root, Options& options, Texts& texts,
               const std::vector<std::unique_ptr<engines::Engine>>& engines) {
  CLI::App& app = *root.add_subcommand("check", "Prove or refute properties of a program");
  app.footer(std::string("Everything after -- is handed to clang: whittle check a.c -- -std=c99\n\n") + kVerdicts);
  add_input_options(app, options.input);
  std::string names;
  for (const auto& engine : engines) names += fmt::format("{}{}", names.empty() ? "" : ", ", engine->name());
  app.add_option("--engine", options.engine, "How to search: " + names)
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Search");
  app.add_option("--property", options.property,
                 "What to check: names with commas between them, or a .prp file "
                 "[unreach-call,valid-deref,valid-free,no-div-by-zero,no-bad-shift,no-deadlock,lock-discipline]")
      ->type_name("NAME,...|FILE.prp")
      ->group("Search");
  app.add_flag("--strict", options.strict, "Reaching a function without a body makes the answer unknown")
      ->group("Search");
  app.add_option("--solver", options.solver, "Which SMT solver engines ask: z3, cvc5")
      ->type_name("NAME")
      ->check(CLI::IsMember({"z3", "cvc5"}))
      ->capture_default_str()
      ->group("Search");
  app.add_flag("--cross-check", options.cross_check,
               "Ask the other solver, too, and answer unknown where they disagree: slow")
      ->group("Search");
  app.add_option("--smt-log", options.smt_log, "Write every question to the solver into this folder, as SMT-LIB")
      ->type_name("DIR")
      ->group("Search");
  add_limits(app, options, texts);
  add_cores(app, options);
  add_reports(app, options);
  app.add_option("--json", options.json, "Write a report as JSON; - is stdout")->type_name("FILE")->group("Output");
  app.add_option("--html", options.html, "Write a report as one HTML page")->type_name("FILE")->group("Output");
  app.add_option("--sarif", options.sarif, "Write a report as SARIF 2.1.0")->type_name("FILE")->group("Output");
  app.add_option("--witness", options.witness, "Write a violation witness: format 2.0, or 1.0 if FILE ends in .graphml")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--counterexample", options.counterexample,
                 "Write inputs and schedule for whittle run --counterexample")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--quiet", options.quiet, "Print the verdict only")->group("Output");
  for (const auto& engine : engines) {
    for (const engines::Option& option : engine->options()) {
      std::string name(option.name), group = fmt::format("Engine {}", engine->name());
      std::string help = fmt::format("{}{}", option.help,
                                     option.default_value.empty() ? "" : fmt::format(" [{}]", option.default_value));
      if (app.get_option_no_throw("--" + name) != nullptr) continue;  // engines may share an option
      if (option.value.empty()) {
        app.add_flag("--" + name, texts.engine_flags[name], help)->group(group);
      } else if (name == "ctl") {
        app.add_option("--ctl", texts.formulas, help)
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
  add_limits(app, options, texts);
  add_reports(app, options);
  app.add_option("--json", options.json, "Write a report as JSON; - is stdout")->type_name("FILE")->group("Output");
  app.add_option("--ctl", texts.formulas, "Firmware: the formula that the counterexample is about")
      ->type_name("FORMULA")
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
      ->type_name("FORM")
      ->capture_default_str()
      ->check(CLI::IsMember({"program", "cfg", "dot", "devices"}));
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
  add_limits(app, options, texts);
}

void add_bench(CLI::App& root, Options& options) {
  CLI::App& app = *root.add_subcommand("bench", "Run a suite of benchmarks; without a name, list them");
  app.add_option("SUITE", options.suite, "Name of the suite");
  app.prefix_command();  // the rest belongs to the suite
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

[[noreturn]] void fail_unknown(const CLI::App& root, const std::vector<std::string>& rest) {
  const CLI::App* app = root.get_subcommands().empty() ? &root : root.get_subcommands().front();
  std::string first = rest.empty() ? "" : rest.front();
  std::string name = first.substr(0, first.find('='));
  if (name.starts_with("-")) fail_usage("unknown option {}{}", name, suggestion(name, option_names(*app)));
  std::vector<std::string> commands;
  for (const CLI::App* sub : root.get_subcommands({})) commands.push_back(sub->get_name());
  if (app == &root) fail_usage("unknown command {}{}", name, suggestion(name, commands));
  fail_usage("unexpected argument {}", first);
}

void finish(Options& options, const Texts& texts, const CLI::App& root) {
  const CLI::App& app = *root.get_subcommands().front();
  const std::string& name = app.get_name();
  options.command = name == "check"         ? Command::Check
                    : name == "run"         ? Command::Run
                    : name == "show"        ? Command::Show
                    : name == "check-proof" ? Command::CheckProof
                                            : Command::Bench;
  if (!texts.timeout.empty()) options.timeout = parse_duration(texts.timeout);
  if (!texts.memory.empty()) options.memory = parse_size(texts.memory);
  for (const auto& [key, value] : texts.engine_values)
    if (!value.empty()) options.engine_options.emplace_back(key, value);
  for (const std::string& formula : texts.formulas) options.engine_options.emplace_back("ctl", formula);
  for (const auto& [key, on] : texts.engine_flags)
    if (on) options.engine_options.emplace_back(key, "");
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) options.given.push_back(option->get_name());
  for (const std::string& formula : texts.formulas)
    if (formula.find_first_not_of(" \t\n") == std::string::npos) fail_usage("--ctl: the formula is empty");
  if (options.command == Command::Check || options.command == Command::Run) refuse_options(options);
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
  for (int i = 1; i < argc; ++i) text += std::string(" ") + argv[i];
  return text;
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

  CLI::App root("whittle, a software model checker for C programs", "whittle");
  root.set_version_flag("--version", "whittle " WHITTLE_VERSION);
  root.footer(std::string("whittle COMMAND --help tells more about a command.\n\n") + kVerdicts);
  root.require_subcommand(1);
  auto formatter = std::make_shared<CLI::Formatter>();
  formatter->column_width(32);
  root.formatter(formatter);
  add_check(root, options, texts, engines);
  add_run(root, options, texts);
  add_show(root, options);
  add_check_proof(root, options, texts);
  add_bench(root, options);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // the order CLI11 wants
    root.parse(reversed);
  } catch (const CLI::CallForVersion&) {
    fmt::print("whittle {}\n", WHITTLE_VERSION);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", root.help());
    return std::nullopt;
  } catch (const CLI::ExtrasError& error) {
    const CLI::App* app = root.get_subcommands().empty() ? &root : root.get_subcommands().front();
    fail_unknown(root, app->remaining(true).empty() ? root.remaining(true) : app->remaining(true));
  } catch (const CLI::RequiredError& error) {
    // `whittle --chek`, `whittle chek a.c`: what is wrong is the unknown word, not the missing command.
    std::vector<std::string> rest = root.remaining(true);
    if (!rest.empty() && (root.get_subcommands().empty() || rest.front().starts_with("-"))) fail_unknown(root, rest);
    if (root.get_subcommands().empty())
      fail_usage("no command given: check, run, show, check-proof or bench (whittle --help tells more)");
    fail_usage("no file given (whittle {} --help tells more)", root.get_subcommands().front()->get_name());
  } catch (const CLI::ParseError& error) {
    fail_usage("{}", error.what());
  }
  finish(options, texts, root);
  if (options.command == Command::Check && !is_firmware(options)) settle_engine(options, engines);
  return options;
}

}  // namespace whittle::app
