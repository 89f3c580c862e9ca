// cvc5 behind the Solver interface. It is here to check Z3's answers, so simplicity counts more than speed: every check
// gets a fresh solver. The C++ API throws; Backend::check catches it.
#include <cvc5/cvc5.h>
#include <fmt/format.h>

#include <cmath>

#include "solve/backend.h"
#include "solve/encode.h"
#include "solve/in_turn.h"

namespace whittle::solve {
namespace {

using cvc5::Kind;

class Cvc5Api {
 public:
  using Expr = cvc5::Term;
  explicit Cvc5Api(cvc5::Solver& solver) : s_(solver) {}

  Expr boolean(bool v) { return s_.mkBoolean(v); }
  Expr bits(unsigned w, u128 v) {
    std::string text;
    for (unsigned i = w; i-- > 0;) text += static_cast<char>('0' + static_cast<unsigned>(v >> i & 1));
    return s_.mkBitVector(w, text, 2);
  }
  Expr symbol(Term leaf, bool boolean) {
    return s_.mkConst(boolean ? s_.getBooleanSort() : s_.mkBitVectorSort(leaf.width()), fmt::format("v{}", leaf.id()));
  }
  Expr ite(Expr c, Expr a, Expr b) { return s_.mkTerm(cvc5::ITE, {c, a, b}); }
  Expr equal(Expr a, Expr b) { return s_.mkTerm(cvc5::EQUAL, {a, b}); }
  Expr extract(Expr a, unsigned low, unsigned w) {
    return s_.mkTerm(s_.mkOp(cvc5::BITVECTOR_EXTRACT, {low + w - 1, low}), {a});
  }
  Expr extend(Expr a, unsigned by, bool is_signed) {
    return s_.mkTerm(s_.mkOp(is_signed ? cvc5::BITVECTOR_SIGN_EXTEND : cvc5::BITVECTOR_ZERO_EXTEND, {by}), {a});
  }
  Expr logic(term::Op op, std::array<Expr, 2> k) {
    switch (op) {
      case term::Op::Not: return s_.mkTerm(cvc5::NOT, {k[0]});
      case term::Op::And: return s_.mkTerm(cvc5::AND, {k[0], k[1]});
      case term::Op::Or: return s_.mkTerm(cvc5::OR, {k[0], k[1]});
      default: return s_.mkTerm(cvc5::XOR, {k[0], k[1]});
    }
  }
  Expr operate(term::Op op, std::array<Expr, 2> k) {
    if (op == term::Op::Not || op == term::Op::Neg) return s_.mkTerm(kind(op), {k[0]});
    return s_.mkTerm(kind(op), {k[0], k[1]});
  }

