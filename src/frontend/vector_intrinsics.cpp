// Instructions of the processor on vectors of 128 bits that LLVM has no operation of its own for: SSE2 to SSE4.1, on integers.
#include <llvm/IR/IntrinsicsX86.h>

#include "frontend/function_lowering.h"

namespace whittle::frontend {

namespace Id = llvm::Intrinsic;
using term::Term;

namespace {

/// One vector operand, cut into elements of any width.
struct Vector {
  term::Store& terms;
  Term whole;
  Term operator()(unsigned i, unsigned width) const { return terms.extract(whole, i * width, width); }
};

/// Elements 0, 1, ... of `width` bits, together 128 bits (or `count` elements).
template <typename F>
Term join(term::Store& t, unsigned width, F element, unsigned count = 0) {
  Term result = element(0);
  for (unsigned i = 1; i < (count != 0 ? count : 128 / width); ++i) result = t.concat(element(i), result);
  return result;
}

/// A signed value in the narrower range of a signed or unsigned type.
Term saturate(term::Store& t, Term value, unsigned narrow, bool is_signed) {
  const unsigned wide = value.width();
  const u128 low = is_signed ? mask128(wide) & ~mask128(narrow - 1) : 0, high = mask128(is_signed ? narrow - 1 : narrow);
  Term cut = t.ite(t.slt(value, t.constant(wide, low)), t.constant(wide, low),
                   t.ite(t.slt(t.constant(wide, high), value), t.constant(wide, high), value));
  return t.extract(cut, 0, narrow);
}

struct Shift {
  unsigned width;
  term::Op op;
  bool by_vector;
};
std::optional<Shift> shift_of(llvm::Intrinsic::ID id) {
  using term::Op;
  switch (id) {
    case Id::x86_sse2_psll_w: return Shift{16, Op::Shl, true};
    case Id::x86_sse2_psll_d: return Shift{32, Op::Shl, true};
    case Id::x86_sse2_psll_q: return Shift{64, Op::Shl, true};
    case Id::x86_sse2_psrl_w: return Shift{16, Op::LShr, true};
    case Id::x86_sse2_psrl_d: return Shift{32, Op::LShr, true};
    case Id::x86_sse2_psrl_q: return Shift{64, Op::LShr, true};
    case Id::x86_sse2_psra_w: return Shift{16, Op::AShr, true};
    case Id::x86_sse2_psra_d: return Shift{32, Op::AShr, true};
    case Id::x86_sse2_pslli_w: return Shift{16, Op::Shl, false};
    case Id::x86_sse2_pslli_d: return Shift{32, Op::Shl, false};
    case Id::x86_sse2_pslli_q: return Shift{64, Op::Shl, false};
    case Id::x86_sse2_psrli_w: return Shift{16, Op::LShr, false};
    case Id::x86_sse2_psrli_d: return Shift{32, Op::LShr, false};
    case Id::x86_sse2_psrli_q: return Shift{64, Op::LShr, false};
    case Id::x86_sse2_psrai_w: return Shift{16, Op::AShr, false};
    case Id::x86_sse2_psrai_d: return Shift{32, Op::AShr, false};
    default: return std::nullopt;
  }
}

/// All elements by the same number; one that is too large shifts everything out.
Term shifted(term::Store& t, const Shift& shift, Term vector, Term count) {
  const unsigned width = shift.width;
  Term small = t.ult(count, t.constant(count.width(), width)), by = t.resize_unsigned(count, width);
  if (shift.op == term::Op::AShr) by = t.ite(small, by, t.constant(width, width - 1));
  return join(t, width, [&](unsigned i) {
    Term element = t.extract(vector, i * width, width);
    if (shift.op == term::Op::AShr) return t.ashr(element, by);
    return t.ite(small, shift.op == term::Op::Shl ? t.shl(element, by) : t.lshr(element, by), t.constant(width, 0));
  });
}

}  // namespace

bool FunctionLowering::lower_vector_intrinsic(const llvm::IntrinsicInst& call) {
  term::Store& t = terms();
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  auto in = [&](unsigned i) { return scalar(call.getArgOperand(i)); };
  auto done = [&](Term value) { return set_pure(call, {value}), true; };
  auto sign_bits = [&](unsigned width) {
    Term a = in(0);
    return done(t.zext(join(t, 1, [&](unsigned i) { return t.extract(a, (i + 1) * width - 1, 1); }, 128 / width), 32));
  };
  auto binary = [&](unsigned width, auto f) {
    const Vector a{t, in(0)}, b{t, in(1)};
    return done(join(t, width, [&](unsigned i) { return f(a, b, i); }));
  };
  auto pack = [&](unsigned wide, bool is_signed) {
    return binary(wide / 2, [&](const Vector& a, const Vector& b, unsigned i) {
      const unsigned half = 128 / wide;
      return saturate(t, i < half ? a(i, wide) : b(i - half, wide), wide / 2, is_signed);
    });
  };
  auto high_product = [&](bool is_signed) {
    return binary(16, [&](const Vector& a, const Vector& b, unsigned i) {
      auto wide = [&](Term x) { return is_signed ? t.sext(x, 32) : t.zext(x, 32); };
      return t.extract(t.mul(wide(a(i, 16)), wide(b(i, 16))), 16, 16);
    });
  };
  auto average = [&](unsigned width) {
    return binary(width, [&](const Vector& a, const Vector& b, unsigned i) {
      Term sum = t.add(t.add(t.zext(a(i, width), width + 1), t.zext(b(i, width), width + 1)), t.constant(width + 1, 1));
      return t.extract(sum, 1, width);
    });
  };
  auto test = [&](auto f) {
    Term a = in(0), b = in(1), zero = t.constant(128, 0);
    return done(t.zext(f(t.eq(t.band(a, b), zero), t.eq(t.band(t.bnot(a), b), zero)), 32));
  };
  if (std::optional<Shift> shift = shift_of(id)) {
    Term count = shift->by_vector ? t.extract(in(1), 0, 64) : in(1);
    return done(shifted(t, *shift, in(0), count));
  }
  switch (id) {
    case Id::x86_sse2_pmovmskb_128: return sign_bits(8);
    case Id::x86_sse_movmsk_ps: return sign_bits(32);
    case Id::x86_sse2_movmsk_pd: return sign_bits(64);
    case Id::x86_sse2_packsswb_128: return pack(16, true);
    case Id::x86_sse2_packssdw_128: return pack(32, true);
    case Id::x86_sse2_packuswb_128: return pack(16, false);
    case Id::x86_sse41_packusdw: return pack(32, false);
    case Id::x86_sse2_pmulh_w: return high_product(true);
    case Id::x86_sse2_pmulhu_w: return high_product(false);
    case Id::x86_sse2_pavg_b: return average(8);
    case Id::x86_sse2_pavg_w: return average(16);
    case Id::x86_sse2_pmadd_wd:
      return binary(32, [&](const Vector& a, const Vector& b, unsigned i) {
        auto product = [&](unsigned k) { return t.mul(t.sext(a(k, 16), 32), t.sext(b(k, 16), 32)); };
        return t.add(product(2 * i), product(2 * i + 1));
      });
    case Id::x86_ssse3_pmadd_ub_sw_128:
      return binary(16, [&](const Vector& a, const Vector& b, unsigned i) {
        auto product = [&](unsigned k) { return t.mul(t.zext(a(k, 8), 18), t.sext(b(k, 8), 18)); };
        return saturate(t, t.add(product(2 * i), product(2 * i + 1)), 16, true);
      });
    case Id::x86_sse2_psad_bw:
      return binary(64, [&](const Vector& a, const Vector& b, unsigned i) {
        Term sum = t.constant(64, 0);
        for (unsigned k = 8 * i; k < 8 * i + 8; ++k) {
          Term x = a(k, 8), y = b(k, 8);
          sum = t.add(sum, t.zext(t.ite(t.ult(x, y), t.sub(y, x), t.sub(x, y)), 64));
        }
        return sum;
      });
    case Id::x86_ssse3_pshuf_b_128:
      return binary(8, [&](const Vector& a, const Vector& b, unsigned i) {
        Term which = b(i, 8), by = t.mul(t.zext(t.extract(which, 0, 4), 128), t.constant(128, 8));
        return t.ite(t.extract(which, 7, 1), t.constant(8, 0), t.extract(t.lshr(a.whole, by), 0, 8));
      });
    case Id::x86_ssse3_phadd_w_128:
    case Id::x86_ssse3_phadd_d_128: {
      const unsigned width = id == Id::x86_ssse3_phadd_w_128 ? 16 : 32, half = 64 / width;
      return binary(width, [&](const Vector& a, const Vector& b, unsigned i) {
        const Vector& from = i < half ? a : b;
        return t.add(from(i % half * 2, width), from(i % half * 2 + 1, width));
      });
    }
    case Id::x86_sse41_pblendvb: {
      Term a = in(0), b = in(1), mask = in(2);
      return done(join(t, 8, [&](unsigned i) { return t.ite(t.extract(mask, 8 * i + 7, 1), t.extract(b, 8 * i, 8), t.extract(a, 8 * i, 8)); }));
    }
    case Id::x86_sse41_ptestz: return test([&](Term zero, Term) { return zero; });
    case Id::x86_sse41_ptestc: return test([&](Term, Term covered) { return covered; });
    case Id::x86_sse41_ptestnzc: return test([&](Term zero, Term covered) { return t.band(t.bnot(zero), t.bnot(covered)); });
    default: return false;
  }
}

}  // namespace whittle::frontend
