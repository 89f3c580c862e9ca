#include "app/task_definition.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>

#include "base/error.h"
#include "verdict/property.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;

TaskDefinition definition_of(const YAML::Node& root, const fs::path& folder) {
  TaskDefinition task;
  if (YAML::Node options = root["options"]; options && options["data_model"]) task.data_model = options["data_model"].as<std::string>();
  YAML::Node files = root["input_files"];
  if (files.IsScalar())
    task.files = {(folder / files.as<std::string>()).string()};
  else
    for (const YAML::Node& one : files) task.files.push_back((folder / one.as<std::string>()).string());
  for (const YAML::Node& node : root["properties"]) {
    if (!node["property_file"]) continue;
    const fs::path file = node["property_file"].as<std::string>();
    TaskDefinition::Property property{file.stem().string(), (folder / file).lexically_normal().string(), {}, {}};
    if (node["expected_verdict"]) property.expected = node["expected_verdict"].as<bool>();
    if (node["subproperty"]) property.subproperty = node["subproperty"].as<std::string>();
    task.properties.push_back(std::move(property));
  }
  return task;
}

/// Tasks ask about what whittle does not answer, too: coverage by tests.
bool can_be_asked(const std::string& property) {
  try {
    verdict::parse_specification(property);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::optional<TaskDefinition> read_task_definition(const std::string& file) {
  try {
    const YAML::Node root = YAML::LoadFile(file);
    if (!root.IsMap() || !root["input_files"] || !root["properties"]) return std::nullopt;
    return definition_of(root, fs::path(file).parent_path());
  } catch (const YAML::BadFile&) {
    fail_input("{}: cannot read the task definition", file);
  } catch (const YAML::Exception& error) {
    fail_input("{}:{}: {}", file, error.mark.line + 1, error.msg);
  }
}

std::string property_argument(const TaskDefinition::Property& property) {
  std::error_code error;
  if (fs::exists(property.file, error)) return property.file;
  return property.name == "valid-memsafety" ? "memory-safety" : property.name;
}

void apply_task_definition(Options& options) {
  std::vector<std::string>& files = options.input.files;
  if (files.empty() || !files.front().ends_with(".yml")) return;
  const std::string file = files.front();
  if (files.size() > 1) fail_usage("{} is a task definition, which names its files: no others can be given", file);
  std::optional<TaskDefinition> task = read_task_definition(file);
  if (!task) fail_input("{}: no task definition: input_files or properties are missing", file);
  files = task->files;
  if (!task->data_model.empty() && !options.given.contains("--data-model")) {
    if (task->data_model != "ILP32" && task->data_model != "LP64")
      fail_input("{}: data_model {} is neither ILP32 nor LP64", file, task->data_model);
    options.input.data_model = task->data_model;
  }
  if (!options.property.empty()) return;
  for (const TaskDefinition::Property& property : task->properties)
    if (const std::string argument = property_argument(property); can_be_asked(argument))
      options.property += (options.property.empty() ? "" : ",") + argument;
  if (options.property.empty()) fail_input("{}: none of its properties can be checked", file);
}

}  // namespace whittle::app
