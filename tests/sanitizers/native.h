// Programs of c_programs.h, built natively with clang's address and undefined-behaviour sanitizers and run on all inputs.
//
// What a report means (everything else ends a test):
//
//   signed integer overflow, negation, division of the smallest by -1, left shift of or into the sign      no-overflow
//   division by zero                                                                                       no-div-by-zero
//   shift exponent                                                                                         no-bad-shift
//   null pointer; any AddressSanitizer report of an access (overflow, use after free, scope or return)     valid-deref
//   double free, free of what was not allocated                                                            valid-free
//   reach_error is called                                                                                  unreach-call
//
// Not asked for, because whittle does not check it: bounds of arrays inside structs, pointer arithmetic, conversions of floats. Memory
// that is still allocated at the end is counted by the program itself (valid-memcleanup), as LeakSanitizer needs to trace processes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace whittle::sanitizers {

struct Ending {
  std::string property;  ///< empty: none is violated
  unsigned line = 0;
  int status = 0;
  bool leak = false;  ///< ended normally with memory allocated
  std::string report;
};

/// For each seed, the endings of the program for inputs 0, 1, 2, ...: input i is the bits of the number.
std::map<uint64_t, std::vector<Ending>> run_natively(const std::vector<uint64_t>& seeds, const std::string& folder);

}  // namespace whittle::sanitizers
