// The outcome of whittle bench svcomp, for a terminal and as a page.
#pragma once

#include <string>
#include <vector>

#include "app/svcomp_results.h"

namespace whittle::app::svcomp {

/// Wrong answers first, then crashes, then a table with a line for each set.
std::string text_report(const std::vector<std::string>& sets, const std::vector<Result>& results);

/// The same and every task, on one self-contained page: columns sort, rows can be picked by a word, a plot shows how
/// many tasks were solved within which time.
std::string html_report(const std::vector<std::string>& sets, const Conditions& conditions,
                        const std::vector<Result>& results);

}  // namespace whittle::app::svcomp
