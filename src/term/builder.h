// Makes terms in normal form. Store is the public face of it.
//
// The rules (simplify_*.cpp) keep these normal forms:
//   - commutative kids are ordered: constants last, else older (smaller id) first;
//   - there is no Ule and no Sle: a <= b is Not(b < a), so that a condition and its negation differ by one Not;
//     a comparison with a constant has it on the right;
//   - sums of few monomials are sorted left-deep chains with the constant last: see simplify_sum.cpp;
//   - operations of width 1 are And, Or, Not, Eq and Ite;
//   - shifts by constants are Mul, or extensions of an Extract; concats lean to the right.
// Every rule looks a bounded number of levels into its kids, so making a node takes constant time (sums: up to 8
// monomials), whatever the size of the term below it.
#pragma once

#include "term/table.h"
#include "term/term.h"

namespace whittle::term {

class Builder {
 public:
  explicit Builder(bool simplify) : simplify_(simplify) {}
  void set_simplify(bool on) { simplify_ = on; }

  Term constant(unsigned width, u128 value);
  Term variable(unsigned width, uint32_t number);
  /// The term for an operation whose widths have been checked. `aux` is the low bit of an Extract, else 0.
  Term make(Op op, unsigned width, uint32_t aux, Term a, Term b = {}, Term c = {});
  const Table& table() const { return table_; }

 private:
  struct Sum;
  static constexpr unsigned kMaxDepth = 12;  ///< nested rule applications
  static constexpr unsigned kPushDepth = 4;  ///< nested applications of rules that may go into both kids

  static Term handle(const Node* node);
  Term intern(Op op, unsigned width, uint32_t aux, Term a, Term b = {}, Term c = {});
  Term fold(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c);
  /// The normal form if it is not the operation itself, else no term.
  Term simplify(Op op, unsigned width, uint32_t aux, Term a, Term b, Term c);

  // Shorthands
  Term bit(bool value) { return constant(1, value ? 1 : 0); }
  Term ones(unsigned width) { return constant(width, mask128(width)); }
  Term bnot(Term a) { return make(Op::Not, a.width(), 0, a); }
  Term band(Term a, Term b) { return make(Op::And, a.width(), 0, a, b); }
  Term bor(Term a, Term b) { return make(Op::Or, a.width(), 0, a, b); }
  Term bxor(Term a, Term b) { return make(Op::Xor, a.width(), 0, a, b); }
  Term eq(Term a, Term b) { return make(Op::Eq, 1, 0, a, b); }
  Term ult(Term a, Term b) { return make(Op::Ult, 1, 0, a, b); }
  Term slt(Term a, Term b) { return make(Op::Slt, 1, 0, a, b); }
  Term ite(Term c, Term a, Term b) { return make(Op::Ite, a.width(), 0, c, a, b); }
  Term extract(Term a, unsigned low, unsigned width) {
    return low == 0 && width == a.width() ? a : make(Op::Extract, width, low, a);
  }
  Term concat(Term a, Term b) { return make(Op::Concat, a.width() + b.width(), 0, a, b); }
  Term zext(Term a, unsigned width) { return width == a.width() ? a : make(Op::ZExt, width, 0, a); }
  Term sext(Term a, unsigned width) { return width == a.width() ? a : make(Op::SExt, width, 0, a); }

  // simplify_bits.cpp
  Term simplify_not(Term a);
  Term simplify_and(Term a, Term b);
  Term simplify_or(Term a, Term b);
  Term simplify_xor(Term a, Term b);
  Term simplify_bit(Op op, Term a, Term b);
  Term simplify_mask(Term a, Term mask);
  Term join_parts(Op op, Term a, Term b);
  // simplify_sum.cpp
  bool collect(Term t, u128 factor, Sum& sum) const;
  Term build(const Sum& sum, unsigned width);
  Term simplify_sum(Op op, Term a, Term b);
  Term simplify_mul(Term a, Term b);
  Term simplify_eq_sums(Term a, Term b);
  Term simplify_division(Op op, Term a, Term b);
  // simplify_compare.cpp
  Term simplify_eq(Term a, Term b);
  Term simplify_eq_constant(Term a, u128 value);
  Term simplify_less(Op op, Term a, Term b);
  Term simplify_ult(Term a, Term b);
  Term simplify_slt(Term a, Term b);
  // simplify_structure.cpp
  Term simplify_ite(Term c, Term a, Term b);
  Term simplify_bool_ite(Term c, Term a, Term b);
  Term simplify_extract(Term a, unsigned low, unsigned width);
  Term push_extract(Term a, unsigned low, unsigned width);
  Term simplify_concat(Term a, Term b);
  Term simplify_extension(Op op, Term a, unsigned width);
  Term simplify_shift(Op op, Term a, Term b);
  Term simplify_float(Op op, unsigned width, Term a, Term b);
  Term push_into_constant_ite(Op op, unsigned width, uint32_t aux, Term a, Term b);

  Table table_;
  bool simplify_;
  unsigned depth_ = 0;
};

}  // namespace whittle::term
