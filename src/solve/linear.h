// Linear facts about integers, said of the bit-vectors that they were read from.
#pragma once

#include <map>
#include <utility>

#include "base/int128.h"
#include "term/term.h"

namespace whittle::solve {

/// How bits are read as integers.
struct Reading {
  bool is_signed = true;  ///< two's complement; otherwise nothing is negative
  /// Where an argument does not fit into its bits something is wrong, so what is found holds on bits, too. Otherwise
  /// integers are taken to have any size.
  bool fits = false;
};

/// constant + the sum of factor * term
struct LinearSum {
  std::map<uint32_t, std::pair<term::Term, i128>> parts;  ///< by id of the term
  i128 constant = 0;
  bool add(const LinearSum& other, i128 factor);  ///< False: numbers too large to go on with.
};

/// Is there a value in it of a width that no type has, as in sums that are exact?
bool has_exact_sums(term::Term root);
/// The same, or an address that goes in steps that are no power of two: integers tell more easily what these are than
/// bits.
bool is_about_sums(term::Term root);

/// No term where a number would have too many bits.
class LinearTerms {
 public:
  LinearTerms(term::Store& store, bool is_signed) : store_(store), signed_(is_signed) {}
  term::Term zero(const LinearSum& sum) const;  ///< sum == 0; of the width of its terms: wrap-around changes nothing
  /// sum <= 0, in as many bits as it takes to be exact.
  term::Term not_positive(const LinearSum& sum) const;
  /// The sum itself, exactly.
  term::Term exact(const LinearSum& sum) const;

 private:
  unsigned exact_width(const LinearSum& sum) const;
  static unsigned own_width(const LinearSum& sum);
  term::Term in_bits(const LinearSum& sum, unsigned width) const;
  term::Term bound(term::Term t, bool upper, i128 value) const;

  term::Store& store_;
  bool signed_;
};

}  // namespace whittle::solve
