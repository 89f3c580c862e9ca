// The tables of one visited store that many threads use (tree_store.h).
//
//   SharedTables tables(8, &budget);                                   // at most 8 threads
//   BasicTreeStore<SharedTables::View> store(tables.view(thread));     // each thread has its own
//
// To find or add a key takes no lock. A slot of the index goes from 0 to an id once, by compare-and-swap, after the key
// has been written: who reads the id (acquire) sees the key. Two threads that add the same key meet at the first free
// slot of the same probe sequence, and the second one finds the first one's id there, so a key never has two ids.
// Ids come in blocks: each thread numbers new keys from a block of its own, so no counter is fought over; ids of
// unused ends of blocks belong to no key. Tables grow while all threads wait (rendezvous.h), and all of them help.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/checkpoint.h"
#include "base/hash.h"
#include "explore/intern_table.h"
#include "explore/pages.h"
#include "explore/rendezvous.h"
#include "explore/tree_store.h"

namespace whittle::explore {

class SharedInternTable final : public Growing {
 public:
  /// `valued`: each id has a value besides its key, 0 at first.
  SharedInternTable(Rendezvous& rendezvous, unsigned threads, Budget* budget, Spill* spill, bool valued = false);

  /// kNoState: no room, now and ever after.
  Interned intern(unsigned thread, uint64_t key, uint32_t tag = 0) {
    const uint64_t hash = hash_of(key, tag);
    for (uint64_t at = hash >> shift_;; at = (at + 1) & mask_) {
      uint32_t slot = slots_[at].load(std::memory_order_acquire);
      if (slot == 0) {
        Ids& ids = ids_[thread];
        if (ids.next == ids.end) [[unlikely]] {
          if (!more_ids(ids)) return {kNoState, false};
          at = (hash >> shift_) - 1;  // the index may be a new one
          continue;
        }
        const uint32_t id = ids.next;
        keys_[id] = key;
        if (tag != 0) set_tag(id, tag);
        if (slots_[at].compare_exchange_strong(slot, fingerprint(hash) | (id + 1), std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
          ++ids.next;
          return {id, true};
        }
        if (tag != 0) tags_[id] = 0;  // the id is still free
      }
      if ((slot & ~id_mask_) == fingerprint(hash)) {
        const uint32_t id = (slot & id_mask_) - 1;
        if (keys_[id] == key && this->tag(id) == tag) return {id, false};
      }
    }
  }

  /// kNoState if the key is not there (or is being added just now).
  uint32_t find(uint64_t key, uint32_t tag = 0) const {
    const uint64_t hash = hash_of(key, tag);
    for (uint64_t at = hash >> shift_;; at = (at + 1) & mask_) {
      const uint32_t slot = slots_[at].load(std::memory_order_acquire);
      if (slot == 0) return kNoState;
      if ((slot & ~id_mask_) != fingerprint(hash)) continue;
      const uint32_t id = (slot & id_mask_) - 1;
      if (keys_[id] == key && this->tag(id) == tag) return id;
    }
  }

  uint64_t key(uint32_t id) const { return keys_[id]; }
  uint32_t tag(uint32_t id) const { return tagged_.load(std::memory_order_relaxed) ? tags_[id] : 0; }
  /// Requires a valued table. Set by the thread that added the key; others may read it when that thread has ended.
  void set_value(uint32_t id, uint32_t value) { values_[id] = value; }
  uint32_t value(uint32_t id) const { return values_[id]; }

  /// Keys. Requires that no thread adds any.
  uint64_t size() const;
  /// Ids given out, to keys or for keys to come.
  uint64_t ids() const { return next_id_.load(std::memory_order_relaxed); }
  uint64_t bytes() const;

  /// Requires that no other thread uses the table. What is large goes to files.
  void move_to_files();

  // Both require that no other thread uses the table; load() that it is empty.
  void save(CheckpointWriter& out) const;
  void load(CheckpointReader& in);

 private:
  static constexpr uint32_t kBlock = 128;      ///< ids given to a thread at a time
  static constexpr unsigned kFirstBits = 12;   ///< of the index
  static constexpr uint64_t kShare = 1 << 14;  ///< ids put into the new index at a time
  struct alignas(64) Ids {
    uint32_t next = 0, end = 0;
  };

  static uint64_t hash_of(uint64_t key, uint32_t tag) { return hash_mix(key ^ tag * 0xd6e8feb86659fd93u); }
  uint32_t fingerprint(uint64_t hash) const { return static_cast<uint32_t>(hash) & ~id_mask_; }
  void set_bits(unsigned bits);
  void set_tag(uint32_t id, uint32_t tag) {
    tags_[id] = static_cast<uint16_t>(tag);
    if (!tagged_.load(std::memory_order_relaxed)) tagged_.store(true, std::memory_order_relaxed);
  }
  bool more_ids(Ids& ids);
  bool make_room();
  uint64_t parts() const;
  uint64_t used_end(uint64_t block) const;
  /// Ends of blocks that no key has.
  std::vector<Ids> unused() const;
  void put(uint32_t id, uint64_t part, uint64_t parts);
  void prepare() override;
  void help() override;

  Rendezvous& rendezvous_;
  Budget* budget_;
  Spill* spill_;
  const bool valued_;
  unsigned bits_ = 0, shift_ = 0;
  uint32_t id_mask_ = 0;
  uint64_t mask_ = 0;
  uint64_t limit_ = 0;  ///< ids that may be given out before the index must grow
  ZeroedArray<std::atomic<uint32_t>> slots_;
  ZeroedArray<uint64_t> keys_;
  ZeroedArray<uint16_t> tags_;    ///< untouched, and without memory, while all are 0
  ZeroedArray<uint32_t> values_;  ///< empty unless valued
  std::atomic<bool> tagged_{false};
  std::vector<Ids> ids_;    ///< by thread
  std::vector<Ids> holes_;  ///< of a search before this one: not used any more
  alignas(64) std::atomic<uint64_t> next_id_{0};
  std::atomic<uint64_t> next_share_{0};
  bool full_ = false;
};

class SharedTables {
 public:
  /// `spill`: where tables go that no longer fit into memory; null: nowhere.
  SharedTables(unsigned threads, Budget* budget, Spill* spill = nullptr);

