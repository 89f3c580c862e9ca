// What is known of a term's value without asking a solver: an interval and a stride.
//
//   Ranges ranges;
//   Range r = ranges.of(offset);     // offset is some z in r.low .. r.high with z = r.low + k * r.stride, modulo 2^width
//
// z is a whole number, not a bit pattern: sums and products of it never wrap around, so a[i].f with any int i keeps the
// stride of a.
//
//   Elements e = elements(ranges, offset, size, 4);      // places of an array that four bytes at this offset may have
//   Term value = pick(store, offset, e, values);         // one value for each of them
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/int128.h"
#include "term/term.h"

namespace whittle::term {

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
  std::optional<bool> compared(Op op, Term a, Term b);

 private:
  Range one(Term t);
  const Range& known(Term t) const { return known_.at(t); }
  Range as_unsigned(Range r, unsigned width) const;
  Range as_signed(Range r, unsigned width) const;

  std::unordered_map<Term, Range> known_;
  std::vector<Term> stack_;
};

/// Places of an array: first, first + stride, ...
struct Elements {
  uint64_t first = 0, count = 0, stride = 1;
  uint64_t place(uint64_t i) const { return first + i * stride; }
};

/// Where `bytes` bytes at this offset may lie in an object of `capacity` bytes, if they lie in it.
Elements elements(Ranges& ranges, Term offset, uint64_t capacity, uint64_t bytes);

/// The value that belongs to the offset, which is one of the elements' places: by its bits where that is possible, else one
/// by one.
Term pick(Store& store, Term offset, const Elements& elements, const std::vector<Term>& values);

}  // namespace whittle::term
