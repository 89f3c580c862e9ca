#include "engines/dash/loops.h"

#include <algorithm>
#include <set>

#include "engines/dash/elements.h"
#include "program/analysis/dominators.h"

namespace whittle::engines::dash {

using program::Kind;
using program::kNone;
using term::Op;

bool is_comparison(Term t) { return t.op() >= Op::Eq && t.op() <= Op::Sle; }

bool Loops::find(const ElementLimits& limits) {
  if (!read_graph(limits)) return false;
  find_loops();
  for (Loop& loop : loops_) {
    find_counters(loop);
    find_accesses(loop);
  }
  return true;
}

bool Loops::read_graph(const ElementLimits& limits) {
  if (graph_.nodes() > limits.nodes || graph_.block_count() > limits.blocks) return false;
  find_useful();
  for (uint32_t b = 0; b < graph_.block_count(); ++b) {
    const BlockInfo& info = graph_.block(b);
    if (info.gone || info.block.end == Block::End::Unknown) continue;
    BlockTerms& block = blocks_.emplace_back();
    block.from = *graph_.find(info.block.from);
    if (info.block.end == Block::End::Node) block.to = *graph_.find(info.block.to);
    block.effect = std::make_unique<Effect>(space_, info.block);
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
void Loops::find_useful() {
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
Term Loops::resolve(Term t) {
  return store_.substitute(
      t, [&](Term v) { return resolved(v); }, [&](Term r) { return r; });
}

Term Loops::resolved(Term v) {
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
      if (const Site* site = space_.site(owner.context, assigning)) value = store_.constant(v.width(), site->address);
    } else if (s.kind == Kind::Assign && s.targets.size() == 1) {
      Term assigned = resolve(space_.in(owner.context, s.operands[0]));
      if (assigned.is_constant()) value = assigned;
    }
  }
  if (value) resolved_[v] = value;
  return resolved_[v];
}

void Loops::find_loops() {
  program::analysis::Digraph flow(graph_.nodes());
  for (const BlockTerms& b : blocks_)
    if (b.to != kNone) flow.add(b.from, b.to);
  program::analysis::Dominators dominators(flow, graph_.entry());
  std::map<uint32_t, std::vector<uint32_t>> latches;
  for (const BlockTerms& b : blocks_)
    if (b.to != kNone && dominators.dominates(b.to, b.from)) latches[b.to].push_back(b.from);
  for (const auto& [head, from] : latches) {
    Loop& loop = loops_.emplace_back();
    loop.number = loops_.size() - 1;
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

std::optional<i128> Loops::change(const BlockTerms& block, Term variable) {
  for (const auto& [v, value] : block.values) {
    if (v != variable) continue;
    const Term difference = store_.sub(value, v);
    if (!difference.is_constant()) return std::nullopt;
    return sign_extend128(difference.value(), v.width());
  }
  return 0;
}

void Loops::find_counters(Loop& loop) {
  for (Term v : std::vector<Term>(loop.assigned.begin(), loop.assigned.end())) {
    if (!space_.owner(v).known() || v.width() < 8) continue;
    Counter counter;
    bool counts = true;
    for (uint32_t b : loop.blocks) {
      const std::optional<i128> by = change(blocks_[b], v);
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
void Loops::follow_rounds(const Loop& loop, Term v, Counter& counter) {
  counter.offset[loop.head] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b : loop.blocks) {
      const BlockTerms& block = blocks_[b];
      auto from = counter.offset.find(block.from);
      if (from == counter.offset.end()) continue;
      const i128 after = from->second + *change(block, v);
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
Term Loops::start_of(const Loop& loop, Term v) {
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

Term Loops::start_in_tests(const Loop& loop, Term v) {
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

/// Element n's counterpart of a counter: its value in round n, at the node.
Term Loops::in_round(const Counter& counter, uint32_t node, unsigned width) {
  auto offset = counter.offset.find(node);
  const i128 more = offset == counter.offset.end() ? 0 : offset->second;
  const Term round = store_.mul(store_.resize_unsigned(n_, width), number(counter.step, width));
  return store_.add(store_.add(counter.start, round), number(more, width));
}

/// Is it base + scale * n in round n?
std::optional<Access> Loops::strided(const Loop& loop, uint32_t node, Term address, unsigned width) {
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

Term Loops::element(const Access& access) {
  return store_.read(store_.add(access.base, store_.mul(n_, store_.constant(n_.width(), access.scale))), access.width);
}

void Loops::find_accesses(Loop& loop) {
  auto add = [&](uint32_t node, Term address, unsigned width) {
    auto access = strided(loop, node, address, width);
    if (access && std::find(loop.accesses.begin(), loop.accesses.end(), *access) == loop.accesses.end())
      loop.accesses.push_back(*access);
  };
  for (const auto* list : {&loop.blocks, &loop.exits})
    for (uint32_t b : *list) {
      const BlockTerms& block = blocks_[b];
      for (const auto& [address, value] : block.writes) add(block.from, address, value.width());
      block.for_each_term([&](Term t) {
        if (!t.has_reads()) return;
        for (Term r : term::reads(t)) add(block.from, r.kid(0), r.width());
      });
    }
}

/// Rounds from the start until the counter is `end`: so many steps.
Term Loops::rounds(const Counter& counter, Term end) {
  const bool down = counter.step < 0;
  const i128 step = down ? -counter.step : counter.step;
  Term way = down ? store_.sub(counter.start, end) : store_.sub(end, counter.start);
  if (step > 1) way = store_.udiv(store_.add(way, number(step - 1, way.width())), number(step, way.width()));
  return store_.resize_unsigned(way, n_.width());
}

bool Loops::mentioned_in_address(const Loop& loop, Term v) {
  for (const auto* list : {&loop.blocks, &loop.exits})
    for (uint32_t b : *list) {
      bool found = false;
      auto look = [&](Term address) {
        const auto variables = term::variables(address);
        found |= std::find(variables.begin(), variables.end(), v) != variables.end();
      };
      for (const auto& [address, value] : blocks_[b].writes) look(address);
      blocks_[b].for_each_term([&](Term t) {
        if (t.has_reads())
          for (Term r : term::reads(t)) look(r.kid(0));
      });
      if (found) return true;
    }
  return false;
}

/// What the counter is when the loop is left, as far as comparisons tell.
std::vector<Term> Loops::ends(const Loop& loop, Term v) {
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

bool Loops::visible(uint32_t node, Term t) {
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

}  // namespace whittle::engines::dash
