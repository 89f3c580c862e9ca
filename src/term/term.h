// The one expression language of whittle: immutable, hash-consed bit-vector terms.
//
//   Store store;
//   Term x = store.variable(32, "x");
//   Term sum = store.add(x, store.constant(32, 1));
//   Term odd = store.eq(store.extract(sum, 0, 1), store.constant(1, 1));
//
// Statements of programs, path conditions, predicates and summaries are all terms. Equal terms of one store are the
// same pointer, so comparison is pointer comparison. There is one sort: bit-vectors of 1 to 128 bits. A Boolean is a
// bit-vector of width 1 (docs/decisions/010-booleans-are-bits.md says why). Floats are operated on as bit patterns of
// 32 or 64 bits, IEEE 754, round to nearest even.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"

namespace whittle::term {

enum class Op : uint8_t {
  // clang-format off
  // leaves
  Constant,
  Variable,
  Read,  // memory read: kid 0 is the address; width is a multiple of 8; little endian. A leaf for solvers.
  // bit-vectors: both kids and the result have one width
  Not, Neg, And, Or, Xor, Add, Sub, Mul,
  UDiv, SDiv, URem, SRem,  // by zero as in SMT-LIB
  Shl, LShr, AShr,         // amounts >= width as in SMT-LIB
  // comparisons: kids of one width, result of width 1
  Eq, Ult, Ule, Slt, Sle,
  // structure
  Ite,      // kid 0 of width 1
  Extract,  // bits low .. low+width-1 of kid 0; low() tells
  Concat,   // kid 0 is the high part
  ZExt, SExt,
  // floats on bit patterns of 32 or 64 bits
  FAdd, FSub, FMul, FDiv, FRem,  // FRem is C's fmod
  FNeg, FAbs, FSqrt, FRound,     // FRound: to integral, round to nearest even
  FFloor, FCeil, FTrunc,
  FEq, FLt, FLe,                 // ordered comparisons, result of width 1: false on NaN
  FIsNan,
  FToFloat,          // float <-> double, by width
  FToUInt, FToSInt,  // truncation; out of range or NaN: only the top bit set (all engines agree on it)
  UIntToF, SIntToF,
  // clang-format on
};
constexpr unsigned kOpCount = static_cast<unsigned>(Op::SIntToF) + 1;
std::string_view name(Op op);

struct Node;

/// An 8-byte handle. Cheap to copy, compare and hash. A default-made one is no term.
class Term {
 public:
  Term() = default;
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const Term&) const = default;

  Op op() const;
  unsigned width() const;
  /// Number of this term in its store: dense, older terms have smaller numbers than terms made of them.
  uint32_t id() const;
  unsigned arity() const;
  Term kid(unsigned i) const;

  bool is_constant() const { return op() == Op::Constant; }
  bool is_constant(u128 value) const { return is_constant() && this->value() == value; }
  bool is_true() const { return width() == 1 && is_constant(1); }
  bool is_false() const { return width() == 1 && is_constant(0); }
  bool is_variable() const { return op() == Op::Variable; }

  u128 value() const;         ///< of a constant
  uint64_t value64() const;   ///< its low 64 bits
  uint32_t variable() const;  ///< number of a variable: dense per store, in order of creation
  unsigned low() const;       ///< of an Extract
  bool has_reads() const;     ///< is there a Read in it?
  bool has_floats() const;    ///< is there a floating-point operation in it?
  const Node* node() const { return node_; }

 private:
  friend class Store;
  explicit Term(const Node* node) : node_(node) {}
  const Node* node_ = nullptr;
};
static_assert(sizeof(Term) == 8);

/// Values of variables and memory, for evaluation. `read` gets the address and the number of bytes.
struct Assignment {
  std::function<u128(Term variable)> variable;
  std::function<u128(u128 address, unsigned bytes)> read;
};

/// Makes and owns terms. Not thread-safe. Terms live as long as the store.
class Store {
 public:
  struct Options {
    bool simplify = true;  ///< off: build exactly what is asked for (tests compare both)
  };
  Store();
  explicit Store(Options options);
  ~Store();
  /// Switches Options::simplify: what reads terms back from text wants exactly those.
  void set_simplify(bool on);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Leaves
  Term constant(unsigned width, u128 value);  ///< value is cut to width
  Term boolean(bool value) { return constant(1, value ? 1 : 0); }
  Term truth() { return boolean(true); }
  Term falsity() { return boolean(false); }
  /// A new variable, different from all others even if the name is equal. Names are for people.
  Term variable(unsigned width, std::string_view name);
  Term variable_by_number(uint32_t number) const;
  uint32_t variable_count() const;
  const std::string& variable_name(Term variable) const;
  Term read(Term address, unsigned width);

