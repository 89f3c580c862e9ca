// How a term lies in memory, and the accessors of Term, inline because everything lives on them.
#pragma once

#include <cassert>

#include "term/term.h"

namespace whittle::term {

struct Node {
  static constexpr uint8_t kReads = 1, kFloats = 2, kVariables = 4;

  Op op;
  uint8_t width;
  uint8_t arity;
  uint8_t flags;  ///< what is somewhere below: kReads, kFloats, kVariables
  uint32_t id;
  uint32_t hash;
  uint32_t aux;  ///< number of a Variable, low bit of an Extract
  union {
    const Node* kids[3];
    uint64_t halves[2];  ///< of a Constant: low, high
  };
};
static_assert(sizeof(Node) == 40);

inline Op Term::op() const { return node_->op; }
inline unsigned Term::width() const { return node_->width; }
inline uint32_t Term::id() const { return node_->id; }
inline unsigned Term::arity() const { return node_->arity; }
inline Term Term::kid(unsigned i) const {
  assert(i < node_->arity);
  return Term(node_->kids[i]);
}
inline u128 Term::value() const {
  assert(node_->op == Op::Constant);
  return static_cast<u128>(node_->halves[1]) << 64 | node_->halves[0];
}
inline uint64_t Term::value64() const {
  assert(node_->op == Op::Constant);
  return node_->halves[0];
}
inline uint32_t Term::variable() const {
  assert(node_->op == Op::Variable);
  return node_->aux;
}
inline unsigned Term::low() const {
  assert(node_->op == Op::Extract);
  return node_->aux;
}
inline bool Term::has_reads() const { return (node_->flags & Node::kReads) != 0; }
inline bool Term::has_floats() const { return (node_->flags & Node::kFloats) != 0; }

}  // namespace whittle::term
