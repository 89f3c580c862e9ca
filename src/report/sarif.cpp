// SARIF 2.1.0: what code hosting sites and editors read.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/report.h"

namespace whittle::report {

namespace {

using Json = nlohmann::ordered_json;

/// Relative where possible: absolute paths mean nothing on the machine that reads the file.
std::string uri(const std::string& file) {
  std::filesystem::path path(file);
  if (!path.is_absolute()) return path.lexically_normal().generic_string();
  std::error_code error;
  std::filesystem::path relative = path.lexically_relative(std::filesystem::current_path(error));
  return !error && !relative.empty() && *relative.begin() != ".." ? relative.generic_string() : path.generic_string();
}

Json location(const std::string& file, unsigned line, unsigned column = 0) {
  Json physical = {{"artifactLocation", {{"uri", uri(file)}}}};
  if (line != 0) {
    physical["region"] = {{"startLine", line}};
    if (column != 0) physical["region"]["startColumn"] = column;
  }
  return {{"physicalLocation", physical}};
}

/// One thread flow per thread; executionOrder tells how they interleave.
Json thread_flows(const verdict::Trace& trace) {
  std::vector<Json> flows;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const verdict::TraceStep& step = trace.steps[i];
    if (step.line == 0) continue;
    while (flows.size() <= step.thread)
      flows.push_back({{"id", "thread " + std::to_string(flows.size())}, {"locations", Json::array()}});
    Json where = location(step.file, step.line, step.column);
    std::string text = step.statement;
    for (const auto& [name, value] : step.changes) text += "; " + name + " = " + value;
    if (!step.note.empty()) text += "; " + step.note;
    where["message"] = {{"text", text}};
    flows[step.thread]["locations"].push_back({{"location", where}, {"executionOrder", i + 1}});
  }
  Json result = Json::array();
  for (Json& flow : flows)
    if (!flow["locations"].empty()) result.push_back(std::move(flow));
  return result;
}

}  // namespace

std::string sarif(const Run& run) {
  Json rules = Json::array();
  for (verdict::Property property : run.specification.properties)
    rules.push_back(
        {{"id", verdict::name(property)}, {"shortDescription", {{"text", verdict::description(property)}}}});
  Json results = Json::array();
  if (run.verdict.answer == verdict::Answer::False && run.verdict.violation) {
    const verdict::Violation& violation = *run.verdict.violation;
    Json result = {
        {"ruleId", verdict::name(violation.property)}, {"level", "error"}, {"message", {{"text", violation.message}}}};
    result["locations"] = Json::array();
    if (!violation.file.empty()) result["locations"].push_back(location(violation.file, violation.line));
    Json flows = thread_flows(run.verdict.trace);
    if (!flows.empty()) result["codeFlows"] = Json::array({{{"threadFlows", flows}}});
    results.push_back(std::move(result));
  }
  Json driver = {{"name", "whittle"}, {"version", run.version}, {"rules", rules}};
  Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace whittle::report
