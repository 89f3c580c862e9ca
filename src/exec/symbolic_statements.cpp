// What each statement does to terms. Nothing is done here yet: effects are noted, and applied when the machine has
// executed the statement (SymbolicMachine::settle); forks are taken back if it did not.
#include <cassert>

#include "exec/symbolic.h"
#include "program/rmw.h"

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

constexpr uint64_t kElementLimit = 64;  ///< of an object that an access with a symbolic index may touch

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

void SymbolicMachine::assign(size_t target, Term value) {
  if (target >= current_->targets.size() || current_->targets[target] == kNone) return;
  RegisterId reg = current_->targets[target];
  if (value) value = fit(value, program_.functions[function_].registers[reg].width());
  registers_.push_back({{thread_, frame_, reg}, value});
}

void SymbolicMachine::store(uint64_t address, unsigned size, Term value) { memory_.push_back({address, size, value}); }

bool SymbolicMachine::checked(Property property) const {
  // As compile.cpp: what nobody asked about and nothing depends on is not in the code.
  return machine_.code().specification().has(property) ||
         !(property == Property::NoOverflow || property == Property::LockDiscipline ||
           property == Property::NoDeadlock);
}

void SymbolicMachine::begin(const Statement& s) {
  const Function& function = program_.functions[function_];
  switch (s.kind) {
    case Kind::Assign:
      for (size_t i = 0; i < s.operands.size(); ++i) assign(i, depends(s.operands[i]) ? value(s.operands[i]) : Term());
      break;
    case Kind::Assume:
    case Kind::Check: begin_guard(function); break;
    case Kind::Load: begin_load(); break;
    case Kind::Store: begin_store(); break;
    case Kind::Nondet:
      if (provided_) {
        assign(0, provided_);
        provided_ = Term();
      }
      break;
    case Kind::StackAlloc:
    case Kind::HeapAlloc:
      pin_all(Fork::Kind::Size);
      assign(0, Term());
      break;
    case Kind::HeapFree: pin(Fork::Kind::Address, 0); break;
    case Kind::Copy: begin_copy(); break;
    case Kind::Fill: begin_fill(); break;
    case Kind::Call: begin_call(s.callee, 0); break;
    case Kind::IndirectCall: {
      auto callee = program_.function_at(pin(Fork::Kind::Target, 0));
      if (callee) begin_call(*callee, 1);
      break;
    }
    case Kind::Spawn: {
      auto callee = program_.function_at(pin(Fork::Kind::Target, 0));
      if (callee) begin_call(*callee, 1);
      assign(0, Term());
      break;
    }
    case Kind::Return: begin_return(); break;
    case Kind::AtomicRmw:
    case Kind::AtomicCas: begin_update(); break;
    case Kind::Await: begin_await(); break;
    case Kind::ObjectSize:
    case Kind::StackRestore:
    case Kind::Output:
    case Kind::HostMath:
    case Kind::StackSave:
    case Kind::Self:
    case Kind::ThreadLocal:
      pin_all(Fork::Kind::Value);
      assign(0, Term());
      break;
    case Kind::Halt:
      if (machine_.code().specification().has(Property::ValidMemtrack)) pin_pointers();
      break;
    default: break;
  }
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
  if (s.kind == Kind::Check && !checked(s.property)) return;
  bool branch = s.kind == Kind::Assume && function.locations[function.edges[edge_].from].edge_count > 1;
  Term t = value(condition);
  if (!branch && (concrete(condition) & 1) == 0) t = terms().bnot(t);
  fork(branch ? Fork::Kind::Branch : s.kind == Kind::Check ? Fork::Kind::Check : Fork::Kind::Assume, t);
}

/// The elements of the object that an access at a symbolic address may go to, for all models from here on. Empty: only
/// to `at`.
std::vector<uint64_t> SymbolicMachine::elements(Term address, uint64_t at, bool write) {
  const Statement& s = *current_;
  auto only_here = [&] {
    fork(Fork::Kind::Address, terms().eq(address, terms().constant(address.width(), at)));
    return std::vector<uint64_t>();
  };
  uint64_t size = s.width / 8u;
  auto object = machine_.object_at(at);
  if (!object || !object->alive || (write && object->constant) || size > object->size || at < object->address ||
      at - object->address > object->size - size || size % s.align != 0 || at % s.align != 0)
    return only_here();
  if (!machine_.initialised(at, size)) return only_here();  // which bytes have a value must be the same for all models
  uint64_t first = (at - object->address) % size;
  uint64_t count = (object->size - first) / size;
  if (count > kElementLimit || (pin_shared_ && (machine_.thread_count() > 1 || machine_.remembers_accesses())))
    return only_here();
  Term base = terms().constant(address.width(), object->address + first);
  Term offset = terms().sub(address, base);
  Term inside = terms().ult(offset, terms().constant(address.width(), count * size));
  Term grid =
      terms().eq(terms().urem(offset, terms().constant(address.width(), size)), terms().constant(address.width(), 0));
  Term condition = terms().band(inside, grid);
  std::vector<uint64_t> result;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t element = object->address + first + i * size;
    if (machine_.initialised(element, size))
      result.push_back(element);
    else
      condition = terms().band(condition, terms().ne(address, terms().constant(address.width(), element)));
  }
  fork(Fork::Kind::Address, condition);
  ranges_.push_back({object->address, object->size, !write, write, function_, edge_});
  return result;
}

