#include "program/analysis/slice.h"

#include <algorithm>
#include <utility>

#include "program/analysis/dominators.h"
#include "program/analysis/graph.h"
#include "program/analysis/loops.h"
#include "program/analysis/meetings.h"
#include "program/analysis/short_waits.h"
#include "program/analysis/slice_closure.h"
#include "program/analysis/targets.h"
#include "semantics/demand.h"

namespace whittle::program::analysis {

using term::Term;
using verdict::Property;

namespace {

Reachability what_can_fail(const Program& program, const CallGraph& calls, const PointsTo& points,
                           const Questions& questions) {
  SafeAccesses safety(program, calls, points);
  bool all = questions.properties.contains(Property::NoDataRace) ||
             questions.properties.contains(Property::Termination) ||
             questions.properties.contains(Property::ValidMemtrack);
  bool waits = questions.properties.contains(Property::NoDeadlock);
  auto safe = [&](FunctionId f, const Statement& s) {
    return !all && !(waits && s.kind == Kind::Await) && calls.reachable().test(f) && safety.holds(f, s);
  };
  return Reachability(program, calls, questions,
                      {[&](FunctionId f, LocationId l) { return safety.never_reached(f, l); }, safe});
}

/// Does the loop count up or down to where it ends, in every round?
bool counts(const Program& program, const Function& f, const Loop& loop, const Dominators& dominators) {
  auto always = [&](LocationId l) {
    return std::all_of(loop.back_edges.begin(), loop.back_edges.end(),
                       [&](uint32_t e) { return dominators.dominates(l, f.edges[e].from); });
  };
  auto definitions = [&](RegisterId r) {
    std::vector<uint32_t> found;
    for (LocationId l : loop.body)
      for (uint32_t e = f.locations[l].first_edge; e < f.locations[l].first_edge + f.locations[l].edge_count; ++e)
        if (std::count(f.edges[e].statement.targets.begin(), f.edges[e].statement.targets.end(), r) > 0)
          found.push_back(e);
    return found;
  };
  auto steps = [&](uint32_t e, RegisterId r) {
    const Statement& s = f.edges[e].statement;
    if (s.kind != Kind::Assign || s.targets.size() != 1 || !always(f.edges[e].from)) return false;
    Term variable = f.registers[r].variable, one = program.terms().constant(variable.width(), 1);
    return s.operands[0] == program.terms().add(variable, one) || s.operands[0] == program.terms().sub(variable, one);
  };
  for (uint32_t exit : loop.exits) {
    const Edge& edge = f.edges[exit];
    if (edge.statement.kind != Kind::Assume || !always(edge.from)) continue;
    unsigned counters = 0;
    bool good = true;
    for (Term variable : term::variables(edge.statement.operands[0])) {
      RegisterId r = program.register_of(variable).reg;
      std::vector<uint32_t> found = definitions(r);
      if (found.empty()) continue;
      good = good && found.size() == 1 && steps(found[0], r);
      ++counters;
    }
    if (good && counters == 1) return true;
  }
  return false;
}

/// Can the statement keep its thread, or others, from getting on? Awaits are looked at apart.
bool stops(const Function& f, const Edge& edge) {
  switch (edge.statement.kind) {
    case Kind::Halt:
    case Kind::ThreadExit: return true;
    case Kind::Assume: return f.locations[edge.from].edge_count == 1;
    default: return false;
  }
}

/// The slice, part by part. Each part stands on those before it.
class Slicer {
 public:
  Slicer(const Program& program, const CallGraph& calls, const PointsTo& points, const Questions& questions,
         const Reachability& ahead, std::vector<BitSet>& edges)
      : program_(program),
        calls_(calls),
        points_(points),
        properties_(questions.properties),
        ahead_(ahead),
        edges_(edges),
        safe_(program, calls, points),
        closure_(program, calls, points, safe_, edges),
        meetings_(program, calls, points),
        touching_(program.functions.size()) {}

  /// What can fail, and what that depends on. False: nothing can.
  bool add_failures();
  /// What can keep a thread from getting on, and what that depends on. Waits: only if they may not end. After that the
  /// questions below can be asked.
  void add_delays();

