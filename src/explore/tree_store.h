// The exact visited store: every state vector ever inserted, folded into a tree of shared pairs.
//
//   TreeStore store(&budget);
//   std::vector<uint8_t> here(store.block_size(bytes.size())), next(...);
//   store.insert(bytes, nullptr, here.data());            // id 0, fresh
//   store.insert(successor, here.data(), next.data());    // only what differs from `here` is looked up
//   store.decode(1, next.data());                         // back to bytes
//
// A vector is cut into 8-byte words; each word gets a 32-bit number, two numbers make a 64-bit key that gets a number
// one level up, and so on until two are left: they are the state's key in the root table. Two states that differ in one
// word share everything but one path, so a stored state costs its 8 bytes in the root table, its share of the index,
// and little more. Each level has a table of its own: the low ones stay in the cache.
// Numbers are paired half a level apart, not with their neighbours: what varies in a program tends to lie together, and
// would else all hang below one child of the root, whose level then had as many entries as the root itself.
// Vectors of different lengths have different shapes of tree; the shape is the tag of the root.
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "explore/intern_table.h"

namespace whittle::explore {

/// A block is what the search keeps of a state that it may come back to: the bytes and, for the tree store, the numbers
/// of its tree, the base from which the next state is folded. Layout: length (8 bytes), bytes padded to words, numbers.
struct Block {
  static uint32_t length(const uint8_t* block) {
    uint32_t n;
    std::memcpy(&n, block, sizeof n);
    return n;
  }
  static std::span<const uint8_t> bytes(const uint8_t* block) { return {block + 8, length(block)}; }
  /// Header and padded bytes; what follows belongs to the store.
  static uint64_t plain_size(uint64_t length) { return 8 + (length + 7) / 8 * 8; }
  static void set_bytes(uint8_t* block, std::span<const uint8_t> bytes) {
    uint64_t n = bytes.size();
    std::memset(block, 0, 8);
    uint32_t length = static_cast<uint32_t>(n);
    std::memcpy(block, &length, sizeof length);
    if (n % 8 != 0) std::memset(block + 8 + n / 8 * 8, 0, 8);
    if (n != 0) std::memcpy(block + 8, bytes.data(), n);
  }
};

/// The tables of a store that one thread uses.
class OwnTables {
 public:
  explicit OwnTables(Budget* budget = nullptr) : budget_(budget), roots_(budget, 12) {}

  /// The number of the length; a new one for a new length. False: there are too many lengths.
  bool shape_of(uint64_t length, uint32_t& shape);
  /// The same, but false for a new length.
  bool find_shape(uint64_t length, uint32_t& shape) const {
    if (length >= shapes_.size() || shapes_[length] == 0) return false;
    shape = shapes_[length] - 1;
    return true;
  }
  uint32_t length(uint32_t shape) const { return lengths_[shape]; }

  /// The number of a key on a level, kNoState if there is none or no room for it.
  template <bool kInsert>
  uint32_t number(unsigned level, uint64_t key) {
    InternTable& table = levels_[level];
    return kInsert ? table.intern(key).id : table.find(key);
  }
  uint64_t key(unsigned level, uint32_t number) const { return levels_[level].key(number); }

  Interned add_root(uint64_t key, uint32_t shape) { return roots_.intern(key, shape); }
  StateId find_root(uint64_t key, uint32_t shape) const { return roots_.find(key, shape); }
  uint64_t root(StateId id) const { return roots_.key(id); }
  uint32_t shape(StateId id) const { return roots_.tag(id); }

  uint64_t size() const { return roots_.size(); }
  uint64_t bytes() const;
  void exhausted() {
    if (budget_ != nullptr) budget_->exhausted = true;
  }

 private:
  Budget* budget_;
  TaggedInternTable roots_;
  std::vector<InternTable> levels_;  ///< [0] words, [1] pairs of words, ...
  std::vector<uint32_t> lengths_;    ///< by shape, in the order of first appearance
  std::vector<uint32_t> shapes_;     ///< by length: shape + 1, 0 if never seen
  uint64_t last_length_ = ~uint64_t{0};
  uint32_t last_shape_ = 0;
};

/// `Tables`: OwnTables, or a thread's view of shared ones (shared_tables.h).
template <typename Tables>
class BasicTreeStore {
 public:
  static constexpr bool kExact = true;

  explicit BasicTreeStore(Budget* budget = nullptr)
    requires std::constructible_from<Tables, Budget*>
      : tables_(budget) {}
  explicit BasicTreeStore(Tables tables) : tables_(std::move(tables)) {}

  /// Bytes of a block for a vector of this length.
  static uint64_t block_size(uint64_t length);

  /// Finds or adds. `base` is a block of any state, best of a similar one, or null; `out` gets the block of this one.
  Interned insert(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out);

  /// As insert, but adds nothing; kNoState if not there, and then `out` has the bytes but is no base.
  StateId find(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out);

  /// Adds the vector that find() did not find. Nothing else may have been asked of this object in between.
  Interned insert_not_found(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out);

  /// Requires a state of this store and room for block_size(length(id)) bytes.
  void decode(StateId id, uint8_t* out) const;
  uint32_t length(StateId id) const { return tables_.length(tables_.shape(id)); }

  uint64_t size() const { return tables_.size(); }
  /// Memory in use, the indices included.
  uint64_t bytes() const { return tables_.bytes(); }
  Tables& tables() { return tables_; }

 private:
  template <bool kInsert>
  bool fold(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out, uint64_t& key);
  template <bool kInsert>
  bool fold_few(std::span<const uint8_t> bytes, const uint8_t* base, uint8_t* out, uint64_t& key);

  Tables tables_;
  uint64_t missing_key_ = 0;                  ///< of the vector that find() did not find, if ...
  uint32_t missing_shape_ = kNoState;         ///< ... only its root is missing; else kNoState
  std::vector<uint32_t> changed_;             ///< scratch of fold
  uint64_t few_words_ = 0, few_numbers_ = 0;  ///< of the last vector of few words: its numbers, in words of a block
};

using TreeStore = BasicTreeStore<OwnTables>;

}  // namespace whittle::explore
