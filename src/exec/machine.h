// The concrete machine: runs a compiled program thread by thread, from one visible operation to the next.
//
//   exec::Machine machine(code);
//   machine.reset();
//   const exec::Pause* pause = &machine.pause();
//   while (!pause->final()) {
//     if (pause->kind == PauseKind::Input) pause = &machine.provide(0);
//     else if (pause->kind == PauseKind::Budget) pause = &machine.resume();
//     else pause = &machine.schedule(first thread with machine.enabled(t));   // none: machine.deadlocked()
//   }
//
// schedule(t) does the visible operation that t stands before and goes on with t, without pause, until t stands before
// its next one. A new thread does its first visible operation the first time it is scheduled.
//
// What is visible (only while more than one thread is alive): Load, Store, Copy, Fill, Output, atomics on an object that
// another thread could reach; Await; AtomicBegin; Spawn; Yield; the end of an object that another thread could reach;
// an assumption that does not hold.
// Objects on stacks and heap are out of reach of others until a pointer to them is stored where others can see it or
// handed to Spawn. Nothing is visible inside an atomic region, but an Await that does not hold releases the region
// while it waits.
//
// Undefined behaviour that the specification does not ask about ends the path with Cut, except that signed overflow
// wraps around and failed lock-discipline checks are passed over (docs/machine.md has the table).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/int128.h"
#include "exec/pause.h"
#include "exec/state_bytes.h"
#include "exec/view.h"

namespace whittle::exec {

/// Sees every statement before it is executed. Running with a listener is slower.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void statement(uint32_t thread, program::FunctionId function, uint32_t edge) = 0;
  /// The thread paused before the statement announced last: it is not executed now and will be announced again.
  virtual void withdrawn(uint32_t thread) { (void)thread; }
  /// Tells addresses that may still be used although no cell of the machine holds them: those of objects that ended are
  /// not given to new ones.
  virtual void references(const std::function<void(uint64_t address)>& visit) { (void)visit; }
  /// The statement announced last was executed: its effects can be looked at. Only observers of a SymbolicMachine hear
  /// it.
  virtual void executed(uint32_t thread, program::FunctionId function, uint32_t edge) {
    (void)thread, (void)function, (void)edge;
  }
};

/// Decides where objects are put that StackAlloc and HeapAlloc make. Not part of states: for runs that are not saved.
class Placement {
 public:
  virtual ~Placement() = default;
  /// For the statement that the thread executes now: an address in Machine::area(), a multiple of 64 and of the
  /// alignment asked for, where nothing lives; a Cut otherwise. 0: the machine chooses.
  virtual uint64_t place(uint32_t thread, program::FunctionId function, uint32_t edge, uint64_t size) = 0;
};

/// A thread that does so many statements without a visible operation may never do one: time to yield_here().
inline constexpr uint64_t kPatience = 100'000;

class Machine : public View {
 public:
  explicit Machine(std::shared_ptr<const Code> code);
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  // Running
  void reset();
  const Pause& schedule(uint32_t thread);  ///< requires a scheduling pause and enabled(thread)
  /// A thread that was never scheduled runs up to its first visible operation, which it does when it is scheduled:
  /// no thread can tell, but pending() and enabled() know more. The pauses on the way are those of schedule().
  const Pause& approach(uint32_t thread);
  const Pause& provide(u128 value);  ///< requires an Input pause; value is cut to its width
  const Pause& resume();             ///< requires a Budget pause
  /// At a Budget pause outside atomic regions, with others alive: makes it a scheduling point, so that a thread that
  /// runs on forever without a visible operation does not keep others from running. Elsewhere nothing happens.
  void yield_here();
  /// For each call of schedule, provide, resume; default: unlimited. 1: a pause after every statement, but none in
  /// atomic regions of less than kPatience statements.
  void set_budget(uint64_t statements);

  // What can happen next
  bool enabled(uint32_t thread);     ///< could be scheduled and make progress now (an Await is evaluated)
  bool deadlocked();                 ///< a scheduling pause, no thread enabled, some alive
  Pending pending(uint32_t thread);  ///< what it will do when scheduled; requires a scheduling pause
  verdict::Violation deadlock_violation();  ///< who waits where; requires deadlocked()

  // States. Equal histories give equal bytes; save, load and going on is the same as going on.
  std::span<const uint8_t> save();            ///< valid until the next non-const call
  void load(std::span<const uint8_t> state);  ///< of a machine with the same code
  StateBytes bytes() const;                   ///< of save()

  // Changing what is inside, between two steps (symbolic.h)
  void set_register(uint32_t thread, uint32_t frame, program::RegisterId reg, u128 value);
  bool write_memory(uint64_t address, std::span<const uint8_t> bytes);  ///< false if not inside one live object
  void expose(uint64_t address);  ///< others may reach the object there, and what it points to

  // Surroundings
  using Sink = std::function<void(int descriptor, std::span<const uint8_t> bytes)>;
  void set_output(Sink sink);                ///< default: output is dropped
  void set_listener(Listener* listener);     ///< null: none
  void set_placement(Placement* placement);  ///< null: the machine chooses addresses
  /// Writes to these parts of memory are visible even if only one thread is alive: someone else looks at them.
  void set_observed(std::span<const Pending::Range> ranges);
  /// Accesses to memory that other threads could reach, or could reach while there were others, are appended here as
  /// they are done, in atomic regions too. Null: nowhere.
  void set_access_log(std::vector<Pending::Range>* log);
};

}  // namespace whittle::exec
