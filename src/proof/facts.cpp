#include "proof/facts.h"

#include <algorithm>

#include "program/analysis/dominators.h"
#include "program/analysis/graph.h"

namespace whittle::proof {

using program::Function;
using program::FunctionId;
using program::Kind;
using program::LocationId;
using program::Statement;
using term::Term;
using verdict::Property;
namespace analysis = program::analysis;

Facts::Facts(const program::Program& program, const verdict::Specification& specification)
    : program_(program),
      specification_(specification),
      calls_(program),
      points_(program, calls_),
      accesses_(program, calls_, points_),
      unwritten_(program.objects.size()),
      harmless_(program.functions.size()),
      copied_(points_.places().size()),
      good_(points_.places().size()),
      objects_(program.functions.size()),
      initialised_(program.functions.size()),
      reached_(program.functions.size()) {
  BitSet written = analysis::written_objects(program, calls_, points_);
  for (size_t o = 0; o < program.objects.size(); ++o)
    if (!written.test(o)) unwritten_.set(o);
  find_harmless();
  for (const Function& f : program.functions)
    for (const program::Edge& edge : f.edges)
      if (edge.statement.kind == Kind::Copy) copied_.merge(points_.accessed(edge.statement.operands[0]));
  // A Copy may also copy that bytes have no value.
  for (program::ObjectId o = 0; o < program.objects.size(); ++o)
    if (!program.objects[o].thread_local_ && !points_.places().contains(copied_, points_.places().of_object(o)))
      good_.set(points_.places().of_object(o));
  for (FunctionId f = 0; f < program.functions.size(); ++f) find_frame_objects(f), find_initialised(f);
}

bool Facts::asked(const Statement& s) const { return specification_.has(s.property); }

bool Facts::can_fail(const Statement& s) const {
  const bool memory = specification_.has(Property::ValidDeref);
  switch (s.kind) {
    case Kind::Check: return asked(s);
    case Kind::Error: return asked(s);
    case Kind::Unsupported:
    case Kind::Spawn: return true;
    case Kind::Await: return specification_.has(Property::NoDeadlock);
    case Kind::HeapFree: return specification_.has(Property::ValidFree) && !s.operands[0].is_constant(0);
    case Kind::Load:
    case Kind::Store:
    case Kind::AtomicRmw:
    case Kind::AtomicCas: {
      if (!memory) return false;
      if (!s.operands[0].is_constant()) return true;
      auto object = program_.object_at(s.operands[0].value64());
      const uint64_t end = s.operands[0].value64() + s.width / 8;
      return !object || end > program_.objects[*object].address + program_.objects[*object].size ||
             (s.kind != Kind::Load && program_.objects[*object].constant);
    }
    case Kind::Copy:
    case Kind::Fill:
    case Kind::Output:
    case Kind::IndirectCall: return memory;
    default: return false;
  }
}

/// Everything that cannot be seen to be harmless is not: the greatest set closed under calls.
void Facts::find_harmless() {
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    const auto& edges = program_.functions[f].edges;
    bool named = specification_.has(Property::UnreachCall) &&
                 specification_.error_functions.contains(program_.functions[f].name);
    if (!named &&
        std::none_of(edges.begin(), edges.end(), [&](const program::Edge& e) { return can_fail(e.statement); }))
      harmless_.set(f);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f = 0; f < program_.functions.size(); ++f)
      for (FunctionId g : calls_.callees(f))
        if (harmless_.test(f) && !harmless_.test(g)) harmless_.reset(f), changed = true;
  }
}

std::shared_ptr<const BitSet> Facts::kept_by(FunctionId f) const {
  const BitSet& writes = accesses_.before_return(f, program_.functions[f].entry).writes;
  auto kept = std::make_shared<BitSet>(program_.objects.size());
  for (program::ObjectId o = 0; o < program_.objects.size(); ++o)
    if (!points_.places().contains(writes, points_.places().of_object(o))) kept->set(o);
  return kept;
}

void Facts::find_frame_objects(FunctionId f) {
  const Function& function = program_.functions[f];
  std::vector<unsigned> assigned(function.registers.size());
  for (const program::Edge& edge : function.edges) {
    if (edge.statement.kind == Kind::StackRestore) return;  // objects may end early
    for (program::RegisterId target : edge.statement.targets) ++assigned[target];
  }
  for (uint32_t e = 0; e < function.edges.size(); ++e) {
    const Statement& s = function.edges[e].statement;
    if (s.kind != Kind::StackAlloc || !s.operands[0].is_constant()) continue;
    const program::RegisterId reg = s.targets[0];
    if (assigned[reg] != 1 || reg < function.parameter_count) continue;
    objects_[f].push_back({reg, e, s.operands[0].value64(), s.align});
  }
}

std::vector<FrameObject> Facts::frame_objects(FunctionId f, LocationId l) const {
  std::vector<FrameObject> there;
  if (objects_[f].empty()) return there;
  const Function& function = program_.functions[f];
  analysis::Dominators dominators(analysis::flow_graph(function), function.entry);
  for (const FrameObject& object : objects_[f]) {
    const LocationId from = function.edges[object.edge].from;
    if (from != l && function.locations[from].edge_count == 1 && dominators.dominates(from, l)) there.push_back(object);
  }
  return there;
}

