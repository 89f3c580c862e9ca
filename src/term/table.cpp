#include "term/table.h"

#include "base/error.h"
#include "base/hash.h"
#include "term/op.h"

namespace whittle::term {

Table::Table() : slots_(1024), mask_(1023) {}

/// Kids enter by their number, not their address, so that runs repeat exactly.
uint32_t Table::Key::hash() const {
  uint64_t h =
      hash_mix(static_cast<uint64_t>(op) | static_cast<uint64_t>(width) << 8 | static_cast<uint64_t>(aux) << 32);
  if (op == Op::Constant) return static_cast<uint32_t>(hash_combine(hash_combine(h, words[0]), words[1]));
  for (unsigned i = 0; i < arity; ++i) h = hash_combine(h, reinterpret_cast<const Node*>(words[i])->id);
  return static_cast<uint32_t>(h);
}

bool Table::same(const Node& node, const Key& key) {
  if (node.op != key.op || node.width != key.width || node.aux != key.aux) return false;
  if (key.op == Op::Constant) return node.halves[0] == key.words[0] && node.halves[1] == key.words[1];
  for (unsigned i = 0; i < key.arity; ++i)
    if (node.kids[i] != reinterpret_cast<const Node*>(key.words[i])) return false;
  return true;
}

void Table::place(uint32_t hash, uint32_t id) {
  size_t i = hash & mask_;
  while (slots_[i].id != kEmpty) i = (i + 1) & mask_;
  slots_[i] = {hash, id};
}

void Table::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.size() * 2, Slot{});
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old)
    if (slot.id != kEmpty) place(slot.hash, slot.id);
}

const Node* Table::insert(const Key& key, uint32_t hash) {
  if (size_ == kEmpty) fail_internal("more than 4 billion terms in one store");
  if ((size_ + 1) * size_t{2} > slots_.size()) grow();
  if ((size_ & (kChunk - 1)) == 0) chunks_.push_back(std::make_unique<Node[]>(kChunk));
  Node& node = chunks_.back()[size_ & (kChunk - 1)];
  node.op = key.op;
  node.width = key.width;
  node.arity = key.arity;
  node.id = size_;
  node.hash = hash;
  node.aux = key.aux;
  node.flags = key.op == Op::Read ? Node::kReads : key.op == Op::Variable ? Node::kVariables : 0;
  if (is_float_op(key.op)) node.flags |= Node::kFloats;
  if (key.op == Op::Constant) {
    node.halves[0] = key.words[0];
    node.halves[1] = key.words[1];
  } else {
    for (unsigned i = 0; i < key.arity; ++i) {
      node.kids[i] = reinterpret_cast<const Node*>(key.words[i]);
      node.flags |= node.kids[i]->flags;
    }
  }
  place(hash, size_++);
  return &node;
}

}  // namespace whittle::term
