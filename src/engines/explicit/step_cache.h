// Steps of threads that were made before, made again without running the program.
//
// What a thread does between two scheduling points depends on its own frames, on the dynamic objects, and on the few
// bytes of static memory that it reads on the way; other threads have no part in it. A program with a million states
// has perhaps a few thousand different such steps. Each is run once by the concrete machine, which records what it read
// and wrote (exec/recording.h), and is kept as a branch of a decision tree: "at this place, with this value at this
// offset,
// ..., write these bytes and stand there". Everything that does not fit is left to the machine: steps that touch large
// or write dynamic objects, start or end threads, ask for inputs, or go wrong.
//
// So that such a step is a matter of a few bytes, a state with several threads at a scheduling point is written with
// numbers in place of the parts of threads, of the dynamic objects, and of large static objects (which such steps never
// touch):
//
//   kind, threads (1 byte each), objects, for each thread its part (kEnded if not alive), large objects, static memory
//
// Numbers take two bytes if all of them fit, else four: the fewer words a state has, the faster it is stored. If large
// objects take too many different values to be numbered, they stand after the rest of static memory instead. All other
// states are written as the concrete machine does.
//
//   cache.set(machine.save());                   // the current state, from the machine,
//   cache.load(bytes);                           // ... or as bytes() gave it
//   uint32_t entry = cache.entry(thread);        // kNone: not seen there before; make_entry() with the machine there
//   switch (cache.step(thread, entry)) ...       // Unknown: let the machine do it, then learn()
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engines/explicit/part_table.h"
#include "engines/explicit/private_steps.h"
#include "exec/machine.h"
#include "exec/recording.h"

namespace whittle::engines::explicit_ {

/// Where all frames of a thread stand, hashed.
uint64_t location_of(const exec::View& machine, uint32_t thread);

/// The parts of states that have numbers. Machines that share them write equal states with equal bytes.
struct PartNumbers {
  PartTable threads, objects, large;
  uint64_t bytes() const { return threads.bytes() + objects.bytes() + large.bytes(); }
};

class StepCache {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  StepCache(exec::Machine& machine, PrivateSteps& private_steps, std::shared_ptr<PartNumbers> numbers)
      : machine_(machine), private_(private_steps), numbers_of_(std::move(numbers)) {
    clear();
  }

  // The current state
  void set(std::span<const uint8_t> machine_state);
  void load(std::span<const uint8_t> bytes);
  std::span<const uint8_t> bytes() const { return {now_->bytes.data(), now_->size}; }
  /// As the machine writes it. Valid until the next call.
  std::span<const uint8_t> machine_state();
  /// A scheduling point with several threads alive: the only states where steps are looked up.
  bool applies() const { return now_->numbered; }
  // These require applies().
  uint32_t thread_count() const { return now_->thread_count; }
  bool alive(uint32_t thread) const { return part_of(*now_, thread) != kEnded; }
  /// The threads to choose from, if they were found already.
  struct Threads {
    std::array<uint32_t, 65> list;
    uint32_t count = 0;
  };
  Threads& threads() { return now_->threads; }
  bool& threads_known() { return now_->threads_known; }

  /// What is the same wherever a thread stands like this, with these dynamic objects.
  struct Entry {
    uint32_t thread = 0, part = 0, objects = 0;
    uint32_t steps = 0;     ///< decision tree; 0: nothing known
    uint32_t waiting = 0;   ///< likewise, for whether it can go on
    bool waits = false;     ///< stands at an Await
    uint64_t location = 0;  ///< of all its frames, hashed
    std::optional<PrivateSteps::Candidate> step;
    const program::analysis::Access* rest = nullptr;
    std::vector<const program::analysis::Access*> open;  ///< by mutex
  };
  uint32_t entry(uint32_t thread) {
    Snapshot& s = *now_;
    if (s.entries[thread] == kNone) s.entries[thread] = find_entry(thread);
    return s.entries[thread];
  }
  /// Four bytes of static memory, by their place in states of the machine.
  uint32_t word_at(machine::ByteRange bytes) const {
    uint32_t word;
    std::memcpy(&word, now_->bytes.data() + now_->statics + bytes.begin - kMachineHeader, sizeof word);
    return word;
  }
  /// Requires that the machine is in the current state.
  uint32_t make_entry(uint32_t thread);
  const Entry& operator[](uint32_t entry) const { return entries_[entry]; }

  /// Can the thread go on? Nothing if only the machine can tell.
  std::optional<bool> enabled(uint32_t entry);
  /// The machine, in the current state, says so.
  void learn_enabled(uint32_t entry, bool enabled);

