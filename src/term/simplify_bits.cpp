#include "term/builder.h"
namespace whittle::term {
Term Builder::simplify_not(Term a) { return a.op() == Op::Not ? a.kid(0) : Term{}; }
Term Builder::simplify_and(Term a, Term b) {
  if (a == b) return a;
  if (b.is_constant(0)) return b;
  if (b.is_constant(mask128(b.width()))) return a;
  return {};
}
Term Builder::simplify_or(Term a, Term b) {
  if (a == b || b.is_constant(0)) return a;
  if (b.is_constant(mask128(b.width()))) return b;
  return {};
}
Term Builder::simplify_xor(Term, Term) { return {}; }
Term Builder::simplify_bit(Op, Term, Term) { return {}; }
Term Builder::simplify_sum(Op op, Term a, Term b) { return op != Op::Neg && b.is_constant(0) ? a : Term{}; }
Term Builder::simplify_mul(Term a, Term b) { return b.is_constant(1) ? a : b.is_constant(0) ? b : Term{}; }
Term Builder::simplify_division(Op, Term, Term) { return {}; }
Term Builder::simplify_eq(Term a, Term b) {
  return a == b ? bit(true) : a.width() == 1 && b.is_constant(1) ? a : Term{};
}
Term Builder::simplify_less(Op, Term, Term) { return {}; }
Term Builder::simplify_ite(Term c, Term a, Term b) { return a == b ? a : c.is_true() ? a : c.is_false() ? b : Term{}; }
Term Builder::simplify_extract(Term, unsigned, unsigned) { return {}; }
Term Builder::simplify_concat(Term, Term) { return {}; }
Term Builder::simplify_extension(Op, Term, unsigned) { return {}; }
Term Builder::simplify_shift(Op, Term, Term) { return {}; }
Term Builder::simplify_float(Op, unsigned, Term, Term) { return {}; }
Term Builder::push_into_constant_ite(Op, unsigned, uint32_t, Term, Term) { return {}; }
}  // namespace whittle::term
