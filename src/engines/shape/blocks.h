// Reads and writes of blocks: objects whose size is a term, or that are read and written at offsets that are terms.
//
// A block knows some of its bytes (Node::marks) and whether all the others are zero. A write forgets what it may change; a
// read splits the memory where it may meet bytes that are known, as the end of a text, so that loops know that they have
// not come to it yet.
//
//   Blocks blocks(memory, holds, known_before);
//   if (blocks.inside(pointer, size, align)) ...
//   Term value = blocks.load(pointer, 4);
#pragma once

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

class Blocks {
 public:
  /// `holds` decides conditions; the memory may be split at terms that are `known_before`.
  Blocks(Memory& memory, Memory::Holds holds, std::function<bool(Term)> known_before)
      : memory_(memory), holds_(std::move(holds)), known_before_(std::move(known_before)) {}

  /// Is this a matter of blocks? An index that can only be one constant is put for itself; one into an object with
  /// addresses is split.
  bool concerns(Pointer& pointer);
  /// Nothing if the bytes lie inside the object, aligned; else what may be wrong.
  std::optional<std::string> outside(const Pointer& pointer, Term size, unsigned align);
  /// These require that the bytes lie inside.
  Term load(const Pointer& pointer, unsigned bytes);
  void store(const Pointer& pointer, unsigned bytes, Term value);
  void fill(const Pointer& to, Term size, Term byte);
  void copy(const Pointer& to, const Pointer& from, Term size);

  static constexpr size_t kMostMarks = 16;

 private:
  Term at(const Pointer& p) const { return p.at(terms(), memory_.program().pointer_width()); }
  term::Store& terms() const { return memory_.store(); }
  Term number(uint64_t value) const { return terms().constant(memory_.program().pointer_width(), value); }
  bool same(Term a, Term b) { return a == b || holds_(terms().eq(a, b)); }
  /// Have [a, a + m) and [b, b + n) no byte in common? Both lie inside one object.
  bool disjoint(Term a, Term m, Term b, Term n);
  bool has_addresses(const Node& node) const;
  /// Forgets what the bytes may have, but for marks that `stays` accepts.
  void forget(Node& node, Term at, Term size, const std::function<bool(const Mark&)>& stays);
  void mark(Node& node, Mark mark);

  Memory& memory_;
  Memory::Holds holds_;
  std::function<bool(Term)> known_before_;
};

/// What blocks know does not grow in loops: only constants are kept, each at one place.
void tidy_blocks(Memory& memory);

}  // namespace whittle::engines::shape