  enum class Answer : uint8_t { Unknown, Moved, Pruned };
  /// Moved: the current state is now the successor. Otherwise it is what it was.
  Answer step(uint32_t thread, uint32_t entry);
  /// What the machine did in the current state. It moved to `after`, a scheduling point and now the current state; or
  /// the step was pruned and `after` is empty.
  void learn(uint32_t thread, uint32_t entry, const exec::Recording& recording, std::span<const uint8_t> after);
  /// So few steps came again that it is not worth the trouble to record them.
  bool useless() const { return misses_ > 50'000 && misses_ > hits_; }

  /// Memory that bytes() of states refer to.
  uint64_t shared_bytes() const { return numbers_of_->bytes(); }

 private:
  // First byte: what is below kNarrow is written by the machine.
  static constexpr uint8_t kNarrow = 0x80, kWide = 0x81, kInline = 0x40;
  static constexpr uint32_t kHeader = 2, kMachineHeader = 2;
  static constexpr uint32_t kNarrowEnd = 0xffff;  ///< numbers from here on need four bytes
  static constexpr uint32_t kMostLarge = 4096, kLongestLarge = 256;
  static constexpr uint32_t kMostThreads = 65;  ///< of the machine
  static constexpr uint32_t kEnded = ~uint32_t{0};

  struct Snapshot {
    std::vector<uint8_t> bytes;  ///< with room after
    uint32_t size = 0;
    bool numbered = false;
    bool narrow = false;
    bool inlined = false;  ///< large static objects stand in static memory
    uint32_t thread_count = 0;
    uint32_t statics = 0;                        ///< where static memory begins
    std::array<uint32_t, kMostThreads> entries;  ///< by thread, if looked up
    Threads threads;
    bool threads_known = false;
  };
  enum class Kind : uint8_t { Read, Moved, Pruned, Yes, No };
  struct Node {
    Kind kind = Kind::Read;
    uint8_t size = 0;                    ///< Read
    bool scan = false;                   ///< Moved: pointers to objects that others cannot reach may be written
    uint32_t offset = 0;                 ///< Read: in static memory
    uint32_t next = 0;                   ///< Moved: entry of the thread then
    uint32_t writes = 0, write_end = 0;  ///< Moved
    // Read: its first children, so that most nodes need no table.
    uint32_t first[2] = {0, 0};
    uint64_t first_value[2] = {0, 0};
  };
  struct Write {
    uint32_t offset;  ///< in static memory
    uint32_t size;
    uint64_t value;
  };
  struct Child {
    uint64_t value = 0;
    uint32_t node = 0;
    uint32_t child = 0;  ///< 0: free
  };

  static uint32_t number_at(const Snapshot& s, uint32_t index) {
    if (s.narrow) {
      uint16_t number;
      std::memcpy(&number, s.bytes.data() + kHeader + 2 * index, 2);
      return number == kNarrowEnd ? kEnded : number;
    }
    uint32_t number;
    std::memcpy(&number, s.bytes.data() + kHeader + 4 * index, 4);
    return number;
  }
  static uint32_t objects_of(const Snapshot& s) { return number_at(s, 0); }
  static uint32_t part_of(const Snapshot& s, uint32_t thread) { return number_at(s, 1 + thread); }
  static uint32_t large_of(const Snapshot& s) { return s.inlined ? kNone : number_at(s, 1 + s.thread_count); }

  void clear();
  void start(Snapshot& s, size_t size);
  static void set_threads(Snapshot& s, uint32_t count);
  void write(Snapshot& s, uint32_t large, std::span<const uint8_t> statics);
  void place(std::span<const uint8_t> machine_state);
  static uint64_t hash(uint32_t thread, uint32_t part, uint32_t objects);
  uint32_t find_entry(uint32_t thread) const;
  void add_to_index(uint32_t id);
  [[gnu::always_inline]] uint64_t value_at(const Node& node) const;
  uint32_t follow(uint32_t node) const;
  [[gnu::always_inline]] uint32_t find_child(uint32_t node, uint64_t value) const;
  uint32_t find_in_table(uint32_t node, uint64_t value) const;
  void add_child(uint32_t node, uint64_t value, uint32_t child);
  void add_to_table(uint32_t node, uint64_t value, uint32_t child);
  void attach(uint32_t& root, std::span<const Node> reads, std::span<const uint64_t> values, const Node& leaf);
  void find_reads(const exec::Recording& recording);
  bool writes_pointer(const Node& node, const Snapshot& after) const;

  exec::Machine& machine_;
  PrivateSteps& private_;
  std::shared_ptr<PartNumbers> numbers_of_;
  PartTable &thread_parts_ = numbers_of_->threads, &object_parts_ = numbers_of_->objects,
            &large_parts_ = numbers_of_->large;
  // The last states on the way here: a search goes back the way it came.
  static constexpr uint32_t kSnapshots = 32, kLookBack = 6;
  std::array<Snapshot, kSnapshots> snapshots_;
  uint32_t at_ = 0;  ///< of the current state
  Snapshot* now_ = &snapshots_[0];
  Snapshot& snapshot(uint32_t at) { return snapshots_[at % kSnapshots]; }
  std::vector<uint8_t> machine_state_;
  exec::StateParts parts_;         ///< scratch
  std::vector<uint32_t> numbers_;  ///< scratch: of objects and threads
  std::vector<Entry> entries_;
  std::vector<uint32_t> index_;  ///< of entries, open addressing: number + 1
  std::vector<Node> nodes_;      ///< [0] is none
  std::vector<Write> writes_;
  std::vector<Child> children_;  ///< all but the first two of each node; open addressing
  size_t child_count_ = 0;
  std::vector<Node> reads_;       ///< scratch
  std::vector<uint64_t> values_;  ///< scratch: of the reads
  std::vector<bool> touched_;     ///< scratch: bytes of static memory
  uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace whittle::engines::explicit_
