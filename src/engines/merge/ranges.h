// What is known of a term's value without asking a solver: an interval and a stride.
//
//   Ranges ranges;
//   Range r = ranges.of(offset);     // offset is some z in r.low .. r.high with z = r.low + k * r.stride, modulo 2^width
//
// z is a whole number, not a bit pattern: sums and products of it never wrap around, so a[i].f with any int i keeps the
// stride of a.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/int128.h"
#include "term/term.h"

namespace whittle::engines::merge {

using term::Term;

struct Range {
  i128 low = 0, high = 0;
  i128 stride = 1;  ///< 0: low == high
  bool constant() const { return low == high; }
};

class Ranges {
 public:
  Range of(Term t);
  /// The value as an unsigned number of its width.
  Range unsigned_of(Term t);
  /// What intervals and strides say about a comparison.
  std::optional<bool> compared(term::Op op, Term a, Term b);

 private:
  Range one(Term t);
  const Range& known(Term t) const { return known_.at(t); }
  Range as_unsigned(Range r, unsigned width) const;
  Range as_signed(Range r, unsigned width) const;

  std::unordered_map<Term, Range> known_;
  std::vector<Term> stack_;
};

}  // namespace whittle::engines::merge
