// Proposals of facts about all elements, from the shape of loops.
//
// In round n a loop reads and writes base + scale * n (loops.h), so what the round writes there, or compares, or
// branches on, is a property of element n. That is proposed for all rounds that are done, (counter - start) / step of
// them, and for all rounds of the loop, wherever the loop leads.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engines/dash/elements.h"
#include "engines/dash/loops.h"

namespace whittle::engines::dash {

using program::kNone;
using term::Op;

namespace {

class Shapes {
 public:
  Shapes(Space& space, Graph& graph, const Forest& forest, const ElementLimits& limits)
      : space_(space),
        graph_(graph),
        loops_(space, graph, forest),
        limits_(limits),
        store_(space.terms()),
        n_(space.element()) {}

  ElementProposals run() {
    if (!loops_.find(limits_)) return {};
    bounds_.resize(loops_.all().size());
    for (const Loop& loop : loops_.all()) find_bounds(loop);
    for (const Loop& loop : loops_.all()) find_properties(loop);
    for (const Property& p : properties_) propose(p);
    initial_values();
    if (!found_.facts.empty()) registers_with_one_value();
    return std::move(found_);
  }

 private:
  struct Bound {
    Term counter;  ///< none: rounds
    Term bound;
  };
  struct Property {
    size_t loop = 0;
    Term counter;  ///< none: element n is that of round n
    Term holds;
    bool written = false;  ///< the loop makes it so
  };

  const std::vector<BlockTerms>& blocks() const { return loops_.blocks(); }

  void registers_with_one_value() {
    for (const auto& [v, value] : loops_.resolved())
      for (uint32_t m = graph_.entry() + 1; v != value && m < graph_.nodes(); ++m)
        if (loops_.visible(m, v) && loops_.visible(m, value))
          found_.conditions.emplace_back(graph_.node(m).place, store_.eq(v, value));
  }

  void find_bounds(const Loop& loop) {
    std::vector<Bound>& bounds = bounds_[loop.number];
    auto add = [&](Term counter, Term bound) {
      for (const auto& b : bounds)
        if (b.counter == counter && b.bound == bound) return;
      if (!bound.is_constant(0)) bounds.push_back({counter, bound});
    };
    const Term rounds = counts_rounds(loop);
    // Counters of addresses come first: they tell most directly.
    for (bool needed : {true, false})
      for (const auto& [v, counter] : loop.counters) {
        const Term by = counter.each_round ? Term() : v;
        const bool in_address =
            std::any_of(loop.accesses.begin(), loop.accesses.end(), [&](const Access& a) { return a.counter == by; });
        if (!in_address || needed != loops_.mentioned_in_address(loop, v)) continue;
        if (rounds && v != rounds && counter.each_round) {
          scalars(loop, v, counter, false);
          continue;
        }
        // Of what is not needed only what is as good as a bound: the first one.
        if (!needed && std::any_of(bounds.begin(), bounds.end(), [&](const auto& b) { return b.counter == by; }))
          continue;
        Term done = counter.step < 0 ? store_.sub(counter.start, v) : store_.sub(v, counter.start);
        const i128 step = counter.step < 0 ? -counter.step : counter.step;
        if (step > 1) done = store_.udiv(done, loops_.number(step, done.width()));
        add(by, store_.resize_unsigned(done, n_.width()));
        scalars(loop, v, counter, step > 1);
      }
    if (rounds) relate_counters(loop, rounds);
    for (const auto& [v, counter] : loop.counters) {
      if (!counter.each_round) continue;
      for (Term end : loops_.ends(loop, v)) {
        Term all = loops_.rounds(counter, end);
        if (!all.is_constant()) {
          const Term none = counter.step < 0 ? store_.sle(counter.start, end) : store_.sle(end, counter.start);
          all = store_.ite(none, store_.constant(all.width(), 0), all);
        }
        add({}, all);
      }
    }
  }

  /// A counter that each round moves by one, best one that addresses are made of. With it others need no division.
  Term counts_rounds(const Loop& loop) {
    Term found;
    for (const auto& [v, counter] : loop.counters) {
      if (!counter.each_round || (counter.step != 1 && counter.step != -1)) continue;
      if (loops_.mentioned_in_address(loop, v)) return v;
      if (!found) found = v;
    }
    return found;
  }

