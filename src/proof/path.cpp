#include "proof/path.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/rmw.h"
#include "semantics/demand.h"

namespace whittle::proof {

using program::Kind;
using program::Statement;
using verdict::Property;

namespace {
constexpr uint64_t kMaxPaths = 4096;
constexpr uint64_t kPatience = 32;       ///< paths followed without asking whether they are possible
}  // namespace

uint64_t alignment(const program::Program& program, const Proof& proof, const Object& object) {
  constexpr uint64_t kOfHeap = 16;
  const program::Statement& s = program.functions[proof.functions[object.proof].function].edges[object.edge].statement;
  const uint64_t align = s.kind == program::Kind::HeapAlloc ? kOfHeap : s.align;
  return align > 1 && (align & (align - 1)) == 0 ? align : 1;
}

Paths::Paths(const program::Program& program, const verdict::Specification& specification, const ProgramFacts& facts,
             const Proof& proof, uint32_t index, MemoryWorld& world)
    : program_(program),
      specification_(specification),
      facts_(facts),
      proof_(proof),
      index_(index),
      scope_(proof.functions[index]),
      function_(program.functions[scope_.function]),
      world_(world),
      store_(program.terms()) {
  for (const Object& o : proof.objects) {
    const uint32_t place = facts.points().places().of_site(proof.functions[o.proof].function, o.edge);
    world.add_object(o.address, o.room, alignment(program, proof, o), place);
  }
}

const Object* Paths::object(uint32_t edge) const {
  for (const Object& o : proof_.objects)
    if (o.proof == index_ && o.edge == edge) return &o;
  return nullptr;
}

bool Paths::on_heap(const Object& o) const {
  const program::Function& maker = program_.functions[proof_.functions[o.proof].function];
  return maker.edges[o.edge].statement.kind == Kind::HeapAlloc;
}

Term Paths::of_object(Term variable, const PathState& state) const {
  for (size_t i = 0; i < proof_.objects.size(); ++i) {
    if (proof_.objects[i].there == variable) return state.objects[i].there;
    if (proof_.objects[i].size == variable) return state.objects[i].size;
  }
  return {};
}

void Paths::end_frame(PathState& state) const {
  for (const Object& o : proof_.objects)
    if (o.proof == index_ && !on_heap(o)) named(state, o).there = store_.falsity();
}

PathState Paths::begin(program::LocationId location, bool program_start) {
  PathState state{location, {}, Memory(world_, facts_.unwritten(), program_start), {}, {}, {}, {}};
  for (const Object& o : proof_.objects) {
    const Term there = program_start ? store_.falsity() : o.there ? o.there : open(1);
    state.objects.push_back({there, o.size ? o.size : open(program_.pointer_width())});
  }
  for (const program::Register& reg : function_.registers) state.registers.push_back(reg.variable);
  for (const FrameObject& object : facts_.frame_objects(scope_.function, location)) {
    if (const Object* known = this->object(object.edge)) {
      state.registers[object.reg] = known->address;
      const Term size = store_.constant(known->address.width(), object.size);
      state.allocations.push_back({known->address, size, false});
      named(state, *known) = {store_.truth(), size};
      continue;
    }
    const Term address = state.registers[object.reg];
    allocated(state, address, store_.constant(address.width(), object.size), object.align, false);
  }
  return state;
}

void Paths::adopt(Term predicate, PathState& state) const {
  if (predicate.width() != 1) return;
  if (predicate.op() == term::Op::And) {
    adopt(predicate.kid(0), state);
    adopt(predicate.kid(1), state);
    return;
  }
  if (predicate.op() != term::Op::Eq) return;
  for (unsigned side = 0; side < 2; ++side) {
    const Term leaf = predicate.kid(side), is = predicate.kid(1 - side);
    if (leaf.op() == term::Op::Read && is_place(leaf.kid(0)) && is_place(is)) {
      state.memory = state.memory.store(leaf.kid(0), is);
      return;
    }
    if (!predicate.kid(side).is_variable()) continue;
    const program::Program::RegisterRef ref = program_.register_of(predicate.kid(side));
    const Term value = predicate.kid(1 - side);
    if (ref.function != scope_.function || state.registers[ref.reg] != predicate.kid(side)) continue;
    if (std::any_of(proof_.objects.begin(), proof_.objects.end(), [&](const Object& o) { return o.address == value; }))
      state.registers[ref.reg] = value;
  }
}

/// A constant, or a constant distance from an object of the proof?
bool Paths::is_place(Term t) const {
  if (t.is_constant()) return true;
  if (t.op() == term::Op::Add && (t.kid(0).is_constant() || t.kid(1).is_constant()))
    return is_place(t.kid(t.kid(0).is_constant() ? 1 : 0));
  return std::any_of(proof_.objects.begin(), proof_.objects.end(), [&](const Object& o) { return o.address == t; });
}

/// Of an address in a predicate: what is read from an object of the proof is read through the register that has its
/// address first.
Reach Paths::reach(Term address) const {
  if (address.is_constant()) return nullptr;
  auto starts = [](Term place, const Object& o) {
    return place == o.address || (place.op() == term::Op::Add && ((place.kid(0).is_constant() && place.kid(1) == o.address) ||
                                                                  (place.kid(1).is_constant() && place.kid(0) == o.address)));
  };
  return facts_.reach(store_.substitute(
      address, [](Term v) { return v; },
      [&](Term read) {
        for (const Object& o : proof_.objects) {
          if (!starts(read.kid(0), o)) continue;
          const program::Function& maker = program_.functions[proof_.functions[o.proof].function];
          return store_.read(maker.registers[maker.edges[o.edge].statement.targets[0]].variable, read.width());
        }
        return read;
      }));
}

Term Paths::hold(Term predicate, const PathState& state) const {
  std::unordered_map<Term, Reach> reaches;
  if (predicate.has_reads())
    for (Term read : term::reads(predicate))
      if (Reach known = reach(read.kid(0))) reaches[hold(read.kid(0), state)] = std::move(known);
  return store_.substitute(
      predicate,
      [&](Term variable) {
        program::Program::RegisterRef ref = program_.register_of(variable);
        return ref.function == scope_.function ? state.registers[ref.reg] : of_object(variable, state);
      },
      [&](Term read) {
        auto known = reaches.find(read.kid(0));
        return state.memory.read(read.kid(0), read.width(), known == reaches.end() ? Reach() : known->second);
      });
}

Term Paths::hold_of(Term body, Term element, const PathState& state) const {
  return hold(store_.substitute(body, [&](Term v) { return v == scope_.element ? element : Term(); }), state);
}

void Paths::assume_for_all(Term body, PathState& state) const {
  const Term here = store_.substitute(
      body,
      [&](Term variable) {
        program::Program::RegisterRef ref = program_.register_of(variable);
        return ref.function == scope_.function ? state.registers[ref.reg] : of_object(variable, state);
      },
      [](Term read) { return read; });
  state.known.push_back({scope_.element, here, state.memory});
}

/// Whenever the callee's requirement holds, what it requires of all elements must hold as well.
bool Paths::call_for_all(const PathState& state, uint32_t e, const FunctionProof& p, Term requires_,
                         const std::function<Term(Term)>& values) {
  const Term any = open(program_.pointer_width());
  for (Term body : p.requires_all) {
    const Term holds = store_.substitute(
        body, [&](Term v) { return v == p.element ? any : values(v); },
        [&](Term read) { return state.memory.read(read.kid(0), read.width()); });
    if (!events_->danger(state, store_.band(requires_, store_.bnot(holds)), e,
                         fmt::format("a call of {} without what it requires of all elements",
                                     program_.functions[p.function].name)))
      return false;
  }
  return true;
}

Term Paths::operand(const Statement& statement, size_t i, const PathState& state) const {
  return store_.substitute(statement.operands[i], [&](Term variable) {
    program::Program::RegisterRef ref = program_.register_of(variable);
    return ref.function == scope_.function ? state.registers[ref.reg] : Term{};
  });
}

bool Paths::assume(PathState& state, Term condition) const {
  if (condition.is_true()) return true;
  state.conditions.push_back(condition);
  return !condition.is_false();
}

/// Where objects made by the program can be, and that they are apart from those known.
void Paths::allocated(PathState& state, Term address, Term size, uint8_t align, bool heap) const {
  const unsigned w = address.width();
  Term end = store_.add(address, size);
  assume(state, store_.ule(store_.constant(w, program::layout::kDynamicBase), address));
  assume(state, store_.ule(address, end));
  if (w > 32) assume(state, store_.ule(end, store_.constant(w, uint64_t{1} << 32)));
  if (align > 1 && (align & (align - 1)) == 0)
    assume(state, store_.eq(store_.band(address, store_.constant(w, align - 1u)), store_.constant(w, 0)));
  for (const PathState::Allocation& other : state.allocations)
    assume(state, disjoint(store_, address, size, other.address, other.size));
  for (const Object& o : proof_.objects)
    assume(state, disjoint(store_, address, size, o.address, store_.constant(w, o.room)));
  state.allocations.push_back({address, size, heap});
}

bool Paths::follow(PathState state, const std::vector<bool>& cut, const PathEvents& events) {
  cut_ = &cut;
  events_ = &events;
  paths_ = 0;
  return walk(std::move(state), true);
}

bool Paths::walk(PathState state, bool first) {
  while (true) {
    if (!first && (*cut_)[state.location]) return events_->arrived(state);
    first = false;
    const program::Location& location = function_.locations[state.location];
    if (location.edge_count == 0) return true;
    if (location.edge_count > 1) {
      if (++paths_ > kMaxPaths) {
        problem =
            fmt::format("too many paths between cut points in {} after location {}", function_.name, state.location);
        return false;
      }
      if (paths_ > kPatience && !events_->possible(state)) return true;
      for (uint32_t i = 0; i + 1 < location.edge_count; ++i) {
        PathState side = state;
        bool ends = false;
        if (!step(side, location.first_edge + i, *events_, ends)) return false;
        if (!ends && !walk(std::move(side), false)) return false;
      }
    }
    bool ends = false;
    if (!step(state, location.first_edge + location.edge_count - 1, *events_, ends)) return false;
    if (ends) return true;
  }
}

/// The condition that `size` bytes lie inside one object that is there.
Term Paths::within(const PathState& state, Term address, uint64_t size, bool write, Term original) const {
  const unsigned w = address.width();
  Term inside = store_.falsity(), named_ones = store_.falsity();
  auto add = [&](Term base, Term length) {
    Term room = store_.sub(length, store_.constant(w, size));
    inside = store_.bor(
        inside, store_.band(store_.ule(store_.constant(w, size), length), store_.ule(store_.sub(address, base), room)));
  };
  BitSet accessed = facts_.points().accessed(original);
  for (program::ObjectId o = 0; o < program_.objects.size(); ++o) {
    const program::Object& object = program_.objects[o];
    if (object.thread_local_ || (write && object.constant)) continue;
    if (!facts_.points().places().contains(accessed, facts_.points().places().of_object(o))) continue;
    add(store_.constant(w, object.address), store_.constant(w, object.size));
  }
  for (const PathState::Allocation& a : state.allocations)
    if (!a.heap) add(a.address, a.size);
  const Term elsewhere = inside;
  for (size_t i = 0; i < proof_.objects.size(); ++i) {
    const PathState::Named& o = state.objects[i];
    if (o.there.is_false()) continue;
    inside = store_.falsity();
    add(proof_.objects[i].address, o.size);
    named_ones = store_.bor(named_ones, store_.band(o.there, inside));
  }
  return store_.bor(elsewhere, named_ones);
}

bool Paths::access(const PathState& state, const Statement& s, uint32_t edge, Term address, bool write) {
  if (!specification_.has(Property::ValidDeref)) return true;
  Term fine = within(state, address, s.width / 8, write, s.operands[0]);
  if (s.align > 1 && (s.kind == Kind::Load || s.kind == Kind::Store))
    fine = store_.band(fine, store_.eq(store_.urem(address, store_.constant(address.width(), s.align)),
                                       store_.constant(address.width(), 0)));
  return memory_danger(state, fine, edge, {s.operands[0]}, "a memory access outside all objects known");
}

/// `addresses`: operands that say where the memory is.
bool Paths::memory_danger(const PathState& state, Term fine, uint32_t edge, std::initializer_list<Term> addresses,
                          const char* what) {
  knows_too_little = !std::all_of(addresses.begin(), addresses.end(), [&](Term a) { return knows_all(a); });
  const bool go_on = events_->danger(state, store_.bnot(fine), edge, what);
  knows_too_little = false;
  return go_on;
}

/// Is every object that may be at the address one that within() looks at?
bool Paths::knows_all(Term address) const {
  const auto& places = facts_.points().places();
  const BitSet accessed = facts_.points().accessed(address);
  for (program::analysis::PlaceId p = 0; p < places.objects(); ++p) {
    if (!places.contains(accessed, p)) continue;
    if (places.is_static(p)) {
      if (program_.objects[p].thread_local_) return false;
      continue;
    }
    const auto& site = places.site(p);
    if (!site.heap && site.function == scope_.function) continue;
    if (std::none_of(proof_.objects.begin(), proof_.objects.end(), [&](const Object& o) {
          return proof_.functions[o.proof].function == site.function && o.edge == site.edge;
        }))
      return false;
  }
  return true;
}

bool Paths::step(PathState& state, uint32_t e, const PathEvents& events, bool& ends) {
  const program::Edge& edge = function_.edges[e];
  const Statement& s = edge.statement;
  auto value = [&](size_t i) { return operand(s, i, state); };
  auto set = [&](size_t i, Term t) {
    if (i < s.targets.size()) state.registers[s.targets[i]] = t;
  };
  auto open_targets = [&] {
    for (size_t i = 0; i < s.targets.size(); ++i) set(i, open(function_.registers[s.targets[i]].width()));
  };
  switch (s.kind) {
    case Kind::Skip:
    case Kind::Fence:
    case Kind::AtomicBegin:
    case Kind::AtomicEnd:
    case Kind::Yield: break;
    case Kind::Assign: {
      std::vector<Term> values;
      for (size_t i = 0; i < s.operands.size(); ++i) values.push_back(value(i));
      for (size_t i = 0; i < values.size(); ++i) set(i, values[i]);
      break;
    }
    case Kind::Assume: ends = !assume(state, value(0)); break;
    case Kind::Check: {
      Term condition = value(0);
      if (facts_.asked(s)) {
        if (!events.danger(state, store_.bnot(condition), e,
                           fmt::format("a violation of {}", verdict::name(s.property))))
          return false;
      } else if (s.property == Property::NoOverflow || s.property == Property::LockDiscipline ||
                 s.property == Property::NoDeadlock) {
        break;
      }
      ends = !assume(state, condition);
      break;
    }
    case Kind::Load: {
      Term address = value(0);
      if (!access(state, s, e, address, false)) return false;
      set(0, state.memory.read(address, s.width, facts_.reach(s.operands[0])));
      break;
    }
    case Kind::Store: {
      Term address = value(0);
      if (!access(state, s, e, address, true)) return false;
      state.memory = state.memory.store(address, value(1), facts_.reach(s.operands[0]));
      break;
    }
    case Kind::AtomicRmw: {
      Term address = value(0);
      if (!access(state, s, e, address, true)) return false;
      const Reach reach = facts_.reach(s.operands[0]);
      Term old = state.memory.read(address, s.width, reach);
      state.memory = state.memory.store(address, program::combine(store_, s.rmw, old, value(1)), reach);
      set(0, old);
      break;
    }
    case Kind::AtomicCas: {
      Term address = value(0);
      if (!access(state, s, e, address, true)) return false;
      const Reach reach = facts_.reach(s.operands[0]);
      Term old = state.memory.read(address, s.width, reach);
      Term success = store_.eq(old, value(1));
      state.memory = state.memory.store(address, store_.ite(success, value(2), old), reach);
      set(0, old);
      set(1, success);
      break;
    }
    case Kind::Await: {
      Term word = store_.band(state.memory.read(value(0), s.width), value(1));
      Term free = store_.band(store_.sle(value(2), word), store_.sle(word, value(3)));
      if (specification_.has(Property::NoDeadlock) && !events.danger(state, store_.bnot(free), e, "waiting forever"))
        return false;
      ends = !assume(state, free);
      break;
    }
    case Kind::Nondet: open_targets(); break;
    case Kind::StackAlloc:
    case Kind::HeapAlloc:
      if (!make(state, s, e)) return false;
      break;
    case Kind::HeapFree:
      if (!free(state, value(0), e)) return false;
      break;
    case Kind::StackRestore:
      state.allocations.clear();
      for (const Object& o : proof_.objects)
        if (o.proof == index_ && !on_heap(o)) named(state, o).there = open(1);
      break;
    case Kind::Fill:
    case Kind::Copy: {
      const Term to = value(0), size = value(2);
      if (!block(state, s, e)) return false;
      const Term bytes = store_.resize_unsigned(size, to.width());
      state.memory = s.kind == Kind::Copy ? state.memory.copy(to, value(1), bytes) : state.memory.fill(to, bytes, value(1));
      break;
    }
    case Kind::Output:
      if (!block(state, s, e)) return false;
      break;
    case Kind::Freed:
    case Kind::Shared:
    case Kind::Self: set(0, store_.constant(function_.registers[s.targets[0]].width(), 0)); break;
    case Kind::ThreadLocal: {
      Term address = open(program_.pointer_width());
      assume(state, store_.ule(store_.constant(address.width(), program::layout::kDynamicBase), address));
      set(0, address);
      break;
    }
    case Kind::Call:
      if (!call(state, e, s.callee, 0, ends)) return false;
      break;
    case Kind::IndirectCall: ends = true; return call_indirect(state, e);
    case Kind::Return: {
      ends = true;
      return events.returned(state, s.operands.empty() ? Term{} : value(0), e);
    }
    case Kind::Error:
      ends = true;
      return !facts_.asked(s) ||
             events.danger(state, store_.truth(), e, fmt::format("a violation of {}", verdict::name(s.property)));
    case Kind::Halt:
    case Kind::ThreadExit: ends = true; return true;
    case Kind::Spawn: ends = true; return events.danger(state, store_.truth(), e, "a new thread");
    case Kind::Unsupported:
      ends = true;
      return events.danger(state, store_.truth(), e, "something not supported: " + s.text);
    default:
      if (!program::asks(s.kind)) return events.danger(state, store_.truth(), e, "a statement that is not known");
      open_targets();
  }
  if (edge.to == program::kNone) ends = true;
  if (!ends) state.location = edge.to;
  return true;
}

/// Ends an object that has a name, if the address is its start.
bool Paths::free(PathState& state, Term address, uint32_t e) {
  Term fine = store_.eq(address, store_.constant(address.width(), 0));
  for (const Object& o : proof_.objects) {
    if (!on_heap(o)) continue;
    Term& there = named(state, o).there;
    const Term it = store_.eq(address, o.address);
    fine = store_.bor(fine, store_.band(there, it));
  }
  if (specification_.has(Property::ValidFree) &&
      !memory_danger(state, fine, e, {function_.edges[e].statement.operands[0]}, "a free that may be wrong"))
    return false;
  for (const Object& o : proof_.objects)
    if (on_heap(o)) named(state, o).there = store_.band(named(state, o).there, store_.ne(address, o.address));
  std::erase_if(state.allocations, [](const auto& a) { return a.heap; });
  return true;
}

/// The memory that a Copy, Fill or Output works on.
bool Paths::block(const PathState& state, const Statement& s, uint32_t e) {
  if (!specification_.has(Property::ValidDeref)) return true;
  const size_t first = s.kind == Kind::Output ? 1 : 0, last = s.kind == Kind::Fill ? 0 : 1;
  const Term size = operand(s, 2, state);
  Term fine = store_.boolean(size.is_constant());
  for (size_t i = first; i <= last && size.is_constant() && size.value() > 0; ++i)
    fine = store_.band(fine, within(state, operand(s, i, state), size.value64(), i == 0, s.operands[i]));
  if (!size.is_constant()) {  // not followed, here
    knows_too_little = true;
    const bool go_on = events_->danger(state, store_.truth(), e, "a block of memory of a size that is not known");
    knows_too_little = false;
    return go_on;
  }
  return memory_danger(state, fine, e, {s.operands[first], s.operands[last]},
                       "a block of memory that may lie outside of objects");
}

/// A StackAlloc or HeapAlloc.
bool Paths::make(PathState& state, const Statement& s, uint32_t e) {
  const bool heap = s.kind == Kind::HeapAlloc;
  const Term size = store_.resize_unsigned(operand(s, 0, state), program_.pointer_width());
  // An object of the same statement made earlier may still be there, but its register is gone: forget it.
  if (!heap)
    std::erase_if(state.allocations, [&](const auto& a) { return a.address == state.registers[s.targets[0]]; });
  const Object* known = object(e);
  Term address;
  if (known) {
    address = known->address;
    const Term room = store_.constant(address.width(), known->room);
    if (!store_.ule(size, room).is_true() &&
        !events_->danger(state, store_.ult(room, size), e, "an object that may be larger than the proof says"))
      return false;
    state.allocations.push_back({address, size, heap});
    named(state, *known) = {store_.truth(), size};
  } else {
    address = open(program_.pointer_width());
    allocated(state, address, size, heap ? uint8_t{1} : s.align, heap);
  }
  const bool zeroed = heap && s.operands.size() > 1 && operand(s, 1, state).is_constant(1);
  // The room of an object that has a name is its own, so all of it may hold anything: that spares looking at its size.
  const Term room = known ? store_.constant(address.width(), known->room) : size;
  state.memory = state.memory.open_range(address, room);
  if (zeroed) state.memory = state.memory.fill(address, size, store_.constant(8, 0));
  state.registers[s.targets[0]] = address;
  return true;
}

bool Paths::call(PathState& state, uint32_t e, program::FunctionId callee, size_t first_argument, bool& ends) {
  const Statement& s = function_.edges[e].statement;
  const program::Function& g = program_.functions[callee];
  if (specification_.has(Property::UnreachCall) && specification_.error_functions.contains(g.name)) {
    ends = true;
    return events_->danger(state, store_.truth(), e, g.name + "() is called");
  }
  std::vector<Term> arguments;
  for (size_t i = first_argument; i < s.operands.size(); ++i) arguments.push_back(operand(s, i, state));
  const CallSite* site = nullptr;
  for (const CallSite& c : scope_.calls)
    if (c.edge == e) site = &c;
  struct Instance {
    const FunctionProof* proof;
    std::vector<Term> ghosts;
    Term requires_;
  };
  std::vector<Instance> instances;
  Term covered = store_.boolean(facts_.harmless(callee));
  if (site != nullptr)
    for (const Use& use : site->uses) {
      const FunctionProof& p = proof_.functions[use.proof];
      if (p.function != callee) continue;  // of an indirect call: another target
      Instance instance{&p, {}, {}};
      for (Term ghost : use.ghosts) instance.ghosts.push_back(hold(ghost, state));
      auto before = [&](Term variable) {
        for (size_t i = 0; i < p.ghosts.size(); ++i)
          if (p.ghosts[i] == variable) return instance.ghosts[i];
        program::Program::RegisterRef ref = program_.register_of(variable);
        return ref.function == callee && ref.reg < arguments.size() ? arguments[ref.reg] : of_object(variable, state);
      };
      instance.requires_ = store_.substitute(p.requires_, before, [&](Term read) {
        return state.memory.read(read.kid(0), read.width());
      });
      if (!call_for_all(state, e, p, instance.requires_, before)) return false;
      covered = store_.bor(covered, instance.requires_);
      instances.push_back(std::move(instance));
    }
  if (!covered.is_true() && !events_->danger(state, store_.bnot(covered), e,
                                             fmt::format("a call of {} about which nothing is proved", g.name)))
    return false;
  const PathState before = state;
  // An object on the heap may be gone after the call.
  if (facts_.may_free(callee)) std::erase_if(state.allocations, [](const auto& a) { return a.heap; });
  if (facts_.may_free(callee) || facts_.may_make(callee))
    for (PathState::Named& o : state.objects) o = {open(1), open(program_.pointer_width())};
  if (facts_.touches_memory(callee)) state.memory = state.memory.open(facts_.kept_by(callee));
  Term result = g.return_width == 0 ? Term{} : open(g.return_width);
  for (const Instance& instance : instances) {
    const bool holds = instance.requires_.is_true() || (!proof_.objects.empty() && certain(before, instance.requires_));
    if (holds && instance.proof->result) adopt_result(instance.proof->ensures, instance.proof->result, result);
    auto after = [&](Term variable) {
      if (variable == instance.proof->result) return result;
      for (size_t i = 0; i < instance.proof->ghosts.size(); ++i)
        if (instance.proof->ghosts[i] == variable) return instance.ghosts[i];
      return of_object(variable, state);
    };
    Term ensures = store_.substitute(instance.proof->ensures, after, [&](Term read) {
      return state.memory.read(read.kid(0), read.width());
    });
    assume(state, holds ? ensures : store_.implies(instance.requires_, ensures));
    for (Term body : instance.proof->ensures_all) {
      Term known = store_.substitute(body, after, [](Term read) { return read; });
      if (!holds) continue;  // (Its condition is over memory before the call.)
      state.known.push_back({instance.proof->element, known, state.memory});
    }
  }
  if (!s.targets.empty()) {
    const unsigned width = function_.registers[s.targets[0]].width();
    state.registers[s.targets[0]] = result && result.width() == width ? result : open(width);
  }
  return true;
}

/// Is the condition sure to hold in the state?
bool Paths::certain(const PathState& state, Term condition) const {
  PathState otherwise = state;
  return !assume(otherwise, store_.bnot(condition)) || !events_->possible(otherwise);
}

/// If what is ensured says that the result is the address of an object, it is.
void Paths::adopt_result(Term ensures, Term variable, Term& result) const {
  if (ensures.width() == 1 && ensures.op() == term::Op::And) {
    adopt_result(ensures.kid(0), variable, result);
    adopt_result(ensures.kid(1), variable, result);
    return;
  }
  if (ensures.op() != term::Op::Eq) return;
  for (unsigned side = 0; side < 2; ++side)
    if (ensures.kid(side) == variable)
      for (const Object& o : proof_.objects)
        if (o.address == ensures.kid(1 - side)) result = o.address;
}

/// One path per function that the address may be.
bool Paths::call_indirect(const PathState& state, uint32_t e) {
  const program::Edge& edge = function_.edges[e];
  const Statement& s = edge.statement;
  const Term address = operand(s, 0, state);
  Term known = store_.falsity();
  for (program::FunctionId g : facts_.calls().candidates(s)) {
    Term here = store_.eq(address, store_.constant(address.width(), program::Program::function_address(g)));
    known = store_.bor(known, here);
    if (!semantics::fits(function_, s, program_.functions[g])) {
      if (!events_->danger(state, here, e,
                           fmt::format("a call of {}, which is of another type", program_.functions[g].name)))
        return false;
      continue;
    }
    PathState side = state;
    if (!assume(side, here)) continue;
    bool ends = false;
    if (!call(side, e, g, 1, ends)) return false;
    if (ends || edge.to == program::kNone) continue;
    side.location = edge.to;
    if (!walk(std::move(side), false)) return false;
  }
  return !specification_.has(Property::ValidDeref) ||
         events_->danger(state, store_.bnot(known), e, "a call of what may be no function");
}

}  // namespace whittle::proof
