#include "native/coarse_run.h"

#include <set>

namespace whittle::native {

using exec::Pause;
using exec::PauseKind;
using exec::Pending;

namespace {

constexpr uint64_t kTooLong = 10'000'000;  ///< statements: generated programs take some thousands

/// What schedule.h stops before, beside atomic operations, by the names of the models.
const std::set<std::string> kCalls{"pthread_create",
                                   "pthread_join",
                                   "pthread_mutex_lock",
                                   "pthread_mutex_trylock",
                                   "pthread_mutex_timedlock",
                                   "pthread_mutex_unlock",
                                   "pthread_rwlock_rdlock",
                                   "pthread_rwlock_wrlock",
                                   "pthread_rwlock_tryrdlock",
                                   "pthread_rwlock_trywrlock",
                                   "pthread_rwlock_unlock",
                                   "pthread_spin_lock",
                                   "pthread_spin_trylock",
                                   "pthread_spin_unlock",
                                   "pthread_cond_wait",
                                   "pthread_cond_timedwait",
                                   "pthread_cond_signal",
                                   "pthread_cond_broadcast",
                                   "pthread_barrier_wait",
                                   "pthread_once",
                                   "sem_wait",
                                   "sem_trywait",
                                   "sem_timedwait",
                                   "sem_post",
                                   "sched_yield",
                                   "exit",
                                   "__whittle_thread_finish"};

}  // namespace

CoarseRun::CoarseRun(std::shared_ptr<const exec::Code> code)
    : machine_(std::move(code)),
      user_code_(machine_.code().options().max_threads),
      begun_(machine_.code().options().max_threads) {
  machine_.set_output([this](int descriptor, std::span<const uint8_t> bytes) {
    if (descriptor == 1) output_.append(bytes.begin(), bytes.end());
  });
  machine_.set_listener(this);
  machine_.set_budget(kTooLong);
}

void CoarseRun::statement(uint32_t thread, program::FunctionId function, uint32_t) {
  if (!machine_.code().program().functions[function].runtime) user_code_[thread] = true;
}

/// The thread stands before an atomic operation of the program, or before the first visible operation of a call.
bool CoarseRun::at_point(uint32_t thread) {
  Pending pending = machine_.pending(thread);
  if (pending.kind == Pending::Kind::None || pending.kind == Pending::Kind::Unknown || pending.function == program::kNone)
    return false;
  const program::Program& program = machine_.code().program();
  if (!program.functions[pending.function].runtime) return pending.kind == Pending::Kind::Access && pending.atomic;
  bool synchronises = pending.kind == Pending::Kind::Await || pending.kind == Pending::Kind::AtomicBegin ||
                      pending.kind == Pending::Kind::Yield;
  if (!synchronises || !user_code_[thread]) return false;
  for (uint32_t frame = machine_.frame_count(thread); frame-- > 0;) {
    const program::Function& function = program.functions[machine_.frame(thread, frame).function];
    if (!function.runtime) break;
    if (kCalls.contains(function.name)) return true;
  }
  return false;
}

bool CoarseRun::finished() {
  const Pause& pause = machine_.pause();
  switch (pause.kind) {
    case PauseKind::Halted: end_ = pause.aborted ? "abort" : "exit " + std::to_string(pause.status); return true;
    case PauseKind::Violation:
      end_ = pause.violation.property == verdict::Property::NoDataRace ? "data race" : "abort";
      return true;
    case PauseKind::Cut: end_ = "cut: " + pause.reason; return true;
    case PauseKind::Pruned: end_ = "pruned"; return true;
    case PauseKind::Budget: end_ = "too long"; return true;
    default: return false;
  }
}

/// One visible operation. False: the run has ended.
bool CoarseRun::advance(uint32_t thread) {
  if (begun_[thread])
    machine_.schedule(thread);
  else
    machine_.approach(thread);
  begun_[thread] = true;
  while (machine_.pause().kind == PauseKind::Input) machine_.provide(0);
  return !finished();
}

void CoarseRun::run(const Choice& choose) {
  for (;;) {
    std::vector<uint32_t> numbers, names;
    uint32_t alive = 0;
    for (uint32_t t = 0; t < machine_.thread_count(); ++t) {
      alive += machine_.alive(t) ? 1 : 0;
      if (!machine_.enabled(t)) continue;
      numbers.push_back(t);
      names.push_back(machine_.ordinal(t));
    }
    if (numbers.empty()) {
      end_ = "deadlock";
      return;
    }
    uint32_t thread = numbers[0];
    if (alive > 1) {
      uint32_t name = choose(names);
      schedule_.push_back(name);
      for (size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) thread = numbers[i];
    }
    bool first = true;
    do {
      if (first && begun_[thread]) user_code_[thread] = false;
      first = false;
      if (!advance(thread)) return;
    } while (machine_.alive(thread) && !at_point(thread) && machine_.enabled(thread));
  }
}

}  // namespace whittle::native
