// Tasks of the software verification competition's collection, in both of its layouts.
#pragma once

#include <string>
#include <vector>

namespace whittle::app::svcomp {

struct Task {
  std::string set;   ///< folder
  std::string name;  ///< unique: set/file, and :property unless that is unreach-call
  std::vector<std::string> files;
  std::string property = "unreach-call";  ///< the competition's name: valid-memsafety, no-overflow, ...
  std::string property_file;              ///< .prp; empty: there is none
  std::string data_model = "ILP32";
  bool expected = true;
  std::string subproperty;  ///< of valid-memsafety: what is violated; empty: not said
};

/// Tasks of DIR/SET for each set, in order of name. A folder with .yml files has today's layout, otherwise the verdict
/// is in the file name (..._false-unreach-call...). A file gives a task for each of `properties` that it says something
/// about (empty: all). Throws Error (bad input) if a folder has none.
std::vector<Task> find_tasks(const std::string& directory, const std::vector<std::string>& sets,
                             const std::vector<std::string>& properties);

/// What `whittle check --property` is given for a task.
std::string property_argument(const Task& task);

/// Sets that the project measures itself on.
std::vector<std::string> default_sets();

}  // namespace whittle::app::svcomp
