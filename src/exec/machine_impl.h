// The working state of a machine and everything that moves it. Each .cpp file holds one concern:
//
//   interpreter.cpp   the loop over instructions
//   access.cpp        loads and stores: bounds, lifetimes, alignment, initialisation, visibility
//   statements.cpp    all other statements; memory_statements.cpp those about objects and their bytes
//   threads.cpp       scheduling, threads, pending operations, deadlock
//   races.h           which accesses happens-before orders; access.cpp tells it of them
//   reach.cpp         what pointers reach: escape, leaks, reuse of addresses
//   state.cpp         save and load
//   footprint.cpp     reads and writes in bytes of a state; cells.cpp where these are
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/cells.h"
#include "exec/instruction.h"
#include "exec/machine.h"
#include "exec/memory.h"
#include "exec/races.h"
#include "exec/state.h"
#include "exec/thread_word.h"

namespace whittle::exec {

struct Frame {
  const FunctionCode* code = nullptr;
  uint32_t base = 0;     ///< first slot
  uint32_t call = 0;     ///< of a caller: the call site it waits at
  uint32_t objects = 0;  ///< live stack objects
};

struct Thread {
  bool alive = false;
  uint32_t depth = 0;     ///< of atomic regions
  uint32_t location = 0;  ///< where the innermost frame stands, while the thread does not run
  std::vector<Frame> frames;
  std::vector<uint64_t> slots;
  Bytes encoded;  ///< its part of a state, if clean
  bool clean = false;
  bool counted = true;  ///< the frames know their objects
};

/// What a statement does with the thread that executes it.
enum class Outcome : uint8_t { Next, Paused, Reload };

/// Where an access goes.
struct Target {
  uint8_t* bytes = nullptr;
  DynamicObject* dynamic = nullptr;  ///< null: static
  uint32_t offset = 0;               ///< in the object
  bool shared = false;               ///< other threads may reach it
};

/// A register or a piece of memory that a step touched, before it is translated to bytes of a state.
struct Touch {
  bool is_register = false;
  uint32_t thread = 0, frame = 0, reg = 0;
  uint64_t address = 0, size = 0;
};

enum class Mode : uint8_t { Scheduling, Input, InputToken, Budget, BudgetToken, Final };

class MachineImpl {
 public:
  explicit MachineImpl(std::shared_ptr<const Code> code);

  // threads.cpp
  void reset();
  void run(uint32_t thread, bool token);
  const Pause& schedule(uint32_t thread);
  const Pause& approach(uint32_t thread);
  const Pause& provide(u128 value);
  const Pause& resume();
  void yield_here();
  bool enabled(uint32_t thread);
  bool stops_when_peeking(const Thread& t, const program::Statement& s) const;
  bool deadlocked();
  Pending peek(uint32_t thread);
  verdict::Violation deadlock_violation();
  void update_watch();

  // interpreter.cpp
  void interpret(uint32_t thread);
  bool push_frame(Thread& t, uint32_t call, const FunctionCode& callee);

  // access.cpp
  /// Finds the object and checks bounds, lifetime, alignment and constness. Null bytes: the path ended.
  DynamicObject* stray_page(uint64_t address, uint64_t size);
  Target resolve(uint64_t address, uint64_t size, bool write, unsigned align, const FunctionCode& f, uint32_t edge);
  bool load(const FunctionCode& f, uint32_t word, uint64_t address, unsigned size, uint64_t& value);
  bool store(const FunctionCode& f, uint32_t word, uint64_t address, unsigned size, uint64_t value);
  bool load_static(const FunctionCode& f, uint32_t word, unsigned size);
  bool before_store_static(const FunctionCode& f, uint32_t word, unsigned size);
  void after_store_static(const FunctionCode& f, uint32_t word, unsigned size);
  bool is_observed(const Pending::Range* ranges, unsigned count) const;
  /// The last word on whether an access may happen now. False: the thread pauses before it.
  bool admit(Pending::Kind kind, const Pending::Range* ranges, unsigned count, bool atomic, bool shared,
             const FunctionCode& f, uint32_t edge);
  /// Tells the race state of an access that is done now, atomic also if the thread is in a region. False: it races with
  /// an earlier one, and the path ended.
  bool note_access(Access access, const FunctionCode& f, uint32_t edge);
  void report_race(const Access& access, const AccessSite& earlier, const FunctionCode& f, uint32_t edge);
  std::string name_at(uint64_t address) const;
  bool reachable_by_others(uint64_t address) const;
  bool may_race_later(uint64_t address) const;  ///< must an access there be remembered?
  /// False: bytes of the target have no value yet, an Input pause asks for some of them.
  bool require_initialised(const Target& target, uint64_t size, const FunctionCode& f, uint32_t edge);
  void wrote(const Target& target, uint64_t size);

