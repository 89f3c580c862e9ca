#include "exec/library_call.h"

namespace whittle::exec {

std::optional<LibraryCall> library_call(const View& machine, uint32_t thread) {
  const program::Program& program = machine.code().program();
  std::optional<LibraryCall> result;
  for (uint32_t frame = machine.frame_count(thread); frame-- > 0;) {
    const FramePosition at = machine.frame(thread, frame);
    const program::Function& function = program.functions[at.function];
    if (function.runtime) {
      result = LibraryCall{function.name, {}};
      continue;
    }
    if (result && at.location != program::kNone)
      result->position = function.edges[function.locations[at.location].first_edge].statement.position;
    return result;
  }
  return std::nullopt;  // before the program's own code begins
}

}  // namespace whittle::exec
