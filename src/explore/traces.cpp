#include "explore/traces.h"

namespace whittle::explore {

namespace {

class Recogniser {
 public:
  explicit Recogniser(const Formula& formula) : f_(formula) {}

  /// A boolean combination, in the initial state, of formulas about all paths and formulas about one.
  bool top(uint32_t n) const {
    switch (f_[n].op) {
      case Ctl::Not: return top(f_[n].left);
      case Ctl::And:
      case Ctl::Or: return top(f_[n].left) && top(f_[n].right);
      default: return universal(n) || existential(n);
    }
  }

  bool universal_at_root() const { return universal(f_.root()); }

 private:
  bool plain(uint32_t n) const { return f_.is_propositional(n); }

  /// Some path from here has a property of its sequence of states.
  bool existential(uint32_t n) const {
    if (plain(n)) return true;
    const Formula::Node& node = f_[n];
    switch (node.op) {
      case Ctl::Or: return existential(node.left) && existential(node.right);
      case Ctl::And:
        return (plain(node.left) && existential(node.right)) || (plain(node.right) && existential(node.left));
      case Ctl::ExistsUntil: return plain(node.left) && existential(node.right);
      case Ctl::Not: return universal(node.left);
      default: return false;
    }
  }
  /// All paths from here have a property of their sequences of states.
  bool universal(uint32_t n) const {
    if (plain(n)) return true;
    const Formula::Node& node = f_[n];
    switch (node.op) {
      case Ctl::And: return universal(node.left) && universal(node.right);
      case Ctl::Or: return (plain(node.left) && universal(node.right)) || (plain(node.right) && universal(node.left));
      case Ctl::AlwaysUntil: return plain(node.left) && plain(node.right);
      case Ctl::Not: return existential(node.left);
      default: return false;
    }
  }

  const Formula& f_;
};

}  // namespace

bool trace_determined(const Formula& formula) { return Recogniser(formula).top(formula.root()); }

bool about_all_paths(const Formula& formula) { return Recogniser(formula).universal_at_root(); }

bool is_invariant(const Formula& formula) {
  const Formula::Node& root = formula[formula.root()];
  if (root.op != Ctl::Not || formula[root.left].op != Ctl::ExistsUntil) return false;
  const Formula::Node& until = formula[root.left];
  return formula[until.left].op == Ctl::True && formula.is_propositional(until.right) && formula.fair().empty();
}

}  // namespace whittle::explore
