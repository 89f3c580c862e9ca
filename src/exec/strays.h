// Memory of no object: where pointers may lead that the program gave no value.
//
//   Strays strays;
//   machine.set_placement(&strays);
//
// While there is one thread, accesses there are followed: its bytes have no value until they are read or written, as those
// of new objects. Nothing changes if the specification asks whether accesses are valid, or what memory is left.
#pragma once

#include "exec/machine.h"

namespace whittle::exec {

/// No object is ever made there.
constexpr uint64_t kStrayBase = 0x5c00'0000, kStrayEnd = 0x6000'0000;

class Strays : public Placement {
 public:
  uint64_t place(uint32_t, program::FunctionId, uint32_t, uint64_t) override { return 0; }
  static bool are_followed(const verdict::Specification& specification);
};

}  // namespace whittle::exec
