#include "engines/explicit/explicit_engine.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/checkpoint.h"
#include "base/error.h"
#include "cluster/local_group.h"
#include "engines/explicit/covering_search.h"
#include "engines/explicit/program_machine.h"
#include "engines/explicit/search_options.h"
#include "engines/explicit/symbolic_search.h"
#include "engines/explicit/system_search.h"
#include "engines/keeper.h"
#include "engines/task_digest.h"
#include "exec/runner.h"
#include "explore/ctl.h"
#include "explore/distributed_files.h"
#include "explore/search.h"
#include "program/analysis/analyses.h"
#include "program/expression.h"

namespace whittle::engines::explicit_ {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 18> kOptions{{
    {"order", "depth|breadth", "depth", "search order; breadth finds shortest counterexamples"},
    {"reduce", "none|static|onthefly", "onthefly", "path reduction: which states are stored"},
    {"loop", "pc|state|hash", "hash", "path reduction: when a path of unstored states is a loop"},
    {"dead", "none|static|dynamic", "static", "dead variables: which parts of a state are compared"},
    {"store", "exact|hash|bit", "exact",
     "visited states: exactly, by 64-bit hash, or by bits (the last two may miss states)"},
    {"max-branching", "N", "65536", "values of one input that may be tried"},
    {"values", "tried|symbolic|auto", "auto",
     "inputs: every value is tried, or they are symbols; auto: symbols if there are too many values"},
    {"states", "pauses|statements", "pauses",
     "a state at every choice, or also after every statement of a single thread"},
    {"private-steps", "yes|no", "yes", "offer no choice before steps that no other thread can notice"},
    {"covering", "yes|no", "yes", "first try whether states with larger sums cover the others (threads only)"},
    {"repeat-steps", "yes|no", "yes", "make steps of threads that were made before without running the program"},
    {"parallel-from", "N", "20000", "stored states from which on --cores threads search; fewer are not worth them"},
    kCheckpoint,
    kCheckpointEvery,
    kResume,
    {"spill", "DIR", "", "when memory is short, go on with files there: slower, as far as the disk reaches"},
    {"ctl", "FORMULA", "", "check a CTL formula over global variables as well"},
    {"fair", "CONDITION", "",
     "paths of --ctl are those on which the condition is true again and again, or which end; may be given repeatedly"},
}};

/// With --values auto: steps after which an input with many values is tried as a symbol instead, and how many questions
/// to the solver that may take. If it does not help, values are tried to the end.
constexpr uint64_t kPatience = 2'000'000, kFewQueries = 3'000;

constexpr const char* kCheckpointFile = "/explicit.checkpoint";

bool keeps_checkpoints(const Settings& settings) {
  return !settings.text("checkpoint", "").empty() || !settings.text("resume", "").empty();
}

/// What only a search by one thread, or with inputs as symbols, can do.
void refuse_others(std::string_view option, const Settings& settings, const explore::Options& options) {
  auto refuse = [&](bool is, std::string_view what) {
    if (is) fail_usage("{} does not go with {}", option, what);
  };
  refuse(!settings.text("ctl", "").empty(), "--ctl");
  refuse(settings.text("values", "auto") == "symbolic", "--values symbolic");
  refuse(options.dead == explore::Dead::Dynamic, "--dead dynamic");
  refuse(options.order != explore::Order::DepthFirst, "--order breadth");
  refuse(options.store != explore::StoreKind::Exact, "--store hash|bit");
}

/// Where --checkpoint and --resume lead, and what does not go with them.
void set_checkpoints(const program::Program& program, const verdict::Specification& specification,
                     const Settings& settings, explore::Options& options) {
  if (!keeps_checkpoints(settings)) return;
  const std::string resume = settings.text("resume", ""), keep = settings.text("checkpoint", resume);
  const char* option = resume.empty() ? "--checkpoint" : "--resume";
  refuse_others(option, settings, options);
  options.checkpoint = keep + kCheckpointFile;
  if (options.group == nullptr || options.group->rank() == 0) require_place_for_checkpoint(options.checkpoint);
  if (!resume.empty()) options.resume = resume + kCheckpointFile;
  options.checkpoint_every = settings.real("checkpoint-every", options.checkpoint_every);
  options.task = task_digest(program, specification, settings, kOptions, {"parallel-from", "spill"});
}

explore::Options program_options(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
                                 cluster::Group& alone) {
  explore::Options options = search_options(settings, "static");
  // Statically dead registers are left out of states by the concrete machine itself (code_options).
  if (options.dead == explore::Dead::Static) options.dead = explore::Dead::None;
  options.deadlock_is_violation = specification.has(Property::NoDeadlock);
  options.group = settings.group;
  set_checkpoints(program, specification, settings, options);
  // What several processes have left is in another form: this one goes on as the only one of a group.
  if (options.group == nullptr && !options.resume.empty() && explore::is_of_several_processes(options.resume)) options.group = &alone;
  if (options.group != nullptr) refuse_others("a search by several processes", settings, options);
  if (!options.spill.empty()) {
    refuse_others("--spill", settings, options);
    if (options.group != nullptr) fail_usage("--spill does not go with several processes");
  }
  return options;
}

class Run {
 public:
  Run(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
      Context& context)
      : program_(program),
        specification_(specification),
        settings_(settings),
        context_(context),
        options_(program_options(program, specification, settings, alone_[0])),
        code_(std::make_shared<exec::Code>(program, specification, code_options(settings))),
        machine_(code_, machine_options(settings, options_), context) {}

