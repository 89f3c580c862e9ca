// SMT-LIB 2 text. Width-1 terms that are truth values by nature are Bool, the rest are bit-vectors.
//
// Floating-point results go back to bits by fp.to_ieee_bv, which Z3 reads and the standard lacks; NaN is made
// canonical.
#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <unordered_set>

#include "term/float_apply.h"
#include "term/op.h"
#include "term/print.h"

namespace whittle::term {
namespace {

std::string bits(unsigned width, u128 value) {
  std::string text = "#b";
  if (width % 4 == 0) {
    text = "#x";
    for (unsigned i = width / 4; i-- > 0;) text += "0123456789abcdef"[static_cast<unsigned>(value >> (4 * i)) & 15];
  } else {
    for (unsigned i = width; i-- > 0;) text += static_cast<char>('0' + static_cast<unsigned>((value >> i) & 1));
  }
  return text;
}

std::string_view smt_name(Op op) {
  switch (op) {
    case Op::Not: return "bvnot";
    case Op::Neg: return "bvneg";
    case Op::And: return "bvand";
    case Op::Or: return "bvor";
    case Op::Xor: return "bvxor";
    case Op::Add: return "bvadd";
    case Op::Sub: return "bvsub";
    case Op::Mul: return "bvmul";
    case Op::UDiv: return "bvudiv";
    case Op::SDiv: return "bvsdiv";
    case Op::URem: return "bvurem";
    case Op::SRem: return "bvsrem";
    case Op::Shl: return "bvshl";
    case Op::LShr: return "bvlshr";
    case Op::AShr: return "bvashr";
    case Op::Eq: return "=";
    case Op::Ult: return "bvult";
    case Op::Ule: return "bvule";
    case Op::Slt: return "bvslt";
    case Op::Sle: return "bvsle";
    case Op::Concat: return "concat";
    case Op::FAdd: return "fp.add RNE";
    case Op::FSub: return "fp.sub RNE";
    case Op::FMul: return "fp.mul RNE";
    case Op::FDiv: return "fp.div RNE";
    case Op::FRem: return "fmod";  // no SMT-LIB operator: fp.rem is another remainder
    case Op::FSqrt: return "fp.sqrt RNE";
    case Op::FRound: return "fp.roundToIntegral RNE";
    case Op::FFloor: return "fp.roundToIntegral RTN";
    case Op::FCeil: return "fp.roundToIntegral RTP";
    case Op::FTrunc: return "fp.roundToIntegral RTZ";
    case Op::FEq: return "fp.eq";
    case Op::FLt: return "fp.lt";
    case Op::FLe: return "fp.leq";
    case Op::FIsNan: return "fp.isNaN";
    default: return "?";
  }
}

std::string_view to_fp(unsigned width) { return width == 32 ? "(_ to_fp 8 24)" : "(_ to_fp 11 53)"; }

class Printer {
 public:
  explicit Printer(const Store& store) : store_(store) {}

  std::string print(Term root) {
    std::vector<Term> order = schedule(root);
    std::string text, closing;
    for (Term t : order) {
      std::string body = one(t);
      if (t != root && t.arity() > 0 && t.op() != Op::Read && (uses_[t] > 1 || body.size() > 400)) {
        std::string name = fmt::format("?t{}", t.id());
        text += fmt::format("(let (({} {})) ", name, body);
        closing += ')';
        body = name;
      }
      text_[t] = std::move(body);
    }
    return text + text_[root] + closing;
  }

 private:
  /// Parts of root, kids first. A Read is a leaf: its address is no part of the formula.
  std::vector<Term> schedule(Term root) {
    std::vector<Term> order, stack{root};
    std::unordered_set<Term> done;
    while (!stack.empty()) {
      Term t = stack.back();
      bool ready = true;
      if (!done.contains(t) && t.op() != Op::Read)
        for (unsigned i = t.arity(); i-- > 0;)
          if (!done.contains(t.kid(i))) stack.push_back(t.kid(i)), ready = false;
      if (!ready) continue;
      stack.pop_back();
      if (!done.insert(t).second) continue;
      order.push_back(t);
      if (t.op() != Op::Read)
        for (unsigned i = 0; i < t.arity(); ++i) ++uses_[t.kid(i)];
    }
    return order;
  }

  std::string as_bits(Term t) const {
    if (t.is_constant()) return bits(t.width(), t.value());
    return is_boolean(t) ? fmt::format("(ite {} #b1 #b0)", text_.at(t)) : text_.at(t);
  }
  std::string as_bool(Term t) const { return is_boolean(t) ? text_.at(t) : fmt::format("(= {} #b1)", text_.at(t)); }
  std::string as_float(Term t) const { return fmt::format("({} {})", to_fp(t.width()), as_bits(t)); }
  std::string from_float(const std::string& value, unsigned width) const {
    return fmt::format("(let ((?f {})) (ite (fp.isNaN ?f) {} (fp.to_ieee_bv ?f)))", value,
                       bits(width, canonical_nan(width)));
  }

