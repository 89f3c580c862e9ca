// Values that depend on inputs, for the executor: terms over the inputs, in a store of their own, so that what is found
// does not depend on which terms others made before.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "term/term.h"

namespace whittle::proof {

using term::Term;

struct Value {
  u128 number = 0;
  Term term = {};  ///< none: the value is the number
};

class Symbols {
 public:
  term::Store& store() { return store_; }
  /// The input of this number and width.
  Term variable(unsigned width, uint32_t number);
  /// A term of a program: `leaf` tells what its variables and Reads hold.
  Term translate(Term t, const std::function<Term(Term)>& leaf);
  Term term(const Value& value, unsigned width) { return value.term ? value.term : store_.constant(width, value.number); }
  Value value(Term t) const { return t.is_constant() ? Value{t.value()} : Value{0, t}; }
  /// Cut or zero-extended.
  Value resized(const Value& v, unsigned width) {
    return v.term ? value(store_.resize_unsigned(v.term, width)) : Value{v.number & mask128(width)};
  }
  /// One operation, on numbers or on terms; `width` is that of the operands.
  Value apply(term::Op op, unsigned width, const Value& a, const Value& b);
  /// By structure: equal in every run of the checker.
  uint64_t hash(Term t);
  /// Numbers in it that could be addresses of objects that the program made.
  const std::vector<uint64_t>& addresses(Term t);

 private:
  term::Store store_;
  std::map<std::pair<unsigned, uint32_t>, Term> variables_;
  std::unordered_map<Term, uint64_t> hashes_;
  std::unordered_map<Term, std::vector<uint64_t>> addresses_;
  std::unordered_map<Term, std::pair<unsigned, uint32_t>> numbers_;
};

}  // namespace whittle::proof
