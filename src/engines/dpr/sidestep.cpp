#include "engines/dpr/sidestep.h"

#include <algorithm>
#include <cassert>

#include "engines/dpr/access.h"

namespace whittle::engines::dpr {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::Statement;
using term::Term;

namespace {

enum class Arrival : uint8_t { Join, Returned, Ended, GaveUp };

}  // namespace

struct Sidestep::Walker {
  const program::Program& program;
  exec::Machine& machine;
  Regions& regions;
  semantics::Meanings& meanings;
  unsigned budget;
  unsigned depth = 0;
  term::Store& terms = program.terms();
  Term fails = terms.falsity();

  /// Follows one side in `view` until `join` (kNone: until the function returns; `result` gets its value). `guard` is
  /// what is assumed on the way: a failure counts only under it.
  Arrival go(View& view, uint32_t frame, FunctionId f, LocationId at, LocationId join, Term guard, Term* result) {
    const Function& function = program.functions[f];
    while (at != join || join == kNone) {
      if (at == kNone || budget == 0) return Arrival::GaveUp;
      --budget;
      const auto& location = function.locations[at];
      if (location.edge_count == 0) return Arrival::Ended;
      const Edge& edge = function.edges[location.first_edge];
      if (location.edge_count > 1) {
        Arrival arrival = branch(view, frame, f, at, guard, &at);
        if (arrival != Arrival::Join) return arrival;
        continue;
      }
      if (edge.statement.kind == Kind::Return) {
        if (join != kNone) return Arrival::GaveUp;
        if (!edge.statement.operands.empty()) {
          *result = view.evaluate(edge.statement.operands[0], frame, f);
          if (!*result) return Arrival::GaveUp;
        }
        return Arrival::Returned;
      }
      Arrival arrival = statement(view, frame, f, location.first_edge, &guard);
      if (arrival != Arrival::Join) return arrival;
      at = edge.to;
    }
    return Arrival::Join;
  }

