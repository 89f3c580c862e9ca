#include "program/analysis/reachability.h"

#include "semantics/demand.h"

namespace whittle::program::analysis {

using verdict::Property;

namespace {

/// Marks all from which a marked location of the function can be reached. Is anything new?
bool spread_backwards(const Function& f, BitSet& marked) {
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = f.edges.size(); i-- > 0;) {
      const Edge& edge = f.edges[i];
      if (edge.to != kNone && marked.test(edge.to) && !marked.test(edge.from)) changed |= marked.set(edge.from);
    }
    any |= changed;
  }
  return any;
}

bool ends_run(Kind kind) { return kind == Kind::Return || kind == Kind::ThreadExit || kind == Kind::Halt; }

std::vector<BitSet> one_per_location(const Program& program) {
  std::vector<BitSet> sets;
  for (const Function& f : program.functions) sets.emplace_back(f.locations.size());
  return sets;
}

}  // namespace

Reachability::Reachability(const Program& program, const CallGraph& calls, const Questions& questions,
                           const Known& known)
    : program_(program),
      questions_(questions),
      concurrent_(calls.concurrent()),
      before_return_(one_per_location(program)),
      returns_(one_per_location(program)),
      after_return_(program.functions.size()) {
  for (const Function& f : program.functions)
    for (const Edge& edge : f.edges) allocates_ |= edge.statement.kind == Kind::HeapAlloc;
  find_before_return(program, calls, known);
  find_returns(program, calls);
  find_after_return(program, calls);
}

bool Reachability::can_fail(const Statement& s) const {
  auto asked = [&](Property p) { return questions_.undefined || questions_.properties.contains(p); };
  if (questions_.properties.contains(Property::Termination)) return true;
  // Memory is lost wherever its last pointer is: at an assignment, a store, a return.
  if (questions_.properties.contains(Property::ValidMemtrack) && allocates_) return true;
  const bool touches = !semantics::accesses(s).empty() && s.kind != Kind::Await;
  if (asked(Property::NoDataRace) && concurrent_ && !s.local && (touches || semantics::ends_object(s))) return true;
  if (questions_.properties.contains(Property::ValidMemcleanup) && allocates_ && ends_run(s.kind)) return true;
  for (const semantics::Demand& demand : semantics::demands(s)) {
    using enum semantics::Demand::Kind;
    if (demand.kind == Supported) return true;
    // A blocked thread is no undefined behaviour.
    const bool matters = demand.kind == Progress ? questions_.properties.contains(demand.property) : asked(demand.property);
    if (matters && !semantics::always_met(program_, s, demand)) return true;
  }
  return false;
}

void Reachability::find_before_return(const Program& program, const CallGraph& calls, const Known& known) {
  auto never = [&](FunctionId f, const Edge& edge) {
    return known.never_reached && calls.reachable().test(f) && known.never_reached(f, edge.from);
  };
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    for (const Edge& edge : program.functions[f].edges)
      if (can_fail(edge.statement) && !never(f, edge) && !(known.safe && known.safe(f, edge.statement)))
        before_return_[f].set(edge.from);
    spread_backwards(program.functions[f], before_return_[f]);
  }
  // Entries of callees and threads can fail: so can the places they are entered from. Callees come first in the order,
  // so this takes a second round only for recursion and threads.
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f : calls.bottom_up()) {
      bool news = false;
      for (const Edge& edge : program.functions[f].edges) {
        if (before_return_[f].test(edge.from) || never(f, edge)) continue;
        for (FunctionId to : calls.candidates(edge.statement))
          if (before_return_[to].test(program.functions[to].entry)) news |= before_return_[f].set(edge.from);
      }
      if (news) spread_backwards(program.functions[f], before_return_[f]), changed = true;
    }
  }
}

void Reachability::find_returns(const Program& program, const CallGraph& calls) {
  // A call is passed only if its callee can return: the least fixpoint, from nothing.
  // What is after a call that is not followed is not out of reach.
  auto passable = [&](const Function& function, const Edge& edge) {
    if (edge.statement.kind != Kind::Call && edge.statement.kind != Kind::IndirectCall) return true;
    for (FunctionId to : calls.candidates(edge.statement)) {
      if (returns_[to].test(program.functions[to].entry)) return true;
      if (edge.statement.kind == Kind::IndirectCall && !semantics::fits(function, edge.statement, program.functions[to]))
        return true;
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f : calls.bottom_up()) {
      for (bool news = true; news;) {
        news = false;
        for (size_t i = program.functions[f].edges.size(); i-- > 0;) {
          const Edge& edge = program.functions[f].edges[i];
          if (returns_[f].test(edge.from)) continue;
          bool leads = edge.statement.kind == Kind::Return || (edge.to != kNone && returns_[f].test(edge.to));
          if (leads && passable(program.functions[f], edge)) news |= returns_[f].set(edge.from);
        }
        changed |= news;
      }
    }
  }
}

void Reachability::find_after_return(const Program& program, const CallGraph& calls) {
  // Callers before callees: what a caller does after the call, or its own callers after theirs.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = calls.bottom_up().size(); i-- > 0;) {
      FunctionId f = calls.bottom_up()[i];
      for (const Edge& edge : program.functions[f].edges) {
        if (edge.statement.kind == Kind::Spawn || edge.to == kNone || !ever(f, edge.to)) continue;
        for (FunctionId to : calls.candidates(edge.statement)) changed |= after_return_.set(to);
      }
    }
  }
}

}  // namespace whittle::program::analysis
