#include "exec/library_call.h"

#include <algorithm>

namespace whittle::exec {

namespace {

/// The text of the parameter `format`, if the function is scanf or reads a file like it.
std::string scanf_format(const View& machine, uint32_t thread, uint32_t frame, const program::Function& function) {
  const std::string& name = source_name(function);
  std::string format;
  if (!name.ends_with("scanf") || name.ends_with("sscanf")) return format;
  for (program::RegisterId reg = 0; reg < function.parameter_count; ++reg) {
    if (function.registers[reg].name != "format") continue;
    auto address = static_cast<uint64_t>(machine.register_value(thread, frame, reg));
    for (uint8_t byte = 0; machine.read_memory(address, {&byte, 1}) && byte != 0; ++address) format += static_cast<char>(byte);
  }
  return format;
}

/// The part of scanf that decides what it met after what it read.
bool tells_the_end(const program::Function& function) {
  return std::ranges::any_of(function.registers, [](const program::Register& reg) { return reg.name == "to_the_end" && reg.argument != 0; });
}

}  // namespace

std::optional<LibraryCall> library_call(const View& machine, uint32_t thread) {
  const program::Program& program = machine.code().program();
  std::optional<LibraryCall> result;
  bool read = false;  // what comes after the conversions: whether it met the end, and why
  for (uint32_t frame = machine.frame_count(thread); frame-- > 0;) {
    const FramePosition at = machine.frame(thread, frame);
    const program::Function& function = program.functions[at.function];
    if (function.runtime) {
      read = read || tells_the_end(function);
      result = LibraryCall{source_name(function), {}, read ? "" : scanf_format(machine, thread, frame, function)};
      continue;
    }
    if (result && at.location != program::kNone)
      result->position = function.edges[function.locations[at.location].first_edge].statement.position;
    return result;
  }
  return std::nullopt;  // before the program's own code begins
}

}  // namespace whittle::exec
