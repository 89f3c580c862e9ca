// Rules for bitwise operators, and for everything of width 1.
#include <utility>

#include "term/builder.h"
#include "term/op.h"

namespace whittle::term {
namespace {

bool complementary(Term a, Term b) {
  return (a.op() == Op::Not && a.kid(0) == b) || (b.op() == Op::Not && b.kid(0) == a);
}

/// What a chain of one associative operator says about one operand, looking a few levels down.
enum class InChain : uint8_t { Absent, Present, Complement };
InChain in_chain(Op op, Term chain, Term operand, unsigned depth = 4) {
  if (chain == operand) return InChain::Present;
  if (complementary(chain, operand)) return InChain::Complement;
  if (depth == 0 || chain.op() != op) return InChain::Absent;
  InChain first = in_chain(op, chain.kid(0), operand, depth - 1);
  return first != InChain::Absent ? first : in_chain(op, chain.kid(1), operand, depth - 1);
}

unsigned trailing_zeros(u128 v) {
  uint64_t low = static_cast<uint64_t>(v);
  if (low != 0) return static_cast<unsigned>(__builtin_ctzll(low));
  uint64_t high = static_cast<uint64_t>(v >> 64);
  return high != 0 ? 64 + static_cast<unsigned>(__builtin_ctzll(high)) : 128;
}

unsigned leading_zeros(u128 v) {
  uint64_t high = static_cast<uint64_t>(v >> 64), low = static_cast<uint64_t>(v);
  if (high != 0) return static_cast<unsigned>(__builtin_clzll(high));
  return low != 0 ? 64 + static_cast<unsigned>(__builtin_clzll(low)) : 128;
}

/// Low bits known to be zero; bits from the low end that may be anything.
unsigned low_zeros(Term t) {
  if (t.op() == Op::Mul && t.kid(1).is_constant()) return trailing_zeros(t.kid(1).value());
  if (t.op() == Op::Concat && t.kid(1).is_constant(0)) return t.kid(1).width();
  return 0;
}
unsigned significant_bits(Term t) { return t.op() == Op::ZExt ? t.kid(0).width() : t.width(); }

/// x == c1 together with x == c2, or with its negation: the constants decide.
struct Equality {
  Term subject;
  u128 value = 0;
  bool negated = false;
};
Equality equality(Term t) {
  bool negated = t.op() == Op::Not;
  Term inner = negated ? t.kid(0) : t;
  if (inner.op() != Op::Eq || !inner.kid(1).is_constant()) return {};
  return {inner.kid(0), inner.kid(1).value(), negated};
}

}  // namespace

Term Builder::simplify_bit(Op op, Term a, Term b) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Xor: return bnot(eq(a, b));
    case Op::Mul: return band(a, b);
    case Op::UDiv:
    case Op::SDiv: return bor(a, bnot(b));
    case Op::URem:
    case Op::SRem:
    case Op::Shl:
    case Op::LShr: return band(a, bnot(b));
    case Op::AShr: return a;
    case Op::Ult: return band(bnot(a), b);
    case Op::Ule: return bor(bnot(a), b);
    case Op::Slt: return band(a, bnot(b));
    case Op::Sle: return bor(a, bnot(b));
    default: return {};
  }
}

Term Builder::simplify_not(Term a) {
  if (a.op() == Op::Not) return a.kid(0);
  return {};
}

Term Builder::simplify_and(Term a, Term b) {
  const unsigned w = a.width();
  if (a == b) return a;
  if (complementary(a, b)) return constant(w, 0);
  if (b.is_constant()) return simplify_mask(a, b);
  if (InChain in = in_chain(Op::And, a, b); in != InChain::Absent) return in == InChain::Present ? a : constant(w, 0);
  if (InChain in = in_chain(Op::And, b, a); in != InChain::Absent) return in == InChain::Present ? b : constant(w, 0);
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (y.op() != Op::Or) continue;
    for (unsigned i = 0; i < 2; ++i) {
      if (y.kid(i) == x) return x;
      if (complementary(y.kid(i), x)) return band(x, y.kid(1 - i));
    }
  }
  if (w == 1) {
    Equality p = equality(a), q = equality(b);
    if (p.subject && p.subject == q.subject && p.value != q.value) {
      if (!p.negated && !q.negated) return bit(false);
      if (p.negated != q.negated) return p.negated ? b : a;
    }
  }
  if (a.op() == Op::ZExt && b.op() == Op::ZExt && a.kid(0).width() == b.kid(0).width())
    return zext(band(a.kid(0), b.kid(0)), w);
  return {};
}