  /// Does the order of the statement among those of other threads matter?
  bool meets(FunctionId f, uint32_t e) const { return meet_[f].test(e); }
  /// Is there an access that matters in the atomic region that begins here, or might it go on in a caller?
  bool region_matters(FunctionId f, uint32_t begin) const;
  /// Accesses that can fail for where they go.
  const std::vector<std::pair<FunctionId, uint32_t>>& fragile() const { return fragile_; }

 private:
  template <typename Visit>
  void each_function(const Visit& visit) const {
    calls_.reachable().each([&](size_t f) { visit(static_cast<FunctionId>(f), program_.functions[f]); });
  }
  bool asks(Property property) const { return properties_.contains(property); }
  bool fails_for_its_address(FunctionId f, uint32_t e) const;
  void add_endless_loops(FunctionId f, const Function& function);
  void add_waits();
  bool matters(FunctionId f, uint32_t e) const {
    return meet_[f].test(e) && is_access(program_.functions[f].edges[e].statement);
  }
  void compare_accesses();
  void find_touching();
  bool calls_touching(const Statement& s) const;

  const Program& program_;
  const CallGraph& calls_;
  const PointsTo& points_;
  const std::set<Property>& properties_;
  const Reachability& ahead_;
  std::vector<BitSet>& edges_;
  SafeAccesses safe_;
  SliceClosure closure_;
  Meetings meetings_;
  std::vector<BitSet> meet_;  ///< statements whose order among threads matters
  BitSet touching_;           ///< functions with an access that matters, themselves or in callees
  std::vector<std::pair<FunctionId, uint32_t>> fragile_;
};

/// An access fails for where it goes, a check (or a wait, a free) for what it finds.
bool Slicer::fails_for_its_address(FunctionId f, uint32_t e) const {
  const Kind kind = program_.functions[f].edges[e].statement.kind;
  return closure_.has_access(f, e) && kind != Kind::HeapFree && kind != Kind::Output && !asks(Property::NoDataRace) &&
         !(kind == Kind::Await && asks(Property::NoDeadlock)) && !asks(Property::Termination) &&
         !asks(Property::ValidMemtrack);
}

bool Slicer::add_failures() {
  bool anything = false;
  each_function([&](FunctionId f, const Function& function) {
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      const Statement& s = function.edges[e].statement;
      if (!ahead_.can_fail(s) || safe_.never_reached(f, function.edges[e].from)) continue;
      anything = true;
      const bool for_its_address = fails_for_its_address(f, e);
      if (!for_its_address) closure_.add(f, e);
      if (!closure_.has_access(f, e) || (for_its_address && safe_.holds(f, s))) continue;
      closure_.add_validity(f, e);
      fragile_.emplace_back(f, e);
    }
  });
  return anything;
}

void Slicer::add_delays() {
  each_function([&](FunctionId f, const Function& function) {
    for (uint32_t e = 0; e < function.edges.size(); ++e)
      if (stops(function, function.edges[e])) closure_.add(f, e);
    add_endless_loops(f, function);
  });
  closure_.run();
  compare_accesses();
  add_waits();
  find_touching();
}

void Slicer::add_endless_loops(FunctionId f, const Function& function) {
  Loops loops(function);
  Dominators dominators(flow_graph(function), function.entry);
  for (const Loop& loop : loops.all()) {
    if (counts(program_, function, loop, dominators)) continue;
    // Whether it is entered, and every branch in it, not only where it is left: a `continue` may go round forever.
    if (function.locations[loop.head].edge_count != 0) closure_.add(f, function.locations[loop.head].first_edge);
    for (LocationId l : loop.body)
      for (uint32_t e = function.locations[l].first_edge;
           e < function.locations[l].first_edge + function.locations[l].edge_count; ++e) {
        const Statement& s = function.edges[e].statement;
        if (s.kind == Kind::Assume && closure_.depends_on_memory(f, s.operands[0])) closure_.add(f, e);
      }
  }
  if (loops.irreducible().empty()) return;
  for (uint32_t e = 0; e < function.edges.size(); ++e)  // nothing is known about where it ends
    if (function.edges[e].statement.kind == Kind::Assume) closure_.add(f, e);
}

void Slicer::add_waits() {
  auto matter = [&](FunctionId f, uint32_t e) { return matters(f, e); };
  auto lingers = [&](FunctionId f, uint32_t e) {
    return closure_.depends_on_memory(f, program_.functions[f].edges[e].statement.operands[0]);
  };
  if (waits_end(program_, calls_, points_, matter, lingers)) return;
  each_function([&](FunctionId f, const Function& function) {
    for (uint32_t e = 0; e < function.edges.size(); ++e)
      if (function.edges[e].statement.kind == Kind::Await) closure_.add(f, e);
  });
  closure_.run();
  compare_accesses();
}

/// Which statements of the slice meet those of other threads.
void Slicer::compare_accesses() {
  meetings_.clear();
  meet_ = edges_;
  each_function([&](FunctionId f, const Function& function) {
    edges_[f].each([&](size_t e) {
      if (is_access(function.edges[e].statement)) meetings_.count(f, static_cast<uint32_t>(e));
    });
  });
  each_function([&](FunctionId f, const Function& function) {
    edges_[f].each([&](size_t e) {
      const Statement& s = function.edges[e].statement;
      bool always = !is_access(s) || s.kind == Kind::HeapFree || s.kind == Kind::Await || s.kind == Kind::Output;
      if (!always && !meetings_.possible(f, static_cast<uint32_t>(e))) meet_[f].reset(e);
    });
  });
  for (auto [f, e] : fragile_)
    if (meetings_.mortal(f, e)) meet_[f].set(e);
}

bool Slicer::calls_touching(const Statement& s) const {
  const auto& called = functions_called(calls_, points_, s);
  return std::any_of(called.begin(), called.end(), [&](FunctionId to) { return touching_.test(to); });
}

void Slicer::find_touching() {
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f : calls_.bottom_up()) {
      if (touching_.test(f) || !calls_.reachable().test(f)) continue;
      const Function& function = program_.functions[f];
      for (uint32_t e = 0; e < function.edges.size() && !touching_.test(f); ++e)
        if (matters(f, e) || calls_touching(function.edges[e].statement)) changed |= touching_.set(f);
    }
  }
}

