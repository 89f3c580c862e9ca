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
      meanings_(program),
      sidestep_(program, machine, regions, meanings_, kSidestepBudget),
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
    case Kind::Assume:
      if (function.locations[e.from].edge_count > 1) {
        branch(function, edge);
      } else {
        assumed_ = value(s.operands[0]);
        assumption_ = assumed_.is_constant() ? nullptr : &s;
      }
      break;
    case Kind::Check: keep(value(s.operands[0]), s.position, "check"); break;
    case Kind::HeapFree: pin(s, 0, "pointer to an object"); break;
    case Kind::Call: call(s, s.callee, 0); break;
    case Kind::IndirectCall: {
      uint64_t target = pin(s, 0, "function pointer");
      auto callee = program_.function_at(target);
      if (callee) call(s, *callee, 1);
      break;
    }
    case Kind::Return: leave(s); break;
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
    case Kind::StackRestore: pin(s, 0, "argument"); break;
    case Kind::Halt:
    case Kind::Output: break;
    default: effect(s, meanings_.of(f, edge)); break;
  }
}

void Shadow::effect(const Statement& s, const semantics::Meaning& m) {
  using enum semantics::Assign::Source;
  if (!m.writes.empty() && m.writes[0].kind != semantics::Write::Kind::Value) return bulk(s, m.writes[0]);
  for (const semantics::Assign& a : m.assigns)
    if (a.source == Machine || a.source == Object)  // settle() knows what it was
      for (size_t i = 0; i < s.operands.size(); ++i) pin(s, i, m.object ? "size of an object" : "argument");
  Located memory;
  for (const semantics::Access& access : semantics::accesses(s)) memory = locate(s, access);
  Term old;  // read once
  auto value_of = [&](Term t) {
    return view_.evaluate(t, frame_, function_, [&](Term) {
      if (!old) old = loaded(s, memory);
      return old;
    });
  };
  std::vector<std::pair<program::RegisterId, Term>> assigned;
  for (const semantics::Assign& a : m.assigns)
    if (a.source == Value) assigned.emplace_back(a.target, value_of(a.value));
  std::vector<Term> written;
  for (const semantics::Write& w : m.writes) written.push_back(value_of(w.value));
  for (auto [target, value] : assigned) set_reg({frame_, target}, value);
  for (Term value : written) store(s, memory, value);
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
    default:
      if (!program::asks(s.kind)) break;
      // The machine's value, the same for all oracles spoken for.
      unsigned width = program_.functions[last_function_].registers[s.targets[0]].width();
      set_reg({last_frame_, s.targets[0]}, program_.terms().constant(width, 0));
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

std::vector<MemoryCell> Shadow::spread(const Statement& s, const semantics::Access& access, Term address,
                                       uint64_t concrete) {
  auto& terms = program_.terms();
  std::vector<MemoryCell> cells;
  const uint32_t size = access.bytes;
  auto object = machine_.object_at(concrete);
  if (!object || !can_access(machine_, access, concrete)) return cells;
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

Shadow::Located Shadow::locate(const Statement& s, const semantics::Access& access) {
  Term address = value(s.operands[access.address]);
  Located found{{static_cast<uint64_t>(machine_.evaluate(0, frame_, s.operands[access.address])), access.bytes}, {}, {}};
  if (address.is_constant()) return found;
  found.address = address;
  found.cells = spread(s, access, address, found.here.address);
  if (found.cells.empty()) pin(s, access.address, "address");
  return found;
}

Term Shadow::loaded(const Statement& s, const Located& memory) {
  auto& terms = program_.terms();
  Term result;
  for (MemoryCell cell : memory.cells) {
    Term element = view_.load(cell);
    Term here = terms.eq(memory.address, terms.constant(memory.address.width(), cell.address));
    if (!element) {  // not initialised: reading it would be one more choice
      keep(terms.bnot(here), s.position, "uninitialised element");
      continue;
    }
    result = result ? terms.ite(here, element, result) : element;
  }
  if (!result) result = view_.load(memory.here);
  if (!result) result = terms.constant(8 * memory.here.size, 0);  // the machine ends the run here, or asks for the value
  return result;
}

void Shadow::store(const Statement& s, const Located& memory, Term value) {
  auto& terms = program_.terms();
  if (memory.cells.empty()) {
    if (can_access(machine_, semantics::accesses(s)[0], memory.here.address)) store(memory.here, value);
    return;
  }
  for (MemoryCell cell : memory.cells) {
    Term before = view_.load(cell);
    if (!before) before = unknown(cell.size * 8);
    Term here = terms.eq(memory.address, terms.constant(memory.address.width(), cell.address));
    store(cell, terms.ite(here, value, before));
  }
}

void Shadow::bulk(const Statement& s, const semantics::Write& w) {
  const bool copies = w.kind == semantics::Write::Kind::Copy;
  uint64_t to = pin(s, 0, "address"), from = copies ? pin(s, 1, "address") : to, size = pin(s, 2, "size");
  Term byte = copies ? Term() : value(w.value);
  const bool plain = copies || byte.is_constant();
  if (size == 0 || (plain && !view_.touches(from, size) && !view_.touches(to, size) && regions_open_.empty())) return;
  std::vector<Term> bytes;
  for (uint64_t i = 0; i < size; ++i) bytes.push_back(copies ? view_.load({from + i, 1}) : byte);
  for (uint64_t i = 0; i < size; ++i) store({to + i, 1}, bytes[i] ? bytes[i] : unknown(8));
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
