#include "engines/dpr/sidestep.h"

#include <algorithm>
#include <deque>

#include "semantics/demand.h"

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

constexpr unsigned kNesting = 16;  ///< branches and calls inside each other: deeper ones rarely end within the budget

/// A function that is walked through, and where in it.
struct Frame {
  uint32_t number = 0;
  FunctionId function = kNone;
};

class Walker {
 public:
  Walker(exec::SymbolicMachine& run, Regions& regions, unsigned budget)
      : run_(run), program_(run.program()), regions_(regions), terms_(program_.terms()), budget_(budget) {}

  /// Follows one side until `join` (kNone: until the function returns; `result` gets its value). `guard` is what is
  /// assumed on the way: a failure counts only under it.
  Arrival go(Side& side, Frame frame, LocationId at, LocationId join, Term guard, Term* result) {
    const Function& function = program_.functions[frame.function];
    while (at != join || join == kNone) {
      if (at == kNone || budget_ == 0) return Arrival::GaveUp;
      --budget_;
      const auto& location = function.locations[at];
      if (location.edge_count == 0) return Arrival::Ended;
      const Edge& edge = function.edges[location.first_edge];
      Arrival arrival = Arrival::Join;
      if (location.edge_count > 1) {
        arrival = branch(side, frame, at, guard, &at);
      } else if (edge.statement.kind == Kind::Return) {
        if (join != kNone) return Arrival::GaveUp;
        if (!edge.statement.operands.empty()) *result = side.evaluate(edge.statement.operands[0], frame.number);
        return *result || edge.statement.operands.empty() ? Arrival::Join : Arrival::GaveUp;
      } else {
        arrival = statement(side, frame, location.first_edge, &guard);
        at = edge.to;
      }
      if (arrival != Arrival::Join) return arrival;
    }
    return Arrival::Join;
  }

  Term fails() const { return fails_; }

