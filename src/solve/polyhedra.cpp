#include "solve/polyhedra.h"

#include <algorithm>
#include <chrono>
#include <ppl.hh>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace whittle::solve {

namespace ppl = Parma_Polyhedra_Library;
using ppl::C_Polyhedron;
using ppl::Constraint;
using ppl::Linear_Expression;
using ppl::Variable;
using term::Op;
using term::Term;

namespace {

/// The library sets the rounding of floats for the whole process when it is loaded. No domain that is used here
/// needs that, and constants are folded with the processor's floats.
[[maybe_unused]] const bool kRoundsAsBefore = (ppl::restore_pre_PPL_rounding(), true);

/// Thrown out of the library when an operation takes too long.
struct TooExpensive final : ppl::Throwable {
  void throw_me() const override { throw *this; }
  static int priority() { return 0; }
};

ppl::Coefficient number(i128 value) {
  const bool negative = value < 0;
  u128 rest = negative ? u128{0} - static_cast<u128>(value) : static_cast<u128>(value);
  ppl::Coefficient made = static_cast<unsigned long>(rest >> 64);
  made <<= 64;
  made += static_cast<unsigned long>(rest & mask128(64));
  return negative ? ppl::Coefficient(-made) : made;
}

/// Larger ones come from hulls of bounds, not from what a program computes.
constexpr i128 kLargestFactor = 1 << 16;

bool small(const ppl::Coefficient& value, i128& out) {
  if (!value.fits_slong_p()) return false;
  out = value.get_si();
  return true;
}

}  // namespace

struct Polyhedra::Impl {
  Impl(term::Store& s, Reading r) : store(s), reading(r), linear(s, r.is_signed) {}

  struct Predicate {
    std::vector<Term> parameters;
    bool widens = false;
    C_Polyhedron values;
    unsigned joins = 0;
    ppl::Constraint_System thresholds;  ///< conditions of rules that leave it
  };
  struct Rule {
    uint32_t from = 0, to = 0;
    std::vector<Term> conditions, arguments;
  };

  /// One rule being followed: dimensions of the parameters first, then of whatever else has a value.
  struct State {
    C_Polyhedron values;
    std::unordered_map<Term, Linear_Expression> known;
  };

  Variable dimension(State& s) const {
    Variable made(s.values.space_dimension());
    s.values.add_space_dimensions_and_embed(1);
    return made;
  }
  Linear_Expression any(State& s, unsigned width) const {
    Variable v = dimension(s);
    if (width <= 64) within(s, v, width);
    return v;
  }
  void within(State& s, const Linear_Expression& e, unsigned width) const {
    const bool is_signed = reading.is_signed && width > 1;
    s.values.add_constraint(e >= number(is_signed ? -(i128{1} << (width - 1)) : 0));
    s.values.add_constraint(e <= number((i128{1} << (is_signed ? width - 1 : width)) - 1));
  }
  static bool entails(const State& s, const Constraint& c) {
    return s.values.relation_with(c).implies(ppl::Poly_Con_Relation::is_included());
  }

  Linear_Expression value(State& s, Term t) const {
    auto it = s.known.find(t);
    if (it != s.known.end()) return it->second;
    Linear_Expression made = t.width() > 64 ? any(s, t.width()) : make(s, t);
    s.known.emplace(t, made);
    return made;
  }
  Linear_Expression summand(State& s, Term t) const {
    return t.is_constant() ? Linear_Expression(number(sign_extend128(t.value(), t.width()))) : value(s, t);
  }
  /// The same number whether it is read with a sign or without?
  bool both_ways(const State& s, const Linear_Expression& e, unsigned width) const {
    return entails(s, e >= 0) && (reading.is_signed || entails(s, e <= number((i128{1} << (width - 1)) - 1)));
  }

  /// The one value where the condition holds, the other elsewhere; without them 1 and 0.
  Linear_Expression choice(State& s, Term condition, Term then, Term otherwise) const {
    Variable v = dimension(s);
    State other = s;
    require(s, condition, true);
    s.values.add_constraint(v == (then ? value(s, then) : Linear_Expression(1)));
    require(other, condition, false);
    other.values.add_constraint(v == (otherwise ? value(other, otherwise) : Linear_Expression(0)));
    join(s, other);
    return v;
  }

