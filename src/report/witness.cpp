// Violation witnesses in the two formats of the competition: YAML 2.0 and GraphML 1.0.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <random>
#include <sstream>

#include "report/report.h"
#include "report/sha256.h"

namespace whittle::report {

namespace {

std::string file_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string now_utc() {
  std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string random_uuid() {
  std::random_device device;
  auto word = [&] { return static_cast<uint32_t>(device()); };
  uint32_t a = word(), b = word(), c = word(), d = word();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", a, b >> 16, b & 0xfff, 0x8000 | (c >> 18), c & 0xffff,
                     d);
}

/// The property as a CHECK line.
std::string check_line(const Run& run) {
  const std::string function =
      run.specification.error_functions.empty() ? "reach_error" : *run.specification.error_functions.rbegin();
  switch (run.verdict.violation->property) {
    case verdict::Property::NoOverflow: return "CHECK( init(main()), LTL(G ! overflow) )";
    case verdict::Property::NoDataRace: return "CHECK( init(main()), LTL(G ! data-race) )";
    case verdict::Property::Termination: return "CHECK( init(main()), LTL(F end) )";
    case verdict::Property::ValidDeref:
    case verdict::Property::ValidFree:
    case verdict::Property::ValidMemtrack:
    case verdict::Property::ValidMemcleanup:
      return fmt::format("CHECK( init(main()), LTL(G {}) )", verdict::name(run.verdict.violation->property));
    default: return fmt::format("CHECK( init(main()), LTL(G ! call({}())) )", function);
  }
}

/// 1-based column of the `)` that closes the call of `function` on a source line, 0 if there is no such call.
unsigned closing_column(const std::string& line, const std::string& function) {
  size_t start = line.find(function + "(");
  if (function.empty() || start == std::string::npos) return 0;
  int depth = 0;
  for (size_t i = start + function.size(); i < line.size(); ++i) {
    if (line[i] == '(') ++depth;
    if (line[i] == ')' && --depth == 0) return static_cast<unsigned>(i + 1);
  }
  return 0;
}

std::string raw_line(const std::string& text, unsigned number) {
  std::istringstream stream(text);
  std::string line;
  for (unsigned i = 0; i < number && std::getline(stream, line); ++i) {
  }
  return line;
}

void emit_metadata(YAML::Emitter& out, const Run& run) {
  out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "format_version" << YAML::Value << YAML::DoubleQuoted << "2.0";
  out << YAML::Key << "uuid" << YAML::Value << random_uuid();
  out << YAML::Key << "creation_time" << YAML::Value << YAML::DoubleQuoted << now_utc();
  out << YAML::Key << "producer" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << "whittle";
  out << YAML::Key << "version" << YAML::Value << YAML::DoubleQuoted << run.version;
  out << YAML::Key << "command_line" << YAML::Value << YAML::DoubleQuoted << run.command_line << YAML::EndMap;
  out << YAML::Key << "task" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "input_files" << YAML::Value << YAML::BeginSeq;
  for (const std::string& file : run.files) out << YAML::DoubleQuoted << file;
  out << YAML::EndSeq << YAML::Key << "input_file_hashes" << YAML::Value << YAML::BeginMap;
  for (const std::string& file : run.files)
    out << YAML::Key << YAML::DoubleQuoted << file << YAML::Value << YAML::DoubleQuoted << sha256_hex(file_text(file));
  out << YAML::EndMap;
  out << YAML::Key << "specification" << YAML::Value << YAML::DoubleQuoted << check_line(run);
  out << YAML::Key << "data_model" << YAML::Value << run.data_model;
  out << YAML::Key << "language" << YAML::Value << "C" << YAML::EndMap << YAML::EndMap;
}

struct Waypoint {
  std::string type, file, function, value, format;
  unsigned line = 0, column = 0;
};

void emit_segment(YAML::Emitter& out, const Waypoint& point) {
  out << YAML::BeginMap << YAML::Key << "segment" << YAML::Value << YAML::BeginSeq;
  out << YAML::BeginMap << YAML::Key << "waypoint" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "type" << YAML::Value << point.type << YAML::Key << "action" << YAML::Value << "follow";
  out << YAML::Key << "location" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "file_name" << YAML::Value << YAML::DoubleQuoted << point.file;
  out << YAML::Key << "line" << YAML::Value << point.line;
  if (point.column != 0) out << YAML::Key << "column" << YAML::Value << point.column;
  if (!point.function.empty()) out << YAML::Key << "function" << YAML::Value << point.function;
  out << YAML::EndMap;
  if (!point.value.empty()) {
    out << YAML::Key << "constraint" << YAML::Value << YAML::BeginMap;
    out << YAML::Key << "value" << YAML::Value << YAML::DoubleQuoted << point.value;
    out << YAML::Key << "format" << YAML::Value << point.format << YAML::EndMap;
  }
  out << YAML::EndMap << YAML::EndMap << YAML::EndSeq << YAML::EndMap;
}

void add_data(pugi::xml_node parent, const char* key, const std::string& value) {
  pugi::xml_node data = parent.append_child("data");
  data.append_attribute("key") = key;
  data.text().set(value.c_str());
}

void add_keys(pugi::xml_node root) {
  struct Key {
    const char *name, *domain;
  };
  constexpr Key keys[] = {
      {"witness-type", "graph"},    {"sourcecodelang", "graph"}, {"producer", "graph"},
      {"specification", "graph"},   {"programfile", "graph"},    {"programhash", "graph"},
      {"architecture", "graph"},    {"creationtime", "graph"},   {"entry", "node"},
      {"violation", "node"},        {"assumption", "edge"},      {"assumption.resultfunction", "edge"},
      {"assumption.scope", "edge"}, {"startline", "edge"},       {"threadId", "edge"},
      {"createThread", "edge"}};
  for (const Key& key : keys) {
    pugi::xml_node node = root.append_child("key");
    node.append_attribute("id") = key.name;
    node.append_attribute("attr.name") = key.name;
    node.append_attribute("attr.type") = "string";
    node.append_attribute("for") = key.domain;
  }
}

}  // namespace

std::string yaml_witness(const Run& run) {
  YAML::Emitter out;
  out << YAML::BeginSeq << YAML::BeginMap << YAML::Key << "entry_type" << YAML::Value << "violation_sequence";
  emit_metadata(out, run);
  out << YAML::Key << "content" << YAML::Value << YAML::BeginSeq;
  std::map<std::string, std::string> texts;
  for (const verdict::Input& input : run.verdict.counterexample.inputs) {
    if (input.line == 0) continue;
    auto [text, fresh] = texts.try_emplace(input.file);
    if (fresh) text->second = file_text(input.file);
    unsigned column = closing_column(raw_line(text->second, input.line), input.origin);
    if (column == 0) continue;  // not a call on that line: the value cannot be said as a waypoint
    emit_segment(out, {"function_return", input.file, "", fmt::format("\\result == {}", value_text(input)),
                       "acsl_expression", input.line, column});
  }
  const verdict::Violation& violation = *run.verdict.violation;
  emit_segment(out, {"target", violation.file, violation.function, "", "", violation.line, 0});
  out << YAML::EndSeq << YAML::EndMap << YAML::EndSeq;
  return std::string(out.c_str()) + "\n";
}

std::string graphml_witness(const Run& run) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("graphml");
  root.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
  add_keys(root);
  pugi::xml_node graph = root.append_child("graph");
  graph.append_attribute("edgedefault") = "directed";
  const std::string file = run.files.empty() ? "" : run.files.front();
  add_data(graph, "witness-type", "violation_witness");
  add_data(graph, "sourcecodelang", "C");
  add_data(graph, "producer", "whittle " + run.version);
  add_data(graph, "specification", check_line(run));
  add_data(graph, "programfile", file);
  add_data(graph, "programhash", sha256_hex(file_text(file)));
  add_data(graph, "architecture", run.data_model == "ILP32" ? "32bit" : "64bit");
  add_data(graph, "creationtime", now_utc());
  Sources sources;
  std::vector<Row> all = rows(run.trace, sources);
  std::erase_if(all, [](const Row& row) { return row.line == 0; });
  if (all.empty())
    all.push_back(
        {run.verdict.violation->thread, run.verdict.violation->file, run.verdict.violation->line, {}, {}, {}, {}});
  size_t next_input = 0;
  const auto& inputs = run.verdict.counterexample.inputs;
  for (size_t i = 0; i <= all.size(); ++i) {
    pugi::xml_node node = graph.append_child("node");
    node.append_attribute("id") = fmt::format("N{}", i).c_str();
    if (i == 0) add_data(node, "entry", "true");
    if (i == all.size()) add_data(node, "violation", "true");
    if (i == 0) continue;
    const Row& row = all[i - 1];
    pugi::xml_node edge = graph.append_child("edge");
    edge.append_attribute("source") = fmt::format("N{}", i - 1).c_str();
    edge.append_attribute("target") = fmt::format("N{}", i).c_str();
    add_data(edge, "startline", fmt::format("{}", row.line));
    add_data(edge, "threadId", fmt::format("{}", row.thread));
    if (next_input < inputs.size() && inputs[next_input].line == row.line && inputs[next_input].file == row.file) {
      add_data(edge, "assumption", fmt::format("\\result == {};", value_text(inputs[next_input])));
      add_data(edge, "assumption.resultfunction", inputs[next_input].origin);
      if (!row.function.empty()) add_data(edge, "assumption.scope", row.function);
      ++next_input;
    }
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace whittle::report
