// The tables of engines and benchmark suites. A new engine or suite is one line in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.h"

namespace whittle::app {

/// One of each engine, in the order in which --help names them.
std::vector<std::unique_ptr<engines::Engine>> make_engines();

/// A suite for `whittle bench NAME [ARGUMENT...]`: prints a table, answers with the exit code.
struct Suite {
  std::string_view name;
  std::string_view description;
  std::function<int(const std::vector<std::string>& arguments, Context& context)> run;
};
std::span<const Suite> suites();

}  // namespace whittle::app
