#include "program/analysis/slice.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "program/analysis/access.h"
#include "program/analysis/control_dependence.h"
#include "program/analysis/dominators.h"
#include "program/analysis/few_values.h"
#include "program/analysis/graph.h"
#include "program/analysis/liveness.h"
#include "program/analysis/loops.h"
#include "program/analysis/meetings.h"
#include "program/analysis/short_waits.h"
#include "program/analysis/targets.h"
#include "semantics/demand.h"

namespace whittle::program::analysis {

using term::Term;
using verdict::Property;

namespace {

bool is_call(Kind kind) { return kind == Kind::Call || kind == Kind::IndirectCall || kind == Kind::Spawn; }

/// Statements that touch memory themselves, or end an object.
bool is_access(const Statement& s) { return s.kind == Kind::HeapFree || !semantics::accesses(s).empty(); }

/// Accesses that always go to memory that is there: to one of few known addresses, or inside of the tables of threads.
class Safety {
 public:
  Safety(const Program& program, const CallGraph& calls, const PointsTo& points)
      : program_(program), points_(points), values_(program, calls, points) {}

  bool never_reached(FunctionId f, LocationId l) const { return !values_.reachable(f, l); }

  bool holds(FunctionId f, const Statement& s) const {
    const semantics::Accesses accesses = semantics::accesses(s);
    if (accesses.empty() || accesses[0].size_operand != semantics::Access::kFixed) return false;
    if (in_table(f, s)) return true;
    const semantics::Access& access = accesses[0];
    auto addresses = values_.of(f, s.operands[access.address]);
    return addresses && !addresses->empty() && std::all_of(addresses->begin(), addresses->end(), [&](u128 address) {
             return semantics::in_static_object(program_, static_cast<uint64_t>(address), access.bytes, access.align,
                                                access.write);
           });
  }

 private:
  bool in_table(FunctionId f, const Statement& s) const {
    if (!program_.functions[f].runtime) return false;
    BitSet touched = points_.accessed(s.operands[0]);
    const Places& places = points_.places();
    if (touched.test(places.anything())) return false;
    bool all = !touched.empty();
    touched.each([&](size_t p) {
      all = all && places.is_static(static_cast<PlaceId>(p)) && program_.objects[p].role == ObjectRole::ThreadTable;
    });
    return all;
  }

