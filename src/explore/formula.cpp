#include "explore/formula.h"

#include <cassert>

namespace whittle::explore {

uint32_t Formula::add(Node node) {
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i] == node) return i;
  nodes_.push_back(node);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t Formula::make_not(uint32_t f) { return nodes_[f].op == Ctl::Not ? nodes_[f].left : add({Ctl::Not, f}); }

bool Formula::is_propositional(uint32_t node) const {
  const Node& n = nodes_[node];
  switch (n.op) {
    case Ctl::True:
    case Ctl::Atom: return true;
    case Ctl::Not: return is_propositional(n.left);
    case Ctl::And:
    case Ctl::Or: return is_propositional(n.left) && is_propositional(n.right);
    case Ctl::ExistsUntil:
    case Ctl::AlwaysUntil: return false;
  }
  return false;
}

bool Formula::evaluate(uint32_t node, uint64_t atoms) const {
  const Node& n = nodes_[node];
  switch (n.op) {
    case Ctl::True: return true;
    case Ctl::Atom: return (atoms >> n.left & 1) != 0;
    case Ctl::Not: return !evaluate(n.left, atoms);
    case Ctl::And: return evaluate(n.left, atoms) && evaluate(n.right, atoms);
    case Ctl::Or: return evaluate(n.left, atoms) || evaluate(n.right, atoms);
    case Ctl::ExistsUntil:
    case Ctl::AlwaysUntil: break;
  }
  assert(false && "not propositional");
  return false;
}

uint64_t Formula::atoms() const {
  uint64_t bits = 0;
  for (const Node& node : nodes_)
    if (node.op == Ctl::Atom) bits |= uint64_t{1} << node.left;
  return bits;
}

}  // namespace whittle::explore