 private:
  /// All sides of an inner branch, merged at its join.
  Arrival branch(Side& side, Frame frame, LocationId at, Term guard, LocationId* after) {
    const Function& function = program_.functions[frame.function];
    const auto& location = function.locations[at];
    std::vector<std::pair<Term, LocationId>> open;
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      Term condition = side.evaluate(function.edges[e].statement.operands[0], frame.number);
      if (!condition) return Arrival::GaveUp;
      if (condition.is_false()) continue;
      if (condition.is_true()) {
        *after = function.edges[e].to;
        return Arrival::Join;
      }
      open.emplace_back(condition, function.edges[e].to);
    }
    *after = regions_.join(frame.function, at);
    if (*after == kNone || depth_ > kNesting) return Arrival::GaveUp;
    ++depth_;
    std::deque<Side> sides;
    std::vector<Way> ways;
    std::vector<const Side*> written;
    for (auto [condition, start] : open) {
      Side& inner = sides.emplace_back(run_, &side);
      Term unused;
      Arrival arrival = go(inner, frame, start, *after, terms_.band(guard, condition), &unused);
      if (arrival == Arrival::GaveUp) return arrival;
      if (arrival == Arrival::Ended) continue;
      ways.push_back({condition, &inner});
      written.push_back(&inner);
    }
    --depth_;
    if (ways.empty()) return Arrival::Ended;
    auto merged = merge(terms_, ways, written, frame.number);
    if (!merged) return Arrival::GaveUp;
    for (const auto& [cell, value] : merged->registers) side.cells.set_reg(cell, value);
    for (const auto& [bytes, value] : merged->memory) side.cells.store(bytes.address, value);
    return Arrival::Join;
  }

  Arrival statement(Side& side, Frame frame, uint32_t edge, Term* guard) {
    const Statement& s = program_.functions[frame.function].edges[edge].statement;
    switch (s.kind) {
      case Kind::Skip:
      case Kind::Fence:
      case Kind::AtomicBegin:
      case Kind::AtomicEnd:
      case Kind::Yield: return Arrival::Join;
      case Kind::Output: return output(side, frame, s);
      case Kind::Check:
        if (semantics::treatment(run_.machine().code().specification(), s.property) == semantics::Treatment::Ignored)
          return Arrival::Join;
        [[fallthrough]];
      case Kind::Assume: {
        Term condition = side.evaluate(s.operands[0], frame.number);
        if (!condition) return Arrival::GaveUp;
        if (s.kind == Kind::Check) fail(terms_.band(*guard, terms_.bnot(condition)));
        *guard = terms_.band(*guard, condition);
        return condition.is_false() ? Arrival::Ended : Arrival::Join;
      }
      case Kind::Halt: return Arrival::Ended;
      case Kind::Error: fail(*guard); return Arrival::Ended;
      case Kind::Call: return call(side, frame, s, *guard);
      case Kind::Freed:  // asked only where there are other threads
      case Kind::Shared:
      case Kind::Self: {
        unsigned width = program_.functions[frame.function].registers[s.targets[0]].width();
        side.cells.set_reg({0, frame.number, s.targets[0]}, terms_.constant(width, 0));
        return Arrival::Join;
      }
      default: return effect(side, frame, s, run_.meanings().of(frame.function, edge));
    }
  }

  void fail(Term condition) { fails_ = terms_.bor(fails_, condition); }

  /// Assigns and writes at known, valid addresses; gives up at everything else.
  Arrival effect(Side& side, Frame frame, const Statement& s, const semantics::Meaning& m) {
    if (m.wait || m.object || (m.assigns.empty() && m.writes.empty())) return Arrival::GaveUp;
    Bytes bytes;
    for (const semantics::Access& access : semantics::accesses(s)) {
      Term address = side.evaluate(s.operands[access.address], frame.number);
      if (access.size_operand != semantics::Access::kFixed || !address || !address.is_constant() ||
          !run_.valid(access, address.value64()))
        return Arrival::GaveUp;
      bytes = {address.value64(), access.bytes};
    }
    auto value = [&](Term t) { return side.evaluate(t, frame.number, [&](Term) { return side.load(bytes); }); };
    std::vector<Term> assigned, written;
    for (const semantics::Assign& a : m.assigns) {
      assigned.push_back(a.source == semantics::Assign::Source::Value ? value(a.value) : Term());
      if (!assigned.back()) return Arrival::GaveUp;
    }
    for (const semantics::Write& w : m.writes) {
      written.push_back(value(w.value));
      if (!written.back()) return Arrival::GaveUp;
    }
    for (size_t i = 0; i < assigned.size(); ++i) side.cells.set_reg({0, frame.number, m.assigns[i].target}, assigned[i]);
    for (Term w : written) side.cells.store(bytes.address, w);
    return Arrival::Join;
  }

  Arrival output(const Side& side, Frame frame, const Statement& s) {
    semantics::Access access = semantics::accesses(s)[0];
    Term address = side.evaluate(s.operands[access.address], frame.number);
    Term size = side.evaluate(s.operands[access.size_operand], frame.number);
    if (!address || !size || !address.is_constant() || !size.is_constant()) return Arrival::GaveUp;
    const bool readable = run_.machine().initialised(address.value64(), size.value64());
    return size.value64() == 0 || readable ? Arrival::Join : Arrival::GaveUp;
  }

  Arrival call(Side& side, Frame frame, const Statement& s, Term guard) {
    const Function& callee = program_.functions[s.callee];
    if (callee.locations.empty() || s.operands.size() != callee.parameter_count || depth_ > kNesting)
      return Arrival::GaveUp;
    // A frame number that neither the machine nor another frame of this walk has.
    const Frame inner{std::max(frame.number + 1, run_.machine().frame_count(0)), s.callee};
    for (size_t i = 0; i < s.operands.size(); ++i) {
      Term argument = side.evaluate(s.operands[i], frame.number);
      if (!argument || argument.width() != callee.registers[i].width()) return Arrival::GaveUp;
      side.cells.set_reg({0, inner.number, static_cast<program::RegisterId>(i)}, argument);
    }
    Term result;
    ++depth_;
    Arrival arrival = go(side, inner, callee.entry, kNone, guard, &result);
    --depth_;
    side.cells.forget_frames(0, inner.number);
    if (arrival != Arrival::Join || s.targets.empty()) return arrival;
    if (!result || result.width() != program_.functions[frame.function].registers[s.targets[0]].width())
      return Arrival::GaveUp;
    side.cells.set_reg({0, frame.number, s.targets[0]}, result);
    return Arrival::Join;
  }

  exec::SymbolicMachine& run_;
  const program::Program& program_;
  Regions& regions_;
  term::Store& terms_;
  unsigned budget_;
  unsigned depth_ = 0;
  Term fails_ = terms_.falsity();
};

}  // namespace

Walk sidestep(exec::SymbolicMachine& run, Regions& regions, unsigned budget, Side& side, uint32_t frame,
              FunctionId function, LocationId start, LocationId join) {
  Walker walker(run, regions, budget);
  Term unused;
  Arrival arrival = walker.go(side, {frame, function}, start, join, run.program().terms().truth(), &unused);
  return {arrival, walker.fails()};
}

}  // namespace whittle::engines::dpr
