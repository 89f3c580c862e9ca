#include "engines/dash/dash_engine.h"

#include <fmt/format.h>

#include <array>

#include "engines/dash/search.h"
#include "exec/runner.h"

namespace whittle::engines::dash {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 1> kOptions{{
    {"dash-iterations", "N", "unlimited", "most iterations; more make the answer unknown"},
}};


}  // namespace

std::span<const Option> DashEngine::options() const { return kOptions; }

std::optional<std::string> DashEngine::supports(const program::Program& program,
                                                const verdict::Specification& specification) const {
  for (Property p : {Property::ValidMemtrack, Property::ValidMemcleanup, Property::Termination, Property::Ctl})
    if (specification.has(p)) return fmt::format("dash does not check {}", verdict::name(p));
  for (const auto& function : program.functions)
    for (const auto& edge : function.edges)
      if (edge.statement.kind == program::Kind::Spawn)
        return "the program creates threads: dash is for one thread (try --engine explicit or guided)";
  return std::nullopt;
}

Verdict DashEngine::run(const program::Program& program, const verdict::Specification& specification,
                        const Settings& settings, whittle::Context& context) {
  Verdict verdict;
  verdict.engine = "dash";
  SearchOptions options;
  options.seed = settings.seed;
  options.iterations = settings.number("dash-iterations", UINT64_MAX);
  Search search(program, specification, options, context);
  Search::Answer answer = search.run();
  if (answer == Search::Answer::Violated) {
    const exec::RunResult& result = search.violation();
    verdict.answer = Answer::False;
    verdict.violation = result.violation;
    verdict.counterexample = result.counterexample;
    verdict.trace = result.trace;
    verdict.reason = fmt::format("violated by test {}", search.counts().tests);
  } else if (answer == Search::Answer::Proved) {
    verdict.answer = Answer::True;
    verdict.reason = fmt::format("proved for all inputs: {} regions leave no way to a violation",
                                 search.graph().region_count());
  } else {
    verdict.reason = search.reason();
  }
  const Counts& c = search.counts();
  auto& s = verdict.statistics;
  s.set("iterations", c.iterations);
  s.set("solver_calls", c.solver_calls);
  s.set("tests", c.tests);
  s.set("splits", c.splits);
  s.set("removed_edges", c.removed);
  s.set("expanded_calls", c.expanded);
  if (answer != Search::Answer::Violated || c.splits > 0) s.set("regions", uint64_t{search.graph().region_count()});
  s.set("solver_seconds", Statistics::Value{c.solver_seconds});
  return verdict;
}

}  // namespace whittle::engines::dash