  Linear_Expression make(State& s, Term t) const {
    const unsigned w = t.width();
    const bool leaf = t.is_constant() || t.is_variable() || t.op() == Op::Read;
    if (w == 1 && !leaf && t.op() != Op::Extract && !t.has_floats()) return choice(s, t, {}, {});
    auto kid = [&](unsigned i) { return value(s, t.kid(i)); };
    switch (t.op()) {
      case Op::Constant:
        return Linear_Expression(
            number(reading.is_signed && w > 1 ? sign_extend128(t.value(), w) : static_cast<i128>(t.value())));
      case Op::Add: return summand(s, t.kid(0)) + summand(s, t.kid(1));
      case Op::Sub: return summand(s, t.kid(0)) - summand(s, t.kid(1));
      case Op::Neg: return -kid(0);
      case Op::Not:
        if (w > 1 && reading.is_signed) return -kid(0) - 1;
        break;
      case Op::Mul:
        for (unsigned i = 0; i < 2; ++i)
          if (t.kid(i).is_constant())
            return number(sign_extend128(t.kid(i).value(), w)) * value(s, t.kid(1 - i));
        break;
      case Op::Shl:
        if (t.kid(1).is_constant() && t.kid(1).value() < w)
          return number(i128{1} << static_cast<unsigned>(t.kid(1).value())) * kid(0);
        break;
      case Op::LShr:
      case Op::AShr:
        if (t.kid(1).is_constant() && t.kid(1).value() < w)
          return divided(s, t.kid(0), i128{1} << static_cast<unsigned>(t.kid(1).value()), false, w);
        break;
      case Op::UDiv:
      case Op::SDiv:
      case Op::URem:
      case Op::SRem:
        if (t.kid(1).is_constant() && sign_extend128(t.kid(1).value(), w) > 0)
          return divided(s, t.kid(0), static_cast<i128>(t.kid(1).value()), t.op() == Op::URem || t.op() == Op::SRem, w);
        break;
      case Op::And:
        for (unsigned i = 0; i < 2; ++i) {
          Term mask = t.kid(i);
          if (w == 1 || !mask.is_constant() || (mask.value() & (mask.value() + 1)) != 0) continue;
          return divided(s, t.kid(1 - i), static_cast<i128>(mask.value() + 1), true, w);
        }
        break;
      case Op::Ite: return choice(s, t.kid(0), t.kid(1), t.kid(2));
      case Op::ZExt: {
        if (t.kid(0).width() == 1) return kid(0);
        Linear_Expression e = kid(0);
        if (!reading.is_signed || entails(s, e >= 0)) return e;
        break;
      }
      case Op::SExt: {
        if (t.kid(0).width() == 1) break;
        Linear_Expression e = kid(0);
        if (reading.is_signed || both_ways(s, e, t.kid(0).width())) return e;
        break;
      }
      case Op::Extract:
        if (t.low() == 0 && w > 1) return kid(0);
        break;
      default: break;
    }
    return any(s, w);
  }

  /// Of a value that is not negative: rounded down, or what is left.
  Linear_Expression divided(State& s, Term t, i128 by, bool remainder, unsigned width) const {
    Linear_Expression e = value(s, t);
    if (!both_ways(s, e, width)) return any(s, width);
    Variable q = dimension(s);
    s.values.add_constraint(number(by) * q <= e);
    s.values.add_constraint(number(by) * q >= e - number(by - 1));
    if (remainder) return e - number(by) * q;
    return q;
  }

  /// What both have in common is known afterwards.
  static void join(State& a, State& b) {
    const size_t most = std::max(a.values.space_dimension(), b.values.space_dimension());
    a.values.add_space_dimensions_and_embed(most - a.values.space_dimension());
    b.values.add_space_dimensions_and_embed(most - b.values.space_dimension());
    std::erase_if(a.known, [&](const auto& entry) {
      auto it = b.known.find(entry.first);
      return it == b.known.end() || !it->second.is_equal_to(entry.second);
    });
    a.values.poly_hull_assign(b.values);
  }

  void require_less(State& s, Linear_Expression a, const Linear_Expression& b, bool or_equal) const {
    if (!or_equal) a += 1;
    s.values.add_constraint(a <= b);
  }