  const Program& program_;
  const PointsTo& points_;
  FewValues values_;
};

Reachability what_can_fail(const Program& program, const CallGraph& calls, const PointsTo& points,
                           const Questions& questions) {
  Safety safety(program, calls, points);
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

/// The closure, by worklist.
class Closure {
 public:
  Closure(const Program& program, const CallGraph& calls, const PointsTo& points, const Safety& safety,
          std::vector<BitSet>& edges)
      : program_(program),
        calls_(calls),
        points_(points),
        safety_(safety),
        edges_(edges),
        contents_(points.places().size()),
        lives_(points.places().size()),
        results_(program.functions.size()),
        entered_(program.functions.size()) {
    for (const Function& f : program.functions) {
      registers_.emplace_back(f.registers.size());
      definitions_.emplace_back(f.registers.size());
      control_.emplace_back();
    }
    callers_.resize(program.functions.size());
    calls.reachable().each([&](size_t f) { index(static_cast<FunctionId>(f)); });
  }

  /// All that decides whether and with which operands the statement is executed.
  void add(FunctionId f, uint32_t e) {
    if (edges_[f].set(e)) open_.push_back({f, e});
  }

  /// All that decides whether the access goes to an object that is alive and large enough: not what is in there, and
  /// not what is written.
  void add_validity(FunctionId f, uint32_t e) {
    const Statement& s = program_.functions[f].edges[e].statement;
    Access accessed = access(f, e);
    accessed.reads.merge(accessed.writes);
    live(accessed.reads);
    reach(f, e);
    read(f, s.operands[0]);
    for (const semantics::Access& touched : semantics::accesses(s)) {
      read(f, s.operands[touched.address]);
      if (touched.size_operand != semantics::Access::kFixed) read(f, s.operands[touched.size_operand]);
    }
  }

  void run() {
    while (!open_.empty()) {
      auto [f, e] = open_.back();
      open_.pop_back();
      expand(f, e);
    }
  }

  const Access& access(FunctionId f, uint32_t e) const { return accesses_[access_of_[f][e]]; }
  bool has_access(FunctionId f, uint32_t e) const { return access_of_[f][e] != kNone; }

  /// Does the value of the term depend on memory, or on what callers and callees do? Within the function, whatever the
  /// order.
  bool depends_on_memory(FunctionId f, Term term) const {
    BitSet seen(program_.functions[f].registers.size());
    std::vector<RegisterId> stack;
    auto push = [&](Term t) {
      for (Term variable : variables(t)) {
        RegisterId r = program_.register_of(variable).reg;
        if (seen.set(r)) stack.push_back(r);
      }
    };
    push(term);
    while (!stack.empty()) {
      RegisterId r = stack.back();
      stack.pop_back();
      if (r < program_.functions[f].parameter_count) return true;
      for (uint32_t e : definitions_[f][r]) {
        const Statement& s = program_.functions[f].edges[e].statement;
        if (is_access(s) || is_call(s.kind)) return true;
        for (Term operand : s.operands) push(operand);
      }
    }
    return false;
  }

 private:
  struct Site {
    FunctionId function;
    uint32_t edge;
  };

  static std::vector<Term> variables(Term term) { return term::variables(term); }

  void index(FunctionId f) {
    const Function& function = program_.functions[f];
    if (access_of_.size() <= f) access_of_.resize(f + 1);
    access_of_[f].assign(function.edges.size(), kNone);
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      const Statement& s = function.edges[e].statement;
      if (safety_.never_reached(f, function.edges[e].from)) continue;
      for (RegisterId r : s.targets) definitions_[f][r].push_back(e);
      for (FunctionId to : functions_called(calls_, points_, s)) callers_[to].push_back({f, e});
      if (!is_access(s)) continue;
      access_of_[f][e] = static_cast<uint32_t>(accesses_.size());
      accesses_.push_back(accessed_by(points_, s));
      if (!accesses_.back().writes.empty()) writers_.push_back({f, e});
    }
  }

  const ControlDependence& control(FunctionId f) {
    if (!control_[f]) control_[f] = std::make_unique<ControlDependence>(program_.functions[f]);
    return *control_[f];
  }

  void expand(FunctionId f, uint32_t e) {
    reach(f, e);
    operands(f, e);
  }

  /// What decides whether the statement is executed.
  void reach(FunctionId f, uint32_t e) {
    const Function& function = program_.functions[f];
    const Edge& edge = function.edges[e];
    for (uint32_t c : control(f).edges(edge.from)) branch(f, function.edges[c].from);
    if (function.locations[edge.from].edge_count > 1) branch(f, edge.from);
    enter(f);
  }

  void branch(FunctionId f, LocationId l) {
    const Location& location = program_.functions[f].locations[l];
    for (uint32_t i = 0; i < location.edge_count; ++i) add(f, location.first_edge + i);
  }

  /// The function runs if someone calls it or starts it.
  void enter(FunctionId f) {
    if (!entered_.set(f)) return;
    for (Site site : callers_[f]) add(site.function, site.edge);
  }

  void operands(FunctionId f, uint32_t e) {
    const Statement& s = program_.functions[f].edges[e].statement;
    switch (s.kind) {
      case Kind::Assign:  // only those that are asked for: value()
      case Kind::Call:    // arguments: if the parameter is asked for
      case Kind::Return:  // if the result is
      case Kind::Halt:    // the status does not matter
        break;
      case Kind::IndirectCall:
      case Kind::Spawn: read(f, s.operands[0]); break;
      case Kind::Load: read(f, s.operands[0]); break;
      default:
        for (Term operand : s.operands) read(f, operand);
        if (has_access(f, e)) contain(access(f, e).reads);
        if (asks(s.kind) && s.kind != Kind::Shared && info(s.kind).operands == "a") live(points_.accessed(s.operands[0]));
        if (s.kind == Kind::Freed) live(heap()), contain(points_.accessed(s.operands[2]));
    }
  }

  void read(FunctionId f, Term term) {
    for (Term variable : variables(term)) value(f, program_.register_of(variable).reg);
  }

  /// The value of the register matters.
  void value(FunctionId f, RegisterId r) {
    if (!registers_[f].set(r)) return;
    const Function& function = program_.functions[f];
    for (uint32_t e : definitions_[f][r]) {
      const Statement& s = function.edges[e].statement;
      // Numbers of threads are names: which of them a new thread gets makes no difference.
      if (s.kind == Kind::Spawn && function.role == FunctionRole::StartThread) continue;
      add(f, e);
      if (s.kind == Kind::Assign) {
        for (size_t i = 0; i < s.targets.size(); ++i)
          if (s.targets[i] == r) read(f, s.operands[i]);
      } else if (s.kind == Kind::Load) {
        contain(access(f, e).reads);
      } else if (s.kind == Kind::Call || s.kind == Kind::IndirectCall) {
        for (FunctionId to : functions_called(calls_, points_, s)) result(to);
      }
    }
    if (r < function.parameter_count)
      for (Site site : callers_[f]) {
        const Statement& s = program_.functions[site.function].edges[site.edge].statement;
        size_t argument = r + (s.kind == Kind::Call ? 0 : 1);
        add(site.function, site.edge);
        if (argument < s.operands.size()) read(site.function, s.operands[argument]);
      }
  }

  void result(FunctionId f) {
    if (!results_.set(f)) return;
    const Function& function = program_.functions[f];
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      if (function.edges[e].statement.kind != Kind::Return) continue;
      add(f, e);
      for (Term operand : function.edges[e].statement.operands) read(f, operand);
    }
  }

