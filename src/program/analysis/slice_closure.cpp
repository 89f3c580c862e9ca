#include "program/analysis/slice_closure.h"

#include <algorithm>

#include "program/analysis/targets.h"
#include "semantics/demand.h"

namespace whittle::program::analysis {

using term::Term;

bool is_access(const Statement& s) { return s.kind == Kind::HeapFree || !semantics::accesses(s).empty(); }

namespace {

bool is_call(Kind kind) { return kind == Kind::Call || kind == Kind::IndirectCall || kind == Kind::Spawn; }

}  // namespace

bool SafeAccesses::holds(FunctionId f, const Statement& s) const {
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

bool SafeAccesses::in_table(FunctionId f, const Statement& s) const {
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

SliceClosure::SliceClosure(const Program& program, const CallGraph& calls, const PointsTo& points,
                           const SafeAccesses& safe, std::vector<BitSet>& edges)
    : program_(program),
      calls_(calls),
      points_(points),
      safe_(safe),
      edges_(edges),
      contents_(points.places().size()),
      lives_(points.places().size()),
      results_(program.functions.size()),
      entered_(program.functions.size()) {
  for (const Function& f : program.functions) {
    registers_.emplace_back(f.registers.size());
    access_of_.emplace_back(f.edges.size(), kNone);  // places may be made in functions that are never called
    definitions_.emplace_back(f.registers.size());
    control_.emplace_back();
  }
  callers_.resize(program.functions.size());
  calls.reachable().each([&](size_t f) { index(static_cast<FunctionId>(f)); });
}

void SliceClosure::add_validity(FunctionId f, uint32_t e) {
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

void SliceClosure::run() {
  while (!open_.empty()) {
    auto [f, e] = open_.back();
    open_.pop_back();
    reach(f, e);
    operands(f, e);
  }
}

bool SliceClosure::depends_on_memory(FunctionId f, Term term) const {
  BitSet seen(program_.functions[f].registers.size());
  std::vector<RegisterId> stack;
  auto push = [&](Term t) {
    for (Term variable : term::variables(t)) {
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

void SliceClosure::index(FunctionId f) {
  const Function& function = program_.functions[f];
  for (uint32_t e = 0; e < function.edges.size(); ++e) {
    const Statement& s = function.edges[e].statement;
    if (safe_.never_reached(f, function.edges[e].from)) continue;
    for (RegisterId r : s.targets) definitions_[f][r].push_back(e);
    for (FunctionId to : functions_called(calls_, points_, s)) callers_[to].push_back({f, e});
    if (!is_access(s)) continue;
    access_of_[f][e] = static_cast<uint32_t>(accesses_.size());
    accesses_.push_back(accessed_by(points_, s));
    if (!accesses_.back().writes.empty()) writers_.push_back({f, e});
  }
}

const ControlDependence& SliceClosure::control(FunctionId f) {
  if (!control_[f]) control_[f] = std::make_unique<ControlDependence>(program_.functions[f]);
  return *control_[f];
}

void SliceClosure::reach(FunctionId f, uint32_t e) {
  const Function& function = program_.functions[f];
  const Edge& edge = function.edges[e];
  for (uint32_t c : control(f).edges(edge.from)) branch(f, function.edges[c].from);
  if (function.locations[edge.from].edge_count > 1) branch(f, edge.from);
  enter(f);
}

void SliceClosure::branch(FunctionId f, LocationId l) {
  const Location& location = program_.functions[f].locations[l];
  for (uint32_t i = 0; i < location.edge_count; ++i) add(f, location.first_edge + i);
}

void SliceClosure::enter(FunctionId f) {
  if (!entered_.set(f)) return;
  for (EdgeRef site : callers_[f]) add(site.function, site.edge);
}

void SliceClosure::operands(FunctionId f, uint32_t e) {
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

void SliceClosure::read(FunctionId f, Term term) {
  for (Term variable : term::variables(term)) value(f, program_.register_of(variable).reg);
}

void SliceClosure::value(FunctionId f, RegisterId r) {
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
    for (EdgeRef site : callers_[f]) {
      const Statement& s = program_.functions[site.function].edges[site.edge].statement;
      size_t argument = r + (s.kind == Kind::Call ? 0 : 1);
      add(site.function, site.edge);
      if (argument < s.operands.size()) read(site.function, s.operands[argument]);
    }
}

void SliceClosure::result(FunctionId f) {
  if (!results_.set(f)) return;
  const Function& function = program_.functions[f];
  for (uint32_t e = 0; e < function.edges.size(); ++e) {
    if (function.edges[e].statement.kind != Kind::Return) continue;
    add(f, e);
    for (Term operand : function.edges[e].statement.operands) read(f, operand);
  }
}

void SliceClosure::contain(const BitSet& places) {
  BitSet news = places;
  news.subtract(contents_);
  if (news.empty()) return;
  contents_.merge(news);
  for (EdgeRef site : writers_)
    if (points_.places().overlap(access(site.function, site.edge).writes, news)) add(site.function, site.edge);
}

BitSet SliceClosure::heap() const {
  const Places& all = points_.places();
  BitSet answer(all.size());
  for (PlaceId p = all.statics(); p < all.objects(); ++p)
    if (all.site(p).heap) answer.set(p);
  return answer;
}

void SliceClosure::live(const BitSet& places) {
  BitSet news = places;
  news.subtract(lives_);
  if (news.empty()) return;
  lives_.merge(news);
  const Places& all = points_.places();
  for (EdgeRef site : writers_)
    if (program_.functions[site.function].edges[site.edge].statement.kind == Kind::HeapFree &&
        all.overlap(access(site.function, site.edge).writes, news))
      add(site.function, site.edge);
  for (PlaceId p = all.statics(); p < all.objects(); ++p) {
    if (!all.contains(news, p)) continue;
    const Places::AllocationSite& site = all.site(p);
    add(site.function, site.edge);
    if (site.heap) continue;
    const Function& function = program_.functions[site.function];
    for (uint32_t e = 0; e < function.edges.size(); ++e)
      if (function.edges[e].statement.kind == Kind::Return || function.edges[e].statement.kind == Kind::StackRestore)
        add(site.function, e);
  }
}

}  // namespace whittle::program::analysis
