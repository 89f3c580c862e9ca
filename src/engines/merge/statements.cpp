// What single statements do to a state: their meaning and their demands, as src/semantics has them.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "engines/merge/unwinder.h"
#include "exec/host_math.h"

namespace whittle::engines::merge {

using program::Kind;
using semantics::Assign;
using semantics::Demand;
using semantics::Treatment;
using verdict::Property;

std::string Unwinder::where(const Frame& frame, uint32_t edge) const {
  return program_.where(frame.function.edges[edge].statement.position);
}

Term Unwinder::evaluate(const State& state, Term t) const {
  if (t.is_constant()) return t;
  auto held = [&](Term variable) {
    Term value = state.registers[program_.register_of(variable).reg];
    return value ? value : store_.constant(variable.width(), 0);
  };
  return t.is_variable() ? held(t) : store_.substitute(t, held);
}

Term Unwinder::condition(const State& state, Term t) { return comparisons_.resolved(evaluate(state, t)); }

void Unwinder::set_register(const Frame& frame, State& state, program::RegisterId target, Term value) {
  const unsigned width = frame.function.registers[target].width();
  state.registers[target] = value ? store_.resize_unsigned(value, width) : value;
}

Term Unwinder::input(const std::string& name, unsigned width, uint64_t key) {
  Term& variable = inputs_[hash_combine(key, width)];
  if (!variable) variable = store_.variable(width, name);
  return variable;
}

/// The ways on which it holds are not followed. If there are any, nothing is proved.
void Unwinder::obstacle(Term when, const std::string& what, const Frame& frame, uint32_t edge) {
  if (!incomplete_.empty()) return;
  look_around();
  const Possible answer = oracle_.possible(when);
  if (answer == Possible::No) return;
  const bool known = frame.function.edges[edge].statement.position.known();
  incomplete_ = known ? fmt::format("{} ({})", what, where(frame, edge)) : what;
}

/// Notes what is demanded. False: no way goes on.
bool Unwinder::require(State& state, Term condition, Property property, const Frame& frame, uint32_t edge) {
  condition = comparisons_.resolved(condition);
  if (condition.is_true()) return true;
  switch (semantics::treatment(specification_, property)) {
    case Treatment::Violation:
      oracle_.claim({store_.band(state.trail->all, store_.bnot(condition)), frame.id, edge});
      // Once a claim fails the answer is known, so what comes after may take it for granted without saying so.
      return !condition.is_false();
    case Treatment::Ignored: return true;
    case Treatment::Halts: break;
    case Treatment::Cut:
      obstacle(store_.band(state.trail->all, store_.bnot(condition)),
               fmt::format("undefined behaviour that is not checked: {}", verdict::description(property)), frame, edge);
      break;
  }
  state.trail = trails_->extend(state.trail, condition);
  return !Trails::impossible(state.trail);
}

/// The program ends here.
void Unwinder::ended(State& state, const Frame& frame, uint32_t edge) {
  const bool tracked = specification_.has(Property::ValidMemtrack);
  if (!tracked && !specification_.has(Property::ValidMemcleanup)) return;
  // Whether something still points to it is for the replay to say.
  for (const Memory::Held& held : state.memory.all())
    if (objects_[held.object].heap)
      oracle_.claim({store_.band(state.trail->all, held.alive), frame.id, edge});
}

/// False: the way ends.
bool Unwinder::execute(Frame& frame, State& state, uint32_t edge) {
  const Statement& s = frame.function.edges[edge].statement;
  switch (s.kind) {
    case Kind::Skip:
    case Kind::Fence:
    case Kind::Yield: return true;
    case Kind::Return: {
      Term value = s.operands.empty() ? Term() : evaluate(state, s.operands[0]);
      state.registers.assign(1, value);
      frame.returned.push_back(std::move(state));
      return false;
    }
    case Kind::Assume:
      state.trail = trails_->extend(state.trail, condition(state, s.operands[0]));
      return !Trails::impossible(state.trail);
    case Kind::Check: return require(state, evaluate(state, s.operands[0]), s.property, frame, edge);
    case Kind::Error: require(state, store_.falsity(), s.property, frame, edge); return false;
    case Kind::Unsupported: obstacle(state.trail->all, "not supported: " + s.text, frame, edge); return false;
    case Kind::Halt:
      if (s.text != "abort") ended(state, frame, edge);
      return false;
    case Kind::ThreadExit: ended(state, frame, edge); return false;
    case Kind::Spawn: obstacle(state.trail->all, "a second thread", frame, edge); return false;
    case Kind::AtomicBegin: ++state.region; return true;
    case Kind::AtomicEnd:
      if (state.region == 0) {
        obstacle(state.trail->all, "an atomic region ends that never began", frame, edge);
        return false;
      }
      --state.region;
      return true;
    case Kind::HeapFree: free_object(frame, state, edge); return !Trails::impossible(state.trail);
    case Kind::StackRestore: restore_stack(frame, state, evaluate(state, s.operands[0])); return true;
    case Kind::StackSave: set_register(frame, state, s.targets[0], number(objects_.count())); return true;
    case Kind::Self:
    case Kind::Shared:
    case Kind::Freed:  // only where there are other threads
      set_register(frame, state, s.targets[0],
                   store_.constant(frame.function.registers[s.targets[0]].width(), 0));
      return true;
    case Kind::ThreadLocal:
      set_register(frame, state, s.targets[0],
                   number(objects_[objects_.thread_local_object(s.object)].address));
      return true;
    case Kind::ObjectSize:
    case Kind::ObjectOffset:
      set_register(frame, state, s.targets[0], object_property(frame, state, edge));
      return !Trails::impossible(state.trail);
    case Kind::HostMath: {
      std::vector<u128> values;
      for (Term operand : s.operands) {
        Term value = evaluate(state, operand);
        if (!value.is_constant()) {
          obstacle(state.trail->all, fmt::format("{} of a value that depends on inputs", s.text), frame, edge);
          return false;
        }
        values.push_back(value.value());
      }
      const unsigned width = frame.function.registers[s.targets[0]].width();
      auto value = exec::host_math(s.text, values, width);
      if (!value) {
        obstacle(state.trail->all, fmt::format("the function {} is not known", s.text), frame, edge);
        return false;
      }
      set_register(frame, state, s.targets[0], store_.constant(width, *value));
      return true;
    }
    default: return effect(frame, state, edge);
  }
}

/// Assigns and writes, every term in them evaluated in the state before.
bool Unwinder::effect(Frame& frame, State& state, uint32_t edge) {
  const Statement& s = frame.function.edges[edge].statement;
  const EdgeFacts& known = facts(frame, edge);
  const semantics::Meaning& m = *known.meaning;
  const bool known_here = std::none_of(m.assigns.begin(), m.assigns.end(),
                                       [](const Assign& a) { return a.source == Assign::Source::Machine; });
  if (!known_here || (m.assigns.empty() && m.writes.empty() && !m.wait && known.demands.empty())) {
    obstacle(state.trail->all, fmt::format("{}, which is not followed", program::name(s.kind)), frame, edge);
    return false;
  }
  if (m.object) return make_object(frame, state, edge, *m.object);
  if (s.kind == Kind::Output || (!m.writes.empty() && m.writes[0].kind != semantics::Write::Kind::Value))
    return bulk(frame, state, edge, m.writes.empty() ? semantics::Write{} : m.writes[0]);
  Located located;
  Term loaded;
  for (const Demand& demand : known.demands) {
    if (demand.kind != Demand::Kind::Access) continue;
    const semantics::Access& access = demand.access;
    located = locate(state, evaluate(state, s.operands[access.address]), number(access.bytes), access.write,
                     check_alignment_ ? access.align : 1);
    if (!require(state, located.valid, demand.property, frame, edge)) return false;
    for (const Target& target : located.targets)
      if (too_many(state, elements(target, access.bytes), access.bytes, frame, edge)) return false;
    if (access.read && !s.targets.empty() && located.targets.size() == 1 && located.targets[0].offset.is_constant() &&
        selectors_.registers(frame.id).test(s.targets[0]))
      selectors_.loaded(objects_[located.targets[0].object].site, {located.targets[0].offset.value64(), access.bytes});
    if (access.read) loaded = load(frame, state, edge, located, access.bytes);
  }
  auto value = [&](Term t) {
    if (!t.has_reads()) return evaluate(state, t);
    return store_.substitute(
        t, [&](Term variable) { return evaluate(state, variable); }, [&](Term) { return loaded; });
  };
  std::vector<Term> values;
  for (const Assign& a : m.assigns) {
    if (a.source == Assign::Source::Choice) {
      const unsigned width = frame.function.registers[a.target].width();
      Term variable = input(s.text, width, key(frame, state, edge));
      history_.asked({state.trail->all, variable, 0, 0});
      values.push_back(variable);
    } else {
      values.push_back(value(a.value));
    }
  }
  for (const semantics::Write& w : m.writes) store(frame, state, edge, located, value(w.value));
  if (m.wait) {
    // A thread alone that has to wait waits forever.
    Term wait = value(m.wait);
    require(state, wait, Property::NoDeadlock, frame, edge);
    state.trail = trails_->extend(state.trail, wait);
    ++state.region;
  }
  for (size_t i = 0; i < values.size(); ++i) set_register(frame, state, m.assigns[i].target, values[i]);
  return !Trails::impossible(state.trail);
}

}  // namespace whittle::engines::merge