  // statements.cpp
  Outcome execute(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome execute_memory(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome execute_object(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome thread_local_copy(const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome execute_thread(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome copy(const FunctionCode& f, const SlowStatement& s, const uint64_t* r);
  Outcome fill(const FunctionCode& f, const SlowStatement& s, const uint64_t* r);
  Outcome wide_access(const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome update(const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome await(Thread& t, const FunctionCode& f, const SlowStatement& s, const uint64_t* r);
  Outcome allocate(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome freed(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  bool can_take(const DynamicObject& ended, uint64_t size) const;
  Outcome free_heap(const FunctionCode& f, const SlowStatement& s, const uint64_t* r);
  Outcome spawn(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome call_indirect(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome output(const FunctionCode& f, const SlowStatement& s, const uint64_t* r);
  Outcome nondet(const FunctionCode& f, const SlowStatement& s, uint64_t* r);
  Outcome leave_function(Thread& t, const FunctionCode& f, uint32_t edge, u128 value);
  void fail(verdict::Property property, std::string message, const FunctionCode& f, uint32_t edge);
  void leaked(verdict::Property property, std::string_view how, const DynamicObject& object, const FunctionCode& f,
              uint32_t edge);
  /// The statement itself, or if it is part of a model: where the user's code called the model.
  struct EdgeRef {
    const FunctionCode* function;
    uint32_t edge;
  };
  EdgeRef user_site(const FunctionCode& f, uint32_t edge) const;
  void check_failed(const FunctionCode& f, uint32_t edge);
  void cut(std::string reason, const FunctionCode& f, uint32_t edge);
  void stop(PauseKind kind, const FunctionCode& f, uint32_t edge);
  void clear_pause();
  void halt(int32_t status, bool aborted, const FunctionCode& f, uint32_t edge);
  void end_thread(Thread& t, const FunctionCode& f, uint32_t edge);
  void end_object(DynamicObject& object);
  void end_frame_objects(uint32_t thread, uint32_t frame, uint32_t from_sequence);
  /// The object in which an address lies, or one that begins or ends near it: what a bad pointer was meant for.
  std::optional<ObjectInfo> nearest(uint64_t address) const;
  std::string describe(uint64_t address, uint64_t size, bool write) const;
  std::string name_of(const DynamicObject& object) const;

  // reach.cpp
  void escape(uint64_t value);
  void escape_from_statics();
  bool hidden(const DynamicObject& object) const;  ///< from the active thread: its owner is another one
  void scan_stored(const Target& target, uint64_t size);
  void collect();
  std::vector<const DynamicObject*> unreachable_heap() const;
  /// The lowest number that no thread has and no word of the state names (thread_word).
  std::optional<uint32_t> free_number() const;
  template <typename Visit>
  void for_each_word(Visit visit) const;
  template <typename Visit>
  void for_each_reference(Visit visit) const;

  // state.cpp
  void encode_thread(Thread& t);
  void encode_objects();
  void encode_large();
  void load_large(Reader& in);
  // Those that decode say whether encoding will give the same bytes: not if a search set bytes to zero that it took
  // for dead.
  bool decode_large(Reader& in);
  uint32_t ordinal(uint32_t thread) const { return ordinals.empty() ? thread : ordinals[thread]; }
  size_t thread_limit() const;  ///< numbers from here on are not alive
  void decode_thread(Thread& t);
  void load_objects(Reader in);
  bool decode_objects(Reader in);
  void count_objects(uint32_t thread);
  void restore_pause(uint8_t kind);
  std::span<const uint8_t> save();
  void load_state(std::span<const uint8_t> state);

  void split(std::span<const uint8_t> state, StateParts& parts) const;
  void record(const Pending::Range& range);

  // footprint.cpp
  void begin_footprint();
  void touch_statement(uint32_t thread, const FunctionCode& f, uint32_t edge);
  void touch_register(bool write, uint32_t thread, uint32_t frame, uint32_t reg);
  void touch_memory(bool write, uint64_t address, uint64_t size);
  void withdraw();
  void touch_pop(uint32_t thread);
  void touch_everything();
  const std::vector<program::RegisterId>& registers_read(const FunctionCode& f, uint32_t edge);
  const machine::Footprint& footprint();
  void make_footprint_key(uint32_t after_shape);
  void translate(const Shape& old, const Shape& now);
  uint32_t shape();  ///< of the current state; 0: it has no number
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead);

  u128 get(const uint64_t* r, SlotRef p) const {
    return p.width > 64 ? u128{r[p.slot + 1]} << 64 | r[p.slot] : u128{r[p.slot]};
  }
  void put(uint64_t* r, SlotRef p, u128 v) const {
    v &= mask128(p.width);
    r[p.slot] = static_cast<uint64_t>(v);
    if (p.width > 64) r[p.slot + 1] = static_cast<uint64_t>(v >> 64);
  }
  const program::Edge& edge_at(const FunctionCode& f, uint32_t edge) const { return f.function->edges[edge]; }
  /// The only edge that leaves the location where a thread stands, or null.
  const program::Edge* pending_edge(const Thread& t) const;
  const Layout& layout_of(const Thread& t, size_t frame) const;

  std::shared_ptr<const Code> owner;
  const CodeImpl& code;
  Memory memory;
  std::vector<Thread> threads;
  uint32_t alive_count = 0;
  size_t used_threads = 1;         ///< numbers from here on were never alive (in this machine's life)
  std::vector<uint32_t> ordinals;  ///< by number: see Machine::ordinal; empty after load_state()
  uint32_t started = 0;            ///< threads beside main, since reset()
  Mode mode = Mode::Scheduling;
  uint32_t active = 0;  ///< the thread that runs or ran last
  bool token = false;   ///< the running thread may do one visible operation
  bool watch = false;   ///< accesses must go through admit()
  bool peeking = false;
  std::vector<Pending::Range> observed;  ///< see Machine::set_observed
  Pause pause;
  Pending pending;           ///< set by admit() when it says no
  bool await_holds = false;  ///< set when peeking at an Await
  bool has_input = false;
  u128 input_value = 0;
  uint64_t input_address = 0;  ///< Input is for memory: these bytes of a dynamic object (0: for a register)
  uint32_t input_size = 0;
  uint64_t budget = UINT64_MAX;
  int64_t budget_left = 0;
  uint64_t statements = 0;
  RaceState races;  ///< used only if CodeImpl::check_races
  Machine::Sink sink;
  Listener* listener = nullptr;
  Placement* placement = nullptr;
  bool strays = false;  ///< pointers may lead to memory of no object
  Listener* holder = nullptr;  ///< the listener, also while a statement is asked again: see Listener::references
  std::vector<Pending::Range>* access_log = nullptr;
  Recording* recording = nullptr;
  Bytes state;                     ///< what save() wrote last
  std::span<const uint8_t> saved;  ///< the current state, in `state`; empty: to be written
  // Parts of states as they were written or read last, so that only what changed is written or read again.
  Bytes objects_encoded;             ///< dynamic objects, unless memory.changed()
  Bytes large_encoded;               ///< large static objects ...
  std::vector<uint8_t> large_image;  ///< ... with this contents
  bool large_known = false;          ///< large_image is what memory has

  bool footprints = false;
  bool footprint_ready = false;
  std::vector<uint8_t> before;  ///< the state before the step
  std::vector<Touch> reads, writes;
  size_t writes_before_statement = 0;
  bool unannounced = false;          ///< Budget pause at a place that was not announced to listeners
  std::vector<uint32_t> old_frames;  ///< by thread: frames that are still those of the state before
  ShapeTable shapes{code, memory};
  bool shape_known = false;  ///< saved_shape is that of `saved`
  uint32_t saved_shape = 0, before_shape = 0;
  FootprintTable footprint_table;
  std::vector<uint64_t> footprint_key;
  std::unordered_map<uint64_t, std::vector<program::RegisterId>> edge_reads;  ///< by function and edge
  machine::Footprint translated;
  const machine::Footprint* result = nullptr;
};

}  // namespace whittle::exec
