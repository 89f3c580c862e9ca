// Conditions in which comparisons of choices are resolved.
//
//   ite(c, 3, 5) < ite(c, 4, 7)     is true
//   ite(c, 3, 5) == 5               is not c
//
// Where states are joined, all that differs becomes a choice by the same condition. Comparing choices side by side brings
// that back: what held in each of the states holds in the joined one, without a question to the solver.
#pragma once

#include <unordered_map>

#include "term/ranges.h"

namespace whittle::engines::merge {

using term::Term;

class Comparisons {
 public:
  Comparisons(term::Store& store, term::Ranges& ranges) : store_(store), ranges_(ranges) {}

  /// Equal to the condition.
  Term resolved(Term condition);

 private:
  static constexpr size_t kMost = 2000;  ///< pairs of values looked at for one comparison

  struct Key {
    term::Op op;
    Term a, b;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return std::hash<Term>()(k.a) * 31 + std::hash<Term>()(k.b) * 7 + static_cast<size_t>(k.op);
    }
  };
  struct Choice {
    Term condition, yes, no;  ///< none: no choice
  };
  Choice as_choice(Term t);
  Term compare(term::Op op, Term a, Term b, size_t& left);

  term::Store& store_;
  term::Ranges& ranges_;
  std::unordered_map<Term, Term> resolved_;
  std::unordered_map<Key, Term, KeyHash> compared_;
};

}  // namespace whittle::engines::merge
