// Proposals of facts about all elements, from the shape of loops.
//
// A loop that goes through an array has a counter: a variable that every round changes by the same constant. In round n
// the counter is start + step * n, so an address made of it is base + scale * n, and what the round writes there, or
// compares, or branches on, is a property of element n. That is proposed for all rounds that are done, (counter - start)
// / step of them, and for all rounds of the loop, wherever the loop leads.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engines/dash/elements.h"
#include "program/analysis/dominators.h"

namespace whittle::engines::dash {

using program::kNone;
using program::Kind;
using term::Op;

namespace {

bool is_comparison(Term t) { return t.op() >= Op::Eq && t.op() <= Op::Sle; }

class Shapes {
 public:
  Shapes(Space& space, Graph& graph, const Forest& forest, const ElementLimits& limits)
      : space_(space), graph_(graph), forest_(forest), limits_(limits), store_(space.terms()), n_(space.element()) {}

  ElementProposals run() {
    if (!read_graph()) return {};
    find_loops();
    for (Loop& loop : loops_) {
      find_counters(loop);
      find_accesses(loop);
    }
    for (Loop& loop : loops_) find_bounds(loop);
    for (Loop& loop : loops_) find_properties(loop);
    for (const Property& p : properties_) propose(p);
    initial_values();
    if (!found_.facts.empty()) registers_with_one_value();
    return std::move(found_);
  }

 private:
  struct Counter {
    i128 step = 0;
    Term start;
    bool each_round = true;           ///< every round changes it
    std::map<uint32_t, i128> offset;  ///< at a node, in addition to its value at the head; if each_round
  };
  struct Access {
    Term base;
    u128 scale = 0;
    unsigned width = 0;
    Term counter;  ///< of an address that not every round moves; otherwise none
    bool operator==(const Access&) const = default;
  };
  struct Loop {
    uint32_t head = 0;
    std::vector<char> body;        ///< by node
    std::vector<uint32_t> blocks;  ///< from body to body
    std::vector<uint32_t> exits;   ///< from the body out of it
    std::unordered_set<Term> assigned;
    std::map<Term, Counter, bool (*)(Term, Term)> counters{[](Term a, Term b) { return a.id() < b.id(); }};
    std::vector<Access> accesses;
    struct Bound {
      Term counter;  ///< none: rounds
      Term bound;
    };
    std::vector<Bound> bounds;
    std::vector<char> reachable;  ///< from the head, by node
  };
  struct Property {
    size_t loop = 0;
    Term counter;  ///< none: element n is that of round n
    Term holds;
  };
  struct BlockTerms {
    uint32_t from = 0, to = kNone;
    std::unique_ptr<Effect> effect;
    std::vector<Term> guards;
    std::vector<std::pair<Term, Term>> values, writes;
  };

  bool read_graph() {
    if (graph_.nodes() > limits_.nodes || graph_.block_count() > limits_.blocks) return false;
    find_useful();
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      const BlockInfo& info = graph_.block(b);
      if (info.gone || info.block.end == Block::End::Unknown) continue;
      BlockTerms& block = blocks_.emplace_back();
      block.from = *graph_.find(info.block.from);
      if (info.block.end == Block::End::Node) block.to = *graph_.find(info.block.to);
      block.effect = std::make_unique<Effect>(space_, info.block, Oracle());
      for (Term g : block.effect->guards()) flatten(resolve(g), block.guards);
      for (const auto& [variable, value] : block.effect->values())
        if (value != variable) block.values.emplace_back(variable, resolve(value));
      std::sort(block.values.begin(), block.values.end(),
                [](const auto& x, const auto& y) { return x.first.id() < y.first.id(); });
      for (const auto& [address, value] : block.effect->written())
        block.writes.emplace_back(resolve(address), resolve(value));
    }
    return true;
  }

