// Random threaded programs that use all kinds of thread calls, for comparing native runs with those of the machine.
//
//   std::string text = prelude() + synchronised_program(7);   // entry function main_7, other names end in _7
//
// Whatever threads print, and whether an assertion fails, depends on the schedule only: there are no inputs, and no
// undefined behaviour beside data races. Threads may block each other for good.
#pragma once

#include <cstdint>
#include <string>

namespace whittle::native {

std::string prelude();
std::string synchronised_program(uint64_t seed);

}  // namespace whittle::native
