#include "solve/horn.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "solve/z3_library.h"

namespace whittle::solve {

using term::Op;
using term::Term;

struct Horn::Impl {
  Impl(term::Store& s, Reading r) : store(s), reading(r), linear(s, r.is_signed) {
    c = make_z3_context(false);
    integers = Z3_mk_int_sort(c);
    booleans = Z3_mk_bool_sort(c);
    fixedpoint = Z3_mk_fixedpoint(c);
    Z3_fixedpoint_inc_ref(c, fixedpoint);
    wrong = relation("wrong", {});
  }
  ~Impl() {
    Z3_fixedpoint_dec_ref(c, fixedpoint);
    Z3_del_context(c);
  }

  struct Predicate {
    std::vector<Term> parameters;
    Z3_func_decl relation = nullptr;
  };

  Z3_func_decl relation(const std::string& name, const std::vector<Z3_sort>& sorts) {
    Z3_func_decl made = Z3_mk_func_decl(c, Z3_mk_string_symbol(c, name.c_str()), static_cast<unsigned>(sorts.size()),
                                        sorts.data(), booleans);
    Z3_fixedpoint_register_relation(c, fixedpoint, made);
    return made;
  }

  // From bits to integers, for one rule at a time

  Z3_ast number(const std::string& text) { return Z3_mk_numeral(c, text.c_str(), integers); }
  Z3_ast number(i128 value) { return number(fmt::format("{}", value)); }
  Z3_ast power(unsigned bits) { return number(static_cast<i128>(u128{1} << bits)); }
  Z3_ast sum(Z3_ast a, Z3_ast b) {
    Z3_ast kids[] = {a, b};
    return Z3_mk_add(c, 2, kids);
  }
  Z3_ast difference(Z3_ast a, Z3_ast b) {
    Z3_ast kids[] = {a, b};
    return Z3_mk_sub(c, 2, kids);
  }
  Z3_ast product(Z3_ast a, Z3_ast b) {
    Z3_ast kids[] = {a, b};
    return Z3_mk_mul(c, 2, kids);
  }
  Z3_ast both(Z3_ast a, Z3_ast b) {
    Z3_ast kids[] = {a, b};
    return Z3_mk_and(c, 2, kids);
  }
  Z3_ast either(Z3_ast a, Z3_ast b) {
    Z3_ast kids[] = {a, b};
    return Z3_mk_or(c, 2, kids);
  }

  Z3_ast any(unsigned width) {
    Z3_ast made = Z3_mk_fresh_const(c, "v", width == 1 ? booleans : integers);
    variables.push_back(made);
    if (width == 1 || width > 64) return made;
    if (reading.fits || width <= 16)
      conditions.push_back(Z3_mk_not(c, beyond(made, width)));
    else if (!reading.is_signed)
      conditions.push_back(Z3_mk_ge(c, made, number(i128{0})));
    return made;
  }
  /// The value is none that so many bits can have.
  Z3_ast beyond(Z3_ast value, unsigned width) {
    const i128 low = reading.is_signed ? -(i128{1} << (width - 1)) : 0;
    return either(Z3_mk_lt(c, value, number(low)), Z3_mk_ge(c, value, power(reading.is_signed ? width - 1 : width)));
  }

  i128 constant_of(Term t) const {
    return !reading.is_signed ? static_cast<i128>(t.value()) : sign_extend128(t.value(), t.width());
  }
  /// A constant that is added: the nearer way round.
  i128 distance(Term t) const { return sign_extend128(t.value(), t.width()); }

