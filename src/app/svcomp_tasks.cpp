#include "app/svcomp_tasks.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "app/task_definition.h"
#include "base/error.h"
#include "verdict/property.h"

namespace whittle::app::svcomp {

namespace {

namespace fs = std::filesystem;

using Properties = std::vector<std::string>;

bool is_known(const std::string& property) {
  try {
    verdict::parse_specification(property);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// If all are wanted: all that whittle can be asked about. The collection has tasks of others, too.
bool is_wanted(const Properties& wanted, const std::string& property) {
  return wanted.empty() ? is_known(property) : std::ranges::find(wanted, property) != wanted.end();
}

std::string task_name(const std::string& set, const std::string& file, const std::string& property) {
  return set + "/" + file + (property == "unreach-call" ? "" : ":" + property);
}

std::vector<Task> tasks_of_yaml(const fs::path& file, const std::string& set, const Properties& wanted) {
  std::vector<Task> tasks;
  const std::optional<TaskDefinition> definition = read_task_definition(file.string());
  if (!definition) return tasks;
  for (const TaskDefinition::Property& property : definition->properties) {
    // Without an expected verdict there is nothing to score: coverage, for tests.
    if (!property.expected || !is_wanted(wanted, property.name)) continue;
    Task task{.set = set, .files = definition->files, .property = property.name, .property_file = property.file};
    if (!definition->data_model.empty()) task.data_model = definition->data_model;
    task.expected = *property.expected;
    task.subproperty = property.subproperty;
    task.name = task_name(set, file.stem().string(), task.property);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

/// a_true-unreach-call_false-valid-deref.i
std::vector<Task> tasks_of_name(const fs::path& file, const std::string& set, const Properties& wanted) {
  std::vector<Task> tasks;
  const std::string name = file.filename().string();
  static const std::regex kPart("_(true|false)-([a-z]+(-[a-z]+)*)");
  for (std::sregex_iterator part(name.begin(), name.end(), kPart), end; part != end; ++part) {
    Task task{.set = set, .files = {file.string()}, .property = (*part)[2], .expected = (*part)[1] == "true"};
    if (task.property == "valid-deref" || task.property == "valid-free" || task.property == "valid-memtrack") {
      task.subproperty = task.property;
      task.property = "valid-memsafety";
    }
    task.name = task_name(set, name, task.property);
    if (is_wanted(wanted, task.property)) tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace

std::vector<std::string> default_sets() {
  return {"pthread",        "pthread-atomic", "pthread-ext",      "pthread-lit", "locks", "ntdrivers-simplified",
          "ssh-simplified", "loops",          "recursive-simple", "systemc"};
}

std::string property_argument(const Task& task) {
  return app::property_argument({task.property, task.property_file, task.expected, task.subproperty});
}

std::vector<Task> find_tasks(const std::string& directory, const std::vector<std::string>& sets,
                             const std::vector<std::string>& properties) {
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
          for (Task& task : file.extension() == ".yml" ? tasks_of_yaml(file, set, properties)
                                                       : tasks_of_name(file, set, properties))
            found.push_back(std::move(task));
      if (!found.empty()) break;
    }
    if (found.empty()) fail_input("no tasks of these properties in {}", folder.string());
    tasks.insert(tasks.end(), found.begin(), found.end());
  }
  return tasks;
}

}  // namespace whittle::app::svcomp
