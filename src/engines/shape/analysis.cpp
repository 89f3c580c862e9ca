#include "engines/shape/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "engines/shape/fold.h"
#include "engines/shape/match.h"
#include "engines/shape/relations.h"
#include "semantics/apply.h"
#include "solve/stack.h"

namespace whittle::engines::shape {

using program::Kind;
using program::kNone;
using program::Statement;
using semantics::Demand;
using semantics::Treatment;
using term::Op;
using verdict::Property;

namespace {

constexpr size_t kMostFrames = 60;
constexpr size_t kMostNodes = 80;
constexpr size_t kMostKept = 3000;  ///< at one place
constexpr uint64_t kMostBytes = 1 << 16;
constexpr uint64_t kStepsPerQuery = 200'000;
constexpr uint64_t kStepsAboutNumbers = 2'000'000;
constexpr double kSecondsPerQuery = 5;

}  // namespace

Analysis::Analysis(const program::Program& program, const verdict::Specification& specification, Options options,
                   Context& context)
    : program_(program),
      specification_(specification),
      options_(options),
      context_(context),
      meanings_(program),
      solver_(solve::make_solver(context, program.terms(), solve::Asked::Induction)),
      live_(program.functions.size()) {
  solver_->set_budget({.seconds = kSecondsPerQuery, .steps = options.relations ? kStepsAboutNumbers : kStepsPerQuery});
}

void Analysis::give_up(const Memory& memory, const Statement& statement, const std::string& why, bool relations) const {
  std::string where = "the end of the program";
  for (size_t i = memory.stack.size(); i-- > 0;) {  // where the user's code is
    const program::Function& f = program_.functions[memory.stack[i].function];
    if (f.runtime) continue;
    where = program_.where(statement.position);
    if (i + 1 == memory.stack.size()) break;
    for (const program::Edge& edge : f.edges)
      if (edge.to == memory.stack[i].at && (edge.statement.kind == Kind::Call || edge.statement.kind == Kind::IndirectCall))
        where = program_.where(edge.statement.position);
    break;
  }
  throw GiveUp{fmt::format("{} at {}", why, where), true, relations};
}

bool Analysis::run() {
  do {
    families_.grown = false;
    kept_.clear();
    work_.clear();
    if (!run_once()) return false;
  } while (families_.grown);  // what was derived from smaller families says nothing
  return true;
}

bool Analysis::run_once() {
  Memory start(program_);
  if (options_.families) start.families = &families_;
  start.nested = options_.nested;
  start.by_site = options_.by_site;
  start.relations = options_.relations;
  Frame frame;
  frame.function = program_.entry;
  frame.at = program_.functions[program_.entry].entry;
  frame.registers.resize(program_.functions[program_.entry].registers.size());
  start.stack.push_back(std::move(frame));
  work_.push_back({std::move(start), false});
  while (!work_.empty()) {
    if (context_.limits.poll() != Stop::No) return false;
    if (figures_.steps > options_.most_steps || figures_.kept > options_.most_graphs) throw GiveUp{kTooManySteps, true};
    Path path = std::move(work_.back());
    work_.pop_back();
    follow(std::move(path));
  }
  return context_.limits.stopped() == Stop::No;  // a path that was left when the time was up may have been the last
}

void Analysis::follow(Path path) {
  auto split = [&](const Memory& before, const Split& where, bool arrived) {
    ++figures_.splits;
    for (Memory& one : cases(before, where)) work_.push_back({std::move(one), arrived});
  };
  for (;;) {
    if (context_.limits.poll() != Stop::No) return;
    const Frame& top = path.memory.stack.back();
    const program::Function& f = program_.functions[top.function];
    const program::Location& location = f.locations[top.at];
    if (location.loop_head && !path.arrived) {
      Memory before = path.memory;
      try {
        if (!arrive(path.memory)) return;
      } catch (const Split& s) {
        return split(before, s, false);
      } catch (const GiveUp& g) {
        give_up(before, f.edges[location.first_edge].statement, g.why);
      }
    }
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      ++figures_.steps;
      Memory after = path.memory;
      bool goes_on = false;
      try {
        goes_on = step(after, f.edges[e], e);
      } catch (const Split& s) {
        // All edges again: each assumes something else.
        if (location.edge_count == 1 || e == location.first_edge) return split(path.memory, s, true);
        Memory rest = path.memory;
        // Edges before this one have been followed already, without the split; that covers more. Only this one is left.
        ++figures_.splits;
        std::vector<Memory> open = cases(rest, s), todo;
        while (!open.empty() && context_.limits.poll() == Stop::No) {
          Memory one = std::move(open.back());
          open.pop_back();
          Memory done = one;
          try {
            if (step(done, f.edges[e], e)) todo.push_back(std::move(done));
          } catch (const Split& again) {
            for (Memory& other : cases(one, again)) open.push_back(std::move(other));
          }
        }
        for (Memory& one : todo) work_.push_back({std::move(one), false});
        continue;
      }
      if (!goes_on) continue;
      if (location.edge_count == 1) {
        path = {std::move(after), false};
        goto next;
      }
      work_.push_back({std::move(after), false});
    }
    return;
  next:;
  }
}

