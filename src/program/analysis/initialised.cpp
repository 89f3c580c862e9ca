#include "program/analysis/initialised.h"

#include <algorithm>

namespace whittle::program::analysis {

using term::Term;

Initialised::Initialised(const Program& program, const PointsTo& points)
    : program_(program),
      points_(points),
      holes_(points.places().size()),
      partly_(points.places().size()),
      good_(points.places().size()),
      objects_(program.functions.size()),
      states_(program.functions.size()),
      reached_(program.functions.size()) {
  for (FunctionId f = 0; f < program.functions.size(); ++f) find_frame_objects(f);
  // At first no Copy is taken to copy bytes without a value. What follows from that shows which ones might; their
  // targets may have such bytes, and so on. In the end, the first Copy of a run that copied such a byte and is not
  // among those found would have found a value there, because up to it the assumption held.
  for (bool changed = true; changed;) {
    changed = false;
    good_ = BitSet(points.places().size());
    for (ObjectId o = 0; o < program.objects.size(); ++o)
      if (!program.objects[o].thread_local_) good_.set(points.places().of_object(o));
    for (FunctionId f = 0; f < program.functions.size(); ++f) follow(f);
    for (FunctionId f = 0; f < program.functions.size(); ++f)
      for (uint32_t e = 0; e < program.functions[f].edges.size(); ++e) {
        const Statement& s = program.functions[f].edges[e].statement;
        if (s.kind != Kind::Copy || all_copied(f, e)) continue;
        auto own = place(f, s.operands[0]);
        BitSet& known = own ? partly_ : holes_;
        BitSet more = known;
        if (own)
          more.set(points.places().of_site(f, own->first->edge));
        else
          more.merge(points.accessed(s.operands[0]));
        if (more == known) continue;
        known = std::move(more);
        changed = true;
      }
  }
}

void Initialised::find_frame_objects(FunctionId f) {
  const Function& function = program_.functions[f];
  std::vector<unsigned> assigned(function.registers.size());
  for (const Edge& edge : function.edges) {
    if (edge.statement.kind == Kind::StackRestore) return;  // objects may end early
    for (RegisterId target : edge.statement.targets) ++assigned[target];
  }
  for (uint32_t e = 0; e < function.edges.size(); ++e) {
    const Statement& s = function.edges[e].statement;
    if (s.kind != Kind::StackAlloc || !s.operands[0].is_constant()) continue;
    const RegisterId reg = s.targets[0];
    if (assigned[reg] != 1 || reg < function.parameter_count) continue;
    objects_[f].push_back({reg, e, s.operands[0].value64(), s.align});
  }
}

std::optional<std::pair<const FrameObject*, uint64_t>> Initialised::place(FunctionId f, Term address) const {
  for (const FrameObject& object : objects_[f]) {
    Term offset = program_.terms().sub(address, program_.functions[f].registers[object.reg].variable);
    if (offset.is_constant()) return std::pair{&object, offset.value64()};
  }
  return std::nullopt;
}

void Initialised::transfer(FunctionId f, uint32_t e, State& state) const {
  const Statement& s = program_.functions[f].edges[e].statement;
  auto write = [&](Term address, uint64_t size, auto&& value) {
    auto where = place(f, address);
    if (!where || where->second > where->first->size || size > where->first->size - where->second) return;
    Bytes& bytes = state[where->first->reg];
    bytes.resize(where->first->size);
    for (uint64_t i = 0; i < size; ++i) bytes[where->second + i] = value(i);
  };
  auto known = [](uint64_t) { return true; };
  if (s.kind == Kind::StackAlloc)
    state.erase(s.targets[0]);
  else if (s.kind == Kind::Store)
    write(s.operands[0], s.width / 8, known);
  else if (s.kind == Kind::Fill && s.operands[2].is_constant())
    write(s.operands[0], s.operands[2].value64(), known);
  else if (s.kind == Kind::Copy && s.operands[2].is_constant()) {
    const State before = state;
    write(s.operands[0], s.operands[2].value64(), [&](uint64_t i) { return copied(f, e, i, before); });
  }
}

void Initialised::follow(FunctionId f) {
  if (objects_[f].empty()) return;
  const Function& function = program_.functions[f];
  auto& at = states_[f];
  auto& reached = reached_[f];
  at.assign(function.locations.size(), {});
  reached.assign(function.locations.size(), false);
  std::vector<LocationId> todo{function.entry};
  reached[function.entry] = true;
  while (!todo.empty()) {
    const LocationId l = todo.back();
    todo.pop_back();
    for (uint32_t i = 0; i < function.locations[l].edge_count; ++i) {
      const uint32_t e = function.locations[l].first_edge + i;
      const LocationId to = function.edges[e].to;
      if (to == kNone) continue;
      State state = at[l];
      transfer(f, e, state);
      bool changed = !reached[to];
      if (!reached[to]) {
        at[to] = std::move(state);
        reached[to] = true;
      } else {  // what both ways have
        for (auto& [reg, bytes] : at[to]) {
          auto other = state.find(reg);
          for (size_t b = 0; b < bytes.size(); ++b) {
            if (!bytes[b] || (other != state.end() && other->second[b])) continue;
            bytes[b] = false;
            changed = true;
          }
        }
      }
      if (changed) todo.push_back(to);
    }
  }
  for (const FrameObject& object : objects_[f]) {
    PlaceId p = points_.places().of_site(f, object.edge);
    if (!points_.places().contains(holes_, p) && !partly_.test(p) && whole_before_escape(f, object)) good_.set(p);
  }
}

bool Initialised::whole_before_escape(FunctionId f, const FrameObject& object) const {
  const Function& function = program_.functions[f];
  const Term variable = function.registers[object.reg].variable;
  for (const Edge& edge : function.edges) {
    if (!reached_[f][edge.from]) continue;
    const Statement& s = edge.statement;
    for (size_t i = 0; i < s.operands.size(); ++i) {
      std::vector<Term> variables = term::variables(s.operands[i]);
      if (std::find(variables.begin(), variables.end(), variable) == variables.end()) continue;
      // Direct stores and fills make values; direct loads and copies do not let the address get away.
      const bool access = (i == 0 && (s.kind == Kind::Load || s.kind == Kind::Store || s.kind == Kind::Fill)) ||
                          (i <= 1 && s.kind == Kind::Copy);
      if (access && place(f, s.operands[i])) continue;
      auto it = states_[f][edge.from].find(object.reg);
      if (it == states_[f][edge.from].end() ||
          !std::all_of(it->second.begin(), it->second.end(), [](bool b) { return b; }))
        return false;
    }
  }
  return true;
}

bool Initialised::copied(FunctionId f, uint32_t e, uint64_t i, const State& state) const {
  const Term source = program_.functions[f].edges[e].statement.operands[1];
  const Places& places = points_.places();
  if (auto where = place(f, source)) {  // in the function's own object: byte by byte
    if (places.contains(holes_, places.of_site(f, where->first->edge))) return false;
    auto it = state.find(where->first->reg);
    return it != state.end() && where->second < it->second.size() && i < it->second.size() - where->second &&
           it->second[where->second + i];
  }
  const BitSet accessed = points_.accessed(source);
  if (accessed.test(places.anything())) return false;
  for (PlaceId p = 0; p < places.objects(); ++p)
    if (accessed.test(p) && !good_.test(p)) return false;
  return true;
}

bool Initialised::copied(FunctionId f, uint32_t e, uint64_t i) const {
  static const State kNothing;
  const LocationId from = program_.functions[f].edges[e].from;
  const bool followed = !reached_[f].empty() && reached_[f][from];
  return copied(f, e, i, followed ? states_[f][from] : kNothing);
}

bool Initialised::all_copied(FunctionId f, uint32_t e) const {
  const Statement& s = program_.functions[f].edges[e].statement;
  if (!place(f, s.operands[1])) return copied(f, e, 0);
  if (!s.operands[2].is_constant() || s.operands[2].value() > (uint64_t{1} << 24)) return false;
  for (uint64_t i = 0; i < s.operands[2].value64(); ++i)
    if (!copied(f, e, i)) return false;
  return true;
}

}  // namespace whittle::program::analysis
