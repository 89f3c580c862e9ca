#include "engines/claims/obstacle.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/runner.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/endings.h"

namespace whittle::engines {

using verdict::Property;

namespace {

constexpr uint64_t kRuns = 64;
constexpr uint64_t kStatements = 200'000;  ///< of a run: some milliseconds
constexpr double kSeconds = 0.3;
constexpr std::string_view kNotSupported = "not supported: ";

bool has_unsupported(const program::Program& program, const program::analysis::CallGraph& calls) {
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!calls.reachable().test(f)) continue;
    for (const program::Edge& edge : program.functions[f].edges)
      if (edge.statement.kind == program::Kind::Unsupported) return true;
  }
  return false;
}

/// The user's function in which the run ended, other than `entry`; a function of its own can be replaced.
std::string replaceable(const exec::RunResult& run) {
  if (run.trace.steps.empty()) return {};
  const verdict::TraceStep& last = run.trace.steps.back();
  return last.depth == 0 ? std::string() : last.function;
}

}  // namespace

std::string stub_advice(std::string_view reason) {
  constexpr std::string_view kFunction = "library function `";
  const size_t at = reason.find(kFunction);
  if (at == std::string_view::npos) return {};
  std::string_view name = reason.substr(at + kFunction.size());
  name = name.substr(0, name.find('`'));
  return fmt::format("to go on without it: --stub {0}=any (any result), {0}=havoc-arguments (and any change of what arguments point to) or "
                     "{0}=FILE.c (a model of your own)",
                     name);
}

std::optional<Obstacle> find_obstacle(const program::Program& program, const verdict::Specification& specification, Limits& limits) {
  // An endless run, or a state where a formula fails, may come first.
  if (specification.has(Property::Termination) || specification.has(Property::Ctl)) return std::nullopt;
  program::analysis::CallGraph calls(program);
  if (!has_unsupported(program, calls)) return std::nullopt;
  const bool every_way = !program::analysis::can_end(program, calls);
  auto code = std::make_shared<const exec::Code>(program, specification);
  const double begin = limits.elapsed();
  std::optional<exec::RunResult> met;
  for (uint64_t i = 0; i < kRuns; ++i) {
    exec::RunPlan plan;
    plan.max_statements = kStatements;
    plan.keep_trace = !met;
    plan.max_trace = 1;
    if (i > 0) {
      plan.more_inputs = exec::RunPlan::Inputs::Random;
      plan.seed = i;
    }
    exec::RunResult run = exec::run(code, plan, &limits);
    if (run.end == exec::RunEnd::Cut && run.reason.starts_with(kNotSupported)) {
      met = std::move(run);
      break;
    }
    // Another end is another way, unless an assumption failed or time was short.
    if (run.end != exec::RunEnd::Pruned || limits.elapsed() > begin + kSeconds || limits.stopped() != Stop::No) break;
  }
  if (!met) return std::nullopt;
  const bool no_choice = met->counterexample.inputs.empty() && !calls.concurrent();
  if (!every_way && !no_choice) return std::nullopt;
  Obstacle obstacle;
  obstacle.at_once = no_choice;
  obstacle.reason = fmt::format("every run meets a place that is not modelled: {}", std::string_view(met->reason).substr(kNotSupported.size()));
  obstacle.advice = stub_advice(met->reason);
  if (obstacle.advice.empty()) {
    const std::string function = replaceable(*met);
    obstacle.advice = function.empty() ? "to go on without it, put it into a function of its own and replace that with --stub NAME=any"
                                       : fmt::format("to go on without it: --stub {0}=any, --stub {0}=havoc-arguments or --stub {0}=FILE.c", function);
  }
  return obstacle;
}

}  // namespace whittle::engines
