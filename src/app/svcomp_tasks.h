// Tasks of the software verification competition's collection, in both of its layouts.
#pragma once

#include <string>
#include <vector>

namespace whittle::app::svcomp {

struct Task {
  std::string set;   ///< folder
  std::string name;  ///< unique: set/file
  std::vector<std::string> files;
  std::string property = "unreach-call";  ///< name or path of a .prp file
  std::string data_model = "ILP32";
  bool expected = true;
};

/// Tasks of DIR/SET for each set, in order of name. A folder with .yml files has today's layout, otherwise the verdict
/// is in the file name (..._false-unreach-call...). Only unreach-call tasks. Throws Error (bad input) if a folder has
/// none.
std::vector<Task> find_tasks(const std::string& directory, const std::vector<std::string>& sets);

/// Sets that the project measures itself on.
std::vector<std::string> default_sets();

}  // namespace whittle::app::svcomp