  // Any operation; `low_or_width` is the low bit of an Extract (whose width is `width`) or unused.
  Term make(Op op, std::span<const Term> kids, unsigned width = 0, unsigned low = 0);

  Term bnot(Term a);
  Term neg(Term a);
  Term band(Term a, Term b);
  Term bor(Term a, Term b);
  Term bxor(Term a, Term b);
  Term add(Term a, Term b);
  Term sub(Term a, Term b);
  Term mul(Term a, Term b);
  Term udiv(Term a, Term b);
  Term sdiv(Term a, Term b);
  Term urem(Term a, Term b);
  Term srem(Term a, Term b);
  Term shl(Term a, Term b);
  Term lshr(Term a, Term b);
  Term ashr(Term a, Term b);
  Term eq(Term a, Term b);
  Term ne(Term a, Term b) { return bnot(eq(a, b)); }
  Term ult(Term a, Term b);
  Term ule(Term a, Term b);
  Term ugt(Term a, Term b) { return ult(b, a); }
  Term uge(Term a, Term b) { return ule(b, a); }
  Term slt(Term a, Term b);
  Term sle(Term a, Term b);
  Term sgt(Term a, Term b) { return slt(b, a); }
  Term sge(Term a, Term b) { return sle(b, a); }
  Term ite(Term condition, Term then, Term otherwise);
  Term extract(Term a, unsigned low, unsigned width);
  Term concat(Term high, Term low);
  Term zext(Term a, unsigned width);  ///< width >= a.width(); equal: a itself
  Term sext(Term a, unsigned width);
  /// Cut or zero-extend / sign-extend to a width.
  Term resize_unsigned(Term a, unsigned width);
  Term resize_signed(Term a, unsigned width);
  Term implies(Term a, Term b) { return bor(bnot(a), b); }
  Term conjunction(std::span<const Term> terms);
  Term disjunction(std::span<const Term> terms);

  Term fop(Op op, Term a, Term b);               ///< FAdd .. FRem, FEq, FLt, FLe
  Term fop(Op op, Term a);                       ///< FNeg .. FTrunc, FIsNan
  Term fconvert(Op op, Term a, unsigned width);  ///< FToFloat .. SIntToF

  /// Replaces variables (and, if `reads` is given, Read leaves, innermost first) by terms; shared parts once.
  /// A function that answers with a default-made Term leaves its argument as it is.
  Term substitute(Term root, const std::function<Term(Term variable)>& variables,
                  const std::function<Term(Term read_with_new_address)>& reads = {});

  /// The value of a term. Shared parts are evaluated once.
  u128 evaluate(Term root, const Assignment& assignment) const;

  /// The same with values for leaves as solvers see them: variables and whole Read terms, whose addresses do not
  /// matter.
  u128 evaluate_leaves(Term root, const std::function<u128(Term leaf)>& leaf) const;

  size_t size() const;  ///< terms made so far

 private:
  friend class Builder;
  static Term handle(const Node* node) { return Term(node); }
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The value of one operation on constant kids: the meaning of every operator, in one place. Concrete execution,
/// folding and evaluation all agree with it. `low` only for Extract.
u128 apply(Op op, unsigned width, std::span<const u128> kids, std::span<const unsigned> kid_widths, unsigned low = 0);

/// Variables of a term, each once, in order of first occurrence; Read leaves likewise.
std::vector<Term> variables(Term root);
std::vector<Term> reads(Term root);
/// Variables and Reads as solvers see them: what is inside a Read's address does not count.
std::vector<Term> leaves(Term root);
/// Number of distinct terms in it.
size_t dag_size(Term root);

/// SMT-LIB 2 text of one term (shared parts bound by let), and C as a person would write it.
std::string to_smtlib(const Store& store, Term root);
std::string to_c(const Store& store, Term root);

}  // namespace whittle::term

#include "term/node.h"  // the inline accessors of Term

template <>
struct std::hash<whittle::term::Term> {
  size_t operator()(whittle::term::Term t) const noexcept {
    return reinterpret_cast<size_t>(t.node()) * 0x9e3779b97f4a7c15u >> 7;
  }
};
