// Z3's linear arithmetic behind the Solver interface: bit-vectors become integers (integers.h). Every check gets a fresh
// solver: questions are small, and what earlier ones defined would be in the way.
#include <fmt/format.h>
#include <mutex>
#include <optional>

#include "solve/in_turn.h"
#include "solve/integers.h"
#include "solve/z3_library.h"

namespace whittle::solve {
namespace {

class Z3Integers {
 public:
  using Expr = Z3_ast;
  explicit Z3Integers(Z3_context context)
      : c_(context), integers_(Z3_mk_int_sort(context)), booleans_(Z3_mk_bool_sort(context)) {}

  Expr number(i128 n) {
    if (n >= INT64_MIN && n <= INT64_MAX) return made(Z3_mk_int64(c_, static_cast<int64_t>(n), integers_));
    return made(Z3_mk_numeral(c_, fmt::format("{}", n).c_str(), integers_));
  }
  Expr integer() { return made(Z3_mk_fresh_const(c_, "i", integers_)); }
  Expr boolean() { return made(Z3_mk_fresh_const(c_, "b", booleans_)); }
  Expr constant(bool v) { return made(v ? Z3_mk_true(c_) : Z3_mk_false(c_)); }
  Expr plus(Expr a, Expr b) {
    Expr kids[] = {a, b};
    return made(Z3_mk_add(c_, 2, kids));
  }
  Expr times(i128 factor, Expr a) {
    Expr kids[] = {number(factor), a};
    return made(Z3_mk_mul(c_, 2, kids));
  }
  Expr at_most(Expr a, Expr b) { return made(Z3_mk_le(c_, a, b)); }
  Expr equal(Expr a, Expr b) { return made(Z3_mk_eq(c_, a, b)); }
  Expr ite(Expr c, Expr a, Expr b) { return made(Z3_mk_ite(c_, c, a, b)); }
  Expr logic(term::Op op, std::array<Expr, 2> k) {
    switch (op) {
      case term::Op::Not: return made(Z3_mk_not(c_, k[0]));
      case term::Op::And: return made(Z3_mk_and(c_, 2, k.data()));
      case term::Op::Or: return made(Z3_mk_or(c_, 2, k.data()));
      default: return made(Z3_mk_xor(c_, k[0], k[1]));
    }
  }

 private:
  /// An expression that Z3 did not make must not be handed back to it.
  Expr made(Expr e) const {
    if (e == nullptr) throw z3_failure(c_);
    return e;
  }

  Z3_context c_;
  Z3_sort integers_, booleans_;
};

/// A context, which keeps every expression until it goes, and the solver of one check.
struct IntegerSession {
  IntegerSession() : context(make_z3_context(false)), api(context) {}
  ~IntegerSession() {
    end();
    Z3_del_context(context);
  }
  void begin() {
    end();
    ++checks;
    encoder.emplace(api);
    solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
  }
  void end() {
    if (model != nullptr) Z3_model_dec_ref(context, model);
    if (solver != nullptr) Z3_solver_dec_ref(context, solver);
    model = nullptr, solver = nullptr;
  }
  IntegerSession(const IntegerSession&) = delete;
  IntegerSession& operator=(const IntegerSession&) = delete;

  Z3_context context;
  Z3Integers api;
  std::optional<IntegerEncoder<Z3Integers>> encoder;
  size_t checks = 0;
  Z3_solver solver = nullptr;
  Z3_model model = nullptr;
};

class Z3Linear final : public Backend {
 public:
  explicit Z3Linear(const term::Store& store)
      : Backend(store, {.name = "z3 on sums", .floats = false, .memory_limit = false}) {}

 private:
  Outcome solve(std::span<const Term> assumptions) override {
    constexpr size_t kChecks = 40;  // a context takes longer to make than most questions
    if (!session_ || session_->checks >= kChecks) {
      std::lock_guard lock(mutex_);
      session_ = std::make_unique<IntegerSession>();
    }
    IntegerSession& s = *session_;
    s.begin();
    for (const auto& level : levels_)
      for (Term t : level) Z3_solver_assert(s.context, s.solver, s.encoder->condition(t));
    std::vector<Z3_ast> names;
    for (Term t : assumptions) {
      names.push_back(s.api.boolean());
      Z3_solver_assert(s.context, s.solver, Z3_mk_implies(s.context, names.back(), s.encoder->condition(t)));
    }
    for (Z3_ast definition : s.encoder->definitions) Z3_solver_assert(s.context, s.solver, definition);
    set_z3_limits(s.context, s.solver, budget_);
    const Z3_lbool answer =
        Z3_solver_check_assumptions(s.context, s.solver, static_cast<unsigned>(names.size()), names.data());
    throw_if_failed(s.context);
    return outcome(answer, names);
  }

  Outcome outcome(Z3_lbool answer, const std::vector<Z3_ast>& names) {
    IntegerSession& s = *session_;
    Outcome result;
    if (answer == Z3_L_TRUE) {
      s.model = Z3_solver_get_model(s.context, s.solver);
      throw_if_failed(s.context);
      Z3_model_inc_ref(s.context, s.model);
      result.answer = Answer::Sat;
    } else if (answer == Z3_L_FALSE) {
      result.core = z3_core(s.context, s.solver, names);
      result.answer = Answer::Unsat;
    } else {
      const std::string reason = Z3_solver_get_reason_unknown(s.context, s.solver);
      const bool limit = reason == "timeout" || reason == "canceled" || reason.find("resource") != std::string::npos;
      result.reason = limit ? "step limit" : "z3: " + reason;
    }
    return result;
  }

  u128 leaf_value(Term leaf) override {
    IntegerSession& s = *session_;
    const Z3_ast* expr = s.encoder->leaf(leaf);
    Z3_ast value = nullptr;
    if (expr == nullptr || !Z3_model_eval(s.context, s.model, *expr, true, &value)) return 0;
    if (leaf.width() == 1) return Z3_get_bool_value(s.context, value) == Z3_L_TRUE;
    if (Z3_get_ast_kind(s.context, value) != Z3_NUMERAL_AST) return 0;
    return from_decimal(Z3_get_numeral_string(s.context, value)) & mask128(leaf.width());
  }

  void stop() override {
    std::lock_guard lock(mutex_);
    if (session_) Z3_interrupt(session_->context);
  }
  void drop() override {
    std::lock_guard lock(mutex_);
    session_.reset();
  }

  std::unique_ptr<IntegerSession> session_;
  std::mutex mutex_;  ///< another thread may want to interrupt the session while this one drops it
};

}  // namespace

std::unique_ptr<Solver> make_z3_linear(const term::Store& store) { return std::make_unique<Z3Linear>(store); }

}  // namespace whittle::solve