  void require(State& s, Term t, bool holds) const {
    if (s.values.is_empty()) return;
    switch (t.op()) {
      case Op::Constant:
        if (t.is_true() != holds) s.values.add_constraint(Linear_Expression(0) >= 1);
        return;
      case Op::Not: return require(s, t.kid(0), !holds);
      case Op::And:
      case Op::Or: {
        if ((t.op() == Op::And) == holds) {
          require(s, t.kid(0), holds);
          return require(s, t.kid(1), holds);
        }
        State other = s;
        require(s, t.kid(0), holds);
        require(other, t.kid(1), holds);
        return join(s, other);
      }
      case Op::Eq: {
        if (t.kid(0).width() > 64) return;
        Linear_Expression a = value(s, t.kid(0)), b = value(s, t.kid(1));
        if (holds) {
          s.values.add_constraint(a == b);
        } else if (entails(s, a >= b)) {
          s.values.add_constraint(a >= b + 1);
        } else if (entails(s, a <= b)) {
          s.values.add_constraint(a + 1 <= b);
        }
        return;
      }
      case Op::Slt:
      case Op::Sle:
      case Op::Ult:
      case Op::Ule: {
        const unsigned w = t.kid(0).width();
        if (w > 64 || w == 1) return;
        Linear_Expression a = value(s, t.kid(0)), b = value(s, t.kid(1));
        const bool with_sign = t.op() == Op::Slt || t.op() == Op::Sle;
        bool or_equal = t.op() == Op::Sle || t.op() == Op::Ule;
        if (!holds) {
          std::swap(a, b);
          or_equal = !or_equal;
        }
        if (with_sign != reading.is_signed && !both_ways(s, b, w)) return;
        if (with_sign != reading.is_signed && !both_ways(s, a, w)) {
          if (with_sign) return;
          s.values.add_constraint(a >= 0);  // below a number that is small even with a sign
        }
        return require_less(s, a, b, or_equal);
      }
      case Op::Variable:
      case Op::Read: s.values.add_constraint(value(s, t) == (holds ? 1 : 0)); return;
      default: return;
    }
  }

  State begin(const Rule& rule) const {
    State s{rule.from == kStart ? C_Polyhedron(0, ppl::UNIVERSE) : predicates[rule.from].values, {}};
    if (rule.from != kStart)
      for (size_t i = 0; i < predicates[rule.from].parameters.size(); ++i)
        s.known.emplace(predicates[rule.from].parameters[i], Linear_Expression(Variable(i)));
    return s;
  }

  C_Polyhedron follow(const Rule& rule) const {
    State s = begin(rule);
    const size_t count = rule.arguments.size();
    for (Term t : rule.conditions) require(s, t, true);
    if (s.values.is_empty()) return C_Polyhedron(count, ppl::EMPTY);
    std::vector<Linear_Expression> arguments;
    for (Term t : rule.arguments) arguments.push_back(value(s, t));
    const size_t first = s.values.space_dimension();
    s.values.add_space_dimensions_and_embed(count);
    for (size_t i = 0; i < count; ++i) s.values.add_constraint(Variable(first + i) == arguments[i]);
    if (first > 0) s.values.remove_space_dimensions(ppl::Variables_Set(Variable(0), Variable(first - 1)));
    return s.values;
  }

  /// Conditions of rules that leave a predicate, and their opposites, as far as they are inequalities over its
  /// parameters: bounds that widening keeps.
  void find_thresholds() {
    for (const Rule& rule : rules) {
      if (rule.from == kStart || !predicates[rule.from].widens) continue;
      Predicate& p = predicates[rule.from];
      State s{C_Polyhedron(p.parameters.size(), ppl::UNIVERSE), {}};
      for (size_t i = 0; i < p.parameters.size(); ++i) s.known.emplace(p.parameters[i], Linear_Expression(Variable(i)));
      for (Term t : rule.conditions) {
        if (t.op() == Op::Not) t = t.kid(0);
        if (t.op() != Op::Slt && t.op() != Op::Sle && t.op() != Op::Ult && t.op() != Op::Ule) continue;
        if (t.kid(0).width() > 64) continue;
        Linear_Expression a = value(s, t.kid(0)), b = value(s, t.kid(1));
        if (std::max(a.space_dimension(), b.space_dimension()) > p.parameters.size()) continue;
        p.thresholds.insert(a <= b);
        p.thresholds.insert(b <= a);
        p.thresholds.insert(a <= b + 1);
        p.thresholds.insert(b <= a + 1);
      }
    }
    for (Predicate& p : predicates)
      for (size_t i = 0; i < p.parameters.size(); ++i) p.thresholds.insert(Variable(i) >= 0);
  }

  /// What holds when a predicate is first reached may hold always: of what does not change it does.
  static void keep_bounds(Predicate& p, const C_Polyhedron& first) {
    if (!p.widens) return;
    for (const Constraint& c : first.minimized_constraints()) p.thresholds.insert(c);
    for (size_t i = 0; i < p.parameters.size(); ++i) {
      ppl::Coefficient n, d;
      bool reached = false;
      if (first.maximize(Variable(i), n, d, reached)) p.thresholds.insert(d * Variable(i) <= n);
      if (first.minimize(Variable(i), n, d, reached)) p.thresholds.insert(d * Variable(i) >= n);
    }
  }

