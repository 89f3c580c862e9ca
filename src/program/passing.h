// Which statements can be passed over by ignoring() of program/claims.h.
#pragma once

#include <optional>
#include <vector>

#include "program/program.h"

namespace whittle::program {

/// It can violate `property` (without one: any), and ignoring() can change it so that it does not, or less often. Calls
/// are not meant.
bool can_be_passed(const Statement& statement, std::optional<verdict::Property> property);

/// Runs that would violate something there end there in ignoring(): what follows is known of all others only. Of a call: perhaps.
bool ends_runs(const Statement& statement);

/// By function: is it a model (runtime/) that has such a statement, or calls one that has?
std::vector<bool> violating_models(const Program& program, std::optional<verdict::Property> property);

}  // namespace whittle::program
