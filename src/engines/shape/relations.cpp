#include "engines/shape/relations.h"

#include <algorithm>
#include <set>

namespace whittle::engines::shape {

namespace {

constexpr size_t kMostTerms = 14;     ///< compared with each other
constexpr size_t kMostConstants = 6;  ///< compared with each of these
constexpr unsigned kMostRounds = 40;

class Relating {
 public:
  Relating(General& both, const Memory& first, const Memory& second, solve::Solver& solver)
      : both_(both), memory_(both.memory), first_(first), second_(second), solver_(solver) {
    for (const General::Instead& instead : both.symbols) {
      fresh_.insert(instead.symbol.variable());
      in_first_[instead.symbol] = instead.first;
      in_second_[instead.symbol] = instead.second;
    }
  }

  void run() {
    if (fresh_.empty()) return;
    collect_terms();
    propose();
    if (!keep_what_holds(first_, [&](Term v) { return name(in_first_, v, v); })) return;
    if (!keep_what_holds(second_, [&](Term v) {
          auto named = both_.names.find(v);
          return name(in_second_, v, named == both_.names.end() ? Term{} : named->second);
        }))
      return;
    // Also what is implied by something stronger counts as said.
    auto is_said = [&](Term fact) {
      return has(memory_.facts, fact) || std::ranges::any_of(candidates_, [&](const Candidate& c) { return c.fact == fact; });
    };
    std::vector<Term> said;
    for (const Candidate& c : candidates_) {
      if ((c.stronger && is_said(c.stronger)) || has(memory_.facts, c.fact)) continue;
      // Of numbers that are not negative, signed and unsigned comparisons say the same.
      if (c.is_signed && is_said(c.is_signed) && (at_least_zero(c.less).is_true() || is_said(at_least_zero(c.less)))) continue;
      said.push_back(c.fact);
    }
    memory_.facts.insert(memory_.facts.end(), said.begin(), said.end());
  }

 private:
  struct Candidate {
    Term fact;
    Term stronger = {};               ///< if that one holds this one need not be said
    Term is_signed = {}, less = {};  ///< of an unsigned comparison: the signed one, and what is less there
    Term there = {};     ///< about the memory that is looked at
  };

  static Term name(const std::unordered_map<Term, Term>& names, Term v, Term otherwise) {
    auto found = names.find(v);
    return found == names.end() ? otherwise : found->second;
  }

  bool is_base(Term v) { return memory_.is_base(v.variable()); }

  bool has_fresh(Term t) const {
    return std::ranges::any_of(term::variables(t), [&](Term v) { return fresh_.contains(v.variable()); });
  }

  void add_term(Term t) {
    if (!t || t.is_constant() || t.width() < 8 || t.width() > 64 || terms_.size() >= 4 * kMostTerms) return;
    const std::vector<Term> about = term::variables(t);
    if (auto at = memory_.indexed(t)) return add_term(at->second);
    if (std::ranges::any_of(about, [&](Term v) { return is_base(v); })) return;
    if (has(terms_, t)) return;
    terms_.push_back(t);
    if (!t.is_variable())
      for (Term v : about) add_term(v);
    const unsigned pointer = memory_.program().pointer_width();
    if (t.is_variable() && t.width() == 32 && pointer == 64) add_term(memory_.store().sext(t, pointer));
  }

  /// Numbers in registers, offsets of addresses, sizes; new symbols first.
  void collect_terms() {
    for (const General::Instead& instead : both_.symbols) add_term(instead.symbol);
    for (const Frame& frame : memory_.stack)
      for (Term t : frame.registers) add_term(t);
    auto look = [&](const Node& node) {
      for (const auto& [offset, cell] : node.cells) add_term(cell.value);
      add_term(node.length);
      for (const Mark& mark : node.marks) add_term(mark.at);
    };
    for (const auto& [id, node] : memory_.statics) look(node);
    for (const auto& [base, node] : memory_.nodes) look(node);
    std::ranges::stable_sort(terms_, {}, [&](Term t) { return (has_fresh(t) ? 0 : 2) + (t.is_variable() ? 0 : 1); });
    if (terms_.size() > kMostTerms) terms_.resize(kMostTerms);
    for (const Memory* memory : {&first_, &second_})
      for (Term fact : memory->facts) add_constants(fact);
    for (const Frame& frame : memory_.stack)
      for (Term t : frame.registers) add_constant(t);
  }