  /// What other counters are, as the rounds go.
  void relate_counters(const Loop& loop, Term rounds) {
    const Counter& by = loop.counters.at(rounds);
    for (const auto& [v, counter] : loop.counters) {
      if (v == rounds || !counter.each_round) continue;
      for (uint32_t m = graph_.entry() + 1; m < graph_.nodes(); ++m) {
        if (!loop.reachable[m]) continue;
        const auto own = counter.offset.find(m), other = by.offset.find(m);
        const i128 moved = own == counter.offset.end() ? 0 : own->second;
        const i128 passed = other == by.offset.end() ? 0 : other->second;
        const Term done = store_.resize_signed(
            store_.sub(store_.sub(rounds, by.start), loops_.number(passed, rounds.width())), v.width());
        const Term expected = store_.add(store_.mul(done, loops_.number(counter.step * by.step, v.width())),
                                         store_.add(counter.start, loops_.number(moved, v.width())));
        const Term relation = store_.eq(v, expected);
        if (loops_.visible(m, relation)) found_.conditions.emplace_back(graph_.node(m).place, relation);
      }
    }
  }

  /// What keeps the counter where it counts. `stride`: that it is on its way, whole steps from the start.
  void scalars(const Loop& loop, Term v, const Counter& counter, bool stride) {
    std::vector<Term> conditions, within;  // within a round: not at the head
    conditions.push_back(counter.step < 0 ? store_.sle(v, counter.start) : store_.sle(counter.start, v));
    const Term way = counter.step < 0 ? store_.sub(counter.start, v) : store_.sub(v, counter.start);
    const i128 step = counter.step < 0 ? -counter.step : counter.step;
    if (stride) {
      conditions.push_back(store_.eq(store_.urem(way, loops_.number(step, v.width())), loops_.number(0, v.width())));
    }
    for (Term end : loops_.ends(loop, v)) {
      const Term last =
          step > 1 ? store_.add(end, loops_.number(counter.step < 0 ? 1 - step : step - 1, v.width())) : end;
      conditions.push_back(counter.step < 0 ? store_.sle(last, v) : store_.sle(v, last));
      within.push_back(counter.step < 0 ? store_.slt(end, v) : store_.slt(v, end));
    }
    // What only some rounds count is no more than what each round does; within a round it may be ahead.
    for (const auto& [w, each] : loop.counters) {
      if (counter.each_round || !each.each_round || w.width() != v.width()) continue;
      if (step != (each.step < 0 ? -each.step : each.step)) continue;
      const Term rounds = each.step < 0 ? store_.sub(each.start, w) : store_.sub(w, each.start);
      conditions.push_back(store_.sle(way, rounds));
      within.push_back(store_.sle(way, store_.add(rounds, loops_.number(step, v.width()))));
    }
    for (uint32_t m = 2; m < graph_.nodes(); ++m) {
      if (loop.body[m] && m != loop.head)
        for (Term c : within)
          if (loops_.visible(m, c)) found_.conditions.emplace_back(graph_.node(m).place, c);
      if (loop.reachable[m])
        for (Term c : conditions)
          if (loops_.visible(m, c)) found_.conditions.emplace_back(graph_.node(m).place, c);
    }
  }

  // Properties

  /// A term of a block, for round n (or for element n of `counter`); no term if it cannot be said.
  Term in_element(const Loop& loop, uint32_t node, Term counter, Term t, std::unordered_map<Term, Term>& memo) {
    auto known = memo.find(t);
    if (known != memo.end()) return known->second;
    Term result;
    if (t.is_constant()) {
      result = t;
    } else if (t.is_variable()) {
      auto c = loop.counters.find(t);
      if (!space_.owner(t).known())
        result = {};
      else if (c == loop.counters.end())
        result = t;
      else if (counter ? c->first == counter : c->second.each_round)
        result = loops_.in_round(c->second, node, t.width());
    } else if (t.op() == Op::Read) {
      if (auto access = loops_.strided(loop, node, t.kid(0), t.width()); access && access->counter == counter)
        result = loops_.element(*access);
      else if (!access && t.kid(0).is_constant())
        result = t;
    } else {
      Term kids[3];
      bool all = true;
      for (unsigned i = 0; i < t.arity() && all; ++i) {
        kids[i] = in_element(loop, node, counter, t.kid(i), memo);
        all = static_cast<bool>(kids[i]);
      }
      const unsigned low = t.op() == Op::Extract ? t.low() : 0;
      if (all) result = store_.make(t.op(), std::span(kids, t.arity()), t.width(), low);
    }
    memo.emplace(t, result);
    return result;
  }

