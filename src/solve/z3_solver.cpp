// Z3 behind the Solver interface, through its C API: errors are codes there, not exceptions.
//
// The solver for pure bit-vector queries is Z3's incremental SAT-based one; the first float switches to the general
// one. Each assumption gets a Boolean name that implies it, so cores come for free and the encoding is kept between
// checks.
#include <chrono>
#include <mutex>

#include "solve/encode.h"
#include "solve/z3_library.h"

namespace whittle::solve {
namespace {

/// Expressions of one Z3 context. Every expression made is kept alive until the context goes.
class Z3Api {
 public:
  using Expr = Z3_ast;
  explicit Z3Api(Z3_context context) : c_(context) {}

  Expr boolean(bool v) { return keep(v ? Z3_mk_true(c_) : Z3_mk_false(c_)); }
  Expr bits(unsigned w, u128 v) {
    if (w <= 64) return keep(Z3_mk_unsigned_int64(c_, static_cast<uint64_t>(v), bv(w)));
    return keep(Z3_mk_concat(c_, bits(w - 64, v >> 64), bits(64, v & mask128(64))));
  }
  Expr symbol(Term leaf, bool boolean) {
    return keep(
        Z3_mk_const(c_, Z3_mk_int_symbol(c_, static_cast<int>(leaf.id())), boolean ? bool_sort() : bv(leaf.width())));
  }
  Expr name() { return keep(Z3_mk_fresh_const(c_, "a", bool_sort())); }
  Expr implies(Expr a, Expr b) { return keep(Z3_mk_implies(c_, a, b)); }
  Expr ite(Expr c, Expr a, Expr b) { return keep(Z3_mk_ite(c_, c, a, b)); }
  Expr equal(Expr a, Expr b) { return keep(Z3_mk_eq(c_, a, b)); }
  Expr extract(Expr a, unsigned low, unsigned w) { return keep(Z3_mk_extract(c_, low + w - 1, low, a)); }
  Expr extend(Expr a, unsigned by, bool is_signed) {
    return keep(is_signed ? Z3_mk_sign_ext(c_, by, a) : Z3_mk_zero_ext(c_, by, a));
  }

  Expr logic(term::Op op, std::array<Expr, 2> k) {
    switch (op) {
      case term::Op::Not: return keep(Z3_mk_not(c_, k[0]));
      case term::Op::And: return keep(Z3_mk_and(c_, 2, k.data()));
      case term::Op::Or: return keep(Z3_mk_or(c_, 2, k.data()));
      default: return keep(Z3_mk_xor(c_, k[0], k[1]));
    }
  }
  Expr operate(term::Op op, std::array<Expr, 2> k) {
    using term::Op;
    switch (op) {
      case Op::Not: return keep(Z3_mk_bvnot(c_, k[0]));
      case Op::Neg: return keep(Z3_mk_bvneg(c_, k[0]));
      case Op::And: return keep(Z3_mk_bvand(c_, k[0], k[1]));
      case Op::Or: return keep(Z3_mk_bvor(c_, k[0], k[1]));
      case Op::Xor: return keep(Z3_mk_bvxor(c_, k[0], k[1]));
      case Op::Add: return keep(Z3_mk_bvadd(c_, k[0], k[1]));
      case Op::Sub: return keep(Z3_mk_bvsub(c_, k[0], k[1]));
      case Op::Mul: return keep(Z3_mk_bvmul(c_, k[0], k[1]));
      case Op::UDiv: return keep(Z3_mk_bvudiv(c_, k[0], k[1]));
      case Op::SDiv: return keep(Z3_mk_bvsdiv(c_, k[0], k[1]));
      case Op::URem: return keep(Z3_mk_bvurem(c_, k[0], k[1]));
      case Op::SRem: return keep(Z3_mk_bvsrem(c_, k[0], k[1]));
      case Op::Shl: return keep(Z3_mk_bvshl(c_, k[0], k[1]));
      case Op::LShr: return keep(Z3_mk_bvlshr(c_, k[0], k[1]));
      case Op::AShr: return keep(Z3_mk_bvashr(c_, k[0], k[1]));
      case Op::Ult: return keep(Z3_mk_bvult(c_, k[0], k[1]));
      case Op::Ule: return keep(Z3_mk_bvule(c_, k[0], k[1]));
      case Op::Slt: return keep(Z3_mk_bvslt(c_, k[0], k[1]));
      case Op::Sle: return keep(Z3_mk_bvsle(c_, k[0], k[1]));
      default: return keep(Z3_mk_concat(c_, k[0], k[1]));
    }
  }