  /// What is stored in the places matters.
  void contain(const BitSet& places) {
    BitSet news = places;
    news.subtract(contents_);
    if (news.empty()) return;
    contents_.merge(news);
    for (Site site : writers_)
      if (points_.places().overlap(access(site.function, site.edge).writes, news)) add(site.function, site.edge);
  }

  BitSet heap() const {
    const Places& all = points_.places();
    BitSet answer(all.size());
    for (PlaceId p = all.statics(); p < all.objects(); ++p)
      if (all.site(p).heap) answer.set(p);
    return answer;
  }

  /// When objects of the places end matters.
  void live(const BitSet& places) {
    BitSet news = places;
    news.subtract(lives_);
    if (news.empty()) return;
    lives_.merge(news);
    const Places& all = points_.places();
    for (Site site : writers_)
      if (program_.functions[site.function].edges[site.edge].statement.kind == Kind::HeapFree &&
          all.overlap(access(site.function, site.edge).writes, news))
        add(site.function, site.edge);
    for (PlaceId p = all.statics(); p < all.objects(); ++p) {
      if (!all.contains(news, p)) continue;
      const Places::Site& site = all.site(p);
      add(site.function, site.edge);
      if (site.heap) continue;
      const Function& function = program_.functions[site.function];
      for (uint32_t e = 0; e < function.edges.size(); ++e)
        if (function.edges[e].statement.kind == Kind::Return || function.edges[e].statement.kind == Kind::StackRestore)
          add(site.function, e);
    }
  }

