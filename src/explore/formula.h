// CTL without the next-time operator, over atoms that someone else understands.
//
//   explore::Formula f = explore::parse_formula("AG(mode == 5 -> AF(mode == 6))", [&](std::string_view atom) {
//     return machine.add_atom(atom);      // the bit of Machine::observe() that stands for it; throws if there is none
//   });
//
// Grammar, loosest first; all spellings in a row mean the same:
//   f <-> f   f <=> f              right to left
//   f -> f    f => f               right to left
//   f || f    f | f    f or f
//   f && f    f & f    f and f
//   ! f  ~ f  not f   AG f  AF f  EG f  EF f   A[f U f]  E(f U f)  A f U f   (U, R = V, or W)   (f)
//   true TT 1   false FF 0   atom   {atom}
// A path formula without brackets takes the tightest operands: E (p) U (q), E !p U q.
// An atom runs up to the next operator above, closing bracket, or U, R, V, W that stands alone. Brackets inside it are
// its own: (flags & 4) != 0 and a[i & 3] == b are atoms, and {...} is one whatever it holds. A single = in it becomes
// ==. `->` is an implication unless it has no blank on either side and follows a plain name or `]` or `)`: p->next is a
// member, p -> q is not.
// A negation binds the whole atom: !mode = 6 is !(mode == 6).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::explore {

/// Everything is expressed by these. A state without successors stays as it is forever.
enum class Ctl : uint8_t {
  True,
  Atom,
  Not,
  And,
  Or,
  ExistsUntil,  ///< E[left U right]
  AlwaysUntil,  ///< A[left U right]
};

/// A formula and its subformulas, each once; operands come before what is made of them. The last one is the formula.
class Formula {
 public:
  struct Node {
    Ctl op = Ctl::True;
    uint32_t left = 0;   ///< node; number of the atom for Atom
    uint32_t right = 0;  ///< node
    bool operator==(const Node&) const = default;
  };

  const Node& operator[](uint32_t i) const { return nodes_[i]; }
  uint32_t root() const { return root_; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  bool is_propositional(uint32_t node) const;
  /// Value of a propositional node.
  bool evaluate(uint32_t node, uint64_t atoms) const;
  /// Bits of the atoms that occur.
  uint64_t atoms() const;
  const std::string& text() const { return text_; }

  // Constructors of subformulas; equal ones get the same number.
  uint32_t make_true() { return add({Ctl::True}); }
  uint32_t make_atom(uint32_t number) { return add({Ctl::Atom, number}); }
  uint32_t make_not(uint32_t f);
  uint32_t make_and(uint32_t f, uint32_t g) { return add({Ctl::And, f, g}); }
  uint32_t make_or(uint32_t f, uint32_t g) { return add({Ctl::Or, f, g}); }
  uint32_t make_until(bool always, uint32_t f, uint32_t g) {
    return add({always ? Ctl::AlwaysUntil : Ctl::ExistsUntil, f, g});
  }
  uint32_t make_release(bool always, uint32_t f, uint32_t g) {
    return make_not(make_until(!always, make_not(f), make_not(g)));
  }
  uint32_t make_weak_until(bool always, uint32_t f, uint32_t g) {
    uint32_t neither = make_and(make_not(f), make_not(g));
    return make_not(make_until(!always, make_not(g), neither));
  }
  void set_root(uint32_t root, std::string text) { root_ = root, text_ = std::move(text); }

  /// Propositional nodes. Path quantifiers mean fair paths: those on which each of these is true again and again, and
  /// those that end.
  const std::vector<uint32_t>& fair() const { return fair_; }
  /// The constraint is propositional; its atoms are numbered as this formula's.
  void add_fairness(const Formula& constraint);

 private:
  uint32_t add(Node node);
  uint32_t copy(const Formula& from, uint32_t node);
  std::vector<Node> nodes_;
  std::vector<uint32_t> fair_;
  uint32_t root_ = 0;
  std::string text_;
};

/// The same question for a machine that begins with states before the first one, of which only the atom `start` is
/// true; they lead to the first states. What follows a path quantifier begins with a first state: A asks for all of
/// them, E for one. A formula with an atom outside of all temporal operators is asked in every first state.
Formula after_start(const Formula& formula, uint32_t start);

/// Number of the atom with this text, below 64. Asked once for each different text. Throws whittle::Error.
using AtomBinder = std::function<uint32_t(std::string_view)>;

/// Adds what --fair says, a constraint a line. Throws whittle::Error (BadInput); also for a temporal operator.
void add_fairness(Formula& formula, std::string_view lines, const AtomBinder& bind);

/// Throws whittle::Error (BadInput) with the formula, a mark below the column that is wrong, and why.
Formula parse_formula(std::string_view text, const AtomBinder& bind);

}  // namespace whittle::explore
