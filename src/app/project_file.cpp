// Reading whittle.yml.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/project.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;

/// Keys of a check that are not options of `whittle check`.
const std::vector<std::string> kOwn = {"files", "stubs", "expect", "clang"};
/// Options that are about one run on the command line, not about a check.
constexpr std::array kNotHere = {"project", "only", "jobs", "no-answers", "json", "sarif", "help"};

using Values = std::vector<std::string>;

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    fail_input("{}:{}: {}", file_, node.Mark().line + 1, message);
  }

  YAML::Node load() const {
    if (std::error_code code; fs::is_directory(file_, code)) fail_input("{} is a directory", file_);
    try {
      YAML::Node root = YAML::LoadFile(file_);
      if (!root.IsMap()) fail_input("{}: not a project file: it has no `checks:`", file_);
      return root;
    } catch (const YAML::BadFile&) {
      fail_input("{}: no such file", file_);
    } catch (const YAML::ParserException& error) {
      fail_input("{}:{}: {}", file_, error.mark.line + 1, error.msg);
    }
  }

  Values words(const YAML::Node& node) const {
    Values out;
    if (node.IsScalar()) return {node.Scalar()};
    if (!node.IsSequence()) fail(node, "a word or a list of words is expected here");
    for (const YAML::Node& one : node) {
      if (!one.IsScalar()) fail(one, "a word is expected here");
      out.push_back(one.Scalar());
    }
    return out;
  }

  /// Options by name, those of a check over those of all.
  void add_options(const YAML::Node& map, std::map<std::string, Values>& options) const {
    if (!map.IsMap()) fail(map, "options are expected here: `name: value`");
    for (const auto& entry : map) {
      std::string key = entry.first.Scalar();
      if (std::ranges::find(kOwn, key) != kOwn.end()) continue;
      if (std::ranges::find(kNotHere, key) != kNotHere.end())
        fail(entry.first, key + " is an option of the command line, not of a check");
      options[key] = words(entry.second);
    }
  }

 private:
  std::string file_;
};

void append(Values& arguments, const std::string& name, const Values& values) {
  std::string option = (name.size() == 1 ? "-" : "--") + name;
  for (const std::string& value : values) {
    if (value == "false" && values.size() == 1) continue;  // a flag that is off
    arguments.push_back(option);
    if (value != "true") arguments.push_back(value);
  }
}

std::string expectation(const Reader& reader, const YAML::Node& node) {
  std::string text = node.Scalar();
  if (text != "true" && text != "false" && !(text.starts_with("false(") && text.ends_with(")")))
    reader.fail(node, "expect is true, false or false(PROPERTY), not `" + text + "`");
  return text;
}

}  // namespace

Project read_project(const std::string& file, const std::map<std::string, Values>& given) {
  Reader reader(file);
  YAML::Node root = reader.load();
  for (const auto& entry : root) {
    const std::vector<std::string> known = {"checks", "options", "stubs", "clang"};
    std::string key = entry.first.Scalar();
    if (std::ranges::find(known, key) == known.end()) reader.fail(entry.first, "unknown key " + key + suggestion(key, known));
  }
  Project project{fs::absolute(file).parent_path().string(), {}};
  if (!root["checks"] || !root["checks"].IsMap() || root["checks"].size() == 0)
    fail_input("{}: no checks: `checks:` has a name for each, and its files under it", file);
  for (const auto& entry : root["checks"]) {
    ProjectCheck check{.name = entry.first.Scalar()};
    if (std::ranges::find(project.checks, check.name, &ProjectCheck::name) != project.checks.end())
      reader.fail(entry.first, "a second check of the name " + check.name);
    const YAML::Node& map = entry.second;
    if (!map.IsMap() || !map["files"]) reader.fail(entry.first, check.name + " has no `files:`");
    check.arguments = reader.words(map["files"]);
    // `whittle check` without files would run this very project.
    if (check.arguments.empty()) reader.fail(map["files"], check.name + " has no files");
    YAML::Node stubs = map["stubs"] ? map["stubs"] : root["stubs"];
    if (stubs)
      for (const std::string& stub : reader.words(stubs)) check.arguments.push_back(stub);
    std::map<std::string, Values> options;
    if (root["options"]) reader.add_options(root["options"], options);
    reader.add_options(map, options);
    for (const auto& [name, values] : given) options[name] = values;
    for (const auto& [name, values] : options)
      if (name != "entry" || values.size() < 2) append(check.arguments, name, values);
    if (map["expect"]) check.expect = expectation(reader, map["expect"]);
    if (YAML::Node clang = map["clang"] ? map["clang"] : root["clang"]) {
      check.arguments.push_back("--");
      for (const std::string& flag : reader.words(clang)) check.arguments.push_back(flag);
    }
    // Several functions to start with are a check each.
    const Values entries = options.contains("entry") ? options["entry"] : Values{};
    if (entries.size() < 2) {
      project.checks.push_back(std::move(check));
      continue;
    }
    for (const std::string& function : entries) {
      ProjectCheck one = check;
      one.name = check.name + "/" + function;
      one.arguments.insert(std::ranges::find(one.arguments, "--"), {"--entry", function});
      project.checks.push_back(std::move(one));
    }
  }
  return project;
}

}  // namespace whittle::app