/// What a statement does to a memory, see semantics/apply.h.
struct Analysis::State {
  Analysis& analysis;
  Memory& memory;
  const Statement& statement;
  bool alive = true;

  Term now(Term t) { return analysis.now(memory, t); }
  Term address(Term t) { return analysis.now(memory, t); }
  Term arbitrary(const semantics::Assign& assign) {
    const Frame& top = memory.stack.back();
    return memory.fresh(analysis.program_.functions[top.function].registers[assign.target].width(), "value");
  }
  void guard(Term condition) { alive = alive && analysis.assume(memory, condition); }
  void assign(program::RegisterId target, Term value) { memory.stack.back().registers[target] = value; }
  void write(Term address, Term value) { analysis.store(memory, statement, address, value); }
  void bulk(const semantics::Write& w) {
    const Term size = now(w.size);
    if (!size.is_constant(0)) analysis.bulk(memory, w, size);
  }
};

Term Analysis::now(Memory& memory, Term t) {
  if (t.is_constant()) return t;
  Frame& top = memory.stack.back();
  Term value = memory.store().substitute(
      t,
      [&](Term v) -> Term {
        auto ref = program_.register_of(v);
        if (ref.function != top.function) return {};
        Term& held = top.registers[ref.reg];
        if (!held) held = memory.fresh(v.width(), "value");
        return held;
      },
      [&](Term read) -> Term { return load(memory, read.kid(0), read.width() / 8); });
  return memory.settle(value);
}

bool Analysis::demand(Memory& memory, const Statement& s, const Demand& d) {
  const Treatment treatment = d.kind == Demand::Kind::Supported ? Treatment::Violation
                                                               : semantics::treatment(specification_, d.property);
  switch (d.kind) {
    case Demand::Kind::Condition: {
      const Term condition = now(memory, s.operands[0]);
      if (condition.is_true() || treatment == Treatment::Ignored) return true;
      if (treatment == Treatment::Violation) {
        if (!holds(memory, condition))
          give_up(memory, s, fmt::format("\"{}\" is not excluded", s.text.empty() ? verdict::name(d.property) : s.text));
        return true;
      }
      return assume(memory, condition);  // the path goes no further if it does not hold
    }
    case Demand::Kind::Access: {
      const semantics::Access& a = d.access;
      Term size = memory.store().constant(64, a.bytes);
      if (a.size_operand != semantics::Access::kFixed) size = now(memory, s.operands[a.size_operand]);
      if (size.is_constant(0)) return true;
      access(memory, now(memory, s.operands[a.address]), size, a.align, a.write);
      return true;
    }
    case Demand::Kind::Free: {
      const Term address = now(memory, s.operands[0]);
      if (address.is_constant(0)) return true;
      auto at = memory.pointer(address);
      if (!at || !at->base || at->offset != 0 || at->index || memory.node(*at).kind != Node::Kind::Heap)
        throw GiveUp{"free may get what was not allocated"};
      return true;
    }
    case Demand::Kind::Function: return true;  // the call looks
    case Demand::Kind::Progress: {
      const Term wait = now(memory, meanings_.of(memory.stack.back().function, edge_).wait);
      if (!wait.is_true()) throw GiveUp{"the program may wait forever"};
      return true;
    }
    case Demand::Kind::Unreachable:
      if (treatment != Treatment::Violation) return false;
      give_up(memory, s, fmt::format("\"{}\" is not excluded", s.text));
    case Demand::Kind::Supported: give_up(memory, s, s.text);
  }
  return true;
}