/// And with a constant: masks at either end become structure.
Term Builder::simplify_mask(Term a, Term mask) {
  const unsigned w = a.width();
  const u128 m = mask.value();
  if (m == 0) return mask;
  if (m == mask128(w)) return a;
  if (a.op() == Op::And && a.kid(1).is_constant()) return band(a.kid(0), constant(w, a.kid(1).value() & m));
  if (a.op() == Op::ZExt) {
    const unsigned kw = a.kid(0).width();
    return zext(band(a.kid(0), constant(kw, m)), w);
  }
  if (a.op() == Op::Concat) {
    const unsigned lw = a.kid(1).width();
    return concat(band(a.kid(0), constant(w - lw, m >> lw)), band(a.kid(1), constant(lw, m)));
  }
  const unsigned zeros = trailing_zeros(m), run = trailing_zeros(~(m >> zeros));
  if (zeros == 0 && m == mask128(run)) return zext(extract(a, 0, run), w);
  if (zeros + run == w) return concat(extract(a, zeros, w - zeros), constant(zeros, 0));
  return {};
}

Term Builder::simplify_or(Term a, Term b) {
  const unsigned w = a.width();
  if (a == b || b.is_constant(0)) return a;
  if (b.is_constant(mask128(w))) return b;
  if (complementary(a, b)) return ones(w);
  if (b.is_constant()) {
    if (a.op() == Op::Or && a.kid(1).is_constant()) return bor(a.kid(0), constant(w, a.kid(1).value() | b.value()));
    return join_parts(Op::Or, a, b);
  }
  if (InChain in = in_chain(Op::Or, a, b); in != InChain::Absent) return in == InChain::Present ? a : ones(w);
  if (InChain in = in_chain(Op::Or, b, a); in != InChain::Absent) return in == InChain::Present ? b : ones(w);
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (y.op() != Op::And) continue;
    for (unsigned i = 0; i < 2; ++i) {
      if (y.kid(i) == x) return x;
      if (complementary(y.kid(i), x)) return bor(x, y.kid(1 - i));
    }
  }
  if (w == 1) {
    Equality p = equality(a), q = equality(b);
    if (p.subject && p.subject == q.subject && p.value != q.value) {
      if (p.negated && q.negated) return bit(true);
      if (p.negated != q.negated) return p.negated ? a : b;
    }
  }
  return join_parts(Op::Or, a, b);
}

Term Builder::simplify_xor(Term a, Term b) {
  const unsigned w = a.width();
  if (a == b) return constant(w, 0);
  if (b.is_constant(0)) return a;
  if (b.is_constant(mask128(w))) return bnot(a);
  if (complementary(a, b)) return ones(w);
  if (a.op() == Op::Not) return bnot(bxor(a.kid(0), b));
  if (b.op() == Op::Not) return bnot(bxor(a, b.kid(0)));
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (x.op() != Op::Xor) continue;
    if (x.kid(0) == y) return x.kid(1);
    if (x.kid(1) == y) return x.kid(0);
    if (x.kid(1).is_constant() && y.is_constant()) return bxor(x.kid(0), constant(w, x.kid(1).value() ^ y.value()));
  }
  return join_parts(Op::Xor, a, b);
}

/// Or and Xor of operands that do not overlap put bits side by side: (x << 8) | byte is a Concat.
Term Builder::join_parts(Op op, Term a, Term b) {
  const unsigned w = a.width();
  for (auto [high, low] : {std::pair{a, b}, std::pair{b, a}}) {
    const unsigned k = low_zeros(high);
    unsigned used = low.is_constant() ? 128 - leading_zeros(low.value()) : significant_bits(low);
    if (k > 0 && k < w && used <= k) return concat(extract(high, k, w - k), extract(low, 0, k));
  }
  if (a.op() == Op::ZExt && b.op() == Op::ZExt && a.kid(0).width() == b.kid(0).width())
    return zext(make(op, a.kid(0).width(), 0, a.kid(0), b.kid(0)), w);
  return {};
}

}  // namespace whittle::term