void SymbolicMachine::begin_load() {
  const Statement& s = *current_;
  unsigned size = s.width / 8u;
  uint64_t at = concrete(s.operands[0]);
  std::vector<uint64_t> cells;
  Term address;
  if (depends(s.operands[0])) {
    address = value(s.operands[0]);
    cells = elements(address, at, false);
  }
  if (cells.empty()) return assign(0, symbolic(at, size) ? memory_term(at, size) : Term());
  Term loaded = memory_term(at, size);
  for (uint64_t cell : cells) {
    if (cell == at) continue;
    Term here = terms().eq(address, terms().constant(address.width(), cell));
    loaded = terms().ite(here, memory_term(cell, size), loaded);
  }
  assign(0, loaded);
}

void SymbolicMachine::begin_store() {
  const Statement& s = *current_;
  unsigned size = s.width / 8u;
  uint64_t at = concrete(s.operands[0]);
  std::vector<uint64_t> cells;
  Term address, stored;
  if (depends(s.operands[1])) stored = fit(value(s.operands[1]), s.width);
  if (depends(s.operands[0])) {
    address = value(s.operands[0]);
    cells = elements(address, at, true);
  }
  if (cells.empty()) return store(at, size, stored);
  if (!stored) stored = fit(value(s.operands[1]), s.width);
  for (uint64_t cell : cells) {
    Term here = terms().eq(address, terms().constant(address.width(), cell));
    store(cell, size, terms().ite(here, stored, memory_term(cell, size)));
  }
}

void SymbolicMachine::begin_update() {
  const Statement& s = *current_;
  unsigned size = s.width / 8u;
  uint64_t at = pin(Fork::Kind::Address, 0);
  bool plain = !symbolic(at, size);
  for (size_t i = 1; i < s.operands.size(); ++i) plain &= !depends(s.operands[i]);
  Term before = plain ? Term() : memory_term(at, size);
  if (!before) {  // or: the machine asks for a value first, or ends the run
    assign(0, Term());
    assign(1, Term());
    return store(at, size, Term());
  }
  Term operand = fit(value(s.operands[1]), s.width);
  assign(0, before);
  if (s.kind == Kind::AtomicCas) {
    Term same = terms().eq(before, operand);
    assign(1, same);
    return store(at, size, terms().ite(same, fit(value(s.operands[2]), s.width), before));
  }
  store(at, size, program::combine(terms(), s.rmw, before, operand));
}

void SymbolicMachine::begin_copy() {
  uint64_t to = pin(Fork::Kind::Address, 0), from = pin(Fork::Kind::Address, 1), size = pin(Fork::Kind::Size, 2);
  if (size == 0 || (!symbolic(from, size) && !symbolic(to, size))) return;
  memory_.push_back({to, size, {}});
  memory_.push_back({from, size, {}});
}

void SymbolicMachine::begin_fill() {
  const Statement& s = *current_;
  uint64_t to = pin(Fork::Kind::Address, 0), size = pin(Fork::Kind::Size, 2);
  if (!depends(s.operands[1])) {
    if (size != 0) memory_.push_back({to, size, {}});
    return;
  }
  Term byte = value(s.operands[1]);
  for (uint64_t i = 0; i < size; ++i) store(to + i, 1, byte);
}

Term SymbolicMachine::await_condition(uint32_t thread, uint32_t frame, const Statement& s, uint64_t address) const {
  Term word = memory_term(address, s.width / 8u);
  if (!word) return {};
  Term seen = terms().band(word, evaluate(thread, frame, s.operands[1]));
  return terms().band(terms().sle(evaluate(thread, frame, s.operands[2]), seen),
                      terms().sle(seen, evaluate(thread, frame, s.operands[3])));
}

void SymbolicMachine::begin_await() {
  const Statement& s = *current_;
  uint64_t address = pin(Fork::Kind::Address, 0);
  Term condition = await_condition(thread_, frame_, s, address);
  // If it does not hold, the thread is blocked and this announcement is withdrawn.
  if (condition && !condition.is_constant()) fork(Fork::Kind::Await, condition);
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
    Term condition = await_condition(t, frame, s, address);
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
  registers_.push_back({{thread_, frame_ - 1, call.targets[0]}, result});
}

}  // namespace whittle::exec