  Expr to_fp(Expr bits, unsigned w) { return keep(Z3_mk_fpa_to_fp_bv(c_, bits, fp(w))); }
  Expr from_fp(Expr value, unsigned w) {
    Expr nan = keep(Z3_mk_fpa_is_nan(c_, value));
    return ite(nan, bits(w, term::canonical_nan(w)), keep(Z3_mk_fpa_to_ieee_bv(c_, value)));
  }
  Expr fp_to_fp(Expr value, unsigned w) { return keep(Z3_mk_fpa_to_fp_float(c_, rne(), value, fp(w))); }
  Expr integer_to_fp(Expr bits, unsigned w, bool is_signed) {
    return keep(is_signed ? Z3_mk_fpa_to_fp_signed(c_, rne(), bits, fp(w))
                          : Z3_mk_fpa_to_fp_unsigned(c_, rne(), bits, fp(w)));
  }
  Expr fp_to_integer(Expr value, unsigned w, bool is_signed) {
    Expr rtz = keep(Z3_mk_fpa_rtz(c_));
    return keep(is_signed ? Z3_mk_fpa_to_sbv(c_, rtz, value, w) : Z3_mk_fpa_to_ubv(c_, rtz, value, w));
  }
  Expr fp_operate(term::Op op, std::array<Expr, 2> k) {
    using term::Op;
    switch (op) {
      case Op::FAdd: return keep(Z3_mk_fpa_add(c_, rne(), k[0], k[1]));
      case Op::FSub: return keep(Z3_mk_fpa_sub(c_, rne(), k[0], k[1]));
      case Op::FMul: return keep(Z3_mk_fpa_mul(c_, rne(), k[0], k[1]));
      case Op::FDiv: return keep(Z3_mk_fpa_div(c_, rne(), k[0], k[1]));
      case Op::FSqrt: return keep(Z3_mk_fpa_sqrt(c_, rne(), k[0]));
      case Op::FRound: return keep(Z3_mk_fpa_round_to_integral(c_, rne(), k[0]));
      case Op::FFloor: return keep(Z3_mk_fpa_round_to_integral(c_, keep(Z3_mk_fpa_rtn(c_)), k[0]));
      case Op::FCeil: return keep(Z3_mk_fpa_round_to_integral(c_, keep(Z3_mk_fpa_rtp(c_)), k[0]));
      case Op::FTrunc: return keep(Z3_mk_fpa_round_to_integral(c_, keep(Z3_mk_fpa_rtz(c_)), k[0]));
      case Op::FEq: return keep(Z3_mk_fpa_eq(c_, k[0], k[1]));
      case Op::FLt: return keep(Z3_mk_fpa_lt(c_, k[0], k[1]));
      case Op::FLe: return keep(Z3_mk_fpa_leq(c_, k[0], k[1]));
      default: return keep(Z3_mk_fpa_is_nan(c_, k[0]));
    }
  }

  /// Before the context goes: it takes quadratic time over what is still referred to.
  void release() {
    for (size_t i = kept_.size(); i-- > 0;) Z3_dec_ref(c_, kept_[i]);
    kept_.clear();
  }