std::vector<Memory> Analysis::cases(const Memory& memory, const Split& where) {
  if (!where.condition) return memory.split(where);
  std::vector<Memory> both;
  for (Term condition : {where.condition, memory.store().bnot(where.condition)}) {
    std::vector<Memory> open{memory};
    while (!open.empty() && context_.limits.poll() == Stop::No) {
      Memory one = std::move(open.back()), done = one;
      open.pop_back();
      try {
        if (assume(done, condition)) both.push_back(std::move(done));
      } catch (const Split& again) {
        for (Memory& other : cases(one, again)) open.push_back(std::move(other));
      }
    }
  }
  return both;
}

bool Analysis::holds(const Memory& memory, Term condition) {
  if (condition.is_true()) return true;
  if (condition.is_false()) return false;
  if (has(memory.facts, condition)) return true;
  auto follows = [&](std::vector<Term> assumptions) {
    ++figures_.queries;
    assumptions.push_back(memory.store().bnot(condition));
    return solver_->check(assumptions).unsat();
  };
  if (!memory.relations) return follows(memory.facts);
  // Where objects lie matters rarely, and makes it hard to decide.
  auto is_object = [&](Term v) { return memory.nodes.contains(v.variable()); };
  auto about_objects = [&](Term t) { return std::ranges::any_of(term::variables(t), is_object); };
  std::vector<Term> facts = memory.facts, objects = term::variables(condition);
  std::erase_if(objects, [&](Term v) { return !is_object(v); });
  if (objects.empty()) std::erase_if(facts, about_objects);
  for (size_t i = 0; i < objects.size(); ++i)
    for (size_t j = 0; j < i; ++j) add_apart(memory, objects[i], objects[j], facts);
  return follows(std::move(facts));
}

/// Objects do not overlap.
void Analysis::add_apart(const Memory& memory, Term a, Term b, std::vector<Term>& facts) const {
  term::Store& store = memory.store();
  const Node &x = memory.nodes.at(a.variable()), &y = memory.nodes.at(b.variable());
  if (x.segment || y.segment || x.inside || y.inside || a.width() < 32) return;
  auto end = [&](Term base, const Node& node) {
    return store.add(base, node.length ? node.length : store.constant(base.width(), node.size));
  };
  const Term x_end = end(a, x), y_end = end(b, y);
  facts.push_back(store.bnot(store.ult(x_end, a)));
  facts.push_back(store.bnot(store.ult(y_end, b)));
  facts.push_back(store.bor(store.bnot(store.ult(b, x_end)), store.bnot(store.ult(a, y_end))));
}