  /// All sides of an inner branch, merged at its join.
  Arrival branch(View& view, uint32_t frame, FunctionId f, LocationId at, Term guard, LocationId* after) {
    const Function& function = program.functions[f];
    const auto& location = function.locations[at];
    struct Side {
      Term condition;
      Effects effects;
    };
    std::vector<Side> sides;
    LocationId meet = regions.join(f, at);
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      Term condition = view.evaluate(function.edges[e].statement.operands[0], frame, f);
      if (!condition) return Arrival::GaveUp;
      if (condition.is_true()) {
        *after = function.edges[e].to;
        return Arrival::Join;
      }
      if (condition.is_false()) continue;
      sides.push_back({condition, {}});
      sides.back().effects.ended = false;
    }
    if (meet == kNone || depth > 16) return Arrival::GaveUp;
    ++depth;
    size_t i = 0;
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      Term condition = view.evaluate(function.edges[e].statement.operands[0], frame, f);
      if (condition.is_false()) continue;
      View child(program, machine, &view);
      Term unused;
      Arrival arrival = go(child, frame, f, function.edges[e].to, meet, terms.band(guard, condition), &unused);
      if (arrival == Arrival::GaveUp || arrival == Arrival::Returned) return --depth, Arrival::GaveUp;
      sides[i].effects = collect(child, frame);
      sides[i++].effects.ended = arrival == Arrival::Ended;
    }
    --depth;
    std::erase_if(sides, [](const Side& side) { return side.effects.ended; });
    if (sides.empty()) return Arrival::Ended;
    std::vector<RegisterCell> registers;
    std::vector<MemoryCell> memory;
    for (const Side& side : sides) {
      for (const auto& [cell, value] : side.effects.registers) registers.push_back(cell);
      for (const auto& [cell, value] : side.effects.memory) memory.push_back(cell);
    }
    auto unique = [](auto& cells) {
      std::sort(cells.begin(), cells.end());
      cells.erase(
          std::unique(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return !(a < b) && !(b < a); }),
          cells.end());
    };
    unique(registers);
    unique(memory);
    for (size_t k = 1; k < memory.size(); ++k)
      if (memory[k - 1].overlaps(memory[k])) return Arrival::GaveUp;
    // Values first, assignments later: the sides' values refer to what held before the branch.
    std::vector<Term> register_values, memory_values;
    for (RegisterCell cell : registers)
      register_values.push_back(merge(sides, cell, view.reg(cell, f), &Effects::registers));
    for (MemoryCell cell : memory) memory_values.push_back(merge(sides, cell, view.load(cell), &Effects::memory));
    for (size_t k = 0; k < registers.size(); ++k)
      if (register_values[k]) view.set_reg(registers[k], register_values[k]);
    for (size_t k = 0; k < memory.size(); ++k) {
      if (!memory_values[k]) return Arrival::GaveUp;
      view.store(memory[k], memory_values[k]);
    }
    *after = meet;
    return Arrival::Join;
  }

  template <typename Sides, typename Cell, typename Member>
  Term merge(const Sides& sides, const Cell& cell, Term before, Member member) {
    Term merged;
    for (size_t s = sides.size(); s-- > 0;) {
      Term value = before;
      for (const auto& [written, term] : sides[s].effects.*member)
        if (!(written < cell) && !(cell < written)) value = term;
      if (!value) return {};  // a register one side never assigned: nobody may read it after the join
      merged = merged ? terms.ite(sides[s].condition, value, merged) : value;
    }
    return merged;
  }

  Arrival statement(View& view, uint32_t frame, FunctionId f, uint32_t e, Term* guard) {
    const Statement& s = program.functions[f].edges[e].statement;
    auto value = [&](size_t i) { return view.evaluate(s.operands[i], frame, f); };
    switch (s.kind) {
      case Kind::Skip:
      case Kind::Fence:
      case Kind::Output:
      case Kind::AtomicBegin:
      case Kind::AtomicEnd:
      case Kind::Yield: return Arrival::Join;
      case Kind::Assume: {
        Term condition = value(0);
        if (!condition) return Arrival::GaveUp;
        if (condition.is_false()) return Arrival::Ended;
        *guard = terms.band(*guard, condition);
        return Arrival::Join;
      }
      case Kind::Check: {
        Term condition = value(0);
        if (!condition) return Arrival::GaveUp;
        fails = terms.bor(fails, terms.band(*guard, terms.bnot(condition)));
        *guard = terms.band(*guard, condition);
        return condition.is_false() ? Arrival::Ended : Arrival::Join;
      }
      case Kind::Halt: return Arrival::Ended;
      case Kind::Error: fails = terms.bor(fails, *guard); return Arrival::Ended;
      case Kind::Call: return call(view, frame, f, s, *guard);
      case Kind::Freed:  // asked only where there are other threads
      case Kind::Shared:
      case Kind::Self:
        view.set_reg({frame, s.targets[0]}, terms.constant(program.functions[f].registers[s.targets[0]].width(), 0));
        return Arrival::Join;
      default: return effect(view, frame, f, e);
    }
  }

  /// Assigns and writes at known, valid addresses; gives up at everything else.
  Arrival effect(View& view, uint32_t frame, FunctionId f, uint32_t e) {
    const Statement& s = program.functions[f].edges[e].statement;
    const semantics::Meaning& m = meanings.of(f, e);
    if (m.wait || m.object || (m.assigns.empty() && m.writes.empty())) return Arrival::GaveUp;
    MemoryCell cell;
    for (const semantics::Access& access : semantics::accesses(s)) {
      Term address = view.evaluate(s.operands[access.address], frame, f);
      if (access.size_operand != semantics::Access::kFixed || !address || !address.is_constant() ||
          !can_access(machine, access, address.value64()))
        return Arrival::GaveUp;
      cell = {address.value64(), access.bytes};
    }
    auto value = [&](Term t) { return view.evaluate(t, frame, f, [&](Term) { return view.load(cell); }); };
    std::vector<Term> assigned, written;
    for (const semantics::Assign& a : m.assigns) {
      if (a.source != semantics::Assign::Source::Value) return Arrival::GaveUp;
      assigned.push_back(value(a.value));
      if (!assigned.back()) return Arrival::GaveUp;
    }
    for (const semantics::Write& w : m.writes) {
      written.push_back(value(w.value));
      if (!written.back()) return Arrival::GaveUp;
    }
    for (size_t i = 0; i < assigned.size(); ++i) view.set_reg({frame, m.assigns[i].target}, assigned[i]);
    for (Term w : written) view.store(cell, w);
    return Arrival::Join;
  }

  Arrival call(View& view, uint32_t frame, FunctionId f, const Statement& s, Term guard) {
    const Function& callee = program.functions[s.callee];
    if (callee.locations.empty() || s.operands.size() != callee.parameter_count || depth > 16) return Arrival::GaveUp;
    std::vector<Term> arguments;
    for (size_t i = 0; i < s.operands.size(); ++i) {
      Term argument = view.evaluate(s.operands[i], frame, f);
      if (!argument || argument.width() != callee.registers[i].width()) return Arrival::GaveUp;
      arguments.push_back(argument);
    }
    // A frame number that neither the machine nor another frame of this walk has.
    uint32_t inner = std::max(frame, machine.frame_count(0)) + 1 + depth * 64;
    for (size_t i = 0; i < arguments.size(); ++i)
      view.set_reg({inner, static_cast<program::RegisterId>(i)}, arguments[i]);
    Term result;
    ++depth;
    Arrival arrival = go(view, inner, s.callee, callee.entry, kNone, guard, &result);
    --depth;
    view.forget_frame(inner);
    if (arrival == Arrival::Ended) return Arrival::Ended;
    if (arrival != Arrival::Returned) return Arrival::GaveUp;
    if (!s.targets.empty()) {
      if (!result || result.width() != program.functions[f].registers[s.targets[0]].width()) return Arrival::GaveUp;
      view.set_reg({frame, s.targets[0]}, result);
    }
    return Arrival::Join;
  }

  /// What a view on top holds, without registers of frames that only the walk had.
  Effects collect(const View& view, uint32_t frame) {
    Effects effects;
    for (const auto& [cell, value] : view.registers())
      if (cell.frame == frame) effects.registers.emplace_back(cell, value);
    for (const auto& [address, value] : view.memory())
      effects.memory.emplace_back(MemoryCell{address, value.width() / 8}, value);
    return effects;
  }
};

std::optional<Effects> Sidestep::walk(const View& view, uint32_t frame, FunctionId function, LocationId start,
                                      LocationId join) {
  Walker walker{program_, machine_, regions_, meanings_, budget_};
  View side(program_, machine_, &view);
  Term unused;
  Arrival arrival = walker.go(side, frame, function, start, join, program_.terms().truth(), &unused);
  if (arrival == Arrival::GaveUp || arrival == Arrival::Returned) return std::nullopt;
  Effects effects = walker.collect(side, frame);
  effects.ended = arrival == Arrival::Ended;
  effects.fails = walker.fails;
  return effects;
}

}  // namespace whittle::engines::dpr
