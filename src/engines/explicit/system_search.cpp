#include "engines/explicit/system_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "engines/explicit/search_options.h"
#include "explore/traces.h"

namespace whittle::engines::explicit_ {

using verdict::Answer;
using verdict::Verdict;

namespace {

constexpr uint64_t kFirstStates = 50'000;  // of the first search, given up for one of an abstract machine
constexpr double kAbstractShare = 2, kAbstractSeconds = 5;  // time for that, by the time for those states
constexpr const char* kEverything = "AG true";  // the machine's own checks look at every step

explore::Formula parse(machine::System& system, const std::string& text, const std::string& fair) {
  auto bind = [&](std::string_view atom) { return system.bind_atom(std::string(atom)); };
  explore::Formula formula = explore::parse_formula(text, bind);
  explore::add_fairness(formula, fair, bind);
  return formula;
}

std::string name_of(const std::string& formula) { return formula.empty() ? "built-in checks" : formula; }

const char* word(Answer answer) {
  switch (answer) {
    case Answer::True: return "holds";
    case Answer::False: return "does not hold";
    case Answer::Unknown: break;
  }
  return "unknown";
}

}  // namespace

Prepared prepare(const machine::System& system, const std::string& text, const std::string& fair) {
  const std::string formula = text.empty() ? kEverything : text;
  Prepared out;
  out.system = system.fresh(system.decides_early());
  out.formula = parse(*out.system, formula, fair);
  if (!system.decides_early() && !explore::trace_determined(out.formula)) {
    out.system = system.fresh(true);
    out.formula = parse(*out.system, formula, fair);
    out.early = true;
  }
  out.universal = explore::about_all_paths(out.formula) && out.formula.fair().empty();
  out.invariant = explore::is_invariant(out.formula);
  if (auto start = out.system->start_atom()) out.formula = explore::after_start(out.formula, *start);
  return out;
}

SystemSearch::SystemSearch(machine::System& system, const Settings& settings, Context& context)
    : system_(system), context_(context), options_(search_options(settings, "none")), fair_(settings.text("fair", "")) {
  options_.deadlock_is_violation = false;
  for (const char* option : {"checkpoint", "resume", "spill"})
    if (!settings.text(option, "").empty()) fail_usage("--{} is for C programs, not for firmware", option);
  std::istringstream lines(settings.text("ctl", ""));
  for (std::string line; std::getline(lines, line);) formulas_.push_back(line);
  if (formulas_.empty() && !fair_.empty()) fail_usage("--fair says which paths --ctl is about: no --ctl is given");
  if (formulas_.empty()) formulas_.emplace_back();
}

Verdict SystemSearch::answer() {
  for (const std::string& text : formulas_) prepare(system_, text, fair_);  // mistakes are told before the first search
  std::optional<Verdict> worst;
  std::vector<std::string> notes;
  for (size_t i = 0; i < formulas_.size(); ++i) {
    verdict_ = {};
    of_abstraction_ = false;
    Prepared prepared = prepare(system_, formulas_[i], fair_);
    ask(formulas_[i], prepared);
    if (formulas_.size() > 1) {
      verdict_.statistics.set("formula", uint64_t{i + 1});
      notes.push_back(fmt::format("{}: {}", name_of(formulas_[i]), word(verdict_.answer)));
    }
    auto rank = [](const Verdict& v) { return v.answer == Answer::False ? 2 : v.answer == Answer::Unknown ? 1 : 0; };
    if (!worst || rank(verdict_) > rank(*worst)) worst = std::move(verdict_);
  }
  worst->notes.insert(worst->notes.begin(), notes.begin(), notes.end());
  worst->engine = "explicit";
  worst->assumptions = system_.assumptions();
  return std::move(*worst);
}

void SystemSearch::ask(const std::string& text, Prepared& prepared) {
  if (prepared.early) verdict_.notes.push_back("a formula of branching time: inputs are decided when they are read");
  explore::CtlResult result = search(prepared);
  result.figures.put(verdict_.statistics);
  verdict_.notes.insert(verdict_.notes.end(), result.notes.begin(), result.notes.end());
  if (result.violation || result.truth == explore::Truth::Fails) {
    shorten(text, prepared, result);
    return fails(text, prepared, result);
  }
  switch (result.truth) {
    case explore::Truth::Holds:
      verdict_.answer = Answer::True;
      verdict_.reason = text.empty() ? fmt::format("proved: all {} reachable states{} were visited, for all inputs",
                                                   result.figures.states_stored, of_abstraction_ ? " of an abstraction" : "")
                                     : fmt::format("proved: {} holds", text);
      show(prepared, result);
      break;
    case explore::Truth::ProbablyHolds:
      verdict_.reason = fmt::format("{}: no violation found, but the store may have dropped states (--store exact proves)",
                                    name_of(text));
      break;
    default: {
      std::string cut = prepared.system->cut_reason();
      verdict_.reason = fmt::format("{}: {}", name_of(text), cut.empty() ? result.reason : cut);
      break;
    }
  }
}

/// Depth-first search finds long ways round: an interrupt at every place where one can come. A short way is what people can follow, so
/// it is looked for as long as that takes no time to speak of.
void SystemSearch::shorten(const std::string& text, Prepared& prepared, explore::CtlResult& result) {
  constexpr size_t kShort = 20;  // choices
  constexpr double kSeconds = 2;
  constexpr uint64_t kMemory = uint64_t{256} << 20;
  if (!result.plain_search || !result.evidence || options_.order != explore::Order::DepthFirst || result.evidence->choices.size() <= kShort) return;
  explore::Options options = options_;
  options.order = explore::Order::BreadthFirst;
  Limits limits;
  limits.set_timeout(std::min(kSeconds, context_.limits.remaining() / 4));
  limits.set_memory(std::min(kMemory, context_.limits.memory() / 4));
  const Limits::Hook interrupted(context_.limits, [&] { limits.interrupt(); });
  Statistics statistics;
  Progress progress;
  Context context{limits, statistics, progress};
  Prepared again = prepare(system_, text, fair_);
  explore::CtlResult shorter = explore::check(again.system->machine(), again.formula, options, context);
  if (!shorter.evidence || shorter.violation != result.violation || shorter.truth != result.truth) return;
  if (shorter.evidence->choices.size() >= result.evidence->choices.size()) return;
  result.evidence = std::move(shorter.evidence);
  prepared = std::move(again);
}

/// The system itself up to a number of states, then for a while an abstraction of it, then more states, and so on.
explore::CtlResult SystemSearch::search(Prepared& prepared) {
  std::unique_ptr<machine::Abstraction> abstraction;
  if (prepared.universal && options_.store == explore::StoreKind::Exact) abstraction = prepared.system->abstraction();
  if (abstraction == nullptr) return explore::check(prepared.system->machine(), prepared.formula, options_, context_);
  explore::Options options = options_;
  options.max_states = kFirstStates;
  options.cores = 1;  // its first states teach the abstraction
  AbstractSearch abstract{*abstraction};
  for (machine::Machine* exact = &abstraction->exact();; exact = &prepared.system->machine()) {
    explore::CtlResult result = explore::check(*exact, prepared.formula, options, context_);
    bool limited = result.truth == explore::Truth::Unknown && !result.violation && options.max_states != ~uint64_t{0} &&
                   (result.figures.cuts == 0 || result.figures.states_stored >= options.max_states);
    if (!limited || context_.limits.poll() != Stop::No) return result;
    double patience = kAbstractShare * result.figures.seconds + kAbstractSeconds;
    if (auto found = search_abstract(prepared, abstract, patience)) return *found;
    options = options_;
    options.max_states = abstract.stuck ? ~uint64_t{0} : kFirstStates << (3 * ++abstract.rounds);
  }
}

/// Searches of an abstract machine until one ends. Too many states: it forgets more. A bad path that the system does not
/// have: it forgets less. Nothing: it has no answer yet, or is stuck.
std::optional<explore::CtlResult> SystemSearch::search_abstract(Prepared& prepared, AbstractSearch& abstract,
                                                                double patience) {
  explore::Options options = options_;
  options.cores = 1;
  options.dead = explore::Dead::None;
  double end = context_.limits.elapsed() + patience;
  while (!abstract.stuck && context_.limits.poll() == Stop::No && context_.limits.elapsed() < end) {
    options.max_states = abstract.states;
    ++abstract.searches;
    explore::CtlResult result = explore::check(abstract.abstraction.machine(), prepared.formula, options, context_);
    if (result.truth == explore::Truth::Holds) {
      of_abstraction_ = true;
      result.notes.push_back(fmt::format("proved for an abstraction, which has every path of the system ({} searches, {} refinements)",
                                         abstract.searches, abstract.refinements));
      return result;
    }
    if (result.violation || (result.truth == explore::Truth::Fails && prepared.invariant)) {
      machine::Judgement judgement = abstract.abstraction.judge(result.evidence->choices, context_);
      if (judgement.kind == machine::Judgement::Kind::Real) {
        result.evidence->choices = std::move(judgement.choices);
        return result;
      }
      ++abstract.refinements;
      abstract.stuck = judgement.kind == machine::Judgement::Kind::Stuck;
    } else if (result.truth != explore::Truth::Unknown || result.figures.states_stored < options.max_states) {
      abstract.stuck = true;
    } else if (!abstract.abstraction.coarsen()) {
      abstract.states *= 2;
    }
  }
  return std::nullopt;
}

void SystemSearch::show(Prepared& prepared, const explore::CtlResult& result) {
  if (!result.evidence) return;
  machine::Story story = prepared.system->describe(result.evidence->choices);
  verdict_.trace = std::move(story.trace);
  verdict_.violation = std::move(story.violation);
  verdict_.counterexample.schedule = result.evidence->choices;
  if (result.evidence->loop && *result.evidence->loop < verdict_.trace.steps.size())
    verdict_.trace.loop_start = result.evidence->loop;
}

void SystemSearch::fails(const std::string& text, Prepared& prepared, const explore::CtlResult& result) {
  show(prepared, result);
  verdict_.answer = Answer::False;
  if (result.violation) {
    if (!verdict_.violation) fail_internal("explicit: a violation does not replay");
    verdict_.reason = "violated";
    return;
  }
  verdict::Violation violation = system_.beginning();
  violation.message = fmt::format("{} does not hold", text);
  if (!verdict_.trace.steps.empty()) {
    const verdict::TraceStep& last = verdict_.trace.steps.back();
    violation.function = last.function;
    violation.file = last.file;
    violation.line = last.line;
  }
  violation.property = verdict::Property::Ctl;
  verdict_.violation = std::move(violation);
  verdict_.reason = fmt::format("{} does not hold", text);
}

}  // namespace whittle::engines::explicit_