  class View;
  View view(unsigned thread);
  Rendezvous& rendezvous() { return rendezvous_; }

  /// The state from which a state was reached first: set by the thread that added it.
  void set_parent(StateId id, StateId parent) { roots_.set_value(id, parent); }
  StateId parent(StateId id) const { return roots_.value(id); }
  uint64_t size() const { return roots_.size(); }  ///< requires that no thread adds states
  uint64_t about() const { return roots_.ids(); }  ///< a few more than there are, at any time
  uint64_t bytes() const;

  /// By a thread that has joined the rendezvous, or alone: what is large goes to files. Requires a spill.
  void move_to_files();

  // Both require that no other thread uses the tables; load() that they are empty.
  void save(CheckpointWriter& out) const;
  void load(CheckpointReader& in);

 private:
  static constexpr uint32_t kMostShapes = 65535;
  static constexpr unsigned kMostLevels = 33;
  bool shape_of(uint64_t length, bool add, uint32_t& shape);

  const unsigned threads_;
  Budget* budget_;
  Spill* spill_;
  Rendezvous rendezvous_;
  SharedInternTable roots_;
  mutable std::mutex mutex_;  ///< of what follows, to add to it
  std::array<std::unique_ptr<SharedInternTable>, kMostLevels> levels_;
  std::unordered_map<uint64_t, uint32_t> shapes_;  ///< by length
  ZeroedArray<uint32_t> lengths_;                  ///< by shape
};

/// What one thread has of shared tables: the interface of OwnTables.
class SharedTables::View {
 public:
  View(SharedTables& shared, unsigned thread) : shared_(&shared), thread_(thread) {}

  bool shape_of(uint64_t length, uint32_t& shape) { return shape_of(length, true, shape); }
  bool find_shape(uint64_t length, uint32_t& shape) { return shape_of(length, false, shape); }
  uint32_t length(uint32_t shape) const { return shared_->lengths_[shape]; }

  template <bool kInsert>
  uint32_t number(unsigned level, uint64_t key) {
    SharedInternTable& table = *shared_->levels_[level];
    return kInsert ? table.intern(thread_, key).id : table.find(key);
  }
  uint64_t key(unsigned level, uint32_t number) const { return shared_->levels_[level]->key(number); }

  Interned add_root(uint64_t key, uint32_t shape) { return shared_->roots_.intern(thread_, key, shape); }
  StateId find_root(uint64_t key, uint32_t shape) const { return shared_->roots_.find(key, shape); }
  uint64_t root(StateId id) const { return shared_->roots_.key(id); }
  uint32_t shape(StateId id) const { return shared_->roots_.tag(id); }

  uint64_t size() const { return shared_->size(); }
  uint64_t bytes() const { return shared_->bytes(); }
  void exhausted() {}  // the search ends with the first state that was not stored

 private:
  bool shape_of(uint64_t length, bool add, uint32_t& shape) {
    if (length == last_length_) [[likely]] {
      shape = last_shape_;
      return true;
    }
    if (!shared_->shape_of(length, add, shape)) return false;
    last_length_ = length;
    last_shape_ = shape;
    return true;
  }

  SharedTables* shared_;
  unsigned thread_;
  uint64_t last_length_ = ~uint64_t{0};
  uint32_t last_shape_ = 0;
};

inline SharedTables::View SharedTables::view(unsigned thread) { return {*this, thread}; }

using SharedTreeStore = BasicTreeStore<SharedTables::View>;

}  // namespace whittle::explore
