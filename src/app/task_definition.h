// Task definitions of the software verification competition (.yml, format 2.0): files, a data model, and properties.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options.h"

namespace whittle::app {

struct TaskDefinition {
  struct Property {
    std::string name;  ///< of its file: unreach-call, valid-memsafety, ...
    std::string file;  ///< .prp, as a path from here
    std::optional<bool> expected;
    std::string subproperty;  ///< of valid-memsafety: what is violated; empty: not said
  };
  std::vector<std::string> files;
  std::string data_model;  ///< empty: not said
  std::vector<Property> properties;
};

/// Nothing if the file is YAML about something else. Throws Error (bad input) if it cannot be read.
std::optional<TaskDefinition> read_task_definition(const std::string& file);

/// What `--property` is given for it: the file, or, if that is not there, the property's name.
std::string property_argument(const TaskDefinition::Property& property);

/// A task definition in place of files: its files, and its data model and properties unless the command line says which.
void apply_task_definition(Options& options);

}  // namespace whittle::app
