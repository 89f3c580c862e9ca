#include "explore/formula.h"

#include <algorithm>
#include <cassert>

#include "base/error.h"

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

uint32_t Formula::copy(const Formula& from, uint32_t node) {
  const Node& n = from[node];
  switch (n.op) {
    case Ctl::Not: return make_not(copy(from, n.left));
    case Ctl::And: return make_and(copy(from, n.left), copy(from, n.right));
    case Ctl::Or: return make_or(copy(from, n.left), copy(from, n.right));
    default: return add(n);
  }
}

void Formula::add_fairness(const Formula& constraint) {
  assert(constraint.is_propositional(constraint.root()));
  fair_.push_back(copy(constraint, constraint.root()));
}

void add_fairness(Formula& formula, std::string_view lines, const AtomBinder& bind) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.find_first_not_of(" \t") == std::string_view::npos) fail_input("--fair: the condition is empty");
    Formula constraint = parse_formula(line, bind);
    if (!constraint.is_propositional(constraint.root()))
      fail_input("--fair {}: a condition on states is wanted, without temporal operators; it is true again and again on fair paths", line);
    formula.add_fairness(constraint);
  }
}

namespace {

/// Is there an atom outside of all temporal operators?
bool asks_at_once(const Formula& f, uint32_t node) {
  const Formula::Node& n = f[node];
  switch (n.op) {
    case Ctl::Atom: return true;
    case Ctl::Not: return asks_at_once(f, n.left);
    case Ctl::And:
    case Ctl::Or: return asks_at_once(f, n.left) || asks_at_once(f, n.right);
    default: return false;
  }
}

/// `node` with its outermost temporal operators shifted to the first states.
uint32_t shift(Formula& f, uint32_t node, uint32_t start) {
  const Formula::Node n = f[node];
  switch (n.op) {
    case Ctl::Not: return f.make_not(shift(f, n.left, start));
    case Ctl::And:
    case Ctl::Or: {
      uint32_t left = shift(f, n.left, start), right = shift(f, n.right, start);
      return n.op == Ctl::And ? f.make_and(left, right) : f.make_or(left, right);
    }
    case Ctl::ExistsUntil:
    case Ctl::AlwaysUntil: {
      uint32_t left = f[n.left].op == Ctl::True ? n.left : f.make_or(start, n.left);
      uint32_t right = f.make_and(f.make_not(start), n.right);
      return f.make_until(n.op == Ctl::AlwaysUntil, left, right);
    }
    default: return node;
  }
}

}  // namespace

Formula after_start(const Formula& formula, uint32_t start) {
  Formula out = formula;
  uint32_t atom = out.make_atom(start), root = formula.root();
  if (asks_at_once(out, root)) {
    uint32_t wrong = out.make_and(out.make_not(atom), out.make_not(root));
    out.set_root(out.make_not(out.make_until(false, atom, wrong)), formula.text());
  } else {
    out.set_root(shift(out, root, atom), formula.text());
  }
  return out;
}

}  // namespace whittle::explore