  Term in_element(const Loop& loop, uint32_t node, Term counter, Term t) {
    std::unordered_map<Term, Term> memo;
    return in_element(loop, node, counter, t, memo);
  }

  bool reads_elements(const Loop& loop, uint32_t node, Term t) {
    if (!t.has_reads()) return false;
    for (Term r : term::reads(t))
      if (loops_.strided(loop, node, r.kid(0), r.width())) return true;
    return false;
  }

  void add_property(size_t loop, Term counter, Term holds, bool written = false) {
    if (!holds || holds.is_constant() || properties_.size() >= limits_.properties) return;
    const auto variables = term::variables(holds);
    if (std::find(variables.begin(), variables.end(), n_) == variables.end()) {
      bool in_reads = false;
      for (Term r : term::reads(holds)) {
        const auto inside = term::variables(r.kid(0));
        in_reads |= std::find(inside.begin(), inside.end(), n_) != inside.end();
      }
      if (!in_reads) return;
    }
    for (const Property& p : properties_)
      if (p.loop == loop && p.counter == counter && p.holds == holds) return;
    properties_.push_back({loop, counter, holds, written});
  }

  void find_properties(const Loop& loop) {
    for (uint32_t b : loop.blocks) find_writes(loop, blocks()[b]);
    for (uint32_t b : loop.blocks) find_comparisons(loop, blocks()[b]);
    for (uint32_t b : loop.exits) find_comparisons(loop, blocks()[b]);
  }

  /// Guards that are about elements, all together, for element n; no term if there are none.
  Term element_guards(const Loop& loop, const BlockTerms& block, Term counter) {
    Term all;
    for (Term g : block.guards) {
      if (!reads_elements(loop, block.from, g)) continue;
      Term here = in_element(loop, block.from, counter, g);
      if (here) all = all ? store_.band(all, here) : here;
    }
    return all;
  }

  void find_writes(const Loop& loop, const BlockTerms& block) {
    for (const auto& [address, value] : block.writes) {
      auto access = loops_.strided(loop, block.from, address, value.width());
      if (!access) continue;
      const Term here = loops_.element(*access);
      Term written = in_element(loop, block.from, access->counter, value);
      const bool itself = written && std::ranges::any_of(term::reads(written), [&](Term r) { return r == here; });
      const Term guards = element_guards(loop, block, access->counter);
      if (written && !itself) {
        add_property(loop.number, access->counter, store_.eq(here, written), true);
        if (guards) add_property(loop.number, access->counter, store_.implies(guards, store_.eq(here, written)), true);
      }
      // Of what it was before, something may be known.
      if (itself) rewrite(loop, *access, here, written);
      // What is known of the value that is written.
      if (value.is_constant()) continue;
      for (Term g : block.guards) {
        bool about = false;
        std::unordered_map<Term, Term> memo{{value, here}};
        Term said = in_element(loop, block.from, access->counter, g, memo);
        about = said && contains(g, value);
        if (about) add_property(loop.number, access->counter, said);
      }
    }
  }

  static bool contains(Term t, Term part) {
    std::vector<Term> todo{t};
    std::unordered_set<Term> seen;
    while (!todo.empty()) {
      Term x = todo.back();
      todo.pop_back();
      if (x == part) return true;
      if (!seen.insert(x).second) continue;
      for (unsigned i = 0; i < x.arity(); ++i) todo.push_back(x.kid(i));
    }
    return false;
  }

