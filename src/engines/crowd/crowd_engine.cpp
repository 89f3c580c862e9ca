#include "engines/crowd/crowd_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engines/crowd/automaton.h"
#include "engines/crowd/counting.h"
#include "engines/crowd/hints.h"
#include "engines/crowd/proof_writer.h"
#include "engines/crowd/prover.h"
#include "engines/keeper.h"
#include "program/analysis/call_graph.h"
#include "program/c_text.h"
#include "program/full_order.h"
#include "proof/proof.h"
#include "solve/answers.h"
#include "solve/stack.h"

namespace whittle::engines::crowd {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr double kSecondsPerQuery = 5;
constexpr uint64_t kStepsPerQuery = 1'500'000;

constexpr std::array<Option, 6> kOptions{{
    {"crowd-counting", "yes|no", "yes", "count threads where comparisons of variables do not suffice"},
    {"crowd-sections", "yes|no", "yes", "take what a thread does under locks as one step"},
    {"crowd-facts", "", "", "print the facts found, by the place where threads stand"},
    kCheckpoint,
    kCheckpointEvery,
    kResume,
}};

/// One search for facts.
struct Attempt {
  Automaton automaton;
  std::unique_ptr<solve::Solver> solver;
  Prover plain;
  std::optional<Prover> remembering;
  std::optional<Counting> counting;
  std::optional<Prover> second;
  Prover* prover = &plain;
  bool done = false;
  bool races = false;  ///< are asked about
  std::string left;    ///< what the facts do not exclude; empty: nothing

  /// `kept`: answers of the solver from before; null: none are kept. `other`: one that proved the same with sections as single
  /// steps; what it found is tried here, too.
  Attempt(const program::Program& program, const verdict::Specification& specification, Context& context, bool sections, solve::Answers* kept,
          const Attempt* other = nullptr)
      : automaton(program, specification, context.limits, sections && !specification.has(Property::NoDataRace)),
        solver(asked(context, program.terms(), kept)),
        plain(automaton, program.terms(), *solver, context.limits, nullptr, nullptr,
              other ? hints(other->automaton, *other->prover, automaton, program.terms()) : std::vector<Term>{}),
        races(specification.has(Property::NoDataRace)) {
    solver->set_budget({.seconds = kSecondsPerQuery, .steps = kStepsPerQuery});
  }

  static std::unique_ptr<solve::Solver> asked(Context& context, const term::Store& terms, solve::Answers* kept) {
    std::unique_ptr<solve::Solver> solver = solve::make_solver(context, terms);
    return kept == nullptr ? std::move(solver) : solve::make_remembering(terms, *kept, std::move(solver));
  }

  bool proved() const { return done && left.empty(); }

  void run(const program::Program& program, Context& context, bool with_counting) {
    LastWords::Speaker speaker(context.last_words, [&](Statistics& s) {
      s.set("candidates", prover->candidates);
      s.set("solver_calls", prover->queries);
      s.set("rounds", prover->rounds);
    });
    search(plain, program);
    if (!left.empty() && automaton.remember()) {
      plain.tidy();
      search(remembering.emplace(automaton, program.terms(), *solver, context.limits, &plain), program);
    }
    if (left.empty() || !with_counting) return;
    Prover& before = *prover;
    before.tidy();
    counting.emplace(automaton, program.terms(), before, *solver);
    search(second.emplace(automaton, program.terms(), *solver, context.limits, &before, &*counting), program);
  }

  void search(Prover& now, const program::Program& program) {
    prover = &now;
    done = now.run();
    left.clear();
    if (!done) return;
    if (const Danger* danger = now.unproved())
      left = fmt::format("\"{}\" at {}", danger->what, program.where(danger->where));
    else if (const auto race = races ? now.race() : std::nullopt)
      left = fmt::format("a data race of {} at {} and {}", race->first->name, program.where(race->first->where),
                         program.where(race->second->where));
  }

