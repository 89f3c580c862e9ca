#include "report/witness_reader.h"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <regex>

#include "base/error.h"

namespace whittle::report {

namespace {

constexpr size_t kLargest = 64u << 20;  ///< bytes of a file

std::string whole_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail_input("cannot read the witness {}", file);
  std::string text;
  text.resize(kLargest + 1);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(stream.gcount()));
  if (text.size() > kLargest) fail_input("the witness {} has more than {} MiB", file, kLargest >> 20);
  return text;
}

class YamlReader {
 public:
  explicit YamlReader(const std::string& file) : file_(file) {}

  Witness read(const std::string& text) {
    if (text.find("\n%TAG") != std::string::npos || std::regex_search(text, std::regex("(^|[ \\[{,])[&*][A-Za-z0-9_]+(\\s|$)")))
      fail("it has anchors or aliases, which the format does not");
    const YAML::Node list = parse(text);
    if (!list.IsSequence() || list.size() == 0) fail("it is no list of entries");
    const YAML::Node entry = list[0];
    const std::string type = scalar(entry, "entry_type", "the entry");
    if (type != "violation_sequence" && type != "invariant_set") fail("entry_type is `{}`, not violation_sequence or invariant_set", type);
    Witness witness;
    witness.violation = type == "violation_sequence";
    metadata(member(entry, "metadata", "the entry"), witness);
    const YAML::Node content = member(entry, "content", "the entry");
    if (!content.IsSequence() && !content.IsNull()) fail("content is no list");
    for (size_t i = 0; i < content.size(); ++i)
      if (witness.violation)
        segment(member(content[i], "segment", "an item of content"), witness);
      else
        witness.invariants.push_back(invariant(member(content[i], "invariant", "an item of content")));
    if (witness.violation && (witness.follow.empty() || witness.follow.back().type != Witness::Waypoint::Type::Target))
      fail("it does not end with a waypoint of type target");
    return witness;
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    fail_input("{} is no witness: {}", file_, fmt::format(text, std::forward<Args>(args)...));
  }
  YAML::Node parse(const std::string& text) const {
    try {
      return YAML::Load(text);
    } catch (const YAML::Exception& error) {
      fail("{}", error.what());
    }
  }
  YAML::Node member(const YAML::Node& of, const char* name, const char* what) const {
    if (!of.IsMap() || !of[name]) fail("{} has no {}", what, name);
    return of[name];
  }
  std::string scalar(const YAML::Node& of, const char* name, const char* what) const {
    const YAML::Node node = member(of, name, what);
    if (!node.IsScalar()) fail("{} of {} is no text", name, what);
    return node.Scalar();
  }
  unsigned number(const YAML::Node& of, const char* name, const char* what) const {
    const std::string text = scalar(of, name, what);
    if (!std::regex_match(text, std::regex("[0-9]{1,8}"))) fail("{} of {} is `{}`, no number", name, what, text);
    return static_cast<unsigned>(std::stoul(text));
  }

  void metadata(const YAML::Node& from, Witness& witness) const {
    const std::string version = scalar(from, "format_version", "metadata");
    if (!version.starts_with("2.")) fail("format_version is {}; 2.0 to 2.2 are known", version);
    const YAML::Node task = member(from, "task", "metadata");
    witness.specification = scalar(task, "specification", "task");
    witness.data_model = scalar(task, "data_model", "task");
    const YAML::Node hashes = member(task, "input_file_hashes", "task");
    if (!hashes.IsMap()) fail("input_file_hashes is no map");
    for (const auto& hash : hashes) witness.hashes[hash.first.Scalar()] = hash.second.Scalar();
  }
  Witness::Location location(const YAML::Node& of, const char* what) const {
    const YAML::Node from = member(of, "location", what);
    Witness::Location at{scalar(from, "file_name", "location"), number(from, "line", "location"), 0};
    if (from["column"]) at.column = number(from, "column", "location");
    return at;
  }
  void segment(const YAML::Node& from, Witness& witness) const {
    if (!from.IsSequence() || from.size() == 0) fail("a segment is no list of waypoints");
    for (size_t i = 0; i < from.size(); ++i) {
      const YAML::Node node = member(from[i], "waypoint", "an item of a segment");
      const std::string action = scalar(node, "action", "a waypoint");
      if (action != "follow" && action != "avoid") fail("action is `{}`, not follow or avoid", action);
      Witness::Waypoint point = waypoint(node);
      if ((action == "follow") != (i + 1 == from.size())) fail("a segment ends with its only waypoint to follow");
      if (action == "follow")
        witness.follow.push_back(std::move(point));
      else
        ++witness.avoided;
    }
  }
  Witness::Waypoint waypoint(const YAML::Node& node) const {
    using Type = Witness::Waypoint::Type;
    static const std::map<std::string, Type> types = {{"assumption", Type::Assumption},
                                                      {"branching", Type::Branching},
                                                      {"function_enter", Type::FunctionEnter},
                                                      {"function_return", Type::FunctionReturn},
                                                      {"target", Type::Target}};
    const std::string type = scalar(node, "type", "a waypoint");
    if (!types.contains(type)) fail("a waypoint has the unknown type `{}`", type);
    Witness::Waypoint point;
    point.type = types.at(type);
    point.at = location(node, "a waypoint");
    if (node["constraint"]) point.value = scalar(node["constraint"], "value", "a constraint");
    if (node["thread_id"]) point.thread = number(node, "thread_id", "a waypoint");
    return point;
  }
  Witness::Invariant invariant(const YAML::Node& node) const {
    const std::string type = scalar(node, "type", "an invariant");
    if (type != "loop_invariant" && type != "location_invariant") fail("an invariant has the unknown type `{}`", type);
    return {type == "loop_invariant", location(node, "an invariant"), scalar(node, "value", "an invariant")};
  }

