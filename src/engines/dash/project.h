// Getting rid of variables that can have any value.
#pragma once

#include <functional>
#include <vector>

#include "term/term.h"

namespace whittle::engines::dash {

/// Conditions that hold whenever all of `conditions` hold for some values of the variables for which `any` says yes,
/// and that do not mention those. (Not always the strongest ones.)
std::vector<term::Term> project(term::Store& store, std::vector<term::Term> conditions,
                                const std::function<bool(term::Term variable)>& any);

}  // namespace whittle::engines::dash