  void describe(const program::Program& program, const Settings& settings, Statistics& figures) const {
    uint64_t facts = 0, reached = 0;
    for (uint32_t n = 0; n < automaton.nodes().size(); ++n) {
      facts += prover->facts(n).size();
      reached += prover->reached(n);
      if (!settings.flag("crowd-facts")) continue;
      const Node& node = automaton.nodes()[n];
      fmt::print(stderr, "{} {} at {}:{}\n", n, automaton.kinds()[node.kind].name, program.where(node.where),
                 prover->reached(n) ? "" : " never");
      for (term::Term fact : prover->facts(n)) fmt::print(stderr, "  {}\n", program::to_c(program, fact));
    }
    figures.set("places", automaton.nodes().size());
    figures.set("steps", automaton.steps().size());
    figures.set("candidates", prover->candidates);
    figures.set("solver_calls", prover->queries);
    figures.set("facts", facts);
    figures.set("places_reached", reached);
  }
};

/// Proofs are about every place where a thread can stand, so steps are taken one by one.
void write_proof(const std::string& file, const program::Program& program, const Attempt& proved,
                 const verdict::Specification& specification, Context& context, solve::Answers* kept, Verdict& verdict) {
  if (specification.has(Property::NoDataRace)) {
    verdict.notes.push_back("crowd writes no proof that there are no data races");
    return;
  }
  std::string why = "the facts do not suffice where each step is one of its own, and threads are not counted";
  std::optional<std::string> text;
  for (const Attempt* other : {static_cast<const Attempt*>(nullptr), &proved}) {
    Attempt attempt(program, specification, context, false, kept, other);
    attempt.search(attempt.plain, program);
    if (!attempt.proved()) continue;
    attempt.plain.tidy();
    text = proof_text(attempt.automaton, attempt.plain, program, specification, context.limits, why);
    break;
  }
  if (text)
    proof::store(file, *text);
  else
    verdict.notes.push_back("crowd wrote no proof: " + why);
}

}  // namespace

std::span<const Option> CrowdEngine::options() const { return kOptions; }

std::optional<std::string> CrowdEngine::supports(const program::Program& program,
                                                 const verdict::Specification& specification) const {
  for (Property property :
       {Property::Termination, Property::ValidMemtrack, Property::ValidMemcleanup, Property::Ctl})
    if (specification.has(property)) return fmt::format("crowd does not check {}", verdict::name(property));
  if (specification.has(Property::NoDataRace) && !program::orders_all(program))
    return "crowd does not check data races where atomic operations order less than they can";
  if (!program::analysis::CallGraph(program).concurrent()) return "crowd is for programs that start threads";
  return std::nullopt;
}

Verdict CrowdEngine::run(const program::Program& program, const verdict::Specification& specification,
                         const Settings& settings, Context& context) {
  Verdict verdict;
  verdict.engine = "crowd";
  Keeper keeper("crowd", program, specification, settings, kOptions, {"crowd-facts"}, context.limits);
  solve::Answers answers(context.limits);
  if (auto in = keeper.resumed()) answers.load(*in);
  keeper.holds([&](CheckpointWriter& out) { answers.save(out); });
  answers.between([&] { keeper.save_if_due(); });
  solve::Answers* kept = keeper.on() ? &answers : nullptr;
  try {
    Attempt attempt(program, specification, context, settings.text("crowd-sections", "yes") == "yes", kept);
    attempt.run(program, context, settings.text("crowd-counting", "yes") == "yes");
    attempt.describe(program, settings, verdict.statistics);
    if (!attempt.done) {
      verdict.reason =
          context.limits.stopped() != Stop::No ? to_string(context.limits.stopped()) : attempt.prover->problem;
    } else if (!attempt.left.empty()) {
      verdict.reason = "the facts found do not exclude " + attempt.left;
    } else if (attempt.automaton.blocks() &&
               (specification.has(Property::NoDeadlock) || specification.has(Property::LockDiscipline))) {
      verdict.reason = "no violation is possible but deadlock and misuse of locks, which crowd does not check";
    } else {
      verdict.answer = Answer::True;
      verdict.reason =
          fmt::format("proved for all inputs, all schedules and any number of threads, by {} facts at {} places",
                      verdict.statistics.count("facts"), verdict.statistics.count("places_reached"));
      if (std::ranges::any_of(attempt.automaton.kinds(), [](const ThreadKind& kind) { return bool(kind.self); }))
        verdict.assumptions.push_back(fmt::format("fewer than {} threads run at once", Automaton::kMostAtOnce));
      if (attempt.counting)
        verdict.assumptions.push_back(fmt::format("fewer than {} threads are started", Counting::kMostThreads));
      if (const std::string file = settings.text("proof", ""); !file.empty())
        write_proof(file, program, attempt, specification, context, kept, verdict);
    }
  } catch (const Refused& refused) {
    verdict.reason = refused.why;
  }
  keeper.leave(verdict, verdict.answer == Answer::Unknown && context.limits.stopped() != Stop::No);
  return verdict;
}

}  // namespace whittle::engines::crowd