  /// An element is made from its old value, of which facts at the loop's entry tell something: old == known.
  void rewrite(const Loop& loop, const Access& access, Term here, Term written) {
    for (const BlockTerms& block : blocks()) {
      if (block.to != loop.head || loop.body[block.from]) continue;
      for (uint32_t node : {block.from, loop.head})
        for (const ElementFact& fact : graph_.node(node).elements) {
          if (fact.property.op() != Op::Eq) continue;
          for (unsigned side = 0; side < 2; ++side) {
            const Term old = fact.property.kid(side), known = fact.property.kid(1 - side);
            if (old != here || contains(known, here)) continue;
            Term made = store_.substitute(
                written, [](Term) { return Term(); }, [&](Term r) { return r == here ? known : r; });
            add_property(loop.number, access.counter, store_.eq(here, made));
          }
        }
    }
  }

  void find_comparisons(const Loop& loop, const BlockTerms& block) {
    std::vector<Term> found;
    std::unordered_set<Term> seen;
    block.for_each_term([&](Term t) {
      if (!t.has_reads()) return;
      std::vector<Term> todo{t};
      while (!todo.empty()) {
        Term x = todo.back();
        todo.pop_back();
        if (!x.has_reads() || x.op() == Op::Read || !seen.insert(x).second) continue;
        if (is_comparison(x) && reads_elements(loop, block.from, x)) found.push_back(x);
        for (unsigned i = 0; i < x.arity(); ++i) todo.push_back(x.kid(i));
      }
    });
    const Term guards = element_guards(loop, block, {});
    for (Term x : found) {
      Term here = in_element(loop, block.from, {}, x);
      if (!here) continue;
      for (Term t : {here, store_.bnot(here)}) {
        add_property(loop.number, {}, t);
        if (guards && !contains(guards, here)) add_property(loop.number, {}, store_.implies(guards, t));
      }
    }
    if (!guards) return;
    add_property(loop.number, {}, store_.bnot(guards));
    // A flag is set where an element is special: as long as it is not set, none is.
    for (const auto& [variable, value] : block.values)
      if (value.is_constant() && space_.owner(variable).known() && space_.owner(variable).reg != kNone)
        add_property(loop.number, {}, store_.bor(store_.eq(variable, value), store_.bnot(guards)));
  }

  // Facts

  void propose(const Property& property) {
    const ElementFact shape = make_fact(space_, store_.constant(n_.width(), 1), property.holds);
    std::vector<std::pair<const Loop*, Term>> bounds;
    for (const auto& b : bounds_[property.loop])
      if (b.counter == property.counter) bounds.emplace_back(&loops_.all()[property.loop], b.bound);
    if (!property.counter && !property.written)
      for (const Loop& loop : loops_.all()) {
        if (&loop == &loops_.all()[property.loop]) continue;
        for (const Access& access : loop.accesses) add_bounds_of(loop, access, shape, bounds);
      }
    for (const auto& [loop, bound] : bounds) add_fact(*loop, bound, property.holds);
    from_first(property, shape);
  }

  /// Another loop goes through the same elements, or leaves out some first ones.
  void add_bounds_of(const Loop& loop, const Access& access, const ElementFact& shape,
                     std::vector<std::pair<const Loop*, Term>>& bounds) {
    constexpr i128 kLeftOut = 3;
    for (const term::Stride& own : shape.accesses) {
      if (own.scale != access.scale || own.width != access.width) continue;
      const Term difference = store_.sub(access.base, own.base);
      if (!difference.is_constant()) continue;
      const i128 distance = sign_extend128(difference.value(), difference.width());
      const i128 scale = sign_extend128(access.scale, n_.width());
      if (distance % scale != 0 || distance / scale < 0 || distance / scale > kLeftOut) continue;
      for (const auto& b : bounds_[loop.number]) {
        if (b.counter != access.counter) continue;
        std::pair<const Loop*, Term> one{&loop, store_.add(b.bound, loops_.number(distance / scale, n_.width()))};
        if (std::find(bounds.begin(), bounds.end(), one) == bounds.end()) bounds.push_back(one);
      }
    }
  }

