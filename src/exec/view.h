// A machine's present state, for reading: threads, frames, registers and memory.
//
//   void show(const exec::View& state);   // show(machine)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/int128.h"
#include "exec/code.h"
#include "exec/pause.h"
#include "program/program.h"

namespace whittle::exec {

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
};

class MachineImpl;

class View {
 public:
  const Code& code() const;
  const Pause& pause() const;   ///< where the machine stands now
  uint64_t statements() const;  ///< executed since construction

  // Threads
  uint32_t thread_count() const;  ///< numbers below it may be alive; those of ended threads may come again
  bool alive(uint32_t thread) const;
  /// How many threads were started before it, main included: the number for people, as no two threads share it. Only if
  /// all of the run is known, that is, nothing was loaded since reset(); else the number itself.
  uint32_t ordinal(uint32_t thread) const;
  bool in_atomic_region(uint32_t thread) const;
  uint32_t frame_count(uint32_t thread) const;
  FramePosition frame(uint32_t thread, uint32_t index) const;  ///< 0 is the outermost
  u128 register_value(uint32_t thread, uint32_t frame, program::RegisterId reg) const;
  u128 evaluate(uint32_t thread, uint32_t frame, term::Term term) const;  ///< over the registers of that frame

  // Memory
  std::optional<ObjectInfo> object_at(uint64_t address) const;         ///< alive or recently ended
  std::optional<ObjectInfo> object_near(uint64_t address) const;       ///< that one, or one that begins or ends near it
  std::string object_name(uint64_t address) const;  ///< of that one, as people know it: "heap object of 12 bytes"
  bool initialised(uint64_t address, uint64_t size) const;             ///< all of it, inside one live object
  /// Of a byte without a value: the other bytes that have the same, being copies of it or of what it is a copy of.
  std::vector<uint64_t> copies(uint64_t address) const;
  /// Of a byte without a value: where the value was first that it will have. Itself, if it is no copy.
  uint64_t copied_from(uint64_t address) const;
  bool read_memory(uint64_t address, std::span<uint8_t> bytes) const;  ///< false if not inside one live object
  uint64_t thread_local_address(uint32_t thread, program::ObjectId object) const;  ///< whether or not it exists already
  struct Area {
    uint64_t begin = 0, end = 0;
  };
  /// Where the thread's objects of a kind are (Stack, Heap; those that are thread-local have the begin of Stack).
  Area area(uint32_t thread, ObjectInfo::Kind kind) const;
  bool hides_objects() const;       ///< several threads are alive, and some object is out of reach of others
  bool remembers_accesses() const;  ///< no-data-race is checked, and a later access could race with one done so far

  /// Where threads stand and which objects there are, as bytes: all of the state but registers and contents of memory.
  void control(std::vector<uint8_t>& into) const;

 protected:
  explicit View(std::unique_ptr<MachineImpl> impl);
  ~View();
  View(View&&) noexcept;
  View& operator=(View&&) noexcept;

  std::unique_ptr<MachineImpl> impl_;
};

}  // namespace whittle::exec