  const Program& program_;
  const CallGraph& calls_;
  const PointsTo& points_;
  const Safety& safety_;
  std::vector<BitSet>& edges_;
  BitSet contents_, lives_;
  BitSet results_, entered_;  ///< functions
  std::vector<BitSet> registers_;
  std::vector<std::vector<std::vector<uint32_t>>> definitions_;  ///< by function and register
  std::vector<std::unique_ptr<ControlDependence>> control_;
  std::vector<std::vector<Site>> callers_;
  std::vector<std::vector<uint32_t>> access_of_;
  std::vector<Access> accesses_;
  std::vector<Site> writers_, open_;
};

/// Can the statement keep its thread, or others, from getting on? Awaits are looked at apart.
bool stops(const Function& f, const Edge& edge) {
  switch (edge.statement.kind) {
    case Kind::Halt:
    case Kind::ThreadExit: return true;
    case Kind::Assume: return f.locations[edge.from].edge_count == 1;
    default: return false;
  }
}

}  // namespace

Slice::Slice(const Program& program, const CallGraph& calls, const PointsTo& points, const Questions& questions)
    : program_(program), ahead_(what_can_fail(program, calls, points, questions)) {
  for (const Function& f : program.functions) {
    edges_.emplace_back(f.edges.size());
    points_.emplace_back(f.edges.size());
  }
  Safety safety(program, calls, points);
  Closure closure(program, calls, points, safety, edges_);
  std::vector<std::pair<FunctionId, uint32_t>> fragile;  // accesses that can fail
  bool anything = false;
  calls.reachable().each([&](size_t f) {
    const Function& function = program.functions[f];
    total_ += function.edges.size();
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      const Statement& s = function.edges[e].statement;
      if (!ahead_.can_fail(s)) continue;
      auto id = static_cast<FunctionId>(f);
      if (safety.never_reached(id, function.edges[e].from)) continue;
      anything = true;
      // An access fails for where it goes, a check (or a wait, a free) for what it finds.
      bool for_its_address = closure.has_access(id, e) && s.kind != Kind::HeapFree && s.kind != Kind::Output &&
                             !questions.properties.contains(Property::NoDataRace) &&
                             !(s.kind == Kind::Await && questions.properties.contains(Property::NoDeadlock)) &&
                             !questions.properties.contains(Property::Termination) &&
                             !questions.properties.contains(Property::ValidMemtrack);
      if (!for_its_address) closure.add(id, e);
      if (!closure.has_access(id, e) || (for_its_address && safety.holds(id, s))) continue;
      closure.add_validity(id, e);
      fragile.emplace_back(id, e);
    }
  });
  if (!anything) return;
  calls.reachable().each([&](size_t f) {
    const Function& function = program.functions[f];
    auto id = static_cast<FunctionId>(f);
    for (uint32_t e = 0; e < function.edges.size(); ++e)
      if (stops(function, function.edges[e])) closure.add(id, e);
    Loops loops(function);
    Dominators dominators(flow_graph(function), function.entry);
    for (const Loop& loop : loops.all()) {
      if (counts(program, function, loop, dominators)) continue;
      // Whether it is entered, and every branch in it, not only where it is left: a `continue` may go round forever.
      if (function.locations[loop.head].edge_count != 0) closure.add(id, function.locations[loop.head].first_edge);
      for (LocationId l : loop.body)
        for (uint32_t e = function.locations[l].first_edge;
             e < function.locations[l].first_edge + function.locations[l].edge_count; ++e) {
          const Statement& s = function.edges[e].statement;
          if (s.kind == Kind::Assume && closure.depends_on_memory(id, s.operands[0])) closure.add(id, e);
        }
    }
    if (!loops.irreducible().empty())  // nothing is known about where it ends
      for (uint32_t e = 0; e < function.edges.size(); ++e)
        if (function.edges[e].statement.kind == Kind::Assume) closure.add(id, e);
  });
  closure.run();
  Meetings meetings(program, calls, points);
  std::vector<BitSet> meet;  // accesses whose order among threads matters
  auto find_meetings = [&] {
    meetings.clear();
    meet = edges_;
    calls.reachable().each([&](size_t f) {
      edges_[f].each([&](size_t e) {
        if (is_access(program.functions[f].edges[e].statement))
          meetings.count(static_cast<FunctionId>(f), static_cast<uint32_t>(e));
      });
    });
    calls.reachable().each([&](size_t f) {
      edges_[f].each([&](size_t e) {
        const Statement& s = program.functions[f].edges[e].statement;
        const Kind kind = s.kind;
        bool always = !is_access(s) || kind == Kind::HeapFree || kind == Kind::Await || kind == Kind::Output;
        if (!always && !meetings.possible(static_cast<FunctionId>(f), static_cast<uint32_t>(e))) meet[f].reset(e);
      });
    });
    for (auto [f, e] : fragile)
      if (meetings.mortal(f, e)) meet[f].set(e);
  };
  find_meetings();
  auto matters = [&](FunctionId f, uint32_t e) {
    return meet[f].test(e) && is_access(program.functions[f].edges[e].statement);
  };
  auto lingers = [&](FunctionId f, uint32_t e) {
    return closure.depends_on_memory(f, program.functions[f].edges[e].statement.operands[0]);
  };
  if (!waits_end(program, calls, points, matters, lingers)) {
    calls.reachable().each([&](size_t f) {
      for (uint32_t e = 0; e < program.functions[f].edges.size(); ++e)
        if (program.functions[f].edges[e].statement.kind == Kind::Await) closure.add(static_cast<FunctionId>(f), e);
    });
    closure.run();
    find_meetings();
  }

  // Functions that contain a relevant access, themselves or in callees.
  BitSet touching(program.functions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f : calls.bottom_up()) {
      if (touching.test(f) || !calls.reachable().test(f)) continue;
      const Function& function = program.functions[f];
      for (uint32_t e = 0; e < function.edges.size() && !touching.test(f); ++e) {
        bool here = matters(f, e);
        for (FunctionId to : functions_called(calls, points, function.edges[e].statement)) here |= touching.test(to);
        if (here) changed |= touching.set(f);
      }
    }
  }
  // Is there a relevant access in the region, or might it go on in a caller?
  auto region_matters = [&](FunctionId f, uint32_t begin) {
    const Function& function = program.functions[f];
    std::vector<bool> seen(function.locations.size());
    std::vector<LocationId> stack{function.edges[begin].to};
    seen[stack[0]] = true;
    while (!stack.empty()) {
      const Location& location = function.locations[stack.back()];
      stack.pop_back();
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
        const Edge& edge = function.edges[e];
        Kind kind = edge.statement.kind;
        if (kind == Kind::AtomicEnd) continue;  // of an inner region: then something more is looked at below
        if (kind == Kind::Halt) return true;    // others may run before the end of the program
        if (kind == Kind::AtomicBegin || kind == Kind::Return || kind == Kind::Spawn || kind == Kind::Await ||
            matters(f, e))
          return true;
        for (FunctionId to : functions_called(calls, points, edge.statement))
          if (touching.test(to)) return true;
        if (edge.to != kNone && !seen[edge.to]) seen[edge.to] = true, stack.push_back(edge.to);
      }
    }
    return false;
  };
  calls.reachable().each([&](size_t f) {
    const Function& function = program.functions[f];
    auto id = static_cast<FunctionId>(f);
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      const Statement& s = function.edges[e].statement;
      bool in = meet[f].test(e);
      if (s.kind == Kind::AtomicBegin || s.kind == Kind::Await) in = in || region_matters(id, e);
      if (in) points_[f].set(e);
      if (!is_access(s) || s.local) continue;
      ++accesses_;
      relevant_accesses_ += in ? 1 : 0;
    }
  });
  for (auto [f, e] : fragile) edges_[f].set(e);
  calls.reachable().each([&](size_t f) { relevant_ += edges_[f].count(); });
}

}  // namespace whittle::program::analysis
