// whittle check without files: the checks of a project file. docs/project.md describes it.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "app/watch.h"

namespace whittle::app {

struct ProjectCheck {
  std::string name;
  std::vector<std::string> arguments;  ///< of `whittle check`, files first; relative to the folder of the project file
  std::string expect = "true";         ///< true, false, false(PROPERTY)
};

struct Project {
  std::string folder;  ///< of the file: checks run there
  std::vector<ProjectCheck> checks;
};

/// Throws Error (bad input), with file and line, for what is not a project file.
/// `given` are options of the command line, which come before those of the file.
Project read_project(const std::string& file, const std::map<std::string, std::vector<std::string>>& given);

/// Runs the checks, several at once, a line each in the order of the file; what was not expected is shown in full. 0: every answer was the
/// expected one; 10: one was not; 5: none was wrong, but one is unknown; 65: a check could not be run.
int check_project(const Options& options, Watch& watch);

}  // namespace whittle::app
