// The report a machine reads. Field names are part of the command line's contract: docs/reports.md describes them, docs/report.schema.json has their types.
#include <nlohmann/json.hpp>

#include "report/report.h"

namespace whittle::report {

namespace {

using Json = nlohmann::ordered_json;

/// MAJOR.MINOR: a new field changes MINOR; a field that goes or means something else changes MAJOR.
constexpr const char* kJsonFormat = "1.5";

Json violation_json(const verdict::Violation& violation) {
  return {{"property", verdict::name(violation.property)},
          {"message", violation.message},
          {"file", violation.file},
          {"line", violation.line},
          {"function", violation.function},
          {"thread", violation.thread}};
}

Json statistics_json(const Statistics& statistics) {
  Json result = Json::object();
  for (const auto& [name, value] : statistics.entries()) {
    Json* place = &result;  // "functions/main/tests" is a figure of an object in an object
    std::string_view rest = name;
    for (size_t slash; (slash = rest.find('/')) != std::string_view::npos; rest.remove_prefix(slash + 1))
      place = &(*place)[std::string(rest.substr(0, slash))];
    std::visit([&](const auto& v) { (*place)[std::string(rest)] = v; }, value);
  }
  return result;
}

Json counterexample_json(const Run& run) {
  Json inputs = Json::array();
  for (size_t i = 0; i < run.verdict.counterexample.inputs.size(); ++i) {
    const verdict::Input& input = run.verdict.counterexample.inputs[i];
    inputs.push_back({{"value", value_text(input)},
                      {"width", input.width},
                      {"origin", input.origin},
                      {"file", input.file},
                      {"line", input.line},
                      {"variable", input_name(run, i)},
                      {"thread", i < run.trace.inputs.size() ? run.trace.inputs[i].thread : 0}});
    if (i < run.trace.inputs.size() && !run.trace.inputs[i].text.empty() && !run.trace.inputs[i].text.starts_with('\''))
      inputs.back()["enumerator"] = run.trace.inputs[i].text;
    if (i < run.trace.inputs.size() && !run.trace.inputs[i].whole.empty())
      inputs.back()["whole"] = {{"value", run.trace.inputs[i].whole}, {"inputs", run.trace.inputs[i].count}};
  }
  Json result = {{"inputs", inputs}, {"schedule", schedule_text(run.verdict.counterexample.schedule)}};
  if (!run.replay.empty()) result["replay"] = run.replay;
  return result;
}

Json trace_json(const verdict::DetailedTrace& trace) {
  Json steps = Json::array();
  for (const verdict::DetailedStep& step : trace.steps) {
    Json entry = {{"thread", step.thread}, {"function", step.function}, {"file", step.file},
                  {"line", step.line},     {"column", step.column},     {"depth", step.depth},
                  {"statement", step.statement}};
    Json changes = Json::array();
    for (const auto& [name, value, place, variable] : step.changes)
      changes.push_back({{"name", name}, {"value", value}, {"place", place}, {"variable", variable}});
    entry["changes"] = changes;
    if (!step.reads.empty()) {
      Json reads = Json::array();
      for (const auto& [name, value, writer] : step.reads)
        reads.push_back({{"name", name}, {"value", value}, {"writer", writer}});
      entry["reads"] = reads;
    }
    if (!step.callee.empty()) {
      Json arguments = Json::array();
      for (const verdict::Change& argument : step.arguments)
        arguments.push_back({{"name", argument.name}, {"value", argument.value}});
      entry["callee"] = step.callee;
      entry["arguments"] = arguments;
    }
    if (step.frame != 0) entry["frame"] = step.frame;
    if (!step.ended.empty()) entry["ended"] = step.ended;
    if (step.cycles) entry["cycles"] = *step.cycles;
    if (!step.note.empty()) entry["note"] = step.note;
    steps.push_back(std::move(entry));
  }
  return steps;
}

Json claim_json(const verdict::Claim& claim) {
  Json result = {{"property", verdict::name(claim.property)}, {"answer", answer_word(claim.answer)}};
  if (!claim.text.empty()) {
    result["text"] = claim.text;
    result["file"] = claim.file;
    result["line"] = claim.line;
    result["function"] = claim.function;
  }
  if (!claim.reason.empty()) result["reason"] = claim.reason;
  return result;
}

}  // namespace

std::string json(const Run& run) {
  const verdict::Verdict& verdict = run.verdict;
  std::string property;
  for (verdict::Property p : run.specification.properties)
    property += (property.empty() ? "" : ",") + std::string(verdict::name(p));
  Json result;
  result["format_version"] = kJsonFormat;
  result["verdict"] = verdict::verdict_line(verdict);
  result["property"] = property;
  result["not_checked"] = not_checked(run.specification);
  result["engine"] = verdict.engine;
  result["reason"] = verdict.reason;
  result["seconds"] = run.seconds;
  result["peak_memory"] = run.peak_memory;
  result["statistics"] = statistics_json(verdict.statistics);
  result["assumptions"] = verdict.assumptions;
  result["notes"] = verdict.notes;
  result["warnings"] = run.warnings;
  result["violation"] = verdict.violation ? violation_json(*verdict.violation) : Json();
  result["counterexample"] = verdict.answer == verdict::Answer::False ? counterexample_json(run) : Json();
  result["trace"] = trace_json(run.trace);
  result["claims"] = Json::array();
  for (const verdict::Claim& claim : run.claims.claims) result["claims"].push_back(claim_json(claim));
  result["further_violations"] = Json::array();
  for (const Run& other : further_violations(run)) {
    Json entry = violation_json(*other.verdict.violation);
    entry["counterexample"] = counterexample_json(other);
    entry["trace"] = trace_json(other.trace);
    result["further_violations"].push_back(std::move(entry));
  }
  result["lanes"] = run.trace.lanes;
  Json invariants = Json::array();
  for (const Invariant& invariant : report::invariants(verdict))
    invariants.push_back({{"file", invariant.file}, {"line", invariant.line}, {"text", invariant.text}});
  result["invariants"] = invariants;
  if (run.trace.loop_start) result["trace_loop_start"] = *run.trace.loop_start;
  result["files"] = run.files;
  result["data_model"] = run.data_model;
  result["version"] = run.version;
  // Source text may hold bytes that are no UTF-8; a report is written all the same.
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace whittle::report
