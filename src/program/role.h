// What functions and objects of runtime/ are to those who know more of them than their bodies say. The front end knows
// their names and gives out roles; nothing else compares names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace whittle::program {

enum class FunctionRole : uint8_t {
  None,
  CreateThread,   ///< pthread_create(thread, attributes, routine, argument)
  StartThread,    ///< makes the new thread and its entries in the tables; part of CreateThread and its like
  JoinThread,     ///< pthread_join(thread, result)
  ExitThread,     ///< pthread_exit(result)
  FinishThread,   ///< marks the end of a thread, in an atomic region of its own, unless an AtThreadEnd function is there
  AskForEnd,      ///< can tell without waiting whether a thread has ended: pthread_detach, pthread_tryjoin_np, ...
  InitMutex,      ///< pthread_mutex_init(mutex, attributes)
  DestroyMutex,   ///< pthread_mutex_destroy(mutex)
  LockMutex,      ///< pthread_mutex_lock(mutex): waits
  UnlockMutex,    ///< pthread_mutex_unlock(mutex)
  WaitCondition,  ///< pthread_cond_wait(condition, mutex)
  UseCondition,   ///< pthread_cond_signal(condition) and others that do not wait
  Exit,           ///< exit(status): others may run before the program ends
  Threads,        ///< another one that threads wait in, or that has something run at another time
};
constexpr unsigned kFunctionRoleCount = static_cast<unsigned>(FunctionRole::Threads) + 1;

enum class ObjectRole : uint8_t {
  None,
  ThreadTable,  ///< one entry for each thread; what is looked up there was checked before, in the same function
  AtThreadEnd,  ///< a pointer to a function that runs when a thread ends; null: none
};
constexpr unsigned kObjectRoleCount = static_cast<unsigned>(ObjectRole::AtThreadEnd) + 1;

/// Words of the textual form; of None: empty.
std::string_view name(FunctionRole role);
std::string_view name(ObjectRole role);

}  // namespace whittle::program
