#pragma once

#include <cstdint>

namespace whittle::engines::guided {

struct Options {
  bool dpor = true;
  bool summaries = true;
  bool slicing = true;
  uint64_t summary_entries = 100'000;
  uint64_t summary_size = 40'000;
  uint64_t steps = UINT64_MAX;        ///< in all
  uint64_t wide = 512;                ///< subtrees for other processes begin where the tree is so wide (share.cpp)
  uint64_t statements = 100'000'000;  ///< of one thread without a scheduling point
};

}  // namespace whittle::engines::guided