  Z3_ast integer(Term t) {
    auto known = translated.find(t);
    if (known != translated.end()) return known->second;
    Z3_ast made = t.width() > 64 ? any(t.width()) : make(t);
    translated.emplace(t, made);
    return made;
  }
  Z3_ast summand(Term t) { return t.is_constant() ? number(distance(t)) : integer(t); }
  /// Not negative, whatever the reading is.
  Z3_ast unsigned_value(Term t) {
    if (t.is_constant()) return number(static_cast<i128>(t.value()));
    Z3_ast value = integer(t);
    if (!reading.is_signed) return value;
    return Z3_mk_ite(c, Z3_mk_lt(c, value, number(i128{0})), sum(value, power(t.width())), value);
  }
  Z3_ast signed_value(Term t) {
    if (t.is_constant()) return number(distance(t));
    Z3_ast value = integer(t);
    if (reading.is_signed) return value;
    return Z3_mk_ite(c, Z3_mk_ge(c, value, power(t.width() - 1)), difference(value, power(t.width())), value);
  }
  Z3_ast divided(Term t, bool remainder, bool is_signed) {
    Term by = t.kid(1);
    if (!by.is_constant() || by.value() == 0) return any(t.width());
    const i128 divisor = is_signed ? sign_extend128(by.value(), by.width()) : static_cast<i128>(by.value());
    if (divisor <= 0) return any(t.width());
    Z3_ast value = is_signed ? signed_value(t.kid(0)) : unsigned_value(t.kid(0)), d = number(divisor);
    auto of = [&](Z3_ast v) { return remainder ? Z3_mk_mod(c, v, d) : Z3_mk_div(c, v, d); };
    if (!is_signed) return of(value);
    Z3_ast minus = Z3_mk_unary_minus(c, value);
    return Z3_mk_ite(c, Z3_mk_ge(c, value, number(i128{0})), of(value), Z3_mk_unary_minus(c, of(minus)));
  }

  Z3_ast make(Term t) {
    if (t.width() == 1) return truth(t);
    switch (t.op()) {
      case Op::Constant: return number(constant_of(t));
      case Op::Add: return sum(summand(t.kid(0)), summand(t.kid(1)));
      case Op::Sub: return difference(summand(t.kid(0)), summand(t.kid(1)));
      case Op::Neg: return Z3_mk_unary_minus(c, integer(t.kid(0)));
      case Op::Not: return difference(number(i128{-1}), integer(t.kid(0)));
      case Op::Mul:
        if (!t.kid(0).is_constant() && !t.kid(1).is_constant()) return any(t.width());
        return product(summand(t.kid(0)), summand(t.kid(1)));
      case Op::Shl:
        if (!t.kid(1).is_constant() || t.kid(1).value() >= t.width()) return any(t.width());
        return product(integer(t.kid(0)), power(static_cast<unsigned>(t.kid(1).value())));
      case Op::LShr:
      case Op::AShr:
        if (!t.kid(1).is_constant() || t.kid(1).value() >= t.width()) return any(t.width());
        return Z3_mk_div(c, t.op() == Op::LShr ? unsigned_value(t.kid(0)) : signed_value(t.kid(0)),
                         power(static_cast<unsigned>(t.kid(1).value())));
      case Op::And: {  // with a mask of low bits
        Term value = t.kid(0), mask = t.kid(1);
        if (value.is_constant()) std::swap(value, mask);
        if (!mask.is_constant() || (mask.value() & (mask.value() + 1)) != 0) return any(t.width());
        return Z3_mk_mod(c, integer(value), number(static_cast<i128>(mask.value() + 1)));
      }
      case Op::UDiv: return divided(t, false, false);
      case Op::URem: return divided(t, true, false);
      case Op::SDiv: return divided(t, false, true);
      case Op::SRem: return divided(t, true, true);
      case Op::Ite: return Z3_mk_ite(c, integer(t.kid(0)), integer(t.kid(1)), integer(t.kid(2)));
      case Op::ZExt:
        if (t.kid(0).width() == 1) return Z3_mk_ite(c, integer(t.kid(0)), number(i128{1}), number(i128{0}));
        return unsigned_value(t.kid(0));
      case Op::SExt: return t.kid(0).width() == 1 ? any(t.width()) : signed_value(t.kid(0));
      case Op::Extract: return t.low() == 0 ? integer(t.kid(0)) : any(t.width());
      default: return any(t.width());
    }
  }

  Z3_ast truth(Term t) {
    auto compare = [&](auto value, auto how) { return how(c, value(t.kid(0)), value(t.kid(1))); };
    auto as_signed = [&](Term k) { return signed_value(k); };
    auto as_unsigned = [&](Term k) { return unsigned_value(k); };
    switch (t.op()) {
      case Op::Constant: return t.is_true() ? Z3_mk_true(c) : Z3_mk_false(c);
      case Op::Not: return Z3_mk_not(c, integer(t.kid(0)));
      case Op::And: return both(integer(t.kid(0)), integer(t.kid(1)));
      case Op::Or: return either(integer(t.kid(0)), integer(t.kid(1)));
      case Op::Xor: return Z3_mk_xor(c, integer(t.kid(0)), integer(t.kid(1)));
      case Op::Eq: return Z3_mk_eq(c, integer(t.kid(0)), integer(t.kid(1)));
      case Op::Ite: return Z3_mk_ite(c, integer(t.kid(0)), integer(t.kid(1)), integer(t.kid(2)));
      case Op::Slt:
        if (t.kid(0).width() > 1) return compare(as_signed, Z3_mk_lt);
        break;
      case Op::Sle:
        if (t.kid(0).width() > 1) return compare(as_signed, Z3_mk_le);
        break;
      case Op::Ult:
        if (t.kid(0).width() > 1) return compare(as_unsigned, Z3_mk_lt);
        break;
      case Op::Ule:
        if (t.kid(0).width() > 1) return compare(as_unsigned, Z3_mk_le);
        break;
      default: break;
    }
    return any(1);
  }

