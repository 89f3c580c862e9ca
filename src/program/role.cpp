#include "program/role.h"

#include <array>

namespace whittle::program {

std::string_view name(FunctionRole role) {
  static constexpr std::array<std::string_view, kFunctionRoleCount> kNames{
      "",           "create_thread", "start_thread", "join_thread",    "exit_thread",   "finish_thread", "ask_for_end",
      "init_mutex", "destroy_mutex", "lock_mutex",   "unlock_mutex",   "wait_condition", "use_condition", "exit",
      "threads"};
  return kNames[static_cast<size_t>(role)];
}

std::string_view name(ObjectRole role) {
  static constexpr std::array<std::string_view, kObjectRoleCount> kNames{"", "thread_table", "at_thread_end"};
  return kNames[static_cast<size_t>(role)];
}

}  // namespace whittle::program
