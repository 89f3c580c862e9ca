// cvc5's linear arithmetic behind the Solver interface: bit-vectors become integers (integers.h). For the checker of proofs,
// which does not ask the solver that found them.
#include <cvc5/cvc5.h>
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "solve/in_turn.h"
#include "solve/integers.h"

namespace whittle::solve {
namespace {

class Cvc5Integers {
 public:
  using Expr = cvc5::Term;
  explicit Cvc5Integers(cvc5::Solver& solver) : s_(solver) {}

  Expr number(i128 n) { return s_.mkInteger(fmt::format("{}", n)); }
  Expr integer() { return s_.mkConst(s_.getIntegerSort(), fmt::format("i{}", ++made_)); }
  Expr boolean() { return s_.mkConst(s_.getBooleanSort(), fmt::format("b{}", ++made_)); }
  Expr constant(bool v) { return s_.mkBoolean(v); }
  Expr plus(const Expr& a, const Expr& b) { return s_.mkTerm(cvc5::ADD, {a, b}); }
  Expr times(i128 factor, const Expr& a) { return s_.mkTerm(cvc5::MULT, {number(factor), a}); }
  Expr at_most(const Expr& a, const Expr& b) { return s_.mkTerm(cvc5::LEQ, {a, b}); }
  Expr equal(const Expr& a, const Expr& b) { return s_.mkTerm(cvc5::EQUAL, {a, b}); }
  Expr ite(const Expr& c, const Expr& a, const Expr& b) { return s_.mkTerm(cvc5::ITE, {c, a, b}); }
  Expr logic(term::Op op, const std::array<Expr, 2>& k) {
    switch (op) {
      case term::Op::Not: return s_.mkTerm(cvc5::NOT, {k[0]});
      case term::Op::And: return s_.mkTerm(cvc5::AND, {k[0], k[1]});
      case term::Op::Or: return s_.mkTerm(cvc5::OR, {k[0], k[1]});
      default: return s_.mkTerm(cvc5::XOR, {k[0], k[1]});
    }
  }

 private:
  cvc5::Solver& s_;
  size_t made_ = 0;
};

struct Cvc5IntegerSession {
  cvc5::Solver solver;
  Cvc5Integers api{solver};
  IntegerEncoder<Cvc5Integers> encoder{api};
};

class Cvc5Linear final : public Backend {
 public:
  explicit Cvc5Linear(const term::Store& store)
      : Backend(store, {.name = "cvc5 on sums", .floats = false, .interruptible = false, .memory_limit = false}) {}

 private:
  Outcome solve(std::span<const Term> assumptions) override {
    session_ = std::make_unique<Cvc5IntegerSession>();
    Cvc5IntegerSession& s = *session_;
    s.solver.setOption("produce-models", "true");
    s.solver.setOption("produce-unsat-assumptions", "true");
    s.solver.setOption("incremental", "true");  // checkSatAssuming asks for it
    if (std::isfinite(budget_.seconds))
      s.solver.setOption("tlimit-per",
                         std::to_string(std::max<int64_t>(1, static_cast<int64_t>(std::ceil(budget_.seconds * 1000)))));
    if (budget_.steps > 0) s.solver.setOption("rlimit-per", std::to_string(budget_.steps));
    s.solver.setLogic("QF_LIA");
    for (const auto& level : levels_)
      for (Term t : level) s.solver.assertFormula(s.encoder.condition(t));
    std::vector<cvc5::Term> names;
    for (Term t : assumptions) {
      names.push_back(s.api.boolean());
      s.solver.assertFormula(s.solver.mkTerm(cvc5::IMPLIES, {names.back(), s.encoder.condition(t)}));
    }
    for (const cvc5::Term& definition : s.encoder.definitions) s.solver.assertFormula(definition);
    const cvc5::Result answer = names.empty() ? s.solver.checkSat() : s.solver.checkSatAssuming(names);
    if (answer.isSat()) return {Answer::Sat, "", {}};
    if (answer.isUnknown()) return {Answer::Unknown, "cvc5: not decided over integers", {}};
    Outcome result{Answer::Unsat, "", {}};
    if (names.empty()) return result;
    const std::vector<cvc5::Term> needed = s.solver.getUnsatAssumptions();
    for (size_t i = 0; i < names.size(); ++i)
      if (std::find(needed.begin(), needed.end(), names[i]) != needed.end()) result.core.push_back(i);
    return result;
  }

  u128 leaf_value(Term leaf) override {
    const cvc5::Term* expr = session_->encoder.leaf(leaf);
    if (expr == nullptr) return 0;
    const cvc5::Term value = session_->solver.getValue(*expr);
    if (value.isBooleanValue()) return value.getBooleanValue() ? 1 : 0;
    return from_decimal(value.getIntegerValue()) & mask128(leaf.width());
  }

  void drop() override { session_.reset(); }

  std::unique_ptr<Cvc5IntegerSession> session_;
};

}  // namespace

std::unique_ptr<Solver> make_cvc5_linear(const term::Store& store) { return std::make_unique<Cvc5Linear>(store); }

}  // namespace whittle::solve
