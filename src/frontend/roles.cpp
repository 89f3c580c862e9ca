#include "frontend/roles.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace whittle::frontend {

using program::FunctionRole;
using program::ObjectRole;

program::FunctionRole function_role(std::string_view name) {
  static constexpr std::pair<std::string_view, FunctionRole> kRoles[] = {
      {"pthread_create", FunctionRole::CreateThread},
      {"__whittle_thread_create", FunctionRole::StartThread},
      {"pthread_join", FunctionRole::JoinThread},
      {"pthread_exit", FunctionRole::ExitThread},
      {"__whittle_thread_finish", FunctionRole::FinishThread},
      {"pthread_detach", FunctionRole::AskForEnd},
      {"pthread_tryjoin_np", FunctionRole::AskForEnd},
      {"pthread_timedjoin_np", FunctionRole::AskForEnd},
      {"pthread_attr_setdetachstate", FunctionRole::AskForEnd},
      {"pthread_mutex_init", FunctionRole::InitMutex},
      {"pthread_mutex_destroy", FunctionRole::DestroyMutex},
      {"pthread_mutex_lock", FunctionRole::LockMutex},
      {"pthread_mutex_unlock", FunctionRole::UnlockMutex},
      {"pthread_cond_wait", FunctionRole::WaitCondition},
      {"pthread_cond_signal", FunctionRole::UseCondition},
      {"pthread_cond_broadcast", FunctionRole::UseCondition},
      {"pthread_cond_init", FunctionRole::UseCondition},
      {"pthread_cond_destroy", FunctionRole::UseCondition},
      {"exit", FunctionRole::Exit},
  };
  for (auto [known, role] : kRoles)
    if (known == name) return role;
  static constexpr std::string_view kFamilies[] = {"pthread_", "sem_",      "thrd_",  "mtx_",    "cnd_",
                                                   "tss_",     "call_once", "atexit", "on_exit", "at_quick_exit",
                                                   "signal",   "raise",     "sigaction"};
  const bool threads =
      std::any_of(std::begin(kFamilies), std::end(kFamilies), [&](auto prefix) { return name.starts_with(prefix); });
  return threads ? FunctionRole::Threads : FunctionRole::None;
}

program::ObjectRole object_role(std::string_view name) {
  if (name == "state_of" || name == "result_of") return ObjectRole::ThreadTable;
  if (name == "__whittle_at_thread_end") return ObjectRole::AtThreadEnd;
  return ObjectRole::None;
}

}  // namespace whittle::frontend
