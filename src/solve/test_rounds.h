#pragma once

#include <cstdlib>

namespace whittle::solve {

/// Full counts in release and in long runs; the sanitizer build does a part.
inline int bar(int full) {
#ifdef __SANITIZE_ADDRESS__
  return std::getenv("WHITTLE_LONG") != nullptr ? full : full / 10;
#else
  return full;
#endif
}

}  // namespace whittle::solve