  Expr to_fp(Expr bits, unsigned w) { return s_.mkTerm(float_op(cvc5::FLOATINGPOINT_TO_FP_FROM_IEEE_BV, w), {bits}); }
  /// There is no way back to bits but to ask for bits that mean the value.
  Expr from_fp(Expr value, unsigned w) {
    Expr fresh = s_.mkConst(s_.mkBitVectorSort(w), fmt::format("f{}", definitions.size()));
    Expr nan = s_.mkTerm(cvc5::FLOATINGPOINT_IS_NAN, {value});
    definitions.push_back(ite(nan, equal(fresh, bits(w, term::canonical_nan(w))), equal(to_fp(fresh, w), value)));
    return fresh;
  }
  Expr fp_to_fp(Expr value, unsigned w) {
    return s_.mkTerm(float_op(cvc5::FLOATINGPOINT_TO_FP_FROM_FP, w), {rne(), value});
  }
  Expr integer_to_fp(Expr bits, unsigned w, bool is_signed) {
    Kind from = is_signed ? cvc5::FLOATINGPOINT_TO_FP_FROM_SBV : cvc5::FLOATINGPOINT_TO_FP_FROM_UBV;
    return s_.mkTerm(float_op(from, w), {rne(), bits});
  }
  Expr fp_to_integer(Expr value, unsigned w, bool is_signed) {
    return s_.mkTerm(s_.mkOp(is_signed ? cvc5::FLOATINGPOINT_TO_SBV : cvc5::FLOATINGPOINT_TO_UBV, {w}),
                     {mode(cvc5::ROUND_TOWARD_ZERO), value});
  }
  Expr fp_operate(term::Op op, std::array<Expr, 2> k) {
    using term::Op;
    switch (op) {
      case Op::FAdd: return s_.mkTerm(cvc5::FLOATINGPOINT_ADD, {rne(), k[0], k[1]});
      case Op::FSub: return s_.mkTerm(cvc5::FLOATINGPOINT_SUB, {rne(), k[0], k[1]});
      case Op::FMul: return s_.mkTerm(cvc5::FLOATINGPOINT_MULT, {rne(), k[0], k[1]});
      case Op::FDiv: return s_.mkTerm(cvc5::FLOATINGPOINT_DIV, {rne(), k[0], k[1]});
      case Op::FSqrt: return s_.mkTerm(cvc5::FLOATINGPOINT_SQRT, {rne(), k[0]});
      case Op::FRound: return s_.mkTerm(cvc5::FLOATINGPOINT_RTI, {rne(), k[0]});
      case Op::FFloor: return s_.mkTerm(cvc5::FLOATINGPOINT_RTI, {mode(cvc5::ROUND_TOWARD_NEGATIVE), k[0]});
      case Op::FCeil: return s_.mkTerm(cvc5::FLOATINGPOINT_RTI, {mode(cvc5::ROUND_TOWARD_POSITIVE), k[0]});
      case Op::FTrunc: return s_.mkTerm(cvc5::FLOATINGPOINT_RTI, {mode(cvc5::ROUND_TOWARD_ZERO), k[0]});
      case Op::FEq: return s_.mkTerm(cvc5::FLOATINGPOINT_EQ, {k[0], k[1]});
      case Op::FLt: return s_.mkTerm(cvc5::FLOATINGPOINT_LT, {k[0], k[1]});
      case Op::FLe: return s_.mkTerm(cvc5::FLOATINGPOINT_LEQ, {k[0], k[1]});
      default: return s_.mkTerm(cvc5::FLOATINGPOINT_IS_NAN, {k[0]});
    }
  }

  std::vector<Expr> definitions;  ///< conditions that give fresh symbols their meaning

 private:
  static Kind kind(term::Op op) {
    using term::Op;
    switch (op) {
      case Op::Not: return cvc5::BITVECTOR_NOT;
      case Op::Neg: return cvc5::BITVECTOR_NEG;
      case Op::And: return cvc5::BITVECTOR_AND;
      case Op::Or: return cvc5::BITVECTOR_OR;
      case Op::Xor: return cvc5::BITVECTOR_XOR;
      case Op::Add: return cvc5::BITVECTOR_ADD;
      case Op::Sub: return cvc5::BITVECTOR_SUB;
      case Op::Mul: return cvc5::BITVECTOR_MULT;
      case Op::UDiv: return cvc5::BITVECTOR_UDIV;
      case Op::SDiv: return cvc5::BITVECTOR_SDIV;
      case Op::URem: return cvc5::BITVECTOR_UREM;
      case Op::SRem: return cvc5::BITVECTOR_SREM;
      case Op::Shl: return cvc5::BITVECTOR_SHL;
      case Op::LShr: return cvc5::BITVECTOR_LSHR;
      case Op::AShr: return cvc5::BITVECTOR_ASHR;
      case Op::Ult: return cvc5::BITVECTOR_ULT;
      case Op::Ule: return cvc5::BITVECTOR_ULE;
      case Op::Slt: return cvc5::BITVECTOR_SLT;
      case Op::Sle: return cvc5::BITVECTOR_SLE;
      default: return cvc5::BITVECTOR_CONCAT;
    }
  }
  cvc5::Op float_op(Kind kind, unsigned w) { return w == 64 ? s_.mkOp(kind, {11u, 53u}) : s_.mkOp(kind, {8u, 24u}); }
  Expr mode(cvc5::RoundingMode m) { return s_.mkRoundingMode(m); }
  Expr rne() { return mode(cvc5::ROUND_NEAREST_TIES_TO_EVEN); }

