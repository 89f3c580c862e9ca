#include "exec/symbolic.h"

#include <cassert>

namespace whittle::exec {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::RegisterId;
using program::Statement;
using term::Term;

namespace {

/// Constants of a term that could be addresses of dynamic objects.
void dynamic_addresses(Term root, const std::function<void(uint64_t)>& visit) {
  std::vector<Term> work{root};
  std::unordered_map<Term, bool> seen;
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!seen.emplace(t, true).second) continue;
    if (t.is_constant() && t.width() >= 32 && t.value() >= program::layout::kDynamicBase && t.value() <= UINT32_MAX)
      visit(t.value64());
    for (unsigned i = 0; i < t.arity(); ++i) work.push_back(t.kid(i));
  }
}

}  // namespace

SymbolicMachine::SymbolicMachine(const program::Program& program, std::shared_ptr<const Code> code)
    : program_(program), machine_(std::move(code)), semantics_(program), overlay_(program.terms()) {
  keep_registers_ = machine_.code().specification().has(verdict::Property::ValidMemtrack);
  pin_shared_ = check_races_ = machine_.code().specification().has(verdict::Property::NoDataRace);
}

// Running

void SymbolicMachine::listen() {
  bool needed = observer_ != nullptr || !overlay_.empty() || provided_;
  machine_.set_listener(needed ? this : nullptr);
}

void SymbolicMachine::reset() {
  drop();
  provided_ = Term();
  overlay_.clear();
  forks_.clear();
  announced_ = 0;
  machine_.reset();
}

const Pause& SymbolicMachine::schedule(uint32_t thread) {
  listen();
  machine_.schedule(thread);
  return after();
}

const Pause& SymbolicMachine::resume() {
  listen();
  machine_.resume();
  return after();
}

bool SymbolicMachine::approach(uint32_t thread) {
  Snapshot before = save();
  const size_t forks = forks_.size();
  const uint64_t announced = announced_;
  listen();
  machine_.approach(thread);
  after();
  if (machine_.pause().kind == PauseKind::Visible && forks_.size() == forks) return true;
  std::vector<Fork> kept(forks_.begin(), forks_.begin() + static_cast<ptrdiff_t>(forks));
  load(before);
  forks_ = std::move(kept);
  announced_ = announced;
  return false;
}

const Pause& SymbolicMachine::provide(Term variable, u128 value) {
  const Pause& asked = machine_.pause();
  assert(asked.kind == PauseKind::Input && variable.width() == asked.width);
  if (asked.memory != 0) {
    overlay_.store(asked.memory, variable);
    for (unsigned b = 0; b < asked.width / 8; ++b)
      for (uint64_t copy : machine_.copies(asked.memory + b)) overlay_.store(copy, terms().extract(variable, 8 * b, 8));
  } else {
    provided_ = variable;
  }
  listen();
  machine_.provide(value);
  return after();
}

const Pause& SymbolicMachine::after() {
  if (machine_.pause().final())
    drop();  // the last statement ended the run instead of having its effect
  else
    settle();
  if (!overlay_.empty() && !machine_.pause().final()) tidy();
  return machine_.pause();
}

void SymbolicMachine::set_observer(Listener* observer) {
  observer_ = observer;
  listen();
}

void SymbolicMachine::set_access_log(std::vector<Pending::Range>* log) {
  log_ = log;
  machine_.set_access_log(log);
}

void SymbolicMachine::statement(uint32_t thread, FunctionId function, uint32_t edge) {
  settle();
  if (observer_) observer_->statement(thread, function, edge);
  ++announced_;
  open_ = true;
  thread_ = thread;
  function_ = function;
  edge_ = edge;
  if (overlay_.empty() && !provided_ && !write_listener_) return;
  frame_ = machine_.frame_count(thread) - 1;
  forks_before_ = forks_.size();
  current_ = &program_.functions[function].edges[edge].statement;
  begin(*current_);
  if (write_listener_) write_listener_->writes(effect_);
}

void SymbolicMachine::withdrawn(uint32_t thread) {
  if (observer_) observer_->withdrawn(thread);
  // The thread pauses here because an assumption does not hold, or before an access that would be valid: for models
  // where that is different it would not. But others may change what is waited for.
  while (current_ && forks_.size() > forks_before_ && forks_.back().kind == Fork::Kind::Await) forks_.pop_back();
  drop();
}

void SymbolicMachine::drop() {
  open_ = false;
  current_ = nullptr;
  effect_.registers.clear();
  effect_.memory.clear();
  copied_from_ = 0;
  ranges_.clear();
  arguments_.clear();
}

