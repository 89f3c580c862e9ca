#include "app/svcomp_tasks.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace whittle::app::svcomp {

namespace {

namespace fs = std::filesystem;

std::optional<Task> task_of_yaml(const fs::path& file, const std::string& set) {
  YAML::Node root;
  try {
    root = YAML::LoadFile(file.string());
  } catch (const YAML::Exception& error) {
    fail_input("{}: {}", file.string(), error.what());
  }
  if (!root.IsMap() || !root["input_files"] || !root["properties"]) return std::nullopt;
  Task task{set, set + "/" + file.stem().string(), {}, "unreach-call", "ILP32", true};
  for (const YAML::Node& property : root["properties"]) {
    if (!property["property_file"] || !property["expected_verdict"]) continue;
    std::string prp = property["property_file"].as<std::string>();
    if (fs::path(prp).stem() != "unreach-call") continue;
    task.expected = property["expected_verdict"].as<bool>();
    if (YAML::Node options = root["options"]; options && options["data_model"])
      task.data_model = options["data_model"].as<std::string>();
    YAML::Node files = root["input_files"];
    if (files.IsScalar())
      task.files = {(file.parent_path() / files.as<std::string>()).string()};
    else
      for (const YAML::Node& one : files) task.files.push_back((file.parent_path() / one.as<std::string>()).string());
    return task;
  }
  return std::nullopt;
}

std::optional<Task> task_of_name(const fs::path& file, const std::string& set) {
  std::string name = file.filename().string();
  bool right = name.find("_true-unreach-call") != std::string::npos,
       wrong = name.find("_false-unreach-call") != std::string::npos;
  if (right == wrong) return std::nullopt;
  return Task{set, set + "/" + name, {file.string()}, "unreach-call", "ILP32", right};
}

}  // namespace

std::vector<std::string> default_sets() {
  return {"pthread",        "pthread-atomic", "pthread-ext",      "pthread-lit", "locks", "ntdrivers-simplified",
          "ssh-simplified", "loops",          "recursive-simple", "systemc"};
}

std::vector<Task> find_tasks(const std::string& directory, const std::vector<std::string>& sets) {
  std::vector<Task> tasks;
  for (const std::string& set : sets) {
    fs::path folder = fs::path(directory) / set;
    std::error_code error;
    if (!fs::is_directory(folder, error)) folder = fs::path(directory) / "c" / set;  // a whole checkout
    if (!fs::is_directory(folder, error)) fail_input("no folder {} in {}", set, directory);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::ranges::sort(files);
    // Preprocessed files are the tasks where there are any; the plain ones beside them are their sources.
    std::vector<Task> found;
    for (const char* extension : {".yml", ".i", ".c"}) {
      for (const fs::path& file : files)
        if (file.extension() == extension)
          if (auto task = file.extension() == ".yml" ? task_of_yaml(file, set) : task_of_name(file, set))
            found.push_back(std::move(*task));
      if (!found.empty()) break;
    }
    if (found.empty()) fail_input("no unreach-call tasks in {}", folder.string());
    tasks.insert(tasks.end(), found.begin(), found.end());
  }
  return tasks;
}

}  // namespace whittle::app::svcomp