  /// Nodes from which an error may still be reached: others need no facts.
  void find_useful() {
    useful_.assign(graph_.nodes(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b = 0; b < graph_.block_count(); ++b) {
        const BlockInfo& info = graph_.block(b);
        if (info.gone) continue;
        char& from = useful_[*graph_.find(info.block.from)];
        if (from || (info.block.end == Block::End::Node && !useful_[*graph_.find(info.block.to)])) continue;
        from = 1;
        changed = true;
      }
    }
  }

  /// Registers that have one value only: where an object lies, what a parameter was given.
  Term resolve(Term t) {
    return store_.substitute(
        t, [&](Term v) { return resolved(v); }, [&](Term r) { return r; });
  }
  Term resolved(Term v) {
    auto known = resolved_.find(v);
    if (known != resolved_.end()) return known->second;
    resolved_[v] = v;
    const Space::Owner owner = space_.owner(v);
    if (!owner.known() || owner.reg == kNone) return v;
    const auto& function = space_.function(owner.context);
    const bool parameter = owner.reg < function.parameter_count;
    uint32_t assigning = kNone;
    for (uint32_t e = 0; e < function.edges.size(); ++e)
      for (program::RegisterId target : function.edges[e].statement.targets)
        if (target == owner.reg) {
          if (assigning != kNone || parameter) return v;
          assigning = e;
        }
    Term value;
    if (parameter) {
      const Context& context = space_.context(owner.context);
      if (context.parent == kNone) return v;
      const program::Statement& call = space_.edge(context.parent, context.edge).statement;
      value = resolve(space_.in(context.parent, call.operands[owner.reg + (call.kind == Kind::IndirectCall ? 1 : 0)]));
    } else if (assigning != kNone) {
      const program::Statement& s = function.edges[assigning].statement;
      if (s.kind == Kind::StackAlloc || s.kind == Kind::HeapAlloc) {
        if (const Site* site = space_.site(owner.context, assigning))
          value = store_.constant(v.width(), site->address);
      } else if (s.kind == Kind::Assign && s.targets.size() == 1) {
        Term assigned = resolve(space_.in(owner.context, s.operands[0]));
        if (assigned.is_constant()) value = assigned;
      }
    }
    if (value) resolved_[v] = value;
    return resolved_[v];
  }

  void registers_with_one_value() {
    for (const auto& [v, value] : resolved_)
      for (uint32_t m = graph_.entry() + 1; v != value && m < graph_.nodes(); ++m)
        if (visible(m, v) && visible(m, value))
          found_.conditions.emplace_back(graph_.node(m).place, store_.eq(v, value));
  }

  void find_loops() {
    program::analysis::Digraph flow(graph_.nodes());
    for (const BlockTerms& b : blocks_)
      if (b.to != kNone) flow.add(b.from, b.to);
    program::analysis::Dominators dominators(flow, graph_.entry());
    std::map<uint32_t, std::vector<uint32_t>> latches;
    for (const BlockTerms& b : blocks_)
      if (b.to != kNone && dominators.dominates(b.to, b.from)) latches[b.to].push_back(b.from);
    for (const auto& [head, from] : latches) {
      Loop& loop = loops_.emplace_back();
      loop.head = head;
      loop.body.assign(graph_.nodes(), 0);
      loop.body[head] = 1;
      std::vector<uint32_t> todo = from;
      while (!todo.empty()) {
        const uint32_t at = todo.back();
        todo.pop_back();
        if (loop.body[at]) continue;
        loop.body[at] = 1;
        for (uint32_t p : flow.predecessors[at]) todo.push_back(p);
      }
      loop.reachable.assign(graph_.nodes(), 0);
      todo = {head};
      while (!todo.empty()) {
        const uint32_t at = todo.back();
        todo.pop_back();
        if (loop.reachable[at]) continue;
        loop.reachable[at] = 1;
        for (uint32_t s : flow.successors[at]) todo.push_back(s);
      }
      for (uint32_t b = 0; b < blocks_.size(); ++b) {
        if (!loop.body[blocks_[b].from]) continue;
        const bool inside = blocks_[b].to != kNone && loop.body[blocks_[b].to];
        (inside ? loop.blocks : loop.exits).push_back(b);
        if (inside)
          for (const auto& [variable, value] : blocks_[b].values) loop.assigned.insert(variable);
      }
    }
  }

