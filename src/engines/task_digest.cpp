#include "engines/task_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "program/print.h"

namespace whittle::engines {

uint64_t task_digest(const program::Program& program, const verdict::Specification& specification,
                     const Settings& settings, std::span<const Option> options,
                     std::initializer_list<std::string_view> free) {
  std::string text = program::to_text(program);
  for (verdict::Property property : specification.properties) text += fmt::format("\n{}", static_cast<int>(property));
  for (const std::string& name : specification.error_functions) text += "\n" + name;
  for (const Option& option : options) {
    if (option.name.starts_with("checkpoint") || option.name == "resume") continue;
    if (std::ranges::find(free, option.name) != free.end()) continue;
    const std::string value = option.value.empty() ? (settings.flag(option.name) ? "yes" : "no") : settings.text(option.name, option.default_value);
    text += fmt::format("\n{} {}", option.name, value);
  }
  return hash_bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace whittle::engines
