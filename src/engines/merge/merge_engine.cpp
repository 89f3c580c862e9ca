#include "engines/merge/merge_engine.h"

#include <fmt/format.h>

#include <array>

#include "engines/merge/unwinder.h"
#include "program/analysis/call_graph.h"

namespace whittle::engines::merge {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 2> kOptions{{
    {"merge-bound", "N", "16", "how often a loop goes round in the first round, where that depends on inputs"},
    {"merge-rounds", "N", "unlimited", "at most N rounds of deepening"},
}};

constexpr uint64_t kGrowth = 4;  ///< of the bound, from round to round

}  // namespace

std::span<const Option> MergeEngine::options() const { return kOptions; }

std::optional<std::string> MergeEngine::supports(const program::Program& program,
                                                 const verdict::Specification& specification) const {
  if (specification.has(Property::Termination)) return "merge cannot show that programs end (try --engine explicit)";
  if (specification.has(Property::Ctl)) return "merge cannot check temporal formulas (try --engine explicit)";
  if (program::analysis::CallGraph(program).concurrent()) return "merge takes programs without threads only (try --engine guided)";
  return std::nullopt;
}

Verdict MergeEngine::run(const program::Program& program, const verdict::Specification& specification,
                         const Settings& settings, Context& context) {
  Verdict verdict;
  verdict.engine = "merge";
  auto code = std::make_shared<exec::Code>(program, specification);
  Oracle oracle(program, context);
  Unwinder unwinder(program, code, oracle, context);
  uint64_t bound = std::max<uint64_t>(1, settings.number("merge-bound", 16)), done = 0;
  const uint64_t rounds = settings.number("merge-rounds", UINT64_MAX);
  auto figures = [&](Statistics& s) {
    s.set("bound", bound);
    s.set("statements", unwinder.figures().statements);
    s.set("joins", unwinder.figures().joins);
    s.set("objects", unwinder.figures().objects);
    s.set("claims", oracle.claims());
    s.set("solver_calls", oracle.queries());
    s.set("solver_seconds", Statistics::Value{oracle.seconds()});
  };
  LastWords::Speaker speaker(context.last_words, figures);
  auto search = [&]() -> Answer {
    for (uint64_t round = 1;; ++round, bound *= kGrowth) {
      switch (unwinder.run(bound)) {
        case Unwinder::End::Violation:
          verdict.violation = unwinder.violation().violation;
          verdict.counterexample = unwinder.violation().counterexample;
          verdict.trace = unwinder.violation().trace;
          verdict.reason = fmt::format("violated on a path that goes at most {} times round", bound);
          return Answer::False;
        case Unwinder::End::Stopped:
          verdict.reason = to_string(context.limits.stopped());
          if (done != 0) verdict.reason += fmt::format("; no violation up to {} times round", done);
          return Answer::Unknown;
        case Unwinder::End::Complete: break;
      }
      if (!unwinder.incomplete().empty()) {
        verdict.reason = fmt::format("no violation found, but: {}", unwinder.incomplete());
        return Answer::Unknown;
      }
      if (unwinder.bound_place().empty()) {
        verdict.reason = "proved for all inputs, as one formula";
        return Answer::True;
      }
      done = bound;
      if (round >= rounds) {
        verdict.reason = fmt::format("no violation up to {} times round, because of {}", bound, unwinder.bound_place());
        return Answer::Unknown;
      }
    }
  };
  verdict.answer = search();
  figures(verdict.statistics);
  return verdict;
}

}  // namespace whittle::engines::merge
