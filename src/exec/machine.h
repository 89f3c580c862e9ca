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
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/int128.h"
#include "exec/code.h"
#include "exec/recording.h"
#include "machine/machine.h"
#include "program/program.h"
#include "verdict/verdict.h"

namespace whittle::exec {

enum class PauseKind : uint8_t {
  Visible,      ///< a scheduling point: the last thread stands before a visible operation (or, after reset, nothing ran
                ///< yet)
  Blocked,      ///< a scheduling point: the last thread stands at an Await that does not hold
  ThreadEnded,  ///< a scheduling point: the last thread ended, others are alive
  Input,        ///< a nondeterministic value is needed: provide() it
  Budget,       ///< the statement budget is used up: resume()
  Halted,       ///< the program ended
  Violation,    ///< a property of the specification is violated
  Cut,          ///< the path cannot be followed: unsupported construct, limit, undefined behaviour not checked
  Pruned,       ///< an assumption failed: this is no behaviour of the program
};

struct Pause {
  PauseKind kind = PauseKind::Visible;
  uint32_t thread = 0;               ///< the one that ran last
  program::SourcePosition position;  ///< of the statement the thread stands before, or that ended the path

  unsigned width = 0;   ///< Input: bits wanted
  bool input = false;   ///< Input: the program asked for it (else: uninitialised storage and the like)
  std::string origin;   ///< Input: "__VERIFIER_nondet_int", "uninitialised buf", ...
  uint64_t memory = 0;  ///< Input: address of the bytes without a value that it is for; 0: it is for a register

  int32_t status = 0;            ///< Halted: exit status
  bool aborted = false;          ///< Halted: by abort
  std::string reason;            ///< Cut: why
  bool undefined = false;        ///< Cut: by undefined behaviour that is not asked about
  verdict::Violation violation;  ///< Violation

  bool final() const { return kind >= PauseKind::Halted; }
  bool scheduling() const { return kind <= PauseKind::ThreadEnded; }
};

/// The visible operation a thread stands before.
struct Pending {
  enum class Kind : uint8_t {
    None,         ///< ended
    Unknown,      ///< not yet run up to its first visible operation
    Access,       ///< Load, Store, Copy, Fill, AtomicRmw, AtomicCas, Output: see ranges
    Await,        ///< ranges[0] is read, then an atomic region begins
    AtomicBegin,  ///< anything may be touched
    Spawn,
    Yield,
    Free,  ///< ends the object(s): ranges[0] is the object, or everything if its size is 0
  };
  struct Range {
    uint64_t address = 0;
    uint64_t size = 0;
    bool read = false;
    bool write = false;
    /// In an access log: the statement.
    program::FunctionId function = program::kNone;
    uint32_t edge = program::kNone;
    bool region = false;  ///< ... done inside an atomic region
  };
  Kind kind = Kind::None;
  bool atomic = false;  ///< an atomic access: never part of a data race with another atomic one
  uint8_t range_count = 0;
  Range ranges[2];
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;  ///< of that function
};

/// Where a frame of a thread stands.
struct FramePosition {
  program::FunctionId function = program::kNone;
  program::LocationId location = program::kNone;  ///< of a caller: where the pending Call leaves from
};

/// A memory object, static or dynamic.
struct ObjectInfo {
  uint64_t address = 0;
  uint64_t size = 0;
  enum class Kind : uint8_t { Static, ThreadLocal, Stack, Heap } kind = Kind::Static;
  bool alive = true;
  bool constant = false;
  std::string name;  ///< as people know it; of the heap: "heap object of 12 bytes"
};

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

class MachineImpl;

class Machine {
 public:
  explicit Machine(std::shared_ptr<const Code> code);
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  const Code& code() const;

  // Running
  void reset();
  const Pause& pause() const;              ///< where the machine stands now
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
  /// Writes to these parts of memory are visible even if only one thread is alive: someone else looks at them.
  void set_observed(std::span<const Pending::Range> ranges);
  uint64_t statements() const;  ///< executed since construction