  // Rules

  Z3_ast begin(uint32_t from) {
    variables.clear();
    conditions.clear();
    translated.clear();
    if (from == kStart) return Z3_mk_true(c);
    std::vector<Z3_ast> arguments;
    for (Term p : predicates[from].parameters) {
      arguments.push_back(Z3_mk_fresh_const(c, "p", p.width() == 1 ? booleans : integers));
      variables.push_back(arguments.back());
      translated.emplace(p, arguments.back());
    }
    return Z3_mk_app(c, predicates[from].relation, static_cast<unsigned>(arguments.size()), arguments.data());
  }
  void finish(Z3_ast head) {
    Z3_ast body = Z3_mk_and(c, static_cast<unsigned>(conditions.size()), conditions.data());
    Z3_ast rule = Z3_mk_implies(c, body, head);
    std::vector<Z3_app> bound;
    for (Z3_ast v : variables) bound.push_back(Z3_to_app(c, v));
    if (!bound.empty())
      rule = Z3_mk_forall_const(c, 0, static_cast<unsigned>(bound.size()), bound.data(), 0, nullptr, rule);
    Z3_fixedpoint_add_rule(c, fixedpoint, rule, Z3_mk_string_symbol(c, ("r" + std::to_string(rules++)).c_str()));
  }

  // From integers to bits

  using Names = std::vector<Term>;

  std::optional<i128> numeral(Z3_ast a) const {
    if (Z3_get_ast_kind(c, a) != Z3_NUMERAL_AST) return std::nullopt;
    int64_t small = 0;
    if (!Z3_get_numeral_int64(c, a, &small)) return std::nullopt;
    return small;
  }
  /// A term for an integer that is no sum.
  Term atom(Z3_ast a, const Names& names) const {
    if (Z3_get_ast_kind(c, a) == Z3_VAR_AST) {
      const unsigned index = Z3_get_index_value(c, a);
      return index < names.size() ? names[index] : Term();
    }
    if (Z3_get_ast_kind(c, a) != Z3_APP_AST) return {};
    Z3_app app = Z3_to_app(c, a);
    const Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
    if (kind != Z3_OP_MOD && kind != Z3_OP_IDIV) return {};
    auto by = numeral(Z3_get_app_arg(c, app, 1));
    auto of = sum_of(Z3_get_app_arg(c, app, 0), names);
    if (!by || !of || *by <= 0) return {};
    Term value = linear.exact(*of);
    if (!value || (*by & (*by - 1)) != 0) return {};
    const unsigned w = value.width();
    if (kind == Z3_OP_MOD) return store.band(value, store.constant(w, static_cast<u128>(*by - 1)));
    unsigned shift = 0;
    while ((i128{1} << shift) < *by) ++shift;
    return store.ashr(value, store.constant(w, shift));
  }

  std::optional<LinearSum> sum_of(Z3_ast a, const Names& names) const {
    LinearSum sum;
    if (auto n = numeral(a)) {
      sum.constant = *n;
      return sum;
    }
    if (Z3_get_ast_kind(c, a) == Z3_APP_AST) {
      Z3_app app = Z3_to_app(c, a);
      const unsigned n = Z3_get_app_num_args(c, app);
      auto kid = [&](unsigned i) { return sum_of(Z3_get_app_arg(c, app, i), names); };
      switch (Z3_get_decl_kind(c, Z3_get_app_decl(c, app))) {
        case Z3_OP_ADD:
        case Z3_OP_SUB:
          for (unsigned i = 0; i < n; ++i) {
            const bool minus = i > 0 && Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) == Z3_OP_SUB;
            auto part = kid(i);
            if (!part || !sum.add(*part, minus ? -1 : 1)) return std::nullopt;
          }
          return sum;
        case Z3_OP_UMINUS: {
          auto part = kid(0);
          if (!part || !sum.add(*part, -1)) return std::nullopt;
          return sum;
        }
        case Z3_OP_MUL: {
          if (n != 2) return std::nullopt;
          auto left = kid(0), right = kid(1);
          if (!left || !right) return std::nullopt;
          if (!left->parts.empty()) std::swap(left, right);
          if (!left->parts.empty() || !sum.add(*right, left->constant)) return std::nullopt;
          return sum;
        }
        default: break;
      }
    }
    Term t = atom(a, names);
    if (!t || t.width() == 1) return std::nullopt;
    sum.parts[t.id()] = {t, 1};
    return sum;
  }

