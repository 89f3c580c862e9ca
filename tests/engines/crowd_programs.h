// Random programs with threads, locks, tests and assertions, and what such programs begin with.
#pragma once

#include <cstdint>
#include <string>

namespace whittle::test {

extern const char* const kCrowdBegin;  ///< declarations, a mutex `lock`, a lock of our own
/// Threads that read, compute, write, lock and assert at random. With even seeds they mostly use x under one lock only, y under the
/// other one.
std::string crowd_program(uint64_t seed);

}  // namespace whittle::test