  void add_constant(Term t) {
    if (!t || !t.is_constant() || t.width() < 32 || t.width() > 64 || constants_.size() >= kMostConstants || has(constants_, t)) return;
    if (t.is_constant(0) || (t.value64() >= program::layout::kFunctionBase && t.width() == memory_.program().pointer_width())) return;
    constants_.push_back(t);
  }

  /// What a number was compared with.
  void add_constants(Term fact) {
    const Term comparison = fact.op() == term::Op::Not ? fact.kid(0) : fact;
    if (comparison.arity() != 2) return;
    for (unsigned i = 0; i < 2; ++i) add_constant(comparison.kid(i));
  }

  void add(Term fact, Term stronger = {}, Term is_signed = {}, Term less = {}) {
    if (fact.is_constant() || !has_fresh(fact) || !proposed_.insert(fact.id()).second) return;
    candidates_.push_back({fact, stronger, is_signed, less});
  }

  Term at_least_zero(Term x) {
    return memory_.store().bnot(memory_.store().slt(x, memory_.store().constant(x.width(), 0)));
  }

  void propose() {
    term::Store& store = memory_.store();
    auto at_most = [&](Term strictly_more) { return store.bnot(strictly_more); };
    for (Term x : terms_) {
      if (!has_fresh(x)) continue;
      const Term zero = store.constant(x.width(), 0);
      add(store.slt(zero, x));
      add(at_most(store.slt(x, zero)), store.slt(zero, x));
      for (unsigned bits : {3u, 2u, 1u}) {
        auto multiple = [&](unsigned n) { return store.eq(store.extract(x, 0, n), store.constant(n, 0)); };
        add(multiple(bits), bits < 3 ? multiple(bits + 1) : Term{});
      }
    }
    std::vector<Term> others = terms_;
    others.insert(others.end(), constants_.begin(), constants_.end());
    for (Term x : others)
      for (Term y : others) {
        if (x == y || x.width() != y.width() || !(has_fresh(x) || has_fresh(y))) continue;
        add(store.slt(x, y));
        add(at_most(store.slt(y, x)), store.slt(x, y));
        add(store.ult(x, y), {}, store.slt(x, y), x);
        add(at_most(store.ult(y, x)), store.ult(x, y), at_most(store.slt(y, x)), x);
      }
  }

  /// Takes away candidates until all that are left hold. False: it was not decided.
  template <typename Name>
  bool keep_what_holds(const Memory& memory, Name name) {
    term::Store& store = memory_.store();
    std::erase_if(candidates_, [&](Candidate& c) {
      bool complete = true;
      c.there = store.substitute(c.fact, [&](Term v) {
        Term to = name(v);
        complete = complete && to;
        return to;
      });
      return !complete || c.there.is_false();
    });
    for (unsigned round = 0; round < kMostRounds; ++round) {
      Term all = store.truth();
      for (const Candidate& c : candidates_) all = store.band(all, c.there);
      if (all.is_true()) return true;
      std::vector<Term> assumptions = memory.facts;
      assumptions.push_back(store.bnot(all));
      const solve::Result result = solver_.check(assumptions);
      if (result.unsat()) return true;
      if (!result.sat()) return keep_one_by_one(memory);
      std::vector<bool> wrong;
      for (const Candidate& c : candidates_) wrong.push_back(!c.there.is_true() && solver_.value(c.there) == 0);
      size_t i = 0;
      if (std::erase_if(candidates_, [&](const Candidate&) { return wrong[i++]; }) == 0) return keep_one_by_one(memory);
    }
    return keep_one_by_one(memory);
  }

  /// All at once may be too much for the solver.
  bool keep_one_by_one(const Memory& memory) {
    std::erase_if(candidates_, [&](const Candidate& c) {
      if (c.there.is_true()) return false;
      std::vector<Term> assumptions = memory.facts;
      assumptions.push_back(memory.store().bnot(c.there));
      return !solver_.check(assumptions).unsat();
    });
    return !candidates_.empty();
  }

  General& both_;
  Memory& memory_;
  const Memory& first_;
  const Memory& second_;
  solve::Solver& solver_;
  std::set<uint32_t> fresh_;
  std::unordered_map<Term, Term> in_first_, in_second_;
  std::vector<Term> terms_, constants_;
  std::set<uint32_t> proposed_;
  std::vector<Candidate> candidates_;
};

}  // namespace

void relate(General& both, const Memory& first, const Memory& second, solve::Solver& solver) {
  Relating(both, first, second, solver).run();
}

}  // namespace whittle::engines::shape
