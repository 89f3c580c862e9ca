// whittle bench scale: the explicit engine with one and with several threads, in one run; --processes: with several processes of
// mpirun, beside a plan that tells what more of them would do.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::app::suite {

/// [--dir DIR] [--quick] [--rounds N] [--json FILE] [--processes [--items N] [--plan STATES,MACHINES,CORES[,GIGABITS]]]
int scale(const std::vector<std::string>& arguments, Context& context);

}  // namespace whittle::app::suite