  Term condition(Z3_ast a, const Names& names) const {
    if (Z3_get_ast_kind(c, a) == Z3_VAR_AST) {
      Term t = atom(a, names);
      return t && t.width() == 1 ? t : Term();
    }
    if (Z3_get_ast_kind(c, a) != Z3_APP_AST) return {};
    Z3_app app = Z3_to_app(c, a);
    const unsigned n = Z3_get_app_num_args(c, app);
    auto kid = [&](unsigned i) { return Z3_get_app_arg(c, app, i); };
    const Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
    switch (kind) {
      case Z3_OP_TRUE: return store.truth();
      case Z3_OP_FALSE: return store.falsity();
      case Z3_OP_NOT: {
        Term t = condition(kid(0), names);
        return t ? store.bnot(t) : Term();
      }
      case Z3_OP_AND:
      case Z3_OP_OR: {
        Term all = kind == Z3_OP_AND ? store.truth() : store.falsity();
        for (unsigned i = 0; i < n; ++i) {
          Term t = condition(kid(i), names);
          if (!t) return {};
          all = kind == Z3_OP_AND ? store.band(all, t) : store.bor(all, t);
        }
        return all;
      }
      case Z3_OP_IMPLIES: {
        Term first = condition(kid(0), names), second = condition(kid(1), names);
        return first && second ? store.implies(first, second) : Term();
      }
      case Z3_OP_EQ:
      case Z3_OP_LE:
      case Z3_OP_LT:
      case Z3_OP_GE:
      case Z3_OP_GT: {
        if (kind == Z3_OP_EQ && Z3_get_sort_kind(c, Z3_get_sort(c, kid(0))) == Z3_BOOL_SORT) {
          Term first = condition(kid(0), names), second = condition(kid(1), names);
          return first && second ? store.eq(first, second) : Term();
        }
        auto left = sum_of(kid(0), names), right = sum_of(kid(1), names);
        if (!left || !right) return {};
        if (kind == Z3_OP_GE || kind == Z3_OP_GT) std::swap(left, right);
        if (!left->add(*right, -1)) return {};
        if (kind == Z3_OP_EQ) return linear.zero(*left);
        if (kind == Z3_OP_LT || kind == Z3_OP_GT) left->constant += 1;
        return linear.not_positive(*left);
      }
      default: return {};
    }
  }

  void conjuncts(Z3_ast a, const Names& names, std::vector<Term>& out) const {
    if (Z3_get_ast_kind(c, a) == Z3_APP_AST &&
        Z3_get_decl_kind(c, Z3_get_app_decl(c, Z3_to_app(c, a))) == Z3_OP_AND) {
      for (unsigned i = 0; i < Z3_get_app_num_args(c, Z3_to_app(c, a)); ++i)
        conjuncts(Z3_get_app_arg(c, Z3_to_app(c, a), i), names, out);
      return;
    }
    Term t = condition(a, names);
    if (t && !t.is_true()) out.push_back(t);
  }

  /// What is known of a predicate after so many rounds (-1: after any number).
  void lemmas(uint32_t predicate, int level, std::vector<Term>& found) const {
    Z3_ast cover = Z3_fixedpoint_get_cover_delta(c, fixedpoint, level, predicates[predicate].relation);
    if (cover != nullptr && Z3_get_error_code(c) == Z3_OK) conjuncts(cover, predicates[predicate].parameters, found);
  }

