// A model of the inputs, and what terms are worth in it. Every term is evaluated once.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/int128.h"
#include "term/term.h"

namespace whittle::engines::merge {

using term::Term;

class Model {
 public:
  explicit Model(std::unordered_map<Term, u128> values) : known_(std::move(values)) {}

  u128 value(Term root);  ///< variables that were not given are 0
  bool holds(Term condition) { return value(condition) == 1; }

 private:
  std::unordered_map<Term, u128> known_;
  std::vector<Term> stack_;
};

}  // namespace whittle::engines::merge
