#include "engines/dpr/shadow.h"

#include <cassert>

#include "engines/dpr/access.h"

namespace whittle::engines::dpr {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::SourcePosition;
using program::Statement;
using term::Term;

namespace {

constexpr unsigned kSidestepBudget = 2000;
constexpr uint64_t kSpreadLimit = 64;  ///< elements of an object that an access with a choosing index may touch

}  // namespace

Shadow::Shadow(const program::Program& program, exec::Machine& machine, Regions& regions)
    : program_(program),
      machine_(machine),
      regions_(regions),
      sidestep_(program, machine, regions, kSidestepBudget),
      view_(program, machine) {}

void Shadow::keep(Term condition, const SourcePosition& position, const char* why) {
  auto& terms = program_.terms();
  for (const Region& region : regions_open_) condition = terms.implies(region.condition, condition);
  if (!condition.is_true()) kept_.push_back({condition, position, why});
}

void Shadow::keep_equal(Term value, u128 concrete, const SourcePosition& position, const char* why) {
  auto& terms = program_.terms();
  keep(terms.eq(value, terms.constant(value.width(), concrete)), position, why);
}

/// The concrete value of an operand, which is kept.
uint64_t Shadow::pin(const Statement& statement, size_t operand, const char* why) {
  u128 concrete = machine_.evaluate(0, frame_, statement.operands[operand]);
  keep_equal(value(statement.operands[operand]), concrete, statement.position, why);
  return static_cast<uint64_t>(concrete);
}

Term Shadow::unknown(unsigned width) { return program_.terms().variable(width, "unknown"); }

void Shadow::statement(uint32_t, FunctionId f, uint32_t edge) {
  settle();
  const Function& function = program_.functions[f];
  const Edge& e = function.edges[edge];
  frame_ = machine_.frame_count(0) - 1;
  function_ = f;
  while (!regions_open_.empty() && regions_open_.back().frame == frame_ && regions_open_.back().join == e.from) {
    Region region = std::move(regions_open_.back());
    regions_open_.pop_back();
    close(std::move(region));
  }
  const Statement& s = e.statement;
  last_ = &s;
  last_frame_ = frame_;
  last_function_ = f;
  switch (s.kind) {
    case Kind::Assign: {
      std::vector<Term> values;
      for (Term operand : s.operands) values.push_back(value(operand));
      for (size_t i = 0; i < values.size(); ++i) set_reg({frame_, s.targets[i]}, values[i]);
      break;
    }
    case Kind::Assume:
      if (function.locations[e.from].edge_count > 1) {
        branch(function, edge);
      } else {
        assumed_ = value(s.operands[0]);
        assumption_ = assumed_.is_constant() ? nullptr : &s;
      }
      break;
    case Kind::Check: keep(value(s.operands[0]), s.position, "check"); break;
    case Kind::Load: load(s); break;
    case Kind::Store: store(s); break;
    case Kind::StackAlloc:
    case Kind::HeapAlloc:
      for (size_t i = 0; i < s.operands.size(); ++i) pin(s, i, "size of an object");
      break;
    case Kind::HeapFree:
    case Kind::ObjectSize: pin(s, 0, "pointer to an object"); break;
    case Kind::Copy: copy(s); break;
    case Kind::Fill: fill(s); break;
    case Kind::Call: call(s, s.callee, 0); break;
    case Kind::IndirectCall: {
      uint64_t target = pin(s, 0, "function pointer");
      auto callee = program_.function_at(target);
      if (callee) call(s, *callee, 1);
      break;
    }
    case Kind::Return: leave(s); break;
    case Kind::AtomicRmw:
    case Kind::AtomicCas: read_modify_write(s); break;
    case Kind::Await: {
      uint64_t address = pin(s, 0, "address");
      for (size_t i = 1; i < s.operands.size(); ++i) pin(s, i, "condition waited for");
      Term word = view_.load({address, s.width / 8u});
      uint8_t bytes[16] = {};
      u128 concrete = 0;
      if (word && machine_.read_memory(address, {bytes, s.width / 8u})) {
        for (unsigned i = s.width / 8u; i-- > 0;) concrete = concrete << 8 | bytes[i];
        keep_equal(word, concrete, s.position, "value waited for");
      }
      break;
    }
    case Kind::StackRestore:
    case Kind::HostMath:
    case Kind::Halt:
      for (size_t i = 0; i < s.operands.size() && s.kind != Kind::Halt; ++i) pin(s, i, "argument");
      break;
    default: break;
  }
}

/// What is known only once the machine has executed the last statement.
void Shadow::settle() {
  if (last_ == nullptr) return;
  const Statement& s = *last_;
  last_ = nullptr;
  assumption_ = nullptr;
  switch (s.kind) {
    case Kind::StackAlloc:
    case Kind::HeapAlloc: {
      uint64_t address = static_cast<uint64_t>(machine_.register_value(0, last_frame_, s.targets[0]));
      auto object = machine_.object_at(address);
      if (object) view_.forget(object->address, std::max<uint64_t>(object->size, 1));
      set_reg({last_frame_, s.targets[0]}, program_.terms().constant(program_.pointer_width(), address));
      break;
    }
    case Kind::ObjectSize:
    case Kind::HostMath:
    case Kind::StackSave:
    case Kind::Self:
    case Kind::ThreadLocal: {
      // The machine's value, the same for all oracles spoken for.
      if (s.targets.empty()) break;
      unsigned width = program_.functions[last_function_].registers[s.targets[0]].width();
      set_reg({last_frame_, s.targets[0]}, program_.terms().constant(width, 0));
      break;
    }
    default: break;
  }
}

void Shadow::rely_on(const std::vector<program::RegisterId>& registers) {
  assert(last_ != nullptr);
  for (program::RegisterId reg : registers) {
    Term variable = program_.functions[last_function_].registers[reg].variable;
    keep_equal(view_.evaluate(variable, last_frame_, last_function_), machine_.register_value(0, last_frame_, reg),
               last_->position, "bound of an input");
  }
}

void Shadow::provide(Term value, u128 concrete) {
  assert(last_ != nullptr);
  if (last_->kind != Kind::Nondet) {
    // Uninitialised memory gets a value and the statement is executed again. Rare: all its choices are kept.
    keep_equal(value, concrete, last_->position, "uninitialised memory");
    return;
  }
  unsigned width = program_.functions[last_function_].registers[last_->targets[0]].width();
  set_reg({last_frame_, last_->targets[0]}, fit(program_.terms(), value, width));
}

void Shadow::finish(bool pruned) {
  auto& terms = program_.terms();
  if (pruned && assumption_ != nullptr) {
    // Oracles that fail the same assumption end here too; inside a free region only if they come this way at all, but
    // then the region was left by nobody.
    keep(terms.bnot(assumed_), assumption_->position, "assumption that fails");
  }
  // The other sides of branches still open would have gone on beyond the join, where this run never was.
  while (!regions_open_.empty()) {
    Region region = std::move(regions_open_.back());
    regions_open_.pop_back();
    if (!region.others_end) keep(region.condition, region.position, "the run ends inside the branch");
  }
}

void Shadow::branch(const Function& function, uint32_t edge) {
  auto& terms = program_.terms();
  const Edge& taken = function.edges[edge];
  Term condition = value(taken.statement.operands[0]);
  if (condition.is_constant()) return;
  const auto& location = function.locations[taken.from];
  Region region{frame_, regions_.join(function_, taken.from), taken.statement.position, condition, {}, true, {}, {}};
  bool free = region.join != kNone && regions_.calm(function_, taken.to, region.join);
  Term fails = terms.falsity();
  for (uint32_t e = location.first_edge; free && e < location.first_edge + location.edge_count; ++e) {
    if (e == edge) continue;
    Term other = value(function.edges[e].statement.operands[0]);
    if (other.is_false()) continue;
    auto effects = sidestep_.walk(view_, frame_, function_, function.edges[e].to, region.join);
    if (!effects) {
      free = false;
      break;
    }
    fails = terms.bor(fails, terms.band(other, effects->fails));
    region.others_end &= effects->ended;
    region.others.push_back({other, std::move(*effects)});
  }
  if (!free) {
    keep(condition, taken.statement.position, "branch");
    return;
  }
  if (!fails.is_false()) keep(terms.bnot(fails), taken.statement.position, "the other side can fail");
  regions_open_.push_back(std::move(region));
}

/// Both sides of a free branch meet: every cell that either of them wrote depends on the branch now.
void Shadow::close(Region region) {
  auto& terms = program_.terms();
  std::erase_if(region.others, [](const Alternative& other) { return other.effects.ended; });
  auto inherit = [&](auto& old, const auto& cells) {
    for (const auto& [cell, value] : cells) old.try_emplace(cell, value);
  };
  std::map<RegisterCell, Term> registers = region.old_registers;  // cell -> value before
  std::map<MemoryCell, Term> memory = region.old_memory;
  for (const auto& other : region.others) {
    for (const auto& [cell, value] : other.effects.registers) registers.try_emplace(cell, view_.reg(cell, function_));
    for (const auto& [cell, value] : other.effects.memory) memory.try_emplace(cell, view_.load(cell));
  }
  if (!regions_open_.empty()) {
    inherit(regions_open_.back().old_registers, region.old_registers);
    for (const auto& [cell, value] : region.old_memory) {
      bool clash = false;
      for (const auto& [known, old] : regions_open_.back().old_memory) clash |= known.overlaps(cell);
      if (!regions_open_.back().old_memory.contains(cell))
        regions_open_.back().old_memory[cell] = clash ? Term() : value;
    }
  }
  if (region.others.empty()) return;  // only this side comes here
  auto merged = [&](const auto& cell, Term now, Term before, auto member) {
    Term result;
    for (const auto& other : region.others) {
      Term there = before;
      for (const auto& [written, value] : other.effects.*member)
        if (!(written < cell) && !(cell < written)) there = value;
      if (!there) there = unknown(now.width());
      result = result ? terms.ite(other.condition, there, result) : there;
    }
    return terms.ite(region.condition, now, result);
  };
  for (const auto& [cell, before] : registers) {
    if (cell.frame != region.frame) continue;  // callers' registers are not written in here; callees' are gone
    Term now = view_.reg(cell, function_);
    if (now) set_reg(cell, merged(cell, now, before, &Effects::registers));
  }
  for (const auto& [cell, before] : memory) {
    Term now = view_.load(cell);
    if (!now) continue;
    Term value_before = before;
    for (const auto& other : region.others)
      for (const auto& [written, value] : other.effects.memory)
        if (written.overlaps(cell) && (written < cell || cell < written)) value_before = Term();
    store(cell, merged(cell, now, value_before, &Effects::memory));
  }
}

void Shadow::set_reg(RegisterCell cell, Term value) {
  if (!regions_open_.empty() && regions_open_.back().frame == cell.frame) {
    auto& old = regions_open_.back().old_registers;
    if (!old.contains(cell)) old[cell] = view_.reg(cell, function_);
  }
  view_.set_reg(cell, value);
}

void Shadow::store(MemoryCell cell, Term value) {
  if (!regions_open_.empty()) {
    auto& old = regions_open_.back().old_memory;
    if (!old.contains(cell)) {
      bool clash = false;
      for (const auto& [known, before] : old) clash |= known.overlaps(cell);
      old[cell] = clash ? Term() : view_.load(cell);
    }
  }
  view_.store(cell, value);
}

std::vector<MemoryCell> Shadow::spread(const Statement& s, Term address, uint64_t concrete, bool write) {
  auto& terms = program_.terms();
  std::vector<MemoryCell> cells;
  uint32_t size = s.width / 8u;
  auto object = machine_.object_at(concrete);
  if (!object || !object->alive || (write && object->constant) || !can_access(machine_, s, concrete, write))
    return cells;
  uint64_t first = (concrete - object->address) % size;
  uint64_t count = (object->size - first) / size;
  if (count == 0 || count > kSpreadLimit) return cells;
  // Inside the object and on the grid of elements: that much is required of every oracle spoken for.
  Term base = terms.constant(address.width(), object->address + first);
  Term offset = terms.sub(address, base);
  Term inside = terms.ult(offset, terms.constant(address.width(), count * size));
  Term grid = terms.eq(terms.urem(offset, terms.constant(address.width(), size)), terms.constant(address.width(), 0));
  keep(terms.band(inside, grid), s.position, "index inside its object");
  for (uint64_t i = 0; i < count; ++i) cells.push_back({object->address + first + i * size, size});
  return cells;
}

void Shadow::load(const Statement& s) {
  auto& terms = program_.terms();
  Term address = value(s.operands[0]);
  unsigned width = program_.functions[function_].registers[s.targets[0]].width();
  uint64_t concrete = static_cast<uint64_t>(machine_.evaluate(0, frame_, s.operands[0]));
  Term loaded;
  if (!address.is_constant()) {
    auto cells = spread(s, address, concrete, false);
    if (cells.empty()) pin(s, 0, "address");
    for (MemoryCell cell : cells) {
      Term element = view_.load(cell);
      Term here = terms.eq(address, terms.constant(address.width(), cell.address));
      if (!element) {  // not initialised: reading it would be one more choice
        keep(terms.bnot(here), s.position, "uninitialised element");
        continue;
      }
      loaded = loaded ? terms.ite(here, element, loaded) : element;
    }
  }
  if (!loaded) loaded = view_.load({concrete, s.width / 8u});
  if (!loaded) loaded = terms.constant(s.width, 0);  // the machine ends the run here, or asks for the value
  set_reg({frame_, s.targets[0]}, fit(terms, loaded, width));
}

void Shadow::store(const Statement& s) {
  auto& terms = program_.terms();
  Term address = value(s.operands[0]);
  Term stored = fit(terms, value(s.operands[1]), s.width);
  uint64_t concrete = static_cast<uint64_t>(machine_.evaluate(0, frame_, s.operands[0]));
  if (!address.is_constant()) {
    auto cells = spread(s, address, concrete, true);
    for (MemoryCell cell : cells) {
      Term before = view_.load(cell);
      if (!before) before = unknown(cell.size * 8);
      Term here = terms.eq(address, terms.constant(address.width(), cell.address));
      store(cell, terms.ite(here, stored, before));
    }
    if (!cells.empty()) return;
    pin(s, 0, "address");
  }
  if (can_access(machine_, s, concrete, true)) store({concrete, s.width / 8u}, stored);
}

void Shadow::read_modify_write(const Statement& s) {
  auto& terms = program_.terms();
  uint64_t address = pin(s, 0, "address");
  MemoryCell cell{address, s.width / 8u};
  Term before = view_.load(cell);
  if (!before) return;  // the machine ends the run here
  Term operand = fit(terms, value(s.operands[1]), s.width);
  auto set = [&](size_t target, Term result) {
    if (target >= s.targets.size() || s.targets[target] == kNone) return;
    unsigned width = program_.functions[function_].registers[s.targets[target]].width();
    set_reg({frame_, s.targets[target]}, fit(terms, result, width));
  };
  if (s.kind == Kind::AtomicCas) {
    Term same = terms.eq(before, operand);
    Term replacement = fit(terms, value(s.operands[2]), s.width);
    set(0, before);
    set(1, same);
    return store(cell, terms.ite(same, replacement, before));
  }
  Term after;
  switch (s.rmw) {
    case program::Rmw::Exchange: after = operand; break;
    case program::Rmw::Add: after = terms.add(before, operand); break;
    case program::Rmw::Sub: after = terms.sub(before, operand); break;
    case program::Rmw::And: after = terms.band(before, operand); break;
    case program::Rmw::Nand: after = terms.bnot(terms.band(before, operand)); break;
    case program::Rmw::Or: after = terms.bor(before, operand); break;
    case program::Rmw::Xor: after = terms.bxor(before, operand); break;
    case program::Rmw::Max: after = terms.ite(terms.sgt(before, operand), before, operand); break;
    case program::Rmw::Min: after = terms.ite(terms.slt(before, operand), before, operand); break;
    case program::Rmw::UMax: after = terms.ite(terms.ugt(before, operand), before, operand); break;
    case program::Rmw::UMin: after = terms.ite(terms.ult(before, operand), before, operand); break;
  }
  set(0, before);
  store(cell, after);
}

void Shadow::copy(const Statement& s) {
  uint64_t to = pin(s, 0, "address"), from = pin(s, 1, "address"), size = pin(s, 2, "size");
  if (size == 0 || (!view_.touches(from, size) && !view_.touches(to, size) && regions_open_.empty())) return;
  std::vector<Term> bytes;
  for (uint64_t i = 0; i < size; ++i) bytes.push_back(view_.load({from + i, 1}));
  for (uint64_t i = 0; i < size; ++i) store({to + i, 1}, bytes[i] ? bytes[i] : unknown(8));
}

void Shadow::fill(const Statement& s) {
  uint64_t to = pin(s, 0, "address"), size = pin(s, 2, "size");
  Term byte = value(s.operands[1]);
  if (byte.is_constant() && !view_.touches(to, size) && regions_open_.empty()) return;
  for (uint64_t i = 0; i < size; ++i) store({to + i, 1}, byte);
}

void Shadow::call(const Statement& s, FunctionId callee, size_t first) {
  const Function& function = program_.functions[callee];
  view_.forget_frame(frame_ + 1);
  for (size_t i = first; i < s.operands.size() && i - first < function.parameter_count; ++i) {
    auto parameter = static_cast<program::RegisterId>(i - first);
    Term argument = fit(program_.terms(), value(s.operands[i]), function.registers[parameter].width());
    view_.set_reg({frame_ + 1, parameter}, argument);
  }
}

void Shadow::leave(const Statement& s) {
  Term result = s.operands.empty() ? Term() : value(s.operands[0]);
  view_.forget_frame(frame_);
  if (frame_ == 0) return;
  auto caller = machine_.frame(0, frame_ - 1);
  const Function& function = program_.functions[caller.function];
  const auto& location = function.locations[caller.location];
  const Statement& pending = function.edges[location.first_edge].statement;
  if (pending.targets.empty()) return;
  // The machine has not returned yet: writes belong to the caller from here on.
  function_ = caller.function;
  unsigned width = function.registers[pending.targets[0]].width();
  if (result) set_reg({frame_ - 1, pending.targets[0]}, fit(program_.terms(), result, width));
}

}  // namespace whittle::engines::dpr
