#include "engines/crowd/crowd_engine.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "engines/crowd/automaton.h"
#include "engines/crowd/counting.h"
#include "engines/crowd/proof_writer.h"
#include "engines/crowd/prover.h"
#include "program/analysis/call_graph.h"
#include "program/c_text.h"
#include "solve/stack.h"

namespace whittle::engines::crowd {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr double kSecondsPerQuery = 5;
constexpr uint64_t kStepsPerQuery = 1'500'000;

constexpr std::array<Option, 2> kOptions{{
    {"crowd-counting", "yes|no", "yes", "count threads where comparisons of variables do not suffice"},
    {"crowd-facts", "", "", "print the facts found, by the place where threads stand"},
}};

}  // namespace

std::span<const Option> CrowdEngine::options() const { return kOptions; }

std::optional<std::string> CrowdEngine::supports(const program::Program& program,
                                                 const verdict::Specification& specification) const {
  for (Property property :
       {Property::NoDataRace, Property::Termination, Property::ValidMemtrack, Property::ValidMemcleanup, Property::Ctl})
    if (specification.has(property)) return fmt::format("crowd does not check {}", verdict::name(property));
  if (!program::analysis::CallGraph(program).concurrent()) return "crowd is for programs that start threads";
  return std::nullopt;
}

Verdict CrowdEngine::run(const program::Program& program, const verdict::Specification& specification,
                         const Settings& settings, Context& context) {
  Verdict verdict;
  verdict.engine = "crowd";
  try {
    Automaton automaton(program, specification, context.limits);
    auto solver = solve::make_solver(context, program.terms(), solve::Asked::Induction);
    solver->set_budget({.seconds = kSecondsPerQuery, .steps = kStepsPerQuery});
    Prover plain(automaton, program.terms(), *solver, context.limits);
    Prover* prover = &plain;
    LastWords::Speaker speaker(context.last_words, [&](Statistics& s) {
      s.set("candidates", prover->candidates);
      s.set("solver_calls", prover->queries);
      s.set("rounds", prover->rounds);
    });
    bool done = plain.run();
    const Danger* danger = done ? plain.unproved() : nullptr;
    std::optional<Counting> counting;
    std::optional<Prover> second;
    if (danger && settings.text("crowd-counting", "yes") == "yes") {
      plain.tidy();
      counting.emplace(automaton, program.terms(), plain, *solver);
      prover = &second.emplace(automaton, program.terms(), *solver, context.limits, &plain, &*counting);
      done = prover->run();
      danger = done ? prover->unproved() : nullptr;
      if (done && !danger)
        verdict.assumptions.push_back(fmt::format("fewer than {} threads are started", Counting::kMostThreads));
    }
    verdict.statistics.set("places", automaton.nodes().size());
    verdict.statistics.set("steps", automaton.steps().size());
    verdict.statistics.set("candidates", prover->candidates);
    verdict.statistics.set("solver_calls", prover->queries);
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
    verdict.statistics.set("facts", facts);
    if (!done) {
      verdict.reason = context.limits.stopped() != Stop::No ? to_string(context.limits.stopped()) : prover->problem;
    } else if (danger) {
      verdict.reason =
          fmt::format("the facts found do not exclude \"{}\" at {}", danger->what, program.where(danger->where));
    } else if (automaton.blocks() &&
               (specification.has(Property::NoDeadlock) || specification.has(Property::LockDiscipline))) {
      verdict.reason = "no violation is possible but deadlock and misuse of locks, which crowd does not check";
    } else {
      verdict.answer = Answer::True;
      verdict.reason = fmt::format(
          "proved for all inputs, all schedules and any number of threads, by {} facts at {} places", facts, reached);
      if (const std::string file = settings.text("proof", ""); !file.empty()) {
        prover->tidy();
        std::string why;
        if (auto text = proof_text(automaton, *prover, program, specification, context.limits, why))
          std::ofstream(file, std::ios::binary) << *text;
        else
          verdict.notes.push_back("crowd wrote no proof: " + why);
      }
    }
  } catch (const Refused& refused) {
    verdict.reason = refused.why;
  }
  return verdict;
}

}  // namespace whittle::engines::crowd
