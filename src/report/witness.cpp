// Witnesses in the formats of the competition: YAML 2.0 (2.2 for threads) and GraphML 1.0.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "base/file.h"
#include "report/report.h"
#include "report/sha256.h"

namespace whittle::report {

namespace {

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

/// The property that was violated, or the first that was proved, as a CHECK line.
std::string check_line(const Run& run) {
  const std::string function =
      run.specification.error_functions.empty() ? "reach_error" : *run.specification.error_functions.rbegin();
  verdict::Property property = verdict::Property::UnreachCall;
  if (run.verdict.violation)
    property = run.verdict.violation->property;
  else if (!run.specification.has(property) && !run.specification.properties.empty())
    property = *run.specification.properties.begin();
  switch (property) {
    case verdict::Property::Termination: return "CHECK( init(main()), LTL(F end) )";
    case verdict::Property::UnreachCall: return fmt::format("CHECK( init(main()), LTL(G ! call({}())) )", function);
    default: break;
  }
  // As property files have it: "G ! overflow", "G valid-deref".
  const std::string_view name = verdict::name(property);
  return fmt::format("CHECK( init(main()), LTL(G {}{}) )", name.starts_with("no-") ? "! " : "", name.starts_with("no-") ? name.substr(3) : name);
}

/// Source files as they are, for columns.
class Texts {
 public:
  /// Empty if there is no such line.
  const std::string& line(const std::string& file, unsigned number) {
    auto [found, fresh] = lines_.try_emplace(file);
    if (fresh) {
      std::istringstream stream(file_text(file));
      for (std::string text; std::getline(stream, text);) found->second.push_back(std::move(text));
    }
    static const std::string none;
    return number == 0 || number > found->second.size() ? none : found->second[number - 1];
  }
  /// Of the `)` that closes the call of `function`, which begins at the column or after it: line and column; 0: none.
  std::pair<unsigned, unsigned> closing(const std::string& file, unsigned number, unsigned column, const std::string& function) {
    const std::string& first = line(file, number);
    size_t at = column == 0 ? 0 : column - 1;
    at = at < first.size() ? first.find(function, at) : std::string::npos;
    if (at == std::string::npos) at = first.find(function);
    if (function.empty() || at == std::string::npos) return {0, 0};
    at += function.size();
    int depth = 0;
    constexpr unsigned kLines = 20;
    for (unsigned k = 0; k < kLines; ++k, at = 0) {
      const std::string& text = line(file, number + k);
      for (; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return {number + k, static_cast<unsigned>(at + 1)};
      }
    }
    return {0, 0};
  }
  /// Column of the first character of the statement that the column is in, as far as one line tells; 0: not known.
  unsigned statement(const std::string& file, unsigned number, unsigned column) {
    const std::string& text = line(file, number);
    if (text.empty()) return 0;
    size_t at = column == 0 ? 0 : std::min<size_t>(column - 1, text.size() - 1);
    while (at > 0 && std::string_view(";{}").find(text[at - 1]) == std::string_view::npos) --at;
    at = text.find_first_not_of(" \t", at);
    return at == std::string::npos ? 0 : static_cast<unsigned>(at + 1);
  }
  /// Column of the keyword of the loop on this line; 0: there is none.
  unsigned loop(const std::string& file, unsigned number) {
    static const std::regex keyword("(^|[^A-Za-z0-9_])(while|for|do)($|[^A-Za-z0-9_])");
    std::smatch found;
    if (!std::regex_search(line(file, number), found, keyword)) return 0;
    return static_cast<unsigned>(found.position(2) + 1);
  }

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

void emit_metadata(YAML::Emitter& out, const Run& run, const char* version) {
  out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "format_version" << YAML::Value << YAML::DoubleQuoted << version;
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

/// How a statement that starts a thread reads.
constexpr std::string_view kStart = "pthread_create(";

struct Waypoint {
  std::string type, file, function, value, format;
  unsigned line = 0, column = 0;
  std::optional<uint32_t> thread = {};
};

void emit_location(YAML::Emitter& out, const std::string& file, unsigned line, unsigned column, const std::string& function) {
  out << YAML::Key << "location" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "file_name" << YAML::Value << YAML::DoubleQuoted << file;
  out << YAML::Key << "line" << YAML::Value << line;
  if (column != 0) out << YAML::Key << "column" << YAML::Value << column;
  if (!function.empty()) out << YAML::Key << "function" << YAML::Value << function;
  out << YAML::EndMap;
}

void emit_segment(YAML::Emitter& out, const Waypoint& point) {
  out << YAML::BeginMap << YAML::Key << "segment" << YAML::Value << YAML::BeginSeq;
  out << YAML::BeginMap << YAML::Key << "waypoint" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "type" << YAML::Value << point.type << YAML::Key << "action" << YAML::Value << "follow";
  if (point.thread) out << YAML::Key << "thread_id" << YAML::Value << *point.thread;
  emit_location(out, point.file, point.line, point.column, point.function);
  if (!point.value.empty()) {
    out << YAML::Key << "constraint" << YAML::Value << YAML::BeginMap;
    out << YAML::Key << "value" << YAML::Value << YAML::DoubleQuoted << point.value;
    out << YAML::Key << "format" << YAML::Value << point.format << YAML::EndMap;
  }
  out << YAML::EndMap << YAML::EndMap << YAML::EndSeq << YAML::EndMap;
}

/// The run as waypoints: values of inputs where their calls return, threads that are started, and, with threads, the
/// first and the last statement of every turn.
class Waypoints {
 public:
  explicit Waypoints(const Run& run) : run_(run) {
    for (const verdict::DetailedStep& step : run.trace.steps) threads_ = std::max(threads_, step.thread + 1);
  }

  std::vector<Waypoint> make() {
    const std::vector<verdict::DetailedStep>& steps = run_.trace.steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      const verdict::DetailedStep& step = steps[i];
      const bool begins = i > 0 && steps[i - 1].thread != step.thread;
      const bool ends = i + 1 < steps.size() && steps[i + 1].thread != step.thread;
      if (begins) add_turn(step);
      add_input(step);
      if (threads() && step.statement.find(kStart) != std::string::npos) add_start(step);
      if (ends) add_turn(step);
    }
    const verdict::Violation& violation = *run_.verdict.violation;
    unsigned column = 0;
    for (const verdict::DetailedStep& step : steps)
      if (step.thread == violation.thread && step.line == violation.line && step.file == violation.file) column = step.column;
    column = texts_.statement(violation.file, violation.line, column);
    points_.push_back({"target", violation.file, violation.function, "", "", violation.line, column, thread(violation.thread)});
    return std::move(points_);
  }
  bool threads() const { return threads_ > 1; }

 private:
  std::optional<uint32_t> thread(uint32_t of) const { return threads() ? std::optional(of) : std::nullopt; }

  void add_turn(const verdict::DetailedStep& step) {
    const unsigned column = texts_.statement(step.file, step.line, step.column);
    if (column == 0) return;
    Waypoint point{"assumption", step.file, "", "1", "c_expression", step.line, column, step.thread};
    // A turn within one statement has one waypoint.
    if (!points_.empty() && points_.back().type == point.type && points_.back().line == point.line && points_.back().column == column &&
        points_.back().thread == point.thread)
      return;
    points_.push_back(std::move(point));
  }
  void add_start(const verdict::DetailedStep& step) {
    auto [line, column] = texts_.closing(step.file, step.line, step.column, std::string(kStart.substr(0, kStart.size() - 1)));
    if (column != 0) points_.push_back({"function_enter", step.file, "", "", "", line, column, step.thread});
  }
  void add_input(const verdict::DetailedStep& step) {
    const std::vector<verdict::Input>& inputs = run_.verdict.counterexample.inputs;
    for (; next_ < inputs.size(); ++next_) {
      const verdict::Input& input = inputs[next_];
      const bool asked = input.line != 0 && input.origin.find(' ') == std::string::npos;
      if (!asked) continue;  // no call returns it
      if (input.file != step.file || input.line != step.line || step.statement.find(input.origin) == std::string::npos) return;
      auto [line, column] = texts_.closing(step.file, step.line, step.column, input.origin);
      const std::string value = value_text(input);
      const bool number = value.find("nan") == std::string::npos && value.find("inf") == std::string::npos;
      if (column != 0 && number)
        points_.push_back({"function_return", input.file, "", fmt::format("\\result == {}", value), "acsl_expression", line, column,
                           thread(step.thread)});
      ++next_;
      return;
    }
  }

  const Run& run_;
  Texts texts_;
  std::vector<Waypoint> points_;
  uint32_t threads_ = 1;
  size_t next_ = 0;
};

/// Can it be read as C by someone who does not know our memory?
bool is_c(const std::string& text) {
  static const std::regex allowed("[A-Za-z0-9_ \\[\\].<>=!&|+*/%()~^?:-]+");
  static const std::regex other("_t *\\*|#|\\bnull\\b|\\bfor all\\b|\\bis\\b|\\bof\\b|=>");
  return std::regex_match(text, allowed) && !std::regex_search(text, other);
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
  const bool violated = run.verdict.answer == verdict::Answer::False;
  out << YAML::BeginSeq << YAML::BeginMap << YAML::Key << "entry_type" << YAML::Value << (violated ? "violation_sequence" : "invariant_set");
  if (violated) {
    Waypoints waypoints(run);
    emit_metadata(out, run, waypoints.threads() ? "2.2" : "2.0");
    out << YAML::Key << "content" << YAML::Value << YAML::BeginSeq;
    for (const Waypoint& point : waypoints.make()) emit_segment(out, point);
  } else {
    emit_metadata(out, run, "2.0");
    out << YAML::Key << "content" << YAML::Value << YAML::BeginSeq;
    Texts texts;
    for (const Invariant& invariant : invariants(run.verdict)) {
      if (!is_c(invariant.text)) continue;
      const unsigned loop = texts.loop(invariant.file, invariant.line);
      const unsigned column = loop != 0 ? loop : texts.statement(invariant.file, invariant.line, 1);
      if (column == 0) continue;
      out << YAML::BeginMap << YAML::Key << "invariant" << YAML::Value << YAML::BeginMap;
      out << YAML::Key << "type" << YAML::Value << (loop != 0 ? "loop_invariant" : "location_invariant");
      emit_location(out, invariant.file, invariant.line, column, "");
      out << YAML::Key << "value" << YAML::Value << YAML::DoubleQuoted << invariant.text;
      out << YAML::Key << "format" << YAML::Value << "c_expression" << YAML::EndMap << YAML::EndMap;
    }
  }
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
  Sources sources(run.texts);
  std::vector<Row> all = rows(run.trace, sources);
  std::erase_if(all, [](const Row& row) { return row.line == 0; });
  if (all.empty())
    all.push_back(
        {run.verdict.violation->thread, run.verdict.violation->file, run.verdict.violation->line, {}, {}, {}, {}});
  size_t next_input = 0;
  unsigned created = 0;
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
    const size_t end = i < all.size() ? all[i].first : run.trace.steps.size();
    for (size_t k = row.first; k < end && k < run.trace.steps.size(); ++k)
      if (run.trace.steps[k].thread == row.thread && run.trace.steps[k].statement.find(kStart) != std::string::npos) {
        add_data(edge, "createThread", fmt::format("{}", ++created));
        break;
      }
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