bool Analysis::assume(Memory& memory, Term condition) {
  condition = memory.settle(condition);
  if (condition.is_true()) return true;
  if (condition.is_false()) return false;
  term::Store& store = memory.store();
  if (condition.op() == Op::And) return assume(memory, condition.kid(0)) && assume(memory, condition.kid(1));
  bool related = false;
  auto put = [&](Term symbol, Term by) {
    if (memory.is_base(symbol.variable()) || has(term::variables(by), symbol)) return false;
    related = std::ranges::any_of(memory.facts, [&](Term fact) { return has(term::variables(fact), symbol); });
    memory.substitute(symbol, by);
    return true;
  };
  auto consistent = [&] {
    if (std::ranges::any_of(memory.facts, [](Term fact) { return fact.is_false(); })) return false;
    if (!related || !memory.relations) return true;
    ++figures_.queries;
    return !solver_->check(memory.facts).unsat();
  };
  if (condition.is_variable() && put(condition, store.truth())) return consistent();
  if (condition.op() == Op::Not && condition.kid(0).is_variable() && put(condition.kid(0), store.falsity()))
    return consistent();
  if (condition.op() == Op::Eq)
    for (unsigned i = 0; i < 2; ++i) {
      const Term other = condition.kid(1 - i);
      auto side = condition.kid(i).is_constant() ? std::nullopt : Memory::sum(condition.kid(i));
      if (!side) continue;
      if (put(side->first, plus(store, other, -side->second))) return consistent();
    }
  if (has(memory.facts, condition)) return true;
  const std::vector<Term> about = term::variables(condition);
  const bool shares = std::ranges::any_of(memory.facts, [&](Term fact) {
    return std::ranges::any_of(term::variables(fact), [&](Term v) { return has(about, v); });
  });
  memory.facts.push_back(condition);
  if (!shares) return true;
  ++figures_.queries;
  return !solver_->check(memory.facts).unsat();
}

void Analysis::call(Memory& memory, const Statement& s, program::FunctionId callee, size_t first, program::LocationId after) {
  if (memory.stack.size() >= kMostFrames) give_up(memory, s, "calls too deep to follow");
  const program::Function& f = program_.functions[callee];
  Frame frame;
  frame.function = callee;
  frame.at = f.entry;
  frame.result = s.targets.empty() ? kNone : s.targets[0];
  frame.registers.resize(f.registers.size());
  for (uint32_t i = 0; i < f.parameter_count; ++i) frame.registers[i] = now(memory, s.operands[first + i]);
  memory.stack.back().at = after;
  memory.stack.push_back(std::move(frame));
}

bool Analysis::leave(Memory& memory, const Statement& s) {
  const auto depth = static_cast<uint32_t>(memory.stack.size());
  Term value;
  if (!s.operands.empty()) value = now(memory, s.operands[0]);
  if (depth == 1) give_up(memory, s, "the start returns");
  const program::RegisterId result = memory.stack.back().result;
  std::erase_if(memory.nodes, [&](const auto& entry) {
    return entry.second.kind == Node::Kind::Stack && entry.second.frame == depth;
  });
  memory.stack.pop_back();
  if (result != kNone) memory.stack.back().registers[result] = value;
  return true;
}

void Analysis::nothing_lost(Memory& memory) {
  if (!specification_.has(Property::ValidMemtrack) && !specification_.has(Property::ValidMemcleanup)) return;
  for (uint32_t base : memory.lost([&](Term condition) { return holds(memory, condition); })) {
    const Node& node = memory.nodes.at(base);
    if (node.segment && node.segment->least == 0) throw Split{base};
    throw GiveUp{"memory may be lost"};
  }
}

void Analysis::end_of_run(Memory& memory, const Statement& s) {
  if (s.text == "abort") return;
  // No register is read any more, whatever it holds: what only registers lead to is lost.
  for (Frame& frame : memory.stack) std::ranges::fill(frame.registers, Term{});
  nothing_lost(memory);
  if (!specification_.has(Property::ValidMemcleanup)) return;
  for (const auto& [base, node] : memory.nodes) {
    if (node.kind != Node::Kind::Heap || node.inside) continue;
    if (node.segment && node.segment->least == 0) throw Split{base};
    throw GiveUp{"memory may be left when the program ends"};
  }
}