const FrameObject* Facts::frame_object(FunctionId f, uint32_t edge) const {
  for (const FrameObject& object : objects_[f])
    if (object.edge == edge) return &object;
  return nullptr;
}

std::optional<std::pair<const FrameObject*, uint64_t>> Facts::place(FunctionId f, Term address) const {
  for (const FrameObject& object : objects_[f]) {
    Term offset = program_.terms().sub(address, program_.functions[f].registers[object.reg].variable);
    if (offset.is_constant()) return std::pair{&object, offset.value64()};
  }
  return std::nullopt;
}

void Facts::transfer(FunctionId f, uint32_t e, Initialised& state) const {
  const Statement& s = program_.functions[f].edges[e].statement;
  auto write = [&](Term address, uint64_t size) {
    auto where = place(f, address);
    if (!where || where->second + size > where->first->size) return;
    Bytes& bytes = state[where->first->reg];
    bytes.resize(where->first->size);
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(where->second), size, true);
  };
  if (s.kind == Kind::StackAlloc)
    state.erase(s.targets[0]);
  else if (s.kind == Kind::Store)
    write(s.operands[0], s.width / 8);
  else if (s.kind == Kind::Fill && s.operands[2].is_constant())
    write(s.operands[0], s.operands[2].value64());
}

void Facts::find_initialised(FunctionId f) {
  if (objects_[f].empty()) return;
  const Function& function = program_.functions[f];
  auto& at = initialised_[f];
  auto& reached = reached_[f];
  at.assign(function.locations.size(), {});
  reached.assign(function.locations.size(), false);
  std::vector<LocationId> todo{function.entry};
  reached[function.entry] = true;
  while (!todo.empty()) {
    LocationId l = todo.back();
    todo.pop_back();
    for (uint32_t i = 0; i < function.locations[l].edge_count; ++i) {
      const uint32_t e = function.locations[l].first_edge + i;
      const LocationId to = function.edges[e].to;
      if (to == program::kNone) continue;
      Initialised state = at[l];
      transfer(f, e, state);
      bool changed = !reached[to];
      if (reached[to]) {  // what both ways have
        for (auto it = at[to].begin(); it != at[to].end();) {
          auto other = state.find(it->first);
          Bytes both(it->second.size());
          if (other != state.end())
            for (size_t b = 0; b < both.size(); ++b) both[b] = it->second[b] && other->second[b];
          changed = changed || both != it->second;
          it->second = std::move(both);
          ++it;
        }
      } else {
        at[to] = std::move(state);
        reached[to] = true;
      }
      if (changed) todo.push_back(to);
    }
  }
  for (const FrameObject& object : objects_[f]) {
    analysis::PlaceId p = points_.places().of_site(f, object.edge);
    if (!points_.places().contains(copied_, p) && fully_initialised_before_escape(f, object)) good_.set(p);
  }
}

bool Facts::fully_initialised_before_escape(FunctionId f, const FrameObject& object) const {
  const Function& function = program_.functions[f];
  const Term variable = function.registers[object.reg].variable;
  for (uint32_t e = 0; e < function.edges.size(); ++e) {
    const program::Edge& edge = function.edges[e];
    if (!reached_[f][edge.from]) continue;
    const Statement& s = edge.statement;
    for (size_t i = 0; i < s.operands.size(); ++i) {
      std::vector<Term> variables = term::variables(s.operands[i]);
      if (std::find(variables.begin(), variables.end(), variable) == variables.end()) continue;
      // Direct stores and fills make values; direct loads are looked at one by one.
      const bool direct =
          i == 0 && (s.kind == Kind::Load || s.kind == Kind::Store || s.kind == Kind::Fill) && place(f, s.operands[0]);
      if (direct) continue;
      auto it = initialised_[f][edge.from].find(object.reg);
      if (it == initialised_[f][edge.from].end() ||
          !std::all_of(it->second.begin(), it->second.end(), [](bool b) { return b; }))
        return false;
    }
  }
  return true;
}

bool Facts::initialised(FunctionId f, uint32_t e) const {
  const program::Edge& edge = program_.functions[f].edges[e];
  const Term address = edge.statement.operands[0];
  const uint64_t size = edge.statement.width / 8;
  const analysis::Places& places = points_.places();
  if (auto where = place(f, address)) {  // in the function's own object: byte by byte
    if (places.contains(copied_, places.of_site(f, where->first->edge)) || !reached_[f][edge.from]) return false;
    auto it = initialised_[f][edge.from].find(where->first->reg);
    if (it == initialised_[f][edge.from].end() || where->second + size > it->second.size()) return false;
    for (uint64_t b = 0; b < size; ++b)
      if (!it->second[where->second + b]) return false;
    return true;
  }
  BitSet accessed = points_.accessed(address);
  if (accessed.test(places.anything())) return false;
  for (analysis::PlaceId p = 0; p < places.objects(); ++p)
    if (accessed.test(p) && !good_.test(p)) return false;
  return true;
}

}  // namespace whittle::proof
