// whittle bench svcomp: scores a checkout of the competition's collection.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"
#include "cluster/group.h"

namespace whittle::app::svcomp {

/// --dir DIR [--sets A,B] [--property P,Q|all] [--engine E] [--timeout 60s] [--memory SIZE] [--jobs N] [--cores N] [--only true|false]
/// [--json FILE] [--html FILE].
/// Answers with 0, or 70 if a verdict was wrong. `group`: the processes that tasks are given out to; null: only this one.
int run(const std::vector<std::string>& arguments, Context& context, cluster::Group* group);

}  // namespace whittle::app::svcomp