  // States. Equal histories give equal bytes; save, load and going on is the same as going on.
  std::span<const uint8_t> save();            ///< valid until the next non-const call
  void load(std::span<const uint8_t> state);  ///< of a machine with the same code

  // Threads
  uint32_t thread_count() const;  ///< numbers below it may be alive; those of ended threads may come again
  bool alive(uint32_t thread) const;
  /// How many threads were started before it, main included: the number for people, as no two threads share it. Only if
  /// all of the run is known, that is, nothing was loaded since reset(); else the number itself.
  uint32_t ordinal(uint32_t thread) const;
  bool in_atomic_region(uint32_t thread) const;
  bool enabled(uint32_t thread);     ///< could be scheduled and make progress now (an Await is evaluated)
  bool deadlocked();                 ///< a scheduling pause, no thread enabled, some alive
  Pending pending(uint32_t thread);  ///< what it will do when scheduled; requires a scheduling pause
  verdict::Violation deadlock_violation();  ///< who waits where; requires deadlocked()

  // Looking inside
  uint32_t frame_count(uint32_t thread) const;
  FramePosition frame(uint32_t thread, uint32_t index) const;  ///< 0 is the outermost
  u128 register_value(uint32_t thread, uint32_t frame, program::RegisterId reg) const;
  u128 evaluate(uint32_t thread, uint32_t frame, term::Term term) const;  ///< over the registers of that frame
  std::optional<ObjectInfo> object_at(uint64_t address) const;            ///< alive or recently ended
  bool initialised(uint64_t address, uint64_t size) const;                ///< all of it, inside one live object
  bool read_memory(uint64_t address, std::span<uint8_t> bytes) const;     ///< false if not inside one live object
  uint64_t thread_local_address(uint32_t thread, program::ObjectId object) const;  ///< whether or not it exists already
  bool remembers_accesses() const;  ///< no-data-race is checked, and a later access could race with one done so far
  struct Area {
    uint64_t begin = 0, end = 0;
  };
  /// Where the thread's objects of a kind are (Stack, Heap; those that are thread-local have the begin of Stack).
  Area area(uint32_t thread, ObjectInfo::Kind kind) const;
  bool hides_objects() const;  ///< several threads are alive, and some object is out of reach of others

  /// Where threads stand and which objects there are, as bytes: all of the state but registers and contents of memory.
  void control(std::vector<uint8_t>& into) const;

  // Changing what is inside, between two steps (symbolic.h)
  void set_register(uint32_t thread, uint32_t frame, program::RegisterId reg, u128 value);
  bool write_memory(uint64_t address, std::span<const uint8_t> bytes);  ///< false if not inside one live object
  void expose(uint64_t address);  ///< others may reach the object there, and what it points to

  // For reductions (machine::Machine): in bytes of save()
  void trace_footprints(bool on);
  const machine::Footprint& footprint();  ///< of the last call of schedule / provide / resume
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead);
  uint32_t cells_number();  ///< see machine::Machine
  /// Where in save() a part of a static object is; nothing if it is not part of states (constant, never written).
  std::optional<machine::ByteRange> saved_range(uint64_t address, uint64_t size) const;

  // For repeating steps (recording.h)
  void set_recording(Recording* recording);  ///< of each schedule(); null: none
  void split(std::span<const uint8_t> state, StateParts& parts) const;
  uint32_t fixed_end() const;  ///< up to here, states have static objects in full, at places that never change

  // Surroundings
  using Sink = std::function<void(int descriptor, std::span<const uint8_t> bytes)>;
  void set_output(Sink sink);                ///< default: output is dropped
  void set_listener(Listener* listener);     ///< null: none
  void set_placement(Placement* placement);  ///< null: the machine chooses addresses
  /// Accesses to memory that other threads could reach, or could reach while there were others, are appended here as
  /// they are done, in atomic regions too. Null: nowhere.
  void set_access_log(std::vector<Pending::Range>* log);

 private:
  std::unique_ptr<MachineImpl> impl_;
};

}  // namespace whittle::exec