  term::Store& store;
  Reading reading;
  LinearTerms linear;
  Z3_context c = nullptr;
  Z3_sort integers = nullptr, booleans = nullptr;
  Z3_fixedpoint fixedpoint = nullptr;
  Z3_func_decl wrong = nullptr;
  std::vector<Predicate> predicates;
  unsigned rules = 0;
  // of the rule that is made
  std::vector<Z3_ast> variables, conditions;
  std::unordered_map<Term, Z3_ast> translated;
};

Horn::Horn(term::Store& store, Reading reading) : impl_(std::make_unique<Impl>(store, reading)) {}
Horn::~Horn() = default;

uint32_t Horn::predicate(std::vector<Term> parameters) {
  std::vector<Z3_sort> sorts;
  for (Term p : parameters) sorts.push_back(p.width() == 1 ? impl_->booleans : impl_->integers);
  const auto number = static_cast<uint32_t>(impl_->predicates.size());
  impl_->predicates.push_back({std::move(parameters), impl_->relation("p" + std::to_string(number), sorts)});
  return number;
}

void Horn::rule(uint32_t from, std::span<const Term> conditions, uint32_t to, std::span<const Term> arguments) {
  Impl& h = *impl_;
  Z3_ast before = h.begin(from);
  for (Term t : conditions) h.conditions.push_back(h.integer(t));
  std::vector<Z3_ast> values, beyond;
  for (Term t : arguments) {
    values.push_back(h.integer(t));
    const bool computed = !t.is_constant() && !t.is_variable() && t.op() != Op::Read;
    if (!computed || t.width() == 1 || t.width() > 64) continue;
    if (h.reading.fits)
      beyond.push_back(h.beyond(values.back(), t.width()));
    else if (!h.reading.is_signed)  // runs below 0 end
      h.conditions.push_back(Z3_mk_ge(h.c, values.back(), h.number(i128{0})));
  }
  h.conditions.push_back(before);
  if (!beyond.empty()) {
    h.conditions.push_back(Z3_mk_or(h.c, static_cast<unsigned>(beyond.size()), beyond.data()));
    h.finish(Z3_mk_app(h.c, h.wrong, 0, nullptr));
    h.conditions.pop_back();
  }
  h.finish(Z3_mk_app(h.c, h.predicates[to].relation, static_cast<unsigned>(values.size()), values.data()));
}

void Horn::error(uint32_t from, std::span<const Term> conditions) {
  Impl& h = *impl_;
  Z3_ast before = h.begin(from);
  for (Term t : conditions) h.conditions.push_back(h.integer(t));
  h.conditions.push_back(before);
  h.finish(Z3_mk_app(h.c, h.wrong, 0, nullptr));
}

Horn::Outcome Horn::solve(double seconds) {
  Impl& h = *impl_;
  Z3_params params = Z3_mk_params(h.c);
  Z3_params_inc_ref(h.c, params);
  auto name = [&](const char* text) { return Z3_mk_string_symbol(h.c, text); };
  Z3_params_set_symbol(h.c, params, name("engine"), name("spacer"));
  Z3_params_set_uint(h.c, params, name("timeout"), static_cast<unsigned>(seconds * 1000));
  // Every predicate is wanted in the solution.
  for (const char* option : {"xform.slice", "xform.inline_linear", "xform.inline_eager"})
    Z3_params_set_bool(h.c, params, name(option), false);
  Z3_fixedpoint_set_params(h.c, h.fixedpoint, params);
  Z3_params_dec_ref(h.c, params);
  if (Z3_get_error_code(h.c) != Z3_OK) return Outcome::Unknown;
  const Z3_lbool reached = Z3_fixedpoint_query_relations(h.c, h.fixedpoint, 1, &h.wrong);
  if (reached == Z3_L_TRUE) return Outcome::Reached;
  return reached == Z3_L_FALSE && Z3_get_error_code(h.c) == Z3_OK ? Outcome::Solved : Outcome::Unknown;
}

std::vector<Term> Horn::solution(uint32_t predicate) const {
  const Impl& h = *impl_;
  std::vector<Term> found;
  h.lemmas(predicate, -1, found);
  return found;
}

std::vector<Term> Horn::lemmas(uint32_t predicate, size_t most) const {
  const Impl& h = *impl_;
  std::vector<Term> found;
  const unsigned levels = Z3_fixedpoint_get_num_levels(h.c, h.fixedpoint, h.predicates[predicate].relation);
  for (unsigned level = levels; level-- > 0 && found.size() < most;) h.lemmas(predicate, static_cast<int>(level), found);
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace whittle::solve
