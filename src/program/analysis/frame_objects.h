// Stack objects of fixed size that a function makes once per call and keeps in a register of their own.
#pragma once

#include <vector>

#include "program/program.h"

namespace whittle::program::analysis {

struct FrameObject {
  RegisterId reg = 0;
  uint32_t edge = 0;
  uint64_t size = 0;
  uint8_t align = 1;
};

std::vector<FrameObject> frame_objects(const Function& function);

}  // namespace whittle::program::analysis