 private:
  /// An expression that Z3 did not make must not be handed back to it.
  Expr keep(Expr e) {
    if (e == nullptr) throw z3_failure(c_);
    Z3_inc_ref(c_, e);
    kept_.push_back(e);
    return e;
  }
  Z3_sort bv(unsigned w) {
    if (bv_sorts_[w] == nullptr) Z3_inc_ref(c_, Z3_sort_to_ast(c_, bv_sorts_[w] = Z3_mk_bv_sort(c_, w)));
    return bv_sorts_[w];
  }
  Z3_sort bool_sort() {
    if (bool_ == nullptr) Z3_inc_ref(c_, Z3_sort_to_ast(c_, bool_ = Z3_mk_bool_sort(c_)));
    return bool_;
  }
  Z3_sort fp(unsigned w) {
    Z3_sort& sort = fp_sorts_[w == 64];
    if (sort == nullptr)
      Z3_inc_ref(c_, Z3_sort_to_ast(c_, sort = w == 64 ? Z3_mk_fpa_sort_64(c_) : Z3_mk_fpa_sort_32(c_)));
    return sort;
  }
  Expr rne() { return keep(Z3_mk_fpa_rne(c_)); }

  std::vector<Expr> kept_;
  Z3_context c_;
  Z3_sort bv_sorts_[129] = {};
  Z3_sort fp_sorts_[2] = {};
  Z3_sort bool_ = nullptr;
};

/// A context with one solver in it. Dropped as a whole when it fails and when it has gathered more names
/// than it pays to carry along.
struct Session {
  Session() : context(make_z3_context(true)), api(context), encoder(api) {
    solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
  }
  ~Session() {
    if (model != nullptr) Z3_model_dec_ref(context, model);
    Z3_solver_dec_ref(context, solver);
    api.release();
    Z3_del_context(context);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Z3_context context;
  Z3Api api;
  Encoder<Z3Api> encoder;
  Z3_solver solver = nullptr;
  Z3_model model = nullptr;
  std::vector<size_t> told;   ///< conditions asserted so far, by level
  std::vector<Term> assumed;  ///< assumptions told, each in a level of its own above those
  std::unordered_map<Term, Z3_ast> names;
};

/// Z3 has one memory limit for the whole process, so it is set only while a check runs.
class MemoryLimit {
 public:
  explicit MemoryLimit(uint64_t megabytes) : set_(megabytes > 0) {
    if (set_) Z3_global_param_set("memory_max_size", std::to_string(megabytes).c_str());
  }
  ~MemoryLimit() {
    if (set_) Z3_global_param_set("memory_max_size", "0");
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  bool set_;
};

class Z3Solver final : public Backend {
 public:
  explicit Z3Solver(const term::Store& store) : Backend(store, {.name = "z3"}) {}

 private:
  static constexpr size_t kMostNames = 200;

  Outcome solve(std::span<const Term> assumptions) override {
    if (session_ && session_->names.size() > kMostNames) drop();
    if (!session_) {
      std::lock_guard lock(mutex_);
      session_ = std::make_unique<Session>();
      kept_levels_ = 0;
    }
    tell();
    std::vector<Z3_ast> names = assume(assumptions);
    throw_if_failed(session_->context);
    set_z3_limits(session_->context, session_->solver, budget_);
    start_ = std::chrono::steady_clock::now();
    MemoryLimit limit(budget_.megabytes);
    Z3_lbool answer = Z3_solver_check_assumptions(session_->context, session_->solver,
                                                  static_cast<unsigned>(names.size()), names.data());
    return outcome(answer, names);
  }

  /// Brings Z3's assertion stack to ours.
  void tell() {
    Session& s = *session_;
    bool changed = s.told.empty() || s.told.size() != levels_.size() || kept_levels_ < levels_.size() ||
                   s.told.back() != levels_.back().size();
    if (changed) forget_assumptions(0);
    for (; s.told.size() > std::max<size_t>(kept_levels_, 1); s.told.pop_back()) Z3_solver_pop(s.context, s.solver, 1);
    if (s.told.empty()) s.told.push_back(0);
    for (size_t i = s.told.size() - 1; i < levels_.size(); ++i) {
      if (i >= s.told.size()) {
        Z3_solver_push(s.context, s.solver);
        s.told.push_back(0);
      }
      for (; s.told[i] < levels_[i].size(); ++s.told[i])
        Z3_solver_assert(s.context, s.solver, s.encoder.condition(levels_[i][s.told[i]]));
    }
    kept_levels_ = levels_.size();
    throw_if_failed(session_->context);
  }