bool Analysis::step(Memory& memory, const program::Edge& edge, uint32_t index) {
  const Statement& s = edge.statement;
  edge_ = index;
  first_new_ = memory.store().variable_count();
  try {
    if (semantics::calls_error(program_, specification_, s))
      give_up(memory, s, fmt::format("a call of {} is not excluded", program_.functions[s.callee].name));
    for (const Demand& d : semantics::demands(s))
      if (!demand(memory, s, d)) return false;
    switch (s.kind) {
      case Kind::Call: call(memory, s, s.callee, 0, edge.to); return true;
      case Kind::IndirectCall: {
        const Term target = now(memory, s.operands[0]);
        auto callee = target.is_constant() ? program_.function_at(target.value64()) : std::nullopt;
        if (!callee) throw GiveUp{"it is not known which function is called"};
        if (!semantics::fits(program_.functions[memory.stack.back().function], s, program_.functions[*callee]))
          throw GiveUp{"a call of another type"};
        call(memory, s, *callee, 1, edge.to);
        return true;
      }
      case Kind::Return: return leave(memory, s);
      case Kind::Halt: end_of_run(memory, s); return false;
      case Kind::Error: return false;
      case Kind::Spawn:
      case Kind::ThreadExit: throw GiveUp{"threads are not followed"};
      case Kind::HeapFree: {
        const Term address = now(memory, s.operands[0]);
        if (address.is_constant(0)) break;
        const uint32_t base = memory.pointer(address)->base.variable();
        memory.disown(memory.nodes.at(base));
        memory.nodes.erase(base);
        break;
      }
      case Kind::StackSave:
      case Kind::StackAlloc:
      case Kind::StackRestore: frame_object(memory, s); break;
      case Kind::HeapAlloc: {
        const Term size = now(memory, s.operands[0]), zeroed = now(memory, s.operands[1]);
        if (!zeroed.is_constant()) throw GiveUp{"it is not known whether an object is zeroed"};
        if (memory.nodes.size() >= kMostNodes) throw GiveUp{"too many objects to tell apart"};
        Node node;
        node.align = 16;
        if (memory.families || memory.by_site) node.site = allocation_site(memory);
        node.rest = zeroed.is_true() ? Node::Rest::Zero : Node::Rest::Nothing;
        const Term base = memory.fresh(program_.pointer_width(), "object");
        set_size(memory, node, base, size);
        memory.nodes[base.variable()] = std::move(node);
        memory.stack.back().registers[s.targets[0]] = base;
        break;
      }
      case Kind::ThreadLocal: memory.stack.back().registers[s.targets[0]] = thread_local_object(memory, s.object); break;
      case Kind::Self: memory.stack.back().registers[s.targets[0]] = memory.store().constant(width_of(memory, s), 0); break;
      default: {
        State state{*this, memory, s};
        semantics::apply(meanings_.of(memory.stack.back().function, index), state);
        if (!state.alive) return false;
      }
    }
    memory.stack.back().at = edge.to;
    return edge.to != kNone;
  } catch (const GiveUp& g) {
    if (g.placed) throw;
    give_up(memory, s, g.why, g.relations);
  }
}

/// The last few calls of the user's code that led here.
uint32_t Analysis::allocation_site(const Memory& memory) {
  constexpr size_t kMostCalls = 4;
  std::vector<uint32_t> calls;
  for (size_t i = memory.stack.size(); i-- > 0 && calls.size() < 2 * kMostCalls;) {
    const Frame& frame = memory.stack[i];
    if (program_.functions[frame.function].runtime) continue;
    calls.push_back(frame.function);
    calls.push_back(frame.at);
  }
  return families_.site(calls);
}

/// Only then does it help to split: what a statement makes it makes again.
bool Analysis::known_before(Term t) const {
  return std::ranges::all_of(term::variables(t), [&](Term v) { return v.variable() < first_new_; });
}

unsigned Analysis::width_of(const Memory& memory, const Statement& s) const {
  return program_.functions[memory.stack.back().function].registers[s.targets[0]].width();
}

