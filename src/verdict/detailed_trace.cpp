#include "verdict/detailed_trace.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace whittle::verdict {

namespace {

/// "cycle 12; interrupt INT0": the time of a step of a chip, and its note.
void take_cycles(DetailedStep& step) {
  constexpr std::string_view kWord = "cycle ";
  if (!step.note.starts_with(kWord)) return;
  uint64_t cycles = 0;
  const char* end = step.note.data() + step.note.size();
  const char* rest = std::from_chars(step.note.data() + kWord.size(), end, cycles).ptr;
  if (rest != end && *rest != ';') return;
  step.cycles = cycles;
  step.note.erase(0, static_cast<size_t>(std::min(rest + 2, end) - step.note.data()));
}

}  // namespace

DetailedTrace detailed(const Trace& trace) {
  DetailedTrace result;
  result.loop_start = trace.loop_start;
  for (const TraceStep& step : trace.steps) {
    DetailedStep told{step.thread, step.function, step.file, step.line, step.column, step.statement, {}, step.note, step.depth};
    for (const auto& [name, value] : step.changes) told.changes.push_back({name, value, name});
    take_cycles(told);
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