  Verdict answer() {
    std::string formula = settings_.text("ctl", "");
    if (!formula.empty() && values_ == Values::Symbolic)
      fail_usage("--ctl needs values that are tried: it does not go with --values symbolic");
    if (formula.empty() && !settings_.text("fair", "").empty()) fail_usage("--fair says which paths --ctl is about: no --ctl is given");
    if (formula.empty())
      reachability();
    else
      temporal(formula);
    verdict_.engine = "explicit";
    return std::move(verdict_);
  }

 private:
  static exec::Options code_options(const Settings& settings) {
    exec::Options code;
    code.drop_dead_registers = settings.text("dead", "static") != "none";
    return code;
  }
  static MachineOptions machine_options(const Settings& settings, const explore::Options& search) {
    MachineOptions options;
    options.max_branching = settings.number("max-branching", options.max_branching);
    options.by_statement = pick<bool>(settings, "states", "pauses", {{"pauses", false}, {"statements", true}});
    options.stop_at_values = settings.text("values", "auto") == "auto" && settings.text("ctl", "").empty();
    // A search that may be kept in a file, or that others take part in, is not given up for another one.
    const bool stays = keeps_checkpoints(settings) || search.group != nullptr;
    if (options.stop_at_values && !options.by_statement && !stays) options.patience = kPatience;
    options.private_steps = pick<bool>(settings, "private-steps", "yes", {{"yes", true}, {"no", false}});
    options.repeat_steps = pick<bool>(settings, "repeat-steps", "yes", {{"yes", true}, {"no", false}});
    if (search.group != nullptr) options.repeat_steps = false;  // numbers in states would differ from process to process
    return options;
  }

  void reachability() {
    if (values_ == Values::Symbolic) return symbolic();
    if (covering()) return;
    explore::Result result = explore::search(machine_, options_, context_);
    if (machine_.out_of_patience()) {
      symbolic(kFewQueries);
      if (verdict_.answer != Answer::Unknown || context_.limits.stopped() != Stop::No) return;
      machine_.be_patient();
      verdict_ = {};
      result = explore::search(machine_, options_, context_);
    }
    machine_.be_patient();  // a path that was found is walked again
    result.figures.put(verdict_.statistics);
    for (std::string& note : result.notes) verdict_.assumptions.push_back(std::move(note));
    if (!result.spilled.empty()) verdict_.notes.push_back(std::move(result.spilled));
    switch (result.outcome) {
      case explore::Outcome::Holds:
        if (specification_.has(Property::ValidMemtrack) && may_run_forever()) {
          verdict_.reason = "no violation found, but lost memory is looked for at exit only, and a run may never end";
          break;
        }
        verdict_.answer = Answer::True;
        verdict_.reason = fmt::format("proved: all {} reachable states were visited, for all inputs and schedules",
                                      result.figures.states_stored);
        break;
      case explore::Outcome::ProbablyHolds:
        verdict_.reason = "no violation found, but the store may have dropped states (--store exact proves)";
        break;
      case explore::Outcome::Violation:
        if (machine_.cut_by_values() && values_ == Values::Auto)  // no violation: see MachineOptions::stop_at_values
          symbolic();
        else
          violated(result.path);
        break;
      case explore::Outcome::BadState:
      case explore::Outcome::Deadlock: violated(result.path); break;
      case explore::Outcome::Unknown: unknown(result.reason); break;
    }
    if (verdict_.answer != Answer::Unknown) explore::forget_checkpoint(options_);
  }