/// Objects of a frame are numbered; a mark is the number of the next one.
void Analysis::frame_object(Memory& memory, const Statement& s) {
  const auto depth = static_cast<uint32_t>(memory.stack.size());
  uint32_t next = 0;
  for (const auto& [base, node] : memory.nodes)
    if (node.kind == Node::Kind::Stack && node.frame == depth) next = std::max(next, node.order + 1);
  if (s.kind == Kind::StackSave) {
    memory.stack.back().registers[s.targets[0]] = memory.store().constant(width_of(memory, s), next);
    return;
  }
  const Term operand = now(memory, s.operands[0]);
  if (s.kind == Kind::StackRestore) {
    if (!operand.is_constant()) throw GiveUp{"a mark of a frame that is not known"};
    std::erase_if(memory.nodes, [&](const auto& entry) {
      return entry.second.kind == Node::Kind::Stack && entry.second.frame == depth && entry.second.order >= operand.value64();
    });
    return;
  }
  if (memory.nodes.size() >= kMostNodes) throw GiveUp{"too many objects to tell apart"};
  Node node;
  node.kind = Node::Kind::Stack;
  node.align = std::max<uint64_t>(s.align, 1);
  node.frame = depth;
  node.order = next;
  const Term base = memory.fresh(program_.pointer_width(), "local");
  set_size(memory, node, base, operand);
  memory.nodes[base.variable()] = std::move(node);
  memory.stack.back().registers[s.targets[0]] = base;
}

Term Analysis::thread_local_object(Memory& memory, program::ObjectId id) {
  auto [at, made] = thread_locals_.try_emplace(id);
  if (made) at->second = memory.fresh(program_.pointer_width(), "thread_local");
  if (!memory.nodes.contains(at->second.variable())) {
    Node node;
    node.kind = Node::Kind::Static;
    node.rest = Node::Rest::Initial;
    node.size = program_.objects[id].size;
    node.align = program_.objects[id].align;
    node.object = id;
    memory.nodes[at->second.variable()] = std::move(node);
  }
  return at->second;
}

bool Analysis::arrive(Memory& memory) {
  std::vector<uint32_t> place;
  for (size_t i = 0; i < memory.stack.size(); ++i) {
    Frame& frame = memory.stack[i];
    place.push_back(frame.function);
    place.push_back(frame.at);
    auto& live = live_[frame.function];
    if (!live) live = std::make_unique<program::analysis::Liveness>(program_, frame.function);
    const BitSet& needed = live->at(frame.at);
    for (uint32_t r = 0; r < frame.registers.size(); ++r) {
      const bool gets_result = i + 1 < memory.stack.size() && memory.stack[i + 1].result == r;
      if (!needed.test(r) || gets_result) frame.registers[r] = {};
    }
  }
  tidy_blocks(memory);
  nothing_lost(memory);
  memory.collect();
  if (options_.segments) fold(memory, options_.most_different);
  if (memory.nodes.size() >= kMostNodes) throw GiveUp{"too many objects to tell apart"};
  std::vector<Memory>& kept = kept_[place];
  const size_t number = places_.try_emplace(place, places_.size()).first->second;
  auto follows = [&](Term fact) { return holds(memory, fact); };
  for (const Memory& other : kept)
    if (covers(other, memory, follows)) {
      ++figures_.covered;
      return false;
    }
  unsigned alike = 0;
  std::optional<General> general;
  const Memory* first = nullptr;
  for (auto other = kept.rbegin(); other != kept.rend(); ++other) {
    if (context_.limits.poll() != Stop::No) return false;
    auto both = generalise(*other, memory, number, follows);
    if (!both) continue;
    if (!general) general = std::move(both), first = &*other;
    if (++alike >= options_.patience) break;
  }
  if (alike >= options_.patience) {
    ++figures_.widened;
    if (options_.relations) relate(*general, *first, memory, *solver_);
    memory = std::move(general->memory);
    if (options_.relations) memory.collect();
    std::erase_if(kept, [&](const Memory& other) {
      return covers(memory, other, [&](Term fact) { return holds(other, fact); });
    });
  }
  if (kept.size() >= kMostKept) throw GiveUp{"too many states to tell apart"};
  ++figures_.kept;
  kept.push_back(memory);
  return true;
}

}  // namespace whittle::engines::shape