  std::string one(Term t) const {
    Op op = t.op();
    if (op == Op::Constant) return t.width() == 1 ? (t.is_true() ? "true" : "false") : bits(t.width(), t.value());
    if (op == Op::Variable || op == Op::Read) return smtlib_symbol(store_, t);
    if (is_float_op(op)) return floating(t);
    if (op == Op::Ite) {
      auto branch = [&](Term k) { return t.width() == 1 ? as_bool(k) : as_bits(k); };
      return fmt::format("(ite {} {} {})", as_bool(t.kid(0)), branch(t.kid(1)), branch(t.kid(2)));
    }
    if (op == Op::Extract)
      return fmt::format("((_ extract {} {}) {})", t.low() + t.width() - 1, t.low(), as_bits(t.kid(0)));
    if (op == Op::ZExt || op == Op::SExt)
      return fmt::format("((_ {} {}) {})", op == Op::ZExt ? "zero_extend" : "sign_extend", t.width() - t.kid(0).width(),
                         as_bits(t.kid(0)));
    bool boolean = t.kid(0).width() == 1 && (is_boolean(t) && (op == Op::Eq || !is_comparison(op)));
    std::string_view name = smt_name(op);
    if (boolean && op != Op::Eq) name.remove_prefix(2);
    std::string text = fmt::format("({}", name);
    for (unsigned i = 0; i < t.arity(); ++i) text += " " + (boolean ? as_bool(t.kid(i)) : as_bits(t.kid(i)));
    return text + ")";
  }

  std::string floating(Term t) const {
    Op op = t.op();
    Term a = t.kid(0);
    const unsigned w = t.width();
    switch (op) {
      case Op::FNeg: return fmt::format("(bvxor {} {})", as_bits(a), bits(w, u128{1} << (w - 1)));
      case Op::FAbs: return fmt::format("(bvand {} {})", as_bits(a), bits(w, mask128(w - 1)));
      case Op::FToFloat: return from_float(fmt::format("({} RNE {})", to_fp(w), as_float(a)), w);
      case Op::UIntToF:
        return from_float(
            fmt::format("({} RNE {})", w == 32 ? "(_ to_fp_unsigned 8 24)" : "(_ to_fp_unsigned 11 53)", as_bits(a)),
            w);
      case Op::SIntToF: return from_float(fmt::format("({} RNE {})", to_fp(w), as_bits(a)), w);
      case Op::FToUInt:
      case Op::FToSInt: return to_integer(t);
      default: break;
    }
    std::string text = fmt::format("({}", smt_name(op));
    for (unsigned i = 0; i < t.arity(); ++i) text += " " + as_float(t.kid(i));
    text += ")";
    return is_float_predicate(op) ? text : from_float(text, w);
  }

  std::string to_integer(Term t) const {
    const bool is_signed = t.op() == Op::FToSInt;
    const unsigned w = t.width(), f = t.kid(0).width();
    u128 upper = apply(Op::UIntToF, f, std::array<u128, 1>{u128{1} << (w - 1)}, std::array<unsigned, 1>{128});
    if (!is_signed) upper = apply(Op::FMul, f, std::array<u128, 2>{upper, float_two(f)}, std::array<unsigned, 2>{f, f});
    u128 lower = is_signed ? upper | u128{1} << (f - 1) : 0;
    auto constant = [&](u128 v) { return fmt::format("({} {})", to_fp(f), bits(f, v)); };
    return fmt::format(
        "(let ((?f (fp.roundToIntegral RTZ {}))) (ite (and (fp.leq {} ?f) (fp.lt ?f {})) ((_ {} {}) RTZ ?f) {}))",
        as_float(t.kid(0)), constant(lower), constant(upper), is_signed ? "fp.to_sbv" : "fp.to_ubv", w,
        bits(w, out_of_range_integer(w)));
  }
  static u128 float_two(unsigned width) { return width == 32 ? 0x40000000u : 0x4000000000000000u; }

  const Store& store_;
  std::unordered_map<Term, std::string> text_;
  std::unordered_map<Term, unsigned> uses_;
};

}  // namespace

std::string smtlib_symbol(const Store& store, Term leaf) {
  if (leaf.op() == Op::Read) return fmt::format("read{}!{}", leaf.width(), leaf.id());
  std::string name = store.variable_name(leaf);
  bool plain = true;
  for (char& c : name) {
    bool simple =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '%';
    if (!simple) plain = false;
    if (c == '|' || c == '\\') c = '_';
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "v");
  name += fmt::format("!{}", leaf.variable());
  return plain ? name : "|" + name + "|";
}

std::string smtlib_sort(Term leaf) { return is_boolean(leaf) ? "Bool" : fmt::format("(_ BitVec {})", leaf.width()); }

std::string to_smtlib(const Store& store, Term root) { return Printer(store).print(root); }

}  // namespace whittle::term
