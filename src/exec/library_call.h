// What the program called when a thread is inside a model of the library.
#pragma once

#include <optional>
#include <string>

#include "exec/machine.h"

namespace whittle::exec {

struct LibraryCall {
  std::string name;                  ///< "strcmp"
  program::SourcePosition position;  ///< of the program's call
  std::string format = {};           ///< of scanf and its like, while it converts: what it reads
};
/// Nothing if the thread is in the program's own code.
std::optional<LibraryCall> library_call(const View& machine, uint32_t thread);

}  // namespace whittle::exec