  /// Returns false if that does not decide.
  bool covering() {
    const bool wanted = pick<bool>(settings_, "covering", "yes", {{"yes", true}, {"no", false}});
    const bool plain = options_.store == explore::StoreKind::Exact && options_.group == nullptr;
    if (!wanted || !plain || keeps_checkpoints(settings_) || machine_options(settings_, options_).by_statement) return false;
    CoveringSearch search(code_, machine_options(settings_, options_), context_);
    if (!search.applies()) return false;
    switch (search.run()) {
      case CoveringSearch::Outcome::Unknown: return false;
      case CoveringSearch::Outcome::Violation: violated(search.path()); break;
      case CoveringSearch::Outcome::Holds:
        verdict_.answer = Answer::True;
        verdict_.reason = fmt::format("proved: all {} states that no state with larger sums covers were visited, for all inputs and schedules",
                                      search.states());
        break;
    }
    verdict_.statistics.set("states_stored", search.states());
    verdict_.statistics.set("states_created", search.steps());
    return true;
  }

  void symbolic(uint64_t most_queries = ~uint64_t{0} / 2) {
    SymbolicSearch search(code_, machine_options(settings_, options_).private_steps, most_queries, context_);
    auto put = [&search](Statistics& statistics) {
      statistics.set("symbolic states", search.states());
      statistics.set("symbolic steps", search.steps());
      statistics.set("solver calls", search.queries());
    };
    LastWords::Speaker speaker(context_.last_words, put);
    SymbolicSearch::Outcome outcome = search.run();
    put(verdict_.statistics);
    switch (outcome) {
      case SymbolicSearch::Outcome::Holds:
        if (specification_.has(Property::ValidMemtrack) && may_run_forever()) {
          verdict_.reason = "no violation found, but lost memory is looked for at exit only, and a run may never end";
          break;
        }
        verdict_.answer = Answer::True;
        verdict_.reason =
            fmt::format("proved: all {} symbolic states were visited, for all inputs and schedules", search.states());
        break;
      case SymbolicSearch::Outcome::Violation: replay(search.counterexample()); break;
      case SymbolicSearch::Outcome::Unknown: verdict_.reason = "not decided: " + search.reason(); break;
    }
  }

  /// A loop or a recursion somewhere: coarse, but only valid-memtrack asks.
  bool may_run_forever() const {
    const auto analyses = program::analysis::analyses_of(context_, program_);
    for (program::FunctionId f = 0; f < program_.functions.size(); ++f) {
      if (!analyses->calls().reachable().test(f) || program_.functions[f].runtime) continue;
      if (analyses->calls().recursive(f)) return true;
      for (const auto& location : program_.functions[f].locations)
        if (location.loop_head) return true;
    }
    return false;
  }

  void unknown(const std::string& reason) {
    verdict_.answer = Answer::Unknown;
    verdict_.reason = machine_.cut().empty() ? reason : fmt::format("no violation found, but {}", machine_.cut());
  }

  void temporal(const std::string& text) {
    std::vector<term::Term> atoms;
    auto bind = [&](std::string_view atom) {
      if (atoms.size() == 64) fail_input("a formula may have at most 64 different atoms");
      atoms.push_back(program::parse_condition(program_, atom));
      return static_cast<uint32_t>(atoms.size() - 1);
    };
    explore::Formula formula = explore::parse_formula(text, bind);
    explore::add_fairness(formula, settings_.text("fair", ""), bind);
    machine_.set_atoms(atoms);
    explore::CtlResult result = explore::check(machine_, formula, options_, context_);
    result.figures.put(verdict_.statistics);
    for (std::string& note : result.notes) verdict_.assumptions.push_back(std::move(note));
    if (result.violation) return violated(result.evidence->choices);
    switch (result.truth) {
      case explore::Truth::Holds:
        verdict_.answer = Answer::True;
        verdict_.reason = fmt::format("proved: {} holds", text);
        break;
      case explore::Truth::Fails:
        verdict_.answer = Answer::False;
        verdict_.reason = fmt::format("{} does not hold", text);
        break;
      case explore::Truth::ProbablyHolds:
        verdict_.reason = "the formula holds unless the store dropped states (--store exact proves)";
        break;
      case explore::Truth::Unknown: unknown(result.reason); break;
    }
    if (result.evidence) show_path(result.evidence->choices, result.evidence->loop);
    if (verdict_.answer == Answer::False) {
      verdict::Violation violation;
      violation.property = Property::Ctl;
      violation.message = fmt::format("{} does not hold", text);
      if (!verdict_.trace.steps.empty()) {
        const auto& last = verdict_.trace.steps.back();
        violation.function = last.function;
        violation.file = last.file;
        violation.line = last.line;
        violation.thread = last.thread;
      } else if (const auto* main = entry()) {  // the initial state itself
        violation.message += ", before the first statement";
        violation.function = main->name;
        violation.line = main->position.line;
        if (main->position.file < program_.files.size()) violation.file = program_.files[main->position.file];
      }
      verdict_.violation = violation;
    }
  }

