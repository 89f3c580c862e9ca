// The hash-consing table: one node for every (operator, width, number, kids). Nodes live in chunks and never move.
#pragma once

#include <memory>
#include <vector>

#include "term/term.h"

namespace whittle::term {

class Table {
 public:
  /// Everything that tells two nodes apart. A constant keeps its halves where others keep their kids.
  struct Key {
    Op op;
    uint8_t width;
    uint8_t arity;
    uint32_t aux;
    uint64_t words[3];  ///< kid pointers, or halves of a constant; unused ones are zero
    uint32_t hash() const;
  };

  Table();
  const Node* find(const Key& key, uint32_t hash) const {
    for (size_t i = hash & mask_;; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.id == kEmpty) return nullptr;
      if (slot.hash == hash && same(*at(slot.id), key)) return at(slot.id);
    }
  }
  /// Requires that the key is not there yet.
  const Node* insert(const Key& key, uint32_t hash);
  size_t size() const { return size_; }
  const Node* at(uint32_t id) const { return &chunks_[id >> kChunkBits][id & (kChunk - 1)]; }

 private:
  static constexpr uint32_t kEmpty = ~uint32_t{0};
  static constexpr unsigned kChunkBits = 12;
  static constexpr uint32_t kChunk = 1u << kChunkBits;
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = kEmpty;
  };
  static bool same(const Node& node, const Key& key);
  void place(uint32_t hash, uint32_t id);
  void grow();

  std::vector<Slot> slots_;
  size_t mask_;
  std::vector<std::unique_ptr<Node[]>> chunks_;
  uint32_t size_ = 0;
};

}  // namespace whittle::term