  /// Each assumption has a level of its own above the assertion stack, so what two checks begin with alike stays.
  std::vector<Z3_ast> assume(std::span<const Term> assumptions) {
    Session& s = *session_;
    size_t same = 0;
    while (same < s.assumed.size() && same < assumptions.size() && s.assumed[same] == assumptions[same]) ++same;
    forget_assumptions(same);
    std::vector<Z3_ast> names;
    for (size_t i = 0; i < assumptions.size(); ++i) {
      Term t = assumptions[i];
      Z3_ast& name = s.names.try_emplace(t, nullptr).first->second;
      if (name == nullptr) name = s.api.name();
      names.push_back(name);
      if (i < same) continue;
      Z3_solver_push(s.context, s.solver);
      Z3_solver_assert(s.context, s.solver, s.api.implies(name, s.encoder.condition(t)));
      s.assumed.push_back(t);
    }
    return names;
  }

  void forget_assumptions(size_t keep) {
    Session& s = *session_;
    if (s.assumed.size() <= keep) return;
    Z3_solver_pop(s.context, s.solver, static_cast<unsigned>(s.assumed.size() - keep));
    s.assumed.resize(keep);
  }

  Outcome outcome(Z3_lbool answer, const std::vector<Z3_ast>& names) {
    Session& s = *session_;
    Outcome result;
    throw_if_failed(session_->context);
    if (answer == Z3_L_TRUE) {
      if (s.model != nullptr) Z3_model_dec_ref(s.context, s.model);
      s.model = Z3_solver_get_model(s.context, s.solver);
      if (s.model != nullptr) Z3_model_inc_ref(s.context, s.model);
      throw_if_failed(session_->context);
      result.answer = Answer::Sat;
    } else if (answer == Z3_L_FALSE) {
      result.core = z3_core(s.context, s.solver, names);
      result.answer = Answer::Unsat;
    } else {
      std::string reason = Z3_solver_get_reason_unknown(s.context, s.solver);
      bool memory = reason.find("memory") != std::string::npos;
      // "canceled" may mean either limit; the clock tells.
      bool limit = reason.find("resource") != std::string::npos ||
                   (reason == "canceled" && budget_.steps > 0 && elapsed() < budget_.seconds);
      bool time = reason == "timeout" || reason == "canceled" || reason == "interrupted from keyboard";
      result.reason = memory ? "memory limit" : limit ? "step limit" : time ? "time limit" : "z3: " + reason;
    }
    return result;
  }

  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  u128 leaf_value(Term leaf) override {
    Session& s = *session_;
    const Z3_ast* expr = s.encoder.leaf(leaf);
    Z3_ast value = nullptr;
    if (expr == nullptr || s.model == nullptr || !Z3_model_eval(s.context, s.model, *expr, true, &value)) return 0;
    Z3_inc_ref(s.context, value);
    u128 result = 0;
    if (leaf.width() == 1 && term::is_boolean(leaf)) {
      result = Z3_get_bool_value(s.context, value) == Z3_L_TRUE;
    } else if (uint64_t small = 0; leaf.width() <= 64 && Z3_get_numeral_uint64(s.context, value, &small)) {
      result = small;
    } else if (Z3_get_ast_kind(s.context, value) == Z3_NUMERAL_AST) {
      result = from_decimal(Z3_get_numeral_string(s.context, value));
    }
    Z3_dec_ref(s.context, value);
    return result;
  }

  void stop() override {
    std::lock_guard lock(mutex_);
    if (session_) Z3_interrupt(session_->context);
  }

  void drop() override {
    std::lock_guard lock(mutex_);
    session_.reset();
    kept_levels_ = 0;
  }

  std::chrono::steady_clock::time_point start_;  ///< of the last check
  std::unique_ptr<Session> session_;
  std::mutex mutex_;  ///< another thread may want to interrupt the session while this one drops it
};

}  // namespace

std::unique_ptr<Solver> make_z3(const term::Store& store) { return std::make_unique<Z3Solver>(store); }

}  // namespace whittle::solve