bool Slicer::region_matters(FunctionId f, uint32_t begin) const {
  const Function& function = program_.functions[f];
  std::vector<bool> seen(function.locations.size());
  std::vector<LocationId> stack{function.edges[begin].to};
  seen[stack[0]] = true;
  while (!stack.empty()) {
    const Location& location = function.locations[stack.back()];
    stack.pop_back();
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const Edge& edge = function.edges[e];
      const Kind kind = edge.statement.kind;
      if (kind == Kind::AtomicEnd) continue;  // of an inner region: then something more is looked at below
      if (kind == Kind::Halt) return true;    // others may run before the end of the program
      if (kind == Kind::AtomicBegin || kind == Kind::Return || kind == Kind::Spawn || kind == Kind::Await ||
          matters(f, e) || calls_touching(edge.statement))
        return true;
      if (edge.to != kNone && !seen[edge.to]) seen[edge.to] = true, stack.push_back(edge.to);
    }
  }
  return false;
}

}  // namespace

Slice::Slice(const Program& program, const CallGraph& calls, const PointsTo& points, const Questions& questions)
    : program_(program), ahead_(what_can_fail(program, calls, points, questions)) {
  for (const Function& f : program.functions) {
    edges_.emplace_back(f.edges.size());
    points_.emplace_back(f.edges.size());
  }
  calls.reachable().each([&](size_t f) { total_ += program.functions[f].edges.size(); });
  Slicer slicer(program, calls, points, questions, ahead_, edges_);
  if (!slicer.add_failures()) return;
  slicer.add_delays();
  calls.reachable().each([&](size_t f) {
    const Function& function = program.functions[f];
    auto id = static_cast<FunctionId>(f);
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      const Statement& s = function.edges[e].statement;
      const bool region = s.kind == Kind::AtomicBegin || s.kind == Kind::Await;
      const bool in = slicer.meets(id, e) || (region && slicer.region_matters(id, e));
      if (in) points_[f].set(e);
      if (!is_access(s) || s.local) continue;
      ++accesses_;
      relevant_accesses_ += in ? 1 : 0;
    }
  });
  for (auto [f, e] : slicer.fragile()) edges_[f].set(e);
  calls.reachable().each([&](size_t f) { relevant_ += edges_[f].count(); });
}

}  // namespace whittle::program::analysis
