// What follows from conditions by looking at terms only: values of variables, and conditions that are known.
//
//   Facts facts(store);
//   facts.add(x == 3); facts.add(y < z);
//   facts.simplify(x < 2)      // false
//   facts.contradiction()      // something added cannot hold with the rest
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "term/term.h"

namespace whittle::engines::dash {

using term::Term;

class Facts {
 public:
  explicit Facts(term::Store& store) : store_(store) {}

  void add(Term condition);  ///< of width 1, holds
  Term simplify(Term t);
  bool contradiction();

  /// What is known now; back_to() forgets what was added since then.
  struct Mark {
    size_t known = 0, values = 0, clauses = 0;
    bool contradiction = false;
  };
  Mark mark() const { return {known_order_.size(), values_order_.size(), clauses_.size(), contradiction_}; }
  void back_to(const Mark& mark);

 private:
  void learn(Term t, bool holds);
  void set_value(Term leaf, Term value);
  Term replace(Term t);
  Term decide(Term t, unsigned depth);
  Term decide_parts(Term t, unsigned depth);

  term::Store& store_;
  std::unordered_map<Term, Term> values_;  ///< of variables and reads
  std::unordered_map<Term, bool> known_;   ///< of conditions
  std::vector<Term> known_order_;
  std::vector<std::pair<Term, Term>> values_order_;  ///< with the value before
  std::vector<Term> clauses_;  ///< conditions of several parts, looked at again when more is known
  bool contradiction_ = false;
};

/// The parts of a conjunction.
void flatten(Term t, std::vector<Term>& out);

}  // namespace whittle::engines::dash
