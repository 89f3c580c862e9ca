// SARIF 2.1.0: what code hosting sites and editors read.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/report.h"
#include "report/sha256.h"

namespace whittle::report {

namespace {

using Json = nlohmann::ordered_json;
using verdict::Property;

/// Locations of a code flow. Sites show the first thousand at most; loops are folded before.
constexpr size_t kMostLocations = 1000;
constexpr size_t kFirstLocations = 250;  ///< kept from the beginning when there are more

/// What a reader can do about it.
std::string_view help(Property property) {
  switch (property) {
    case Property::UnreachCall: return "Follow the steps of the result to see how the condition becomes false.";
    case Property::ValidDeref:
      return "Check the pointer or the index before it is used, and do not use memory after it was freed or its block was left.";
    case Property::ValidFree: return "Free what malloc returned, once.";
    case Property::ValidMemtrack: return "Free memory before the last pointer to it is overwritten or leaves its scope.";
    case Property::ValidMemcleanup: return "Free memory before the program ends.";
    case Property::NoOverflow: return "Use a wider type, an unsigned one, or check the operands first.";
    case Property::NoDataRace: return "Protect both accesses with the same lock, make them atomic, or order them by a join.";
    case Property::Termination: return "Follow the steps of the result to see which loop goes on forever.";
    case Property::NoDivByZero: return "Check the divisor first.";
    case Property::NoBadShift: return "Check the amount against the width of the shifted type.";
    case Property::NoDeadlock: return "Take locks in the same order everywhere, and signal under the lock that waiting uses.";
    case Property::LockDiscipline: return "Unlock only what this thread has locked, and destroy only what no thread holds.";
    case Property::Ctl: return "Follow the steps of the result to a state where the formula fails.";
    case Property::FirmwareCheck: return "Look at the stack, the address or the instruction that the result names.";
  }
  return "";
}

std::string encoded(const std::string& path) {
  std::string out;
  for (char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Relative where possible: absolute paths mean nothing on the machine that reads the file.
std::string uri(const std::string& file) {
  std::filesystem::path path(file);
  if (!path.is_absolute()) return encoded(path.lexically_normal().generic_string());
  std::error_code error;
  std::filesystem::path relative = path.lexically_relative(std::filesystem::current_path(error));
  if (!error && !relative.empty() && *relative.begin() != "..") return encoded(relative.generic_string());
  return "file://" + encoded(path.generic_string());
}

Json location(const std::string& file, unsigned line, unsigned column = 0) {
  Json physical = {{"artifactLocation", {{"uri", uri(file)}}}};
  if (line != 0) {
    physical["region"] = {{"startLine", line}};
    if (column != 0) physical["region"]["startColumn"] = column;
  }
  return {{"physicalLocation", physical}};
}

/// A location of a thread flow.
struct Place {
  size_t row = 0;
  std::string instead;  ///< of the row's own words: rounds that are left out
};
void collect(const std::vector<Part>& parts, const std::vector<Row>& rows, std::vector<Place>& places) {
  for (const Part& part : parts) {
    if (part.rounds == 0) {
      places.push_back({part.begin, ""});
      continue;
    }
    collect(part.first, rows, places);
    places.push_back({part.begin, rounds_text(part, rows)});
    collect(part.last, rows, places);
  }
}

/// One thread flow per thread; executionOrder tells how they interleave.
Json thread_flows(const verdict::DetailedTrace& trace, Sources& sources) {
  const std::vector<Row> all = rows(trace, sources);
  std::vector<Place> places;
  collect(fold(all, trace.rounds), all, places);
  if (places.size() > kMostLocations) {
    const size_t left_out = places.size() - kMostLocations;
    places.erase(places.begin() + kFirstLocations, places.begin() + static_cast<ptrdiff_t>(kFirstLocations + left_out));
    places[kFirstLocations].instead = fmt::format("{} steps are left out here", left_out);
  }
  std::vector<Json> flows;
  for (const Place& place : places) {
    const Row& row = all[place.row];
    if (row.line == 0) continue;
    while (flows.size() <= row.thread)
      flows.push_back({{"id", lane_name(trace, static_cast<uint32_t>(flows.size()))}, {"locations", Json::array()}});
    Json where = location(row.file, row.line);
    std::string text = place.instead.empty() ? row.source : place.instead;
    if (const std::string effects = place.instead.empty() ? effects_text(row) : ""; !effects.empty()) text += " -> " + effects;
    where["message"] = {{"text", text}};
    Json entry = {{"location", where}, {"executionOrder", place.row + 1}, {"nestingLevel", row.depth}};
    if (place.row + 1 == all.size()) entry["importance"] = "essential";
    flows[row.thread]["locations"].push_back(std::move(entry));
  }
  Json result = Json::array();
  for (Json& flow : flows)
    if (!flow["locations"].empty()) result.push_back(std::move(flow));
  return result;
}

/// The same for the same mistake when lines above it come or go: what is violated where, in the words of the source.
std::string fingerprint(const verdict::Violation& violation, Sources& sources) {
  std::string message;  // without numbers: sizes and lines of other places change
  for (char c : violation.message)
    if (c < '0' || c > '9') message += c;
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", verdict::name(violation.property), uri(violation.file), violation.function,
                            sources.line(violation.file, violation.line), message));
}

Json rule(Property property) {
  const std::string name(verdict::name(property)), words(verdict::description(property)), advice(help(property));
  return {{"id", name},
          {"name", name},
          {"shortDescription", {{"text", words}}},
          {"fullDescription", {{"text", words + ". whittle reports it with a run of the program that gets there, and has repeated that run."}}},
          {"help",
           {{"text", advice + " `whittle run` with the replay command of the result shows the run again."},
            {"markdown", advice + "\n\nThe replay command of the result shows the run again; with `--native --gdb` in a debugger."}}},
          {"defaultConfiguration", {{"level", "error"}}},
          {"properties", {{"precision", "very-high"}, {"problem.severity", "error"}, {"tags", Json::array({"correctness"})}}}};
}

Json invocation(const Run& run) {
  const verdict::Answer answer = run.verdict.answer;
  Json result = {{"executionSuccessful", answer != verdict::Answer::Unknown}, {"commandLine", run.command_line}};
  result["exitCode"] = answer == verdict::Answer::True ? 0 : answer == verdict::Answer::False ? 10 : 5;
  result["exitCodeDescription"] = verdict::verdict_line(run.verdict);
  Json notifications = Json::array();
  if (answer == verdict::Answer::Unknown)
    notifications.push_back(
        {{"level", "warning"}, {"message", {{"text", "no answer: " + (run.verdict.reason.empty() ? "no reason is known" : run.verdict.reason)}}}});
  for (const std::string& warning : run.warnings)
    notifications.push_back({{"level", "note"}, {"message", {{"text", warning}}}});
  if (!notifications.empty()) result["toolExecutionNotifications"] = std::move(notifications);
  return result;
}

Json violation_result(const Run& run, Sources& sources) {
  const verdict::Violation& violation = *run.verdict.violation;
  std::string message = violation.message;
  if (!run.replay.empty()) message += "\nReplay: " + run.replay;
  Json result = {{"ruleId", verdict::name(violation.property)}, {"level", "error"}, {"message", {{"text", message}}}};
  result["locations"] = Json::array();
  if (!violation.file.empty()) result["locations"].push_back(location(violation.file, violation.line));
  result["partialFingerprints"] = {{"whittle/v1", fingerprint(violation, sources)}};
  Json flows = thread_flows(run.trace, sources);
  if (!flows.empty()) result["codeFlows"] = Json::array({{{"threadFlows", flows}}});
  return result;
}

}  // namespace

std::string sarif(const Run& run) {
  Sources sources(run.texts);
  Json rules = Json::array();
  std::set<Property> properties = run.specification.properties;
  Json results = Json::array();
  if (run.verdict.answer == verdict::Answer::False && run.verdict.violation) {
    properties.insert(run.verdict.violation->property);
    results.push_back(violation_result(run, sources));
  }
  for (const Run& other : further_violations(run)) {
    properties.insert(other.verdict.violation->property);
    results.push_back(violation_result(other, sources));
  }
  for (Property property : properties) rules.push_back(rule(property));
  Json claims = Json::object();
  for (const verdict::Claim& claim : run.claims.claims) claims[claim_name(claim)] = answer_word(claim.answer);
  Json driver = {{"name", "whittle"}, {"version", run.version}, {"rules", rules}};
  Json one = {{"tool", {{"driver", driver}}},
              {"invocations", Json::array({invocation(run)})},
              {"columnKind", "utf16CodeUnits"},
              {"results", results},
              {"properties",
               {{"verdict", verdict::verdict_line(run.verdict)}, {"reason", run.verdict.reason}, {"claims", claims}}}};
  Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({one})}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace whittle::report