void SymbolicMachine::references(const std::function<void(uint64_t)>& visit) {
  for (const auto& [cell, t] : overlay_.registers()) dynamic_addresses(t, visit);
  for (const auto& [address, t] : overlay_.memory()) dynamic_addresses(t, visit);
}

/// What the machine finds out by itself for the value of this model, for all models: who can reach which object.
void SymbolicMachine::expose(Term stored) {
  if (machine_.hides_objects()) dynamic_addresses(stored, [&](uint64_t address) { machine_.expose(address); });
}

void SymbolicMachine::settle() {
  if (!open_) return;
  if (current_) apply();
  open_ = false;
  if (observer_) observer_->executed(thread_, function_, edge_);
}

void SymbolicMachine::apply() {
  const Statement& s = *current_;
  current_ = nullptr;
  switch (s.kind) {
    case Kind::StackAlloc:
    case Kind::HeapAlloc: {
      uint64_t address = static_cast<uint64_t>(machine_.register_value(thread_, frame_, s.targets[0]));
      if (auto object = machine_.object_at(address))
        overlay_.forget(object->address, std::max<uint64_t>(object->size, 1));
      break;
    }
    case Kind::Copy:
      if (copied_from_ == 0) break;
      overlay_.copy(effect_.memory[0].address, copied_from_, effect_.memory[0].size);
      for (const auto& [address, t] : overlay_.memory()) expose(t);
      effect_.memory.clear();
      break;
    case Kind::Call:
    case Kind::IndirectCall:
      overlay_.forget_frames(thread_, frame_ + 1);
      for (const auto& [parameter, t] : arguments_) overlay_.set_reg({thread_, frame_ + 1, parameter}, t);
      break;
    case Kind::Return: overlay_.forget_frames(thread_, frame_); break;
    case Kind::ThreadExit: overlay_.forget_frames(thread_, 0); break;
    case Kind::Spawn: {
      auto number = static_cast<uint32_t>(machine_.register_value(thread_, frame_, s.targets[0]));
      overlay_.forget_frames(number, 0);
      for (const auto& [parameter, t] : arguments_) {
        overlay_.set_reg({number, 0, parameter}, t);
        expose(t);
      }
      for (const auto& [address, t] : overlay_.memory()) expose(t);
      break;
    }
    default: break;
  }
  for (const auto& [cell, t] : effect_.registers) overlay_.set_reg(cell, t ? t : terms().falsity());
  for (const Effect::Bytes& write : effect_.memory) {
    if (!write.value) {
      overlay_.forget(write.address, write.size);
    } else {
      overlay_.store(write.address, write.value);
      expose(write.value);
    }
  }
  if (log_) log_->insert(log_->end(), ranges_.begin(), ranges_.end());
  drop();
}

void SymbolicMachine::forget_forks() {
  forks_.clear();
  announced_ = 0;
}

// Cells that do not matter any more

bool SymbolicMachine::live(const Cell& cell) {
  if (!machine_.alive(cell.thread) || cell.frame >= machine_.frame_count(cell.thread)) return false;
  if (keep_registers_) return true;
  FramePosition position = machine_.frame(cell.thread, cell.frame);
  auto& liveness = liveness_[position.function];
  if (!liveness) liveness = std::make_unique<program::analysis::Liveness>(program_, position.function);
  if (cell.frame + 1 == machine_.frame_count(cell.thread)) return liveness->at(position.location).test(cell.reg);
  uint32_t edge = program_.functions[position.function].locations[position.location].first_edge;
  uint64_t key = uint64_t{position.function} << 32 | edge;
  auto found = during_call_.find(key);
  if (found == during_call_.end()) found = during_call_.emplace(key, liveness->during_call(edge)).first;
  return found->second.test(cell.reg);
}

void SymbolicMachine::tidy() {
  overlay_.forget_registers([&](const Cell& cell) { return !live(cell); });
  std::vector<std::pair<uint64_t, uint64_t>> gone;
  const auto& memory = overlay_.memory();
  for (auto it = memory.lower_bound(program::layout::kDynamicBase); it != memory.end();) {
    // (Object by object: one may hold many values.)
    auto object = machine_.object_at(it->first);
    if (object && object->alive) {
      it = memory.lower_bound(std::max(object->address + object->size, it->first + 1));
      continue;
    }
    gone.push_back({it->first, it->second.width() / 8});
    ++it;
  }
  for (const auto& [address, size] : gone) overlay_.forget(address, size);
}

// States

SymbolicMachine::Snapshot SymbolicMachine::save() {
  Snapshot snapshot{{}, overlay_};
  save(snapshot);
  return snapshot;
}