  const std::string& file_;
};

/// A path from the entry to the violation, if the graph is one.
Witness read_graphml(const std::string& file, const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_string(text.c_str(), pugi::parse_default);
  if (!parsed) fail_input("{} is no witness: {}", file, parsed.description());
  const pugi::xml_node graph = document.child("graphml").child("graph");
  if (!graph) fail_input("{} is no witness: it has no graph", file);
  auto data = [](pugi::xml_node of, const char* key) { return std::string(of.find_child_by_attribute("data", "key", key).text().get()); };
  if (data(graph, "witness-type") != "violation_witness")
    fail_input("{}: of format 1.0, violation witnesses can be validated; this is `{}`", file, data(graph, "witness-type"));
  Witness witness;
  witness.specification = data(graph, "specification");
  witness.data_model = data(graph, "architecture") == "32bit" ? "ILP32" : "LP64";
  witness.hashes[data(graph, "programfile")] = data(graph, "programhash");
  std::string at;
  std::map<std::string, std::vector<pugi::xml_node>> edges;
  std::map<std::string, bool> violation, sink;
  for (pugi::xml_node node : graph.children("node")) {
    if (data(node, "entry") == "true") at = node.attribute("id").value();
    violation[node.attribute("id").value()] = data(node, "violation") == "true";
    sink[node.attribute("id").value()] = data(node, "sink") == "true";
  }
  for (pugi::xml_node edge : graph.children("edge")) edges[edge.attribute("source").value()].push_back(edge);
  if (at.empty()) fail_input("{} is no witness: no node is the entry", file);
  Witness::Location last;
  for (size_t steps = 0; !violation[at]; ++steps) {
    const std::vector<pugi::xml_node>& out = edges[at];
    const pugi::xml_node* next = nullptr;
    for (const pugi::xml_node& edge : out)
      if (const std::string to = edge.attribute("target").value(); next == nullptr && to != at && !sink[to]) next = &edge;
    if (next == nullptr || steps > edges.size()) fail_input("{}: no path leads from the entry to a violation", file);
    if (const std::string line = data(*next, "startline"); std::regex_match(line, std::regex("[0-9]{1,8}")))
      last = {"", static_cast<unsigned>(std::stoul(line)), 0};
    Witness::Waypoint point{Witness::Waypoint::Type::Assumption, last, "", {}};
    if (const std::string thread = data(*next, "threadId"); std::regex_match(thread, std::regex("[0-9]{1,4}"))) point.thread = std::stoul(thread);
    if (!data(*next, "assumption.resultfunction").empty()) {
      point.type = Witness::Waypoint::Type::FunctionReturn;
      point.value = data(*next, "assumption");
    }
    if (last.line != 0) witness.follow.push_back(point);
    at = next->attribute("target").value();
  }
  witness.follow.push_back({Witness::Waypoint::Type::Target, last, "", {}});
  return witness;
}

}  // namespace

Witness read_witness(const std::string& file) {
  const std::string text = whole_file(file);
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) fail_input("{} is no witness: it is empty", file);
  return text[begin] == '<' ? read_graphml(file, text) : YamlReader(file).read(text);
}

std::optional<std::string> result_of(const std::string& constraint) {
  static const std::regex pattern("\\s*\\(?\\s*\\\\result\\s*==\\s*\\(?\\s*([^\\s();]+?)[uUlL]*\\s*\\)?\\s*\\)?\\s*;?\\s*");
  std::smatch found;
  if (!std::regex_match(constraint, found, pattern)) return std::nullopt;
  return found[1].str();
}

}  // namespace whittle::report
