#include "engines/shape/shape_engine.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "engines/shape/analysis.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/features.h"

namespace whittle::engines::shape {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

/// Are there local objects whose size is no constant?
bool has_sizes(const program::Program& program) {
  for (const program::Function& f : program.functions)
    for (const program::Edge& edge : f.edges)
      if (!f.runtime && edge.statement.kind == program::Kind::StackAlloc && !edge.statement.operands[0].is_constant()) return true;
  return false;
}

}  // namespace

std::optional<std::string> ShapeEngine::supports(const program::Program& program,
                                                 const verdict::Specification& specification) const {
  for (Property property : {Property::Termination, Property::Ctl})
    if (specification.has(property)) return fmt::format("shape does not check {}", verdict::name(property));
  const program::analysis::CallGraph calls(program);
  if (calls.concurrent()) return "shape takes programs without threads only (try --engine guided)";
  if (!program::analysis::Features(program, calls).heap && !has_sizes(program)) return "shape is for programs that allocate memory";
  return std::nullopt;
}

Verdict ShapeEngine::run(const program::Program& program, const verdict::Specification& specification, const Settings&,
                         Context& context) {
  Verdict verdict;
  verdict.engine = "shape";
  // Numbers become symbols soon, which ends loops early, or late, which keeps loops with few rounds exact. Objects with
  // different content are one list soon or late, too. Where a counter says how long a list is, lists are left as they are.
  // Trees make far too many graphs without families, and lists of lists without parts, so these come early.
  std::vector<Analysis::Options> tries = {{.patience = 5, .most_different = 6, .most_steps = 6'000, .most_graphs = 400},
                                     {.patience = 5, .most_different = 6, .families = true, .most_steps = 15'000, .most_graphs = 800},
                                     {.patience = 5, .most_different = 6, .nested = true, .by_site = true, .most_steps = 12'000, .most_graphs = 700},
                                     {.patience = 5, .most_different = 6, .families = true, .most_steps = 60'000},
                                     {.patience = 5, .most_different = 6, .nested = true, .by_site = true, .most_steps = 40'000, .most_graphs = 4'000},
                                     {.patience = 5, .most_different = 6, .nested = true, .most_steps = 30'000},
                                     {.patience = 5, .most_different = 6, .most_steps = 300'000},
                                     {.patience = 5, .most_different = 2, .most_steps = 300'000},
                                     {.patience = 5, .most_different = 6, .nested = true, .by_site = true, .most_steps = 300'000},
                                     {.patience = 100, .segments = false, .most_steps = 150'000},
                                     {.patience = 40, .most_different = 6}};
  // Where sizes or indices are terms, these come next.
  const Analysis::Options about_numbers[] = {
      {.patience = 1, .most_different = 6, .relations = true, .most_steps = 6'000, .most_graphs = 400},
      {.patience = 3, .most_different = 6, .relations = true, .most_steps = 20'000, .most_graphs = 800},
      {.patience = 3, .most_different = 6, .families = true, .relations = true, .most_steps = 60'000}};
  bool relations = false;
  for (size_t i = 0; i < tries.size(); ++i) {
    const Analysis::Options options = tries[i];
    Analysis analysis(program, specification, options, context);
    auto figures = [&](Statistics& s) {
      s.set("steps", analysis.figures().steps);
      s.set("graphs", analysis.figures().kept);
      s.set("covered", analysis.figures().covered);
      s.set("widened", analysis.figures().widened);
      s.set("cases", analysis.figures().splits);
      s.set("solver_calls", analysis.figures().queries);
    };
    LastWords::Speaker speaker(context.last_words, figures);
    try {
      const bool done = analysis.run();
      figures(verdict.statistics);
      if (!done) {
        const std::string stopped(to_string(context.limits.stopped()));
        verdict.reason = verdict.reason.empty() ? stopped : fmt::format("{}; {}", verdict.reason, stopped);
        return verdict;
      }
      verdict.answer = Answer::True;
      const uint64_t graphs = analysis.figures().kept;
      verdict.reason = graphs == 0 ? "proved for all inputs, path by path"
                                   : fmt::format("proved for all inputs{}, by {} graphs of memory at loops",
                                                 options.relations ? "" : options.segments ? " and lists of any length" : "", graphs);
      return verdict;
    } catch (const GiveUp& g) {
      figures(verdict.statistics);
      if (g.relations && !relations) {
        relations = true;
        verdict.reason.clear();
        tries.insert(tries.begin() + static_cast<ptrdiff_t>(i) + 1, std::begin(about_numbers), std::end(about_numbers));
        continue;
      }
      if (verdict.reason.empty() || verdict.reason == kTooManySteps) verdict.reason = g.why;
    }
  }
  return verdict;
}

}  // namespace whittle::engines::shape
