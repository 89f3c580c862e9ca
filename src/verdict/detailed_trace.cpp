#include "verdict/detailed_trace.h"

namespace whittle::verdict {

DetailedTrace detailed(const Trace& trace) {
  DetailedTrace result;
  result.loop_start = trace.loop_start;
  for (const TraceStep& step : trace.steps) {
    DetailedStep told{step.thread, step.function, step.file, step.line, step.column, step.statement, {}, step.note, step.depth};
    for (const auto& [name, value] : step.changes) told.changes.push_back({name, value, name});
    result.steps.push_back(std::move(told));
  }
  return result;
}

Trace plain(const DetailedTrace& detailed) {
  Trace trace;
  trace.loop_start = detailed.loop_start;
  for (const DetailedStep& told : detailed.steps) {
    TraceStep step{told.thread, told.function, told.file, told.line, told.column, told.statement, {}, told.note, told.depth};
    for (const Change& change : told.changes) step.changes.emplace_back(change.name, change.value);
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace whittle::verdict
