// whittle bench compare: two files of results of bench svcomp, side by side.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// A.json B.json [--scatter FILE.svg] [--quantile FILE.svg] [--json FILE]. Answers with 10 if the files contradict each
/// other: one says true and the other false of the same task.
int compare(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
