// The programs of Table 2 of Assertion-Guided Symbolic Execution, and what was published about them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "verdict/verdict.h"

namespace whittle::app::suite {

struct GuidedRow {
  struct Figure {
    uint64_t runs = 0;   ///< 0: none within 30 minutes
    double seconds = 0;  ///< 1800: at least
  };
  const char* name;
  unsigned threads;
  std::array<Figure, 3> published;  ///< plain, with DPOR, with DPOR and summaries
  const char* file;                 ///< in bench/guided, or (with a folder) in the public collection
  std::vector<const char*> defines;
  std::vector<std::pair<const char*, const char*>> edits;  ///< what is to be replaced in a file of the collection
  verdict::Answer expected;
};

/// Rows that can be reproduced; nbds and nedmalloc, and variants that are described nowhere, are left out.
const std::vector<GuidedRow>& guided_rows();

}  // namespace whittle::app::suite