void SymbolicMachine::save(Snapshot& into) {
  std::span<const uint8_t> bytes = machine_.save();
  into.bytes.assign(bytes.begin(), bytes.end());
  into.overlay = overlay_;
}

void SymbolicMachine::load(const Snapshot& snapshot) {
  drop();
  provided_ = Term();
  forks_.clear();
  announced_ = 0;
  overlay_ = snapshot.overlay;
  listen();
  machine_.load(snapshot.bytes);
}

void SymbolicMachine::set_model(const Model& model) {
  if (overlay_.empty()) return;
  term::Assignment assignment{model, {}};
  for (const auto& [cell, t] : overlay_.registers())
    machine_.set_register(cell.thread, cell.frame, cell.reg, terms().evaluate(t, assignment));
  for (const auto& [address, t] : overlay_.memory()) {
    u128 value = terms().evaluate(t, assignment);
    uint8_t bytes[16];
    for (unsigned i = 0; i < t.width() / 8; ++i) bytes[i] = static_cast<uint8_t>(value >> (8 * i));
    machine_.write_memory(address, {bytes, t.width() / 8});
  }
}

// Looking inside

const std::vector<RegisterId>& SymbolicMachine::registers_of(Term operand) const {
  auto [it, fresh] = operand_registers_.try_emplace(operand);
  if (fresh)
    for (Term variable : term::variables(operand)) it->second.push_back(program_.register_of(variable).reg);
  return it->second;
}

bool SymbolicMachine::depends(Term operand, uint32_t thread, uint32_t frame) const {
  if (operand.is_constant() || overlay_.registers().empty()) return false;
  if (operand.is_variable()) return static_cast<bool>(overlay_.reg({thread, frame, program_.register_of(operand).reg}));
  for (RegisterId reg : registers_of(operand))
    if (overlay_.reg({thread, frame, reg})) return true;
  return false;
}

uint64_t SymbolicMachine::concrete(Term operand) const {
  return static_cast<uint64_t>(machine_.evaluate(thread_, frame_, operand));
}

Term SymbolicMachine::register_term(uint32_t thread, uint32_t frame, RegisterId reg) const {
  if (Term t = overlay_.reg({thread, frame, reg})) return t;
  unsigned width = program_.functions[machine_.frame(thread, frame).function].registers[reg].width();
  return terms().constant(width, machine_.register_value(thread, frame, reg));
}

Term SymbolicMachine::evaluate(uint32_t thread, uint32_t frame, Term over_registers) const {
  if (over_registers.is_constant()) return over_registers;
  if (!depends(over_registers, thread, frame))
    return terms().constant(over_registers.width(), machine_.evaluate(thread, frame, over_registers));
  return terms().substitute(
      over_registers, [&](Term variable) { return register_term(thread, frame, program_.register_of(variable).reg); });
}

Term SymbolicMachine::memory_term(uint64_t address, unsigned bytes) const {
  if (!machine_.initialised(address, bytes)) return {};
  auto machines = [&](uint64_t at, unsigned size) {
    uint8_t buffer[16] = {};
    machine_.read_memory(at, {buffer, size});
    u128 value = 0;
    for (unsigned i = size; i-- > 0;) value = value << 8 | buffer[i];
    return terms().constant(8 * size, value);
  };
  if (!overlay_.touches(address, bytes)) return machines(address, bytes);
  return overlay_.load(address, bytes, [&](uint64_t at) { return machines(at, 1); });
}

bool SymbolicMachine::valid(const semantics::Access& access, uint64_t address) const {
  auto object = machine_.object_at(address);
  return object && object->alive && !(access.write && object->constant) && address >= object->address &&
         address - object->address + access.bytes <= object->size && address % access.align == 0;
}

Pending SymbolicMachine::pending(uint32_t thread) {
  Pending p = machine_.pending(thread);
  if (overlay_.registers().empty() || p.edge == program::kNone || p.range_count == 0) return p;
  const Statement& s = program_.functions[p.function].edges[p.edge].statement;
  uint32_t frame = machine_.frame_count(thread) - 1;
  size_t addresses = s.kind == Kind::Copy ? 2 : 1;
  bool symbolic = false;
  for (size_t i = 0; i < addresses && i < s.operands.size(); ++i) symbolic |= depends(s.operands[i], thread, frame);
  if (!symbolic) return p;
  for (unsigned i = 0; i < p.range_count; ++i)
    if (auto object = machine_.object_at(p.ranges[i].address)) {
      p.ranges[i].address = object->address;
      p.ranges[i].size = object->size;
    }
  return p;
}

}  // namespace whittle::exec