  /// The user's function where the program starts.
  const program::Function* entry() const {
    for (const program::Edge& edge : program_.functions[program_.entry].edges)
      if (edge.statement.kind == program::Kind::Call) return &program_.functions[edge.statement.callee];
    return nullptr;
  }

  /// Inputs and schedule of a path of choices.
  verdict::Counterexample counterexample(const std::vector<uint32_t>& path) {
    verdict::Counterexample result;
    machine_.reset();
    bool first = true;
    for (uint32_t choice : path) {
      machine_.successors();
      const exec::Pause& pause = machine_.concrete().pause();
      // With one thread left, only a formula makes the machine pause before a step.
      bool extra = !first && pause.kind == exec::PauseKind::Visible && machine_.alive_threads() == 1;
      first = false;
      auto meaning = machine_.meaning(choice);
      if (meaning.is_input) {
        verdict::Input input{pause.width, meaning.value, pause.origin, "", pause.position.line};
        if (pause.position.file < program_.files.size()) input.file = program_.files[pause.position.file];
        result.inputs.push_back(std::move(input));
      } else if (pause.scheduling() && !extra) {
        result.schedule.push_back(meaning.thread);
      }
      machine_.step(choice);
    }
    return result;
  }

  void violated(const std::vector<uint32_t>& path) { replay(counterexample(path)); }

  void replay(const verdict::Counterexample& found) {
    exec::RunResult replayed = exec::replay(code_, found, &context_.limits);
    if (!replayed.violation) {
      if (context_.limits.stopped() != Stop::No) {
        const bool kept = !options_.checkpoint.empty() && std::filesystem::exists(options_.checkpoint);
        return unknown(to_string(context_.limits.stopped()) + " while a violation was shown" + (kept ? "; --resume goes on from before it was found" : ""));
      }
      fail_internal("explicit: a violation does not replay");
    }
    verdict_.answer = Answer::False;
    verdict_.violation = replayed.violation;
    verdict_.counterexample = std::move(replayed.counterexample);
    verdict_.trace = std::move(replayed.trace);
    verdict_.reason = "violated";
  }

  /// A trace of a path that violates nothing by itself: evidence for a formula.
  void show_path(const std::vector<uint32_t>& path, std::optional<size_t> loop) {
    verdict_.counterexample = counterexample(path);
    machine_.reset();
    exec::Tracer tracer(machine_.concrete());
    machine_.concrete().set_listener(&tracer);
    std::vector<size_t> marks;
    for (uint32_t choice : path) {
      marks.push_back(tracer.size());
      machine_.successors();
      machine_.step(choice);
    }
    machine_.concrete().set_listener(nullptr);
    verdict_.trace = tracer.finish();
    if (loop && *loop < marks.size() && marks[*loop] < verdict_.trace.steps.size())
      verdict_.trace.loop_start = marks[*loop];
  }

  const program::Program& program_;
  const verdict::Specification& specification_;
  const Settings& settings_;
  Context& context_;
  cluster::LocalGroups alone_{1};
  explore::Options options_;
  enum class Values : uint8_t { Tried, Symbolic, Auto };
  Values values_ = pick<Values>(settings_, "values", "auto",
                                {{"tried", Values::Tried}, {"symbolic", Values::Symbolic}, {"auto", Values::Auto}});
  std::shared_ptr<exec::Code> code_;
  ProgramMachine machine_;
  Verdict verdict_;
};

}  // namespace

std::span<const Option> ExplicitEngine::options() const { return kOptions; }

std::optional<std::string> ExplicitEngine::supports(const program::Program&,
                                                    const verdict::Specification& specification) const {
  if (specification.has(Property::Termination)) return "explicit does not check termination yet";
  return std::nullopt;
}

Verdict ExplicitEngine::run(const program::Program& program, const verdict::Specification& specification,
                            const Settings& settings, Context& context) {
  return Run(program, specification, settings, context).answer();
}

Verdict ExplicitEngine::run_system(machine::System& system, const Settings& settings, Context& context) {
  return SystemSearch(system, settings, context).answer();
}

}  // namespace whittle::engines::explicit_