  /// The loop may begin after some first elements that were looked at before it: the largest so far is a[0], say.
  void from_first(const Property& property, const ElementFact& shape) {
    if (property.counter) return;
    for (const term::Stride& access : shape.accesses) {
      if (!access.base.is_constant()) continue;
      const uint64_t at = access.base.value64();
      uint64_t object = 0;
      if (auto o = space_.program().object_at(at)) object = space_.program().objects[*o].address;
      for (const Site& site : space_.sites())
        if (at >= site.address && at - site.address < site.size) object = site.address;
      if (object == 0 || access.scale > 64) continue;
      const uint64_t earlier = (at - object) / static_cast<uint64_t>(access.scale);
      if (earlier == 0 || earlier > 3) continue;
      const Term shifted = store_.sub(n_, store_.constant(n_.width(), earlier));
      const Term holds = substitute_element(property.holds, shifted);
      for (const auto& b : bounds_[property.loop])
        if (!b.counter)
          add_fact(loops_.all()[property.loop], store_.add(b.bound, store_.constant(n_.width(), earlier)), holds);
      return;
    }
  }

  Term substitute_element(Term t, Term by) {
    return store_.substitute(t, [&](Term v) { return v == n_ ? by : Term(); });
  }

  void add_fact(const Loop& loop, Term bound, Term holds) {
    const ElementFact fact = make_fact(space_, bound, holds);
    if (fact.accesses.empty()) return;
    // Within a round its element may be done, though the counter has not moved yet.
    const ElementFact with_this = make_fact(space_, store_.add(bound, loops_.number(1, n_.width())), holds);
    for (uint32_t m = graph_.entry() + 1; m < graph_.nodes(); ++m) {  // (of the entry no block could show it)
      if (!loop.reachable[m]) continue;
      add_fact(m, fact);
      if (loop.body[m] && m != loop.head && !bound.is_constant()) add_fact(m, with_this);
    }
  }

  void add_fact(uint32_t m, const ElementFact& fact) {
    const Term whole = body(space_, fact);
    if (!loops_.visible(m, whole) || count_[m] >= limits_.facts) return;
    const Node& here = graph_.node(m);
    if (std::find(here.elements.begin(), here.elements.end(), fact) != here.elements.end()) return;
    if (!made_.insert({m, whole.id()}).second) return;
    ++count_[m];
    found_.facts.emplace_back(here.place, fact);
  }

  /// Static arrays of equal elements, from the start of the program on.
  void initial_values() {
    std::set<uint64_t> done;
    for (const Loop& loop : loops_.all())
      for (const Access& access : loop.accesses) {
        if (!access.base.is_constant() || access.scale > 64) continue;
        const uint64_t at = access.base.value64();
        auto o = space_.program().object_at(at);
        if (!o || space_.program().objects[*o].thread_local_) continue;
        const auto& object = space_.program().objects[*o];
        const auto& bytes = object.initial;
        if (object.size < 16 || std::any_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b != 0; })) continue;
        if (!done.insert(at).second) continue;
        const uint64_t scale = static_cast<uint64_t>(access.scale);
        const uint64_t left = object.size - (at - object.address);
        if (left < access.width / 8) continue;
        const ElementFact fact = make_fact(space_, store_.constant(n_.width(), (left - access.width / 8) / scale + 1),
                                           store_.eq(loops_.element(access), store_.constant(access.width, 0)));
        for (uint32_t m = graph_.entry(); m < graph_.nodes(); ++m) add_fact(m, fact);
      }
  }

  Space& space_;
  Graph& graph_;
  Loops loops_;
  const ElementLimits& limits_;
  term::Store& store_;
  const Term n_;
  std::vector<std::vector<Bound>> bounds_;  ///< by loop
  std::vector<Property> properties_;
  std::map<uint32_t, size_t> count_;
  std::set<std::pair<uint32_t, uint32_t>> made_;
  ElementProposals found_;
};

}  // namespace

ElementProposals propose_elements(Space& space, Graph& graph, const Forest& forest, const ElementLimits& limits) {
  return Shapes(space, graph, forest, limits).run();
}

}  // namespace whittle::engines::dash
