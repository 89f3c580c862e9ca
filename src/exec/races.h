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
// whatever the word owns. C11's weaker orders need three more kinds of owners, which only programs with such orders have
// (docs/decisions/024-weaker-orders.md). There are no counters, so a program with finitely many states has finitely many of these, and
// equal ones have equal bytes.
#pragma once

#include <compare>
#include <cstdint>
#include <tuple>
#include <vector>

#include "exec/state.h"
#include "program/order.h"
#include "program/program.h"

namespace whittle::exec {

/// Where an access was made, for messages. Not part of states: unknown after decode().
struct AccessSite {
  uint32_t thread = 0;
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;
  bool known() const { return function != program::kNone; }
};

/// What a program's atomic operations and fences make necessary to remember.
struct WeakOrders {
  bool fenced = false;   ///< release fences, and atomic writes that do not release
  bool pending = false;  ///< acquire fences, and atomic reads that do not acquire
  bool heads = false;    ///< relaxed stores: they go on with the release sequences of their own thread only
  bool secret = false;   ///< such an access can hand a pointer over, without ordering what was done to its object
};
WeakOrders weak_orders(const program::Program& program);

/// Bytes that are accessed together. The edges of happens-before that the access takes part in are decided here and
/// nowhere else: an atomic read acquires, an atomic write releases, as far as their order says so.
struct Access {
  static constexpr uint8_t kRead = 0, kWrite = 1, kAtomic = 2;

  uint64_t address = 0;
  uint64_t size = 0;
  uint8_t kind = kRead;  ///< kWrite and kAtomic, or not
  bool updates = false;  ///< an atomic write that has read the same bytes
  bool shared = true;    ///< other threads could reach the memory; if not, nothing later races with this access
  program::Order order = program::Order::Both;  ///< of an atomic access

  bool write() const { return (kind & kWrite) != 0; }
  bool synchronises_read() const { return (kind & kAtomic) != 0 && (!write() || updates); }
  bool synchronises_write() const { return (kind & kAtomic) != 0 && write(); }
};

class RaceState {
 public:
  /// What it remembers beyond sequentially consistent orders; does not change in a run.
  void set_orders(WeakOrders orders) { orders_ = orders; }
  void reset();
  bool empty() const { return segments_.empty(); }

  /// Thread `thread` does an access. Returns an earlier one that races with it, or null. After a race, the state is of
  /// no use.
  const AccessSite* access(uint32_t thread, const Access& access, const AccessSite& site);
  void fence(uint32_t thread, program::Order order);
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
    static constexpr uint8_t kNoHead = 64;

    uint32_t address = 0, size = 0;
    uint8_t head = kNoHead;  ///< WeakOrders::heads: the thread whose release sequence this is, while it lives
    auto operator<=>(const Word&) const = default;
  };
  /// Of all accesses to the same bytes that a later one can race with: one for each that no other one stands for.
  struct Entry {
    uint8_t kind = 0;
    uint64_t threads = 0;
    uint64_t fenced = 0;   ///< threads whose last release fence is ordered after it: what they write is, too
    uint64_t pending = 0;  ///< threads that are not owners, but will be after an acquire fence
    std::vector<Word> words;  ///< sorted
    AccessSite site;
    auto key() const { return std::tie(kind, threads, fenced, pending, words); }
  };
  struct Segment {
    uint64_t begin = 0, end = 0;
    std::vector<Entry> entries;  ///< sorted by kind, threads, words
  };

  /// Index of the first segment at or after the address; a segment that has it inside is cut in two there.
  size_t split(uint64_t address);
  void acquire(uint32_t thread, const Access& access);
  void release(uint32_t thread, const Access& access);
  void replace(Segment& segment, uint32_t thread, const Access& access, const AccessSite& site);
  bool ordered_before_all(const Entry& entry) const { return (alive_ & ~entry.threads) == 0; }
  template <typename Change>
  void change_entries(Change change);

  WeakOrders orders_;
  std::vector<Segment> segments_;  ///< by address, disjoint, none without entries
  uint64_t alive_ = 1;
  Bytes encoded_;
  bool clean_ = false;  ///< encoded_ is this state
};

}  // namespace whittle::exec