  bool grow(const Rule& rule) {
    Predicate& to = predicates[rule.to];
    C_Polyhedron more = follow(rule);
    if (to.values.contains(more)) return false;
    constexpr unsigned kJoins = 3;  // before bounds that grow are given up
    if (to.values.is_empty()) keep_bounds(to, more);
    more.poly_hull_assign(to.values);
    if (to.widens && ++to.joins > kJoins) more.limited_H79_extrapolation_assign(to.values, to.thresholds);
    if (to.joins > 10 * kJoins) more.H79_widening_assign(to.values);
    to.values = std::move(more);
    return true;
  }

  /// What the rules give from what was found: never more than that.
  void shrink(const std::vector<uint32_t>& component) {
    for (uint32_t p : component) {
      C_Polyhedron all(predicates[p].parameters.size(), ppl::EMPTY);
      for (const Rule& rule : rules)
        if (rule.to == p) all.poly_hull_assign(follow(rule));
      predicates[p].values.intersection_assign(all);
    }
  }

  /// Predicates that lead to each other, in an order in which rules lead from earlier ones to later ones only.
  std::vector<std::vector<uint32_t>> components() const {
    const size_t count = predicates.size();
    std::vector<std::vector<char>> leads(count, std::vector<char>(count, 0));
    for (const Rule& rule : rules)
      if (rule.from != kStart) leads[rule.from][rule.to] = 1;
    for (size_t k = 0; k < count; ++k)
      for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; leads[i][k] && j < count; ++j) leads[i][j] |= leads[k][j];
    std::vector<std::vector<uint32_t>> found;
    std::vector<char> placed(count, 0);
    for (size_t done = 0; done < count;)
      for (uint32_t p = 0; p < count; ++p) {
        auto before = [&](uint32_t q) { return leads[q][p] && !leads[p][q] && !placed[q]; };
        bool ready = !placed[p];
        for (uint32_t q = 0; q < count && ready; ++q) ready = !before(q);
        if (!ready) continue;
        auto& component = found.emplace_back();
        for (uint32_t q = 0; q < count; ++q)
          if (q == p || (leads[p][q] && leads[q][p])) component.push_back(q), placed[q] = 1;
        done += component.size();
      }
    return found;
  }

  /// Loops one after the other: bounds that widening gave up come back before a later loop builds on them.
  void fixpoint() {
    for (const auto& component : components()) {
      std::vector<char> inside(predicates.size(), 0);
      for (uint32_t p : component) inside[p] = 1;
      for (bool changed = true; changed;) {
        changed = false;
        for (const Rule& rule : rules)
          if (inside[rule.to]) changed |= grow(rule);
      }
      constexpr int kRounds = 3;
      for (int i = 0; i < kRounds; ++i) shrink(component);
    }
  }

  void add_constraint(const Constraint& c, const std::vector<Term>& parameters, std::vector<Term>& found) const {
    LinearSum sum;
    i128 n = 0;
    if (!small(c.inhomogeneous_term(), n)) return;
    sum.constant = -n;
    for (size_t i = 0; i < c.space_dimension(); ++i) {
      if (!small(c.coefficient(Variable(i)), n) || n > kLargestFactor || n < -kLargestFactor) return;
      if (n != 0) sum.parts[parameters[i].id()] = {parameters[i], -n};
    }
    for (const auto& [id, part] : sum.parts)
      if (part.first.width() == 1) return bit(sum, c.is_equality(), found);
    if (c.is_equality())
      if (Term t = linear.zero(sum)) found.push_back(t);
    for (i128 factor : {1, -1}) {
      LinearSum side;
      if (!side.add(sum, factor)) return;
      if (Term t = linear.not_positive(side)) found.push_back(t);
      if (!c.is_equality()) return;
    }
  }
  /// Bounds of single values, though they follow from the rest: they show that sums do not wrap around. So do bounds of
  /// sums and differences of two that do not follow from those.
  void add_bounds(const C_Polyhedron& values, const std::vector<Term>& parameters, std::vector<Term>& found) const {
    struct Bound {
      bool known = false;
      ppl::Coefficient n, d;
    };
    auto most = [&](const Linear_Expression& e) {
      Bound b;
      bool reached = false;
      b.known = values.maximize(e, b.n, b.d, reached);
      return b;
    };
    std::vector<Bound> upper, lower;  // lower: of the negated value
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Variable x(i);
      upper.push_back(most(x));
      lower.push_back(most(-x));
      if (upper[i].known) add_constraint(upper[i].d * x <= upper[i].n, parameters, found);
      if (lower[i].known) add_constraint(-lower[i].d * x <= lower[i].n, parameters, found);
    }
    for (size_t i = 0; i < parameters.size(); ++i)
      for (size_t j = i + 1; j < parameters.size(); ++j) {
        if (parameters[i].width() == 1 || parameters[i].width() != parameters[j].width()) continue;
        for (int signs = 0; signs < 4; ++signs) {
          const bool plus_x = (signs & 1) != 0, plus_y = (signs & 2) != 0;
          const Linear_Expression x = plus_x ? Linear_Expression(Variable(i)) : -Linear_Expression(Variable(i));
          const Linear_Expression y = plus_y ? Linear_Expression(Variable(j)) : -Linear_Expression(Variable(j));
          const Bound b = most(x + y);
          const Bound &of_x = plus_x ? upper[i] : lower[i], &of_y = plus_y ? upper[j] : lower[j];
          if (!b.known || b.d != 1) continue;
          if (of_x.known && of_y.known && of_x.d == 1 && of_y.d == 1 && of_x.n + of_y.n == b.n) continue;
          add_constraint(x + y <= b.n, parameters, found);
        }
      }
  }
  /// A bit alone that is 0 or 1; others are left out.
  void bit(const LinearSum& sum, bool equality, std::vector<Term>& found) const {
    if (!equality || sum.parts.size() != 1) return;
    Term t = sum.parts.begin()->second.first;
    found.push_back(sum.constant == 0 ? store.bnot(t) : t);
  }

  term::Store& store;
  Reading reading;
  LinearTerms linear;
  std::vector<Predicate> predicates;
  std::vector<Rule> rules;
};

