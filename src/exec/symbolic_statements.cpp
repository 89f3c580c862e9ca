// What each statement does to terms. Nothing is done here yet: effects are noted, and applied when the machine has
// executed the statement (SymbolicMachine::settle); forks are taken back if it did not.
#include <cassert>
#include <cstring>

#include "exec/symbolic.h"
#include "semantics/demand.h"

namespace whittle::exec {

using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::RegisterId;
using program::Statement;
using term::Term;
using verdict::Property;

namespace {

/// Elements of an object that an access with a symbolic index may touch. A write makes each of them a term.
constexpr uint64_t kMostRead = 1024, kMostWritten = 256;

}  // namespace

void SymbolicMachine::fork(Fork::Kind kind, Term condition) {
  if (condition.is_true()) return;
  assert(!condition.is_false());
  // A statement that paused is announced again.
  for (size_t i = forks_.size(), look = 4; i-- > 0 && look-- > 0;)
    if (forks_[i].condition == condition) return;
  forks_.push_back({kind, thread_, function_, edge_, current_->position, condition, announced_ - 1});
}

/// The concrete value of an operand; all models have the same from here on.
uint64_t SymbolicMachine::pin(Fork::Kind kind, size_t operand) {
  Term t = current_->operands[operand];
  u128 now = machine_.evaluate(thread_, frame_, t);
  if (depends(t)) fork(kind, terms().eq(value(t), terms().constant(t.width(), now)));
  return static_cast<uint64_t>(now);
}

void SymbolicMachine::pin_all(Fork::Kind kind) {
  for (size_t i = 0; i < current_->operands.size(); ++i) pin(kind, i);
}

void SymbolicMachine::assign(RegisterId target, Term value) {
  effect_.registers.push_back({{thread_, frame_, target}, value});
}

void SymbolicMachine::begin(const Statement& s) {
  switch (s.kind) {
    case Kind::Assume:
    case Kind::Check: return begin_guard(program_.functions[function_]);
    case Kind::Call: return begin_call(s.callee, 0);
    case Kind::IndirectCall:
    case Kind::Spawn:
      if (auto callee = program_.function_at(pin(Fork::Kind::Target, 0))) begin_call(*callee, 1);
      if (s.kind == Kind::Spawn) assign(s.targets[0], Term());
      return;
    case Kind::Return: return begin_return();
    case Kind::HeapFree: pin(Fork::Kind::Address, 0); return;
    case Kind::Halt:
      if (machine_.code().specification().has(Property::ValidMemtrack)) pin_pointers();
      return;
    case Kind::StackRestore:
    case Kind::Output: return pin_all(Fork::Kind::Value);
    default: return begin_effect(semantics_.of(function_, edge_));
  }
}

void SymbolicMachine::begin_effect(const semantics::Meaning& m) {
  const Statement& s = *current_;
  if (m.object) pin_all(Fork::Kind::Size);
  if (!m.writes.empty() && m.writes[0].kind != semantics::Write::Kind::Value) return begin_bulk(m.writes[0]);
  Located memory;
  bool plain = true;
  const semantics::Accesses accesses = semantics::accesses(s);
  for (const semantics::Access& access : accesses) {
    memory = locate(access);
    plain = !memory.spread() && !(access.read && symbolic(memory.at, memory.bytes));
    // Without a value the machine asks for one first, or ends the run.
    if (!plain && access.read && !memory_term(memory.at, memory.bytes)) plain = true;
  }
  for (size_t i = accesses.empty() ? 0 : 1; i < s.operands.size() && plain; ++i) plain = !depends(s.operands[i]);
  if (check_races_ && s.kind == Kind::AtomicCas && !plain && !memory.spread()) settle_exchange(memory);
  for (const semantics::Assign& a : m.assigns) {
    using enum semantics::Assign::Source;
    if (a.source == Choice) {
      if (provided_) assign(a.target, provided_);
      provided_ = Term();
      continue;
    }
    if (a.source == Machine) pin_all(Fork::Kind::Value);
    // Where the machine knows the value, no term is needed.
    assign(a.target, a.source != Value || plain ? Term() : value(a.value, memory));
  }
  for (const semantics::Write& w : m.writes) store(memory, plain ? Term() : value(w.value, memory));
  // If it does not hold, the thread is blocked and this announcement is withdrawn.
  if (m.wait && !plain) fork_unless_constant(Fork::Kind::Await, value(m.wait, memory));
}

/// Whether a compare-exchange writes decides what it may race with: one way for all models.
void SymbolicMachine::settle_exchange(const Located& memory) {
  const Statement& s = *current_;
  uint8_t bytes[16] = {};
  machine_.read_memory(memory.at, {bytes, memory.bytes});
  u128 now = 0;
  std::memcpy(&now, bytes, memory.bytes);
  Term same = terms().eq(memory_term(memory.at, memory.bytes), terms().resize_unsigned(value(s.operands[1]), s.width));
  const bool writes = now == (machine_.evaluate(thread_, frame_, s.operands[1]) & mask128(s.width));
  fork_unless_constant(Fork::Kind::Value, writes ? same : terms().bnot(same));
}

/// Which memory is lost at the end is a question about pointers of this model. A value that points to a heap object now
/// becomes that of all models. One that does not may stay open: pointing somewhere could only keep more memory.
void SymbolicMachine::pin_pointers() {
  auto value_at = [&](uint64_t address, unsigned bytes) -> std::optional<u128> {
    uint8_t buffer[16] = {};
    if (!machine_.read_memory(address, {buffer, bytes})) return std::nullopt;
    u128 now = 0;
    for (unsigned i = bytes; i-- > 0;) now = now << 8 | buffer[i];
    return now;
  };
  auto points = [&](u128 value) {
    auto object = machine_.object_at(static_cast<uint64_t>(value));
    return object && object->alive && object->kind == ObjectInfo::Kind::Heap;
  };
  for (const auto& [cell, t] : overlay_.registers()) {
    if (!machine_.alive(cell.thread) || cell.frame >= machine_.frame_count(cell.thread)) continue;
    u128 now = machine_.register_value(cell.thread, cell.frame, cell.reg);
    if (points(now)) fork(Fork::Kind::Value, terms().eq(t, terms().constant(t.width(), now)));
  }
  const unsigned pointer = program_.pointer_width() / 8;
  for (const auto& [address, t] : overlay_.memory()) {
    const unsigned size = t.width() / 8;
    bool found = false;
    for (uint64_t at = address - (pointer - 1); at != address + size && !found; ++at)
      if (auto value = value_at(at, pointer)) found = points(*value);
    if (!found) continue;
    if (auto now = value_at(address, size)) fork(Fork::Kind::Value, terms().eq(t, terms().constant(t.width(), *now)));
  }
}

void SymbolicMachine::begin_guard(const Function& function) {
  const Statement& s = *current_;
  Term condition = s.operands[0];
  if (!depends(condition)) return;
  if (s.kind == Kind::Check &&
      semantics::treatment(machine_.code().specification(), s.property) == semantics::Treatment::Ignored)
    return;
  bool branch = s.kind == Kind::Assume && function.locations[function.edges[edge_].from].edge_count > 1;
  Term t = value(condition);
  if (!branch && (concrete(condition) & 1) == 0) t = terms().bnot(t);
  fork(branch ? Fork::Kind::Branch : s.kind == Kind::Check ? Fork::Kind::Check : Fork::Kind::Assume, t);
}

/// Where the access goes, for all models from here on: to this address, or to any of these elements of one object.
SymbolicMachine::Located SymbolicMachine::locate(const semantics::Access& access) {
  const Statement& s = *current_;
  Located found{concrete(s.operands[access.address]), access.bytes, {}, 0, {}, {}};
  if (!depends(s.operands[access.address])) return found;
  Term address = value(s.operands[access.address]);
  auto number = [&](uint64_t n) { return terms().constant(address.width(), n); };
  const uint64_t at = found.at, size = access.bytes;
  auto object = machine_.object_at(at);
  // Which bytes have a value must be the same for all models.
  const bool spread = valid(access, at) && size % access.align == 0 && machine_.initialised(at, size) && !pin_all_ &&
                      !(pin_shared_ && (machine_.thread_count() > 1 || machine_.remembers_accesses()));
  if (spread) {
    found.object = object->address;
    found.offset = terms().sub(address, number(object->address));
    found.elements = term::elements(values_, found.offset, object->size, size);
  }
  Term condition = terms().truth();
  const Term last = number(object && spread ? object->size - size : 0);
  if (spread && found.elements.stride < size && found.elements.count > 1) {
    // They would overlap: only those that do not overlap with this one.
    const uint64_t inside = at - object->address, begin = found.elements.first;
    const uint64_t first = inside - (inside - begin) / size * size;
    found.elements = {first, (found.elements.place(found.elements.count - 1) - first) / size + 1, size};
    condition = terms().eq(terms().urem(terms().sub(found.offset, number(first)), number(size)), number(0));
  }
  if (spread && found.elements.stride % access.align != 0)
    condition = terms().band(condition, terms().eq(terms().urem(address, number(access.align)), number(0)));
  if (found.elements.count == 0 || found.elements.count > (access.write ? kMostWritten : kMostRead)) {
    found.elements = {};
    fork(Fork::Kind::Address, terms().eq(address, number(at)));
    return found;
  }
  if (!values_.compared(term::Op::Ule, found.offset, last).value_or(false))
    condition = terms().band(condition, terms().ule(found.offset, last));
  for (uint64_t i = 0; i < found.elements.count; ++i) {
    const uint64_t place = found.elements.place(i);
    found.has_value.push_back(machine_.initialised(found.object + place, size));
    if (!found.has_value.back()) condition = terms().band(condition, terms().ne(found.offset, number(place)));
  }
  fork(Fork::Kind::Address, condition);
  ranges_.push_back({object->address, object->size, access.read, access.write, function_, edge_});
  return found;
}

/// What is read there.
Term SymbolicMachine::loaded(const Located& memory) const {
  Term here = memory_term(memory.at, memory.bytes);
  if (!memory.spread()) return here;
  std::vector<Term> values;
  for (uint64_t i = 0; i < memory.elements.count; ++i)
    values.push_back(memory.has_value[i] ? memory_term(memory.object + memory.elements.place(i), memory.bytes) : here);
  return term::pick(terms(), memory.offset, memory.elements, values);
}

/// A term of the statement's meaning; what it reads of memory lies there.
Term SymbolicMachine::value(Term t, const Located& memory) const {
  if (!t.has_reads()) return value(t);
  return terms().substitute(
      t, [&](Term variable) { return register_term(thread_, frame_, program_.register_of(variable).reg); },
      [&](Term) { return loaded(memory); });
}

void SymbolicMachine::store(const Located& memory, Term value) {
  if (!memory.spread()) return effect_.memory.push_back({memory.at, memory.bytes, value});
  for (uint64_t i = 0; i < memory.elements.count; ++i) {
    if (!memory.has_value[i]) continue;
    const uint64_t place = memory.elements.place(i), element = memory.object + place;
    Term here = terms().eq(memory.offset, terms().constant(memory.offset.width(), place));
    effect_.memory.push_back({element, memory.bytes, terms().ite(here, value, memory_term(element, memory.bytes))});
  }
}

void SymbolicMachine::begin_bulk(const semantics::Write& w) {
  const bool copies = w.kind == semantics::Write::Kind::Copy;
  uint64_t to = pin(Fork::Kind::Address, 0), from = copies ? pin(Fork::Kind::Address, 1) : 0;
  uint64_t size = pin(Fork::Kind::Size, 2);
  if (size == 0) return;
  if (!copies && depends(w.value)) {
    for (uint64_t i = 0; i < size; ++i) effect_.memory.push_back({to + i, 1, value(w.value)});
    return;
  }
  effect_.memory.push_back({to, size, {}});
  if (copies && symbolic(from, size)) copied_from_ = from;
}

/// Of an Await that a thread stands before.
Term SymbolicMachine::await_condition(uint32_t thread, uint32_t frame, Term wait, uint64_t address) const {
  bool missing = false;
  Term condition = terms().substitute(
      wait, [&](Term variable) { return register_term(thread, frame, program_.register_of(variable).reg); },
      [&](Term read) {
        Term word = memory_term(address, read.width() / 8);
        missing |= !word;
        return word;
      });
  return missing ? Term() : condition;
}

void SymbolicMachine::fork_unless_constant(Fork::Kind kind, Term condition) {
  if (!condition.is_constant()) fork(kind, condition);
}

void SymbolicMachine::fork_awaits() {
  if (overlay_.empty() || !machine_.pause().scheduling()) return;
  for (uint32_t t = 0; t < machine_.thread_count(); ++t) {
    if (!machine_.alive(t)) continue;
    uint32_t frame = machine_.frame_count(t) - 1;
    FramePosition position = machine_.frame(t, frame);
    const Function& function = program_.functions[position.function];
    const program::Location& location = function.locations[position.location];
    if (location.edge_count != 1) continue;
    const Statement& s = function.edges[location.first_edge].statement;
    if (s.kind != Kind::Await) continue;
    uint64_t address = static_cast<uint64_t>(machine_.evaluate(t, frame, s.operands[0]));
    auto note = [&](Term condition) {
      if (condition.is_constant()) return;
      forks_.push_back(
          {Fork::Kind::Await, t, position.function, location.first_edge, s.position, condition, announced_});
    };
    if (depends(s.operands[0], t, frame)) {
      Term a = evaluate(t, frame, s.operands[0]);
      note(terms().eq(a, terms().constant(a.width(), address)));
    }
    Term condition =
        await_condition(t, frame, semantics_.of(position.function, location.first_edge).wait, address);
    if (condition && !condition.is_constant()) note(machine_.enabled(t) ? condition : terms().bnot(condition));
  }
}

void SymbolicMachine::begin_call(FunctionId callee, size_t first) {
  const Statement& s = *current_;
  const Function& function = program_.functions[callee];
  for (size_t i = first; i < s.operands.size() && i - first < function.parameter_count; ++i) {
    auto parameter = static_cast<RegisterId>(i - first);
    if (depends(s.operands[i]))
      arguments_.push_back({parameter, fit(value(s.operands[i]), function.registers[parameter].width())});
  }
}

void SymbolicMachine::begin_return() {
  const Statement& s = *current_;
  if (frame_ == 0) return;
  FramePosition caller = machine_.frame(thread_, frame_ - 1);
  const Function& function = program_.functions[caller.function];
  const Statement& call = function.edges[function.locations[caller.location].first_edge].statement;
  if (call.targets.empty()) return;
  Term result;
  if (!s.operands.empty() && depends(s.operands[0]))
    result = fit(value(s.operands[0]), function.registers[call.targets[0]].width());
  effect_.registers.push_back({{thread_, frame_ - 1, call.targets[0]}, result});
}

}  // namespace whittle::exec