  cvc5::Solver& s_;
};

struct Cvc5Session {
  cvc5::Solver solver;
  Cvc5Api api{solver};
  Encoder<Cvc5Api> encoder{api};
};

class Cvc5Solver final : public Backend {
 public:
  explicit Cvc5Solver(const term::Store& store, bool integers = false)
      : Backend(store, {.name = "cvc5", .floats = !integers, .interruptible = false, .memory_limit = false}),
        integers_(integers) {}

 private:
  Outcome solve(std::span<const Term> assumptions) override {
    session_ = std::make_unique<Cvc5Session>();
    prepare(session_->solver);
    return ask(assumptions);
  }
  void drop() override { session_.reset(); }

  void prepare(cvc5::Solver& solver) const {
    solver.setOption("produce-models", "true");
    solver.setOption("produce-unsat-assumptions", "true");
    solver.setOption("incremental", "true");  // checkSatAssuming asks for it
    if (std::isfinite(budget_.seconds))
      solver.setOption("tlimit-per",
                       std::to_string(std::max<int64_t>(1, static_cast<int64_t>(std::ceil(budget_.seconds * 1000)))));
    if (budget_.steps > 0) solver.setOption("rlimit-per", std::to_string(budget_.steps));
    if (integers_) solver.setOption("solve-bv-as-int", "sum");
    solver.setLogic(integers_ ? "ALL" : "QF_BVFP");
  }

  Outcome ask(std::span<const Term> assumptions) {
    Cvc5Session& s = *session_;
    for (const auto& level : levels_)
      for (Term t : level) s.solver.assertFormula(s.encoder.condition(t));
    std::vector<cvc5::Term> names;
    for (Term t : assumptions) {
      names.push_back(s.solver.mkConst(s.solver.getBooleanSort(), fmt::format("a{}", names.size())));
      s.solver.assertFormula(s.solver.mkTerm(cvc5::IMPLIES, {names.back(), s.encoder.condition(t)}));
    }
    for (const cvc5::Term& definition : s.api.definitions) s.solver.assertFormula(definition);
    cvc5::Result answer = names.empty() ? s.solver.checkSat() : s.solver.checkSatAssuming(names);
    if (answer.isSat()) return {Answer::Sat, "", {}};
    if (answer.isUnknown()) return {Answer::Unknown, reason(answer.getUnknownExplanation()), {}};
    Outcome result{Answer::Unsat, "", {}};
    if (names.empty()) return result;
    std::vector<cvc5::Term> needed = s.solver.getUnsatAssumptions();
    for (size_t i = 0; i < names.size(); ++i)
      if (std::find(needed.begin(), needed.end(), names[i]) != needed.end()) result.core.push_back(i);
    return result;
  }

  static std::string reason(cvc5::UnknownExplanation why) {
    switch (why) {
      case cvc5::TIMEOUT: return "time limit";
      case cvc5::RESOURCEOUT: return "step limit";
      case cvc5::MEMOUT: return "memory limit";
      case cvc5::INTERRUPTED: return "interrupted";
      default: return "cvc5: incomplete";
    }
  }

  u128 leaf_value(Term leaf) override {
    const cvc5::Term* expr = session_->encoder.leaf(leaf);
    if (expr == nullptr) return 0;
    cvc5::Term value = session_->solver.getValue(*expr);
    if (value.isBooleanValue()) return value.getBooleanValue() ? 1 : 0;
    u128 result = 0;
    for (char digit : value.getBitVectorValue(2)) result = result << 1 | (digit == '1' ? 1u : 0u);
    return result;
  }

  const bool integers_;  ///< bit-vectors become integers
  std::unique_ptr<Cvc5Session> session_;
};

}  // namespace

std::unique_ptr<Solver> make_cvc5(const term::Store& store) { return std::make_unique<Cvc5Solver>(store); }
std::unique_ptr<Solver> make_cvc5_on_integers(const term::Store& store) {
  return std::make_unique<Cvc5Solver>(store, true);
}

}  // namespace whittle::solve
