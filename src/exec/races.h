// Data races: conflicting accesses that happens-before does not order (docs/decisions/034-happens-before-races.md).
//
//   RaceState races;
//   races.reset();                                        // thread 0 is alive, nothing was accessed
//   races.spawned(0, 1);
//   races.access(1, {0x1000, 4, Access::kWrite}, site);   // null: ordered after all that it conflicts with
//   if (const AccessSite* earlier = races.access(0, {0x1000, 4, Access::kWrite}, site)) ...   // a race with `earlier`
//
// The algorithm is Goldilocks (Elmas, Qadeer, Tasiran), with one entry for each access that a later one could still
// race with: who is ordered after it. These *owners* are threads and synchronisation words. A thread that writes a word
// atomically makes the word an owner of whatever the thread owns; a thread that reads it atomically becomes an owner of
// whatever the word owns. There are no counters, so a program with finitely many states has finitely many of these, and
// equal ones have equal bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/state.h"
#include "program/program.h"

namespace whittle::exec {

/// Where an access was made, for messages. Not part of states: unknown after decode().
struct AccessSite {
  uint32_t thread = 0;
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;
  bool known() const { return function != program::kNone; }
};

/// Bytes that are accessed together. The edges of happens-before that the access takes part in are decided here and
/// nowhere else: an atomic read acquires, an atomic write releases.
struct Access {
  static constexpr uint8_t kRead = 0, kWrite = 1, kAtomic = 2;

  uint64_t address = 0;
  uint64_t size = 0;
  uint8_t kind = kRead;  ///< kWrite and kAtomic, or not
  bool updates = false;  ///< an atomic write that has read the same bytes
  bool shared = true;    ///< other threads could reach the memory; if not, nothing later races with this access

  bool write() const { return (kind & kWrite) != 0; }
  bool acquires() const { return (kind & kAtomic) != 0 && (!write() || updates); }
  bool releases() const { return (kind & kAtomic) != 0 && write(); }
};

class RaceState {
 public:
  void reset();
  bool empty() const { return segments_.empty(); }

  /// Thread `thread` does an access. Returns an earlier one that races with it, or null. After a race, the state is of
  /// no use.
  const AccessSite* access(uint32_t thread, const Access& access, const AccessSite& site);
  /// What the thread did so far is ordered before all that the new one does. Requires that its number is not alive.
  void spawned(uint32_t thread, uint32_t child);
  /// The number may be used again.
  void ended(uint32_t thread);
  /// An object ended: what comes to lie there is another one.
  void forget(uint64_t address, uint64_t size);

  /// The state as bytes. decode() needs the set of threads that are alive, too; it is part of the machine's state.
  const Bytes& encode();
  void decode(const uint8_t* bytes, size_t size, uint64_t alive);

 private:
  /// A synchronisation word: bytes that were written atomically, together.
  struct Word {
    uint32_t address = 0, size = 0;
    bool operator==(const Word&) const = default;
  };
  /// Of all accesses to the same bytes that a later one can race with: one for each that no other one stands for.
  struct Entry {
    uint8_t kind = 0;
    uint64_t threads = 0;
    std::vector<Word> words;  ///< by address
    AccessSite site;
    bool same(const Entry& other) const {
      return kind == other.kind && threads == other.threads && words == other.words;
    }
  };
  struct Segment {
    uint64_t begin = 0, end = 0;
    std::vector<Entry> entries;  ///< sorted by kind, threads, words
  };

  /// Index of the first segment at or after the address; a segment that has it inside is cut in two there.
  size_t split(uint64_t address);
  void acquire(uint32_t thread, uint64_t address, uint64_t size);
  void release(uint32_t thread, uint64_t address, uint64_t size);
  void replace(Segment& segment, uint32_t thread, const Access& access, const AccessSite& site);
  bool ordered_before_all(const Entry& entry) const { return (alive_ & ~entry.threads) == 0; }
  template <typename Change>
  void change_entries(Change change);

  std::vector<Segment> segments_;  ///< by address, disjoint, none without entries
  uint64_t alive_ = 1;
  Bytes encoded_;
  bool clean_ = false;  ///< encoded_ is this state
};

}  // namespace whittle::exec