Polyhedra::Polyhedra(term::Store& store, Reading reading) : impl_(std::make_unique<Impl>(store, reading)) {}
Polyhedra::~Polyhedra() = default;

uint32_t Polyhedra::predicate(std::vector<Term> parameters, bool widens) {
  const size_t count = parameters.size();
  impl_->predicates.push_back({std::move(parameters), widens, C_Polyhedron(count, ppl::EMPTY), 0, ppl::Constraint_System()});
  return static_cast<uint32_t>(impl_->predicates.size() - 1);
}

void Polyhedra::rule(uint32_t from, std::span<const Term> conditions, uint32_t to, std::span<const Term> arguments) {
  impl_->rules.push_back({from, to, {conditions.begin(), conditions.end()}, {arguments.begin(), arguments.end()}});
}

bool Polyhedra::solve(double seconds) {
  using Watch = ppl::Threshold_Watcher<ppl::Weightwatch_Traits>;
  constexpr double kWeightPerSecond = 5e8;  // by the library's own counting
  TooExpensive stop;
  try {
    Watch watch(static_cast<ppl::Weightwatch_Traits::Delta>(seconds * kWeightPerSecond),
                ppl::abandon_expensive_computations, stop);
    impl_->find_thresholds();
    impl_->fixpoint();
  } catch (const TooExpensive&) {
    ppl::abandon_expensive_computations = nullptr;
    return false;
  } catch (const std::exception&) {  // numbers without end, or no memory
    return false;
  }
  return true;
}

std::vector<Term> Polyhedra::solution(uint32_t predicate) const {
  const auto& p = impl_->predicates[predicate];
  if (p.values.is_empty()) return {impl_->store.falsity()};
  std::vector<Term> found;
  auto add = [&](const C_Polyhedron& values, std::vector<Term>& out) {
    for (const Constraint& c : values.minimized_constraints()) impl_->add_constraint(c, p.parameters, out);
    impl_->add_bounds(values, p.parameters, out);
  };
  add(p.values, found);
  // What holds where a bit is set, and where it is not: the hull of both has no loss there.
  constexpr size_t kBits = 3;
  size_t bits = 0;
  const std::unordered_set<Term> always(found.begin(), found.end());
  for (size_t i = 0; i < p.parameters.size() && bits < kBits; ++i) {
    Term bit = p.parameters[i];
    if (bit.width() != 1) continue;
    ++bits;
    for (int value = 0; value < 2; ++value) {
      C_Polyhedron part = p.values;
      part.add_constraint(Variable(i) == value);
      if (part.is_empty()) continue;
      std::vector<Term> there;
      add(part, there);
      const Term otherwise = value == 1 ? impl_->store.bnot(bit) : bit;
      for (Term t : there)
        if (!always.contains(t)) found.push_back(impl_->store.bor(otherwise, t));
    }
  }
  std::sort(found.begin(), found.end(), [](Term a, Term b) { return a.id() < b.id(); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [](Term t) { return t.is_true(); });
  return found;
}

}  // namespace whittle::solve
