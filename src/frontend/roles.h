// Which functions and objects of runtime/ have roles (program/role.h): the one place that knows their names.
#pragma once

#include <string_view>

#include "program/role.h"

namespace whittle::frontend {

program::FunctionRole function_role(std::string_view name);
program::ObjectRole object_role(std::string_view name);

}  // namespace whittle::frontend