  static std::optional<i128> change(const BlockTerms& block, Term variable, term::Store& store) {
    for (const auto& [v, value] : block.values) {
      if (v != variable) continue;
      const Term difference = store.sub(value, v);
      if (!difference.is_constant()) return std::nullopt;
      return sign_extend128(difference.value(), v.width());
    }
    return 0;
  }

  void find_counters(Loop& loop) {
    for (Term v : std::vector<Term>(loop.assigned.begin(), loop.assigned.end())) {
      if (!space_.owner(v).known() || v.width() < 8) continue;
      Counter counter;
      bool counts = true;
      for (uint32_t b : loop.blocks) {
        const std::optional<i128> by = change(blocks_[b], v, store_);
        counts &= by.has_value() && (*by == 0 || counter.step == 0 || *by == counter.step);
        if (!counts) break;
        if (*by != 0) counter.step = *by;
      }
      if (!counts || counter.step == 0 || counter.step > 4096 || counter.step < -4096) continue;
      follow_rounds(loop, v, counter);
      counter.start = start_of(loop, v);
      if (counter.start) loop.counters.emplace(v, std::move(counter));
    }
  }

  /// Does every way through the body change it once?
  void follow_rounds(const Loop& loop, Term v, Counter& counter) {
    counter.offset[loop.head] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b : loop.blocks) {
        const BlockTerms& block = blocks_[b];
        auto from = counter.offset.find(block.from);
        if (from == counter.offset.end()) continue;
        const i128 after = from->second + *change(block, v, store_);
        if (block.to == loop.head) {
          counter.each_round &= after == counter.step;
          continue;
        }
        auto [to, fresh] = counter.offset.try_emplace(block.to, after);
        changed |= fresh;
        counter.each_round &= to->second == after;
      }
      if (!counter.each_round) return counter.offset.clear();
    }
  }

  /// What it is when the loop is entered, in terms that the loop does not change.
  Term start_of(const Loop& loop, Term v) {
    Term start;
    bool known = true;
    std::set<uint32_t> seen;
    auto look = [&](auto& self, uint32_t node, unsigned depth) -> void {
      if (depth > 12 || !seen.insert(node).second) return;
      bool any = false;
      for (const BlockTerms& block : blocks_) {
        if (block.to != node || (node == loop.head && loop.body[block.from])) continue;
        any = true;
        Term value;
        for (const auto& [variable, assigned] : block.values)
          if (variable == v) value = assigned;
        if (!value) {
          self(self, block.from, depth + 1);
          continue;
        }
        if (start && start != value) known = false;
        start = value;
      }
      known &= any;
    };
    look(look, loop.head, 0);
    if (known && start) {
      for (Term leaf : term::leaves(start))
        known &= leaf.is_variable() && space_.owner(leaf).known() && !loop.assigned.contains(leaf);
      if (known) return start;
    }
    return start_in_tests(loop, v);
  }

  Term start_in_tests(const Loop& loop, Term v) {
    Term start;
    std::set<uint32_t> tests;
    for (StateRef s : forest_.at(graph_.node(loop.head).place)) {
      if (!tests.insert(s.test).second) continue;
      Term value = store_.constant(v.width(), forest_.test(s.test).evaluate(space_, s.visit, v));
      if (start && start != value) return {};
      start = value;
    }
    return start;
  }

  Term number(i128 value, unsigned width) { return store_.constant(width, static_cast<u128>(value)); }

  /// Element n's counterpart of a counter: its value in round n, at the node.
  Term in_round(const Counter& counter, uint32_t node, unsigned width) {
    auto offset = counter.offset.find(node);
    const i128 more = offset == counter.offset.end() ? 0 : offset->second;
    const Term round = store_.mul(store_.resize_unsigned(n_, width), number(counter.step, width));
    return store_.add(store_.add(counter.start, round), number(more, width));
  }

  /// Is it base + scale * n in round n?
  std::optional<Access> strided(const Loop& loop, uint32_t node, Term address, unsigned width) {
    if (address.has_reads() || address.is_constant()) return std::nullopt;
    std::vector<Term> moving;
    for (Term v : term::variables(address)) {
      if (!space_.owner(v).known()) return std::nullopt;
      if (loop.counters.contains(v))
        moving.push_back(v);
      else if (loop.assigned.contains(v))
        return std::nullopt;
    }
    if (moving.empty()) return std::nullopt;
    Access access;
    access.width = width;
    for (Term v : moving)
      if (!loop.counters.at(v).each_round) {
        if (moving.size() > 1) return std::nullopt;
        access.counter = v;
      }
    auto in_some_round = [&](u128 round) {
      return store_.evaluate(address, {[&](Term v) -> u128 {
                                         auto it = loop.counters.find(v);
                                         if (it == loop.counters.end()) return 4096;
                                         return 64 + round * static_cast<u128>(it->second.step);
                                       },
                                       {}});
    };
    const u128 mask = mask128(address.width());
    access.scale = (in_some_round(9) - in_some_round(8)) & mask;
    if (access.scale == 0 || ((in_some_round(10) - in_some_round(9)) & mask) != access.scale) return std::nullopt;
    access.base = store_.substitute(address, [&](Term v) {
      auto it = loop.counters.find(v);
      if (it == loop.counters.end()) return Term();
      auto offset = it->second.offset.find(node);
      return store_.add(it->second.start, number(offset == it->second.offset.end() ? 0 : offset->second, v.width()));
    });
    return access;
  }

  Term element(const Access& access) {
    return store_.read(
        store_.add(access.base, store_.mul(n_, store_.constant(n_.width(), access.scale))), access.width);
  }

  void find_accesses(Loop& loop) {
    auto add = [&](uint32_t node, Term address, unsigned width) {
      auto access = strided(loop, node, address, width);
      if (access && std::find(loop.accesses.begin(), loop.accesses.end(), *access) == loop.accesses.end())
        loop.accesses.push_back(*access);
    };
    for (const auto* list : {&loop.blocks, &loop.exits})
      for (uint32_t b : *list) {
        const BlockTerms& block = blocks_[b];
        for (const auto& [address, value] : block.writes) add(block.from, address, value.width());
        for_each_term(block, [&](Term t) {
          if (!t.has_reads()) return;
          for (Term r : term::reads(t)) add(block.from, r.kid(0), r.width());
        });
      }
  }

  template <typename Visit>
  void for_each_term(const BlockTerms& block, const Visit& visit) {
    for (Term g : block.guards) visit(g);
    for (const auto& [variable, value] : block.values) visit(value);
    for (const auto& [address, value] : block.writes) visit(value);
  }

  /// Rounds from the start until the counter is `end`: so many steps.
  Term rounds(const Counter& counter, Term end) {
    const bool down = counter.step < 0;
    const i128 step = down ? -counter.step : counter.step;
    Term way = down ? store_.sub(counter.start, end) : store_.sub(end, counter.start);
    if (step > 1) way = store_.udiv(store_.add(way, number(step - 1, way.width())), number(step, way.width()));
    return store_.resize_unsigned(way, n_.width());
  }

  void find_bounds(Loop& loop) {
    auto add = [&](Term counter, Term bound) {
      for (const auto& b : loop.bounds)
        if (b.counter == counter && b.bound == bound) return;
      if (!bound.is_constant(0)) loop.bounds.push_back({counter, bound});
    };
    // Counters of addresses come first: they tell most directly.
    for (bool needed : {true, false})
      for (const auto& [v, counter] : loop.counters) {
        const Term by = counter.each_round ? Term() : v;
        const bool in_address = std::any_of(loop.accesses.begin(), loop.accesses.end(),
                                            [&](const Access& a) { return a.counter == by; });
        if (!in_address || needed != mentioned_in_address(loop, v)) continue;
        // Of what is not needed only what is as good as a bound: the first one.
        if (!needed && std::any_of(loop.bounds.begin(), loop.bounds.end(),
                                   [&](const auto& b) { return b.counter == by; }))
          continue;
        Term done = counter.step < 0 ? store_.sub(counter.start, v) : store_.sub(v, counter.start);
        const i128 step = counter.step < 0 ? -counter.step : counter.step;
        if (step > 1) done = store_.udiv(done, number(step, done.width()));
        add(by, store_.resize_unsigned(done, n_.width()));
        scalars(loop, v, counter);
      }
    for (const auto& [v, counter] : loop.counters) {
      if (!counter.each_round) continue;
      for (Term end : ends(loop, v)) {
        Term all = rounds(counter, end);
        if (!all.is_constant()) {
          const Term none = counter.step < 0 ? store_.sle(counter.start, end) : store_.sle(end, counter.start);
          all = store_.ite(none, store_.constant(all.width(), 0), all);
        }
        add({}, all);
      }
    }
  }

  bool mentioned_in_address(const Loop& loop, Term v) {
    for (const auto* list : {&loop.blocks, &loop.exits})
      for (uint32_t b : *list) {
        bool found = false;
        auto look = [&](Term address) {
          const auto variables = term::variables(address);
          found |= std::find(variables.begin(), variables.end(), v) != variables.end();
        };
        for (const auto& [address, value] : blocks_[b].writes) look(address);
        for_each_term(blocks_[b], [&](Term t) {
          if (t.has_reads())
            for (Term r : term::reads(t)) look(r.kid(0));
        });
        if (found) return true;
      }
    return false;
  }

  /// What the counter is when the loop is left, as far as comparisons tell.
  std::vector<Term> ends(const Loop& loop, Term v) {
    std::vector<Term> found;
    auto unchanged = [&](Term t) {
      for (Term leaf : term::leaves(t))
        if (!leaf.is_variable() || !space_.owner(leaf).known() || loop.assigned.contains(leaf)) return false;
      return true;
    };
    const Term one = store_.constant(v.width(), 1);
    auto look = [&](Term g) {
      if (g.op() == Op::Not) g = g.kid(0);
      if (!is_comparison(g)) return;
      for (unsigned side = 0; side < 2; ++side) {
        if (g.kid(side) != v || !unchanged(g.kid(1 - side))) continue;
        Term end = g.kid(1 - side);
        const bool equal = g.op() == Op::Ule || g.op() == Op::Sle;
        if (equal) end = side == 0 ? store_.add(end, one) : store_.sub(end, one);
        if (std::find(found.begin(), found.end(), end) == found.end() && found.size() < 3) found.push_back(end);
      }
    };
    for (uint32_t b : loop.exits)
      for (Term g : blocks_[b].guards) look(g);
    return found;
  }

  /// What keeps the counter where it counts.
  void scalars(const Loop& loop, Term v, const Counter& counter) {
    std::vector<Term> conditions, within;  // within a round: not at the head
    conditions.push_back(counter.step < 0 ? store_.sle(v, counter.start) : store_.sle(counter.start, v));
    const Term way = counter.step < 0 ? store_.sub(counter.start, v) : store_.sub(v, counter.start);
    const i128 step = counter.step < 0 ? -counter.step : counter.step;
    if (step > 1) {
      conditions.push_back(store_.eq(store_.urem(way, number(step, v.width())), number(0, v.width())));
    }
    for (Term end : ends(loop, v)) {
      const Term last = step > 1 ? store_.add(end, number(counter.step < 0 ? 1 - step : step - 1, v.width())) : end;
      conditions.push_back(counter.step < 0 ? store_.sle(last, v) : store_.sle(v, last));
      within.push_back(counter.step < 0 ? store_.slt(end, v) : store_.slt(v, end));
    }
    // What only some rounds count is no more than what each round does; within a round it may be ahead.
    for (const auto& [w, each] : loop.counters) {
      if (counter.each_round || !each.each_round || w.width() != v.width()) continue;
      if (step != (each.step < 0 ? -each.step : each.step)) continue;
      const Term rounds = each.step < 0 ? store_.sub(each.start, w) : store_.sub(w, each.start);
      conditions.push_back(store_.sle(way, rounds));
      within.push_back(store_.sle(way, store_.add(rounds, number(step, v.width()))));
    }
    for (uint32_t m = 2; m < graph_.nodes(); ++m) {
      if (loop.body[m] && m != loop.head)
        for (Term c : within)
          if (visible(m, c)) found_.conditions.emplace_back(graph_.node(m).place, c);
      if (loop.reachable[m])
        for (Term c : conditions)
          if (visible(m, c)) found_.conditions.emplace_back(graph_.node(m).place, c);
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
        result = in_round(c->second, node, t.width());
    } else if (t.op() == Op::Read) {
      if (auto access = strided(loop, node, t.kid(0), t.width()); access && access->counter == counter)
        result = element(*access);
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
      if (strided(loop, node, r.kid(0), r.width())) return true;
    return false;
  }

  void add_property(size_t loop, Term counter, Term holds) {
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
    properties_.push_back({loop, counter, holds});
  }

  void find_properties(Loop& loop) {
    const size_t number = static_cast<size_t>(&loop - loops_.data());
    for (uint32_t b : loop.blocks) find_writes(loop, number, blocks_[b]);
    for (uint32_t b : loop.blocks) find_comparisons(loop, number, blocks_[b]);
    for (uint32_t b : loop.exits) find_comparisons(loop, number, blocks_[b]);
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

  void find_writes(const Loop& loop, size_t number, const BlockTerms& block) {
    for (const auto& [address, value] : block.writes) {
      auto access = strided(loop, block.from, address, value.width());
      if (!access) continue;
      const Term here = element(*access);
      Term written = in_element(loop, block.from, access->counter, value);
      const bool itself = written && std::ranges::any_of(term::reads(written), [&](Term r) { return r == here; });
      const Term guards = element_guards(loop, block, access->counter);
      if (written && !itself) {
        add_property(number, access->counter, store_.eq(here, written));
        if (guards) add_property(number, access->counter, store_.implies(guards, store_.eq(here, written)));
      }
      // Of what it was before, something may be known.
      if (itself) rewrite(loop, number, *access, here, written);
      // What is known of the value that is written.
      if (value.is_constant()) continue;
      for (Term g : block.guards) {
        bool about = false;
        std::unordered_map<Term, Term> memo{{value, here}};
        Term said = in_element(loop, block.from, access->counter, g, memo);
        about = said && contains(g, value);
        if (about) add_property(number, access->counter, said);
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
  void rewrite(const Loop& loop, size_t number, const Access& access, Term here, Term written) {
    for (const BlockTerms& block : blocks_) {
      if (block.to != loop.head || loop.body[block.from]) continue;
      for (uint32_t node : {block.from, loop.head})
        for (const ElementFact& fact : graph_.node(node).elements) {
          if (fact.property.op() != Op::Eq) continue;
          for (unsigned side = 0; side < 2; ++side) {
            const Term old = fact.property.kid(side), known = fact.property.kid(1 - side);
            if (old != here || contains(known, here)) continue;
            Term made = store_.substitute(
                written, [](Term) { return Term(); }, [&](Term r) { return r == here ? known : r; });
            add_property(number, access.counter, store_.eq(here, made));
          }
        }
    }
  }

  void find_comparisons(const Loop& loop, size_t number, const BlockTerms& block) {
    std::vector<Term> found;
    std::unordered_set<Term> seen;
    for_each_term(block, [&](Term t) {
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
        add_property(number, {}, t);
        if (guards && !contains(guards, here)) add_property(number, {}, store_.implies(guards, t));
      }
    }
    if (!guards) return;
    add_property(number, {}, store_.bnot(guards));
    // A flag is set where an element is special: as long as it is not set, none is.
    for (const auto& [variable, value] : block.values)
      if (value.is_constant() && space_.owner(variable).known() && space_.owner(variable).reg != kNone)
        add_property(number, {}, store_.bor(store_.eq(variable, value), store_.bnot(guards)));
  }

  // Facts

  bool visible(uint32_t node, Term t) {
    if (!useful_[node]) return false;
    const uint32_t context = graph_.node(node).place.context;
    auto variables = term::variables(t);
    for (Term r : term::reads(t))
      for (Term v : term::variables(r.kid(0))) variables.push_back(v);
    return std::all_of(variables.begin(), variables.end(), [&](Term v) {
      if (v == n_) return true;
      const Space::Owner owner = space_.owner(v);
      if (!owner.known()) return false;
      for (uint32_t c = context; c != kNone; c = space_.context(c).parent)
        if (c == owner.context) return true;
      return owner.reg == kNone;
    });
  }

  void propose(const Property& property) {
    const ElementFact shape = make_fact(space_, store_.constant(n_.width(), 1), property.holds);
    std::vector<std::pair<const Loop*, Term>> bounds;
    for (const auto& b : loops_[property.loop].bounds)
      if (b.counter == property.counter) bounds.emplace_back(&loops_[property.loop], b.bound);
    if (!property.counter)
      for (const Loop& loop : loops_) {
        if (&loop == &loops_[property.loop]) continue;
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
      for (const auto& b : loop.bounds) {
        if (b.counter != access.counter) continue;
        std::pair<const Loop*, Term> one{&loop, store_.add(b.bound, number(distance / scale, n_.width()))};
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
      for (const auto& b : loops_[property.loop].bounds)
        if (!b.counter)
          add_fact(loops_[property.loop], store_.add(b.bound, store_.constant(n_.width(), earlier)), holds);
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
    const ElementFact with_this = make_fact(space_, store_.add(bound, number(1, n_.width())), holds);
    for (uint32_t m = graph_.entry() + 1; m < graph_.nodes(); ++m) {  // (of the entry no block could show it)
      if (!loop.reachable[m]) continue;
      add_fact(m, fact);
      if (loop.body[m] && m != loop.head && !bound.is_constant()) add_fact(m, with_this);
    }
  }

  void add_fact(uint32_t m, const ElementFact& fact) {
    const Term whole = body(space_, fact);
    if (!visible(m, whole) || count_[m] >= limits_.facts) return;
    const Node& here = graph_.node(m);
    if (std::find(here.elements.begin(), here.elements.end(), fact) != here.elements.end()) return;
    if (!made_.insert({m, whole.id()}).second) return;
    ++count_[m];
    found_.facts.emplace_back(here.place, fact);
  }

  /// Static arrays of equal elements, from the start of the program on.
  void initial_values() {
    std::set<uint64_t> done;
    for (const Loop& loop : loops_)
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
        const ElementFact fact =
            make_fact(space_, store_.constant(n_.width(), (left - access.width / 8) / scale + 1),
                      store_.eq(element(access), store_.constant(access.width, 0)));
        for (uint32_t m = graph_.entry(); m < graph_.nodes(); ++m) add_fact(m, fact);
      }
  }

  Space& space_;
  Graph& graph_;
  const Forest& forest_;
  const ElementLimits& limits_;
  term::Store& store_;
  const Term n_;
  std::vector<char> useful_;  ///< by node
  std::vector<BlockTerms> blocks_;
  std::vector<Loop> loops_;
  std::vector<Property> properties_;
  std::unordered_map<Term, Term> resolved_;
  std::map<uint32_t, size_t> count_;
  std::set<std::pair<uint32_t, uint32_t>> made_;
  ElementProposals found_;
};

}  // namespace

ElementProposals propose_elements(Space& space, Graph& graph, const Forest& forest, const ElementLimits& limits) {
  return Shapes(space, graph, forest, limits).run();
}

}  // namespace whittle::engines::dash
