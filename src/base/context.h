// What every long-running part gets by reference: limits, figures, progress. Nothing mutable lives in globals.
#pragma once

#include "base/limits.h"
#include "base/progress.h"
#include "base/statistics.h"

namespace whittle {

struct Context {
  Limits& limits;
  Statistics& statistics;
  Progress& progress;
};

}  // namespace whittle
