#include "program/analysis/few_values.h"

#include <algorithm>

#include "program/analysis/access.h"
#include "program/analysis/targets.h"

namespace whittle::program::analysis {

using term::Term;

namespace {

constexpr size_t kFew = 8;

}  // namespace

FewValues::FewValues(const Program& program, const CallGraph& calls, const PointsTo& points)
    : program_(program), unwritten_(program.objects.size()) {
  solve(calls, points);
  find_unwritten(calls, points);
  solve(calls, points);
}

void FewValues::solve(const CallGraph& calls, const PointsTo& points) {
  registers_.clear();
  reachable_.clear();
  results_.assign(program_.functions.size(), {});
  for (const Function& f : program_.functions) {
    registers_.emplace_back(f.registers.size());
    reachable_.emplace_back(f.locations.size());
  }
  for (Values& parameter : registers_[program_.entry]) parameter.many = true;
  for (bool changed = true; changed;) {
    changed = false;
    calls.reachable().each([&](size_t f) {
      for (const Edge& edge : program_.functions[f].edges)
        changed |= spread(static_cast<FunctionId>(f), edge, calls, points);
    });
  }
  calls.reachable().each([&](size_t f) { find_reachable(static_cast<FunctionId>(f)); });
}

/// Requires that it is known what is reached.
void FewValues::find_unwritten(const CallGraph& calls, const PointsTo& points) {
  BitSet written(points.places().size());
  calls.reachable().each([&](size_t f) {
    for (const Edge& edge : program_.functions[f].edges)
      if (reachable_[f].test(edge.from)) written.merge(accessed_by(points, edge.statement).writes);
  });
  for (ObjectId o = 0; o < program_.objects.size(); ++o)
    if (!program_.objects[o].thread_local_ && !points.places().contains(written, points.places().of_object(o)))
      unwritten_.set(o);
}

std::optional<std::vector<u128>> FewValues::loaded(const Statement& s) const {
  if (!s.operands[0].is_constant() || s.width > 64) return std::nullopt;
  const uint64_t address = s.operands[0].value64(), size = s.width / 8u;
  auto id = program_.object_at(address);
  if (!id || !unwritten_.test(*id)) return std::nullopt;
  const Object& object = program_.objects[*id];
  const uint64_t offset = address - object.address;
  if (s.width % 8 != 0 || offset >= object.size || object.size - offset < size) return std::nullopt;
  uint64_t value = 0;
  for (uint64_t i = size; i-- > 0;)
    value = value << 8 | (offset + i < object.initial.size() ? object.initial[offset + i] : 0);
  return std::vector<u128>{value};
}

bool FewValues::add(Values& values, const std::optional<std::vector<u128>>& more) {
  if (values.many) return false;
  if (!more) {
    values.many = true;
    values.all.clear();
    return true;
  }
  bool changed = false;
  for (u128 value : *more) {
    if (std::find(values.all.begin(), values.all.end(), value) != values.all.end()) continue;
    values.all.push_back(value);
    changed = true;
  }
  if (values.all.size() > kFew) return add(values, std::nullopt);
  return changed;
}

/// What the statement makes of what is known so far. Is anything new?
bool FewValues::spread(FunctionId f, const Edge& edge, const CallGraph& calls, const PointsTo& points) {
  const Statement& s = edge.statement;
  bool changed = false;
  if (s.kind == Kind::Assign) {
    for (size_t i = 0; i < s.targets.size(); ++i) changed |= add(registers_[f][s.targets[i]], of(f, s.operands[i]));
    return changed;
  }
  if (s.kind == Kind::Load) return add(registers_[f][s.targets[0]], loaded(s));
  if (s.kind == Kind::Return) return !s.operands.empty() && add(results_[f], of(f, s.operands[0]));
  const bool calling = s.kind == Kind::Call || s.kind == Kind::IndirectCall;
  if (!calling && s.kind != Kind::Spawn) {
    for (RegisterId target : s.targets) changed |= add(registers_[f][target], std::nullopt);
    return changed;
  }
  const size_t first = s.kind == Kind::Call ? 0 : 1;
  for (FunctionId to : functions_called(calls, points, s)) {
    for (RegisterId r = 0; r < program_.functions[to].parameter_count; ++r)
      changed |= add(registers_[to][r], first + r < s.operands.size() ? of(f, s.operands[first + r]) : std::nullopt);
    for (RegisterId target : s.targets)
      if (calling)
        changed |= add(registers_[f][target], results_[to].many ? std::nullopt : std::optional(results_[to].all));
  }
  for (RegisterId target : s.targets)
    if (!calling || s.kind == Kind::IndirectCall) changed |= add(registers_[f][target], std::nullopt);
  return changed;
}

std::optional<std::vector<u128>> FewValues::of(FunctionId f, Term term) const {
  if (term.is_constant()) return std::vector<u128>{term.value()};
  if (term.has_reads()) return std::nullopt;
  std::vector<Term> variables = term::variables(term);
  std::vector<const Values*> values;
  size_t combinations = 1;
  for (Term variable : variables) {
    values.push_back(&registers_[f][program_.register_of(variable).reg]);
    if (values.back()->many) return std::nullopt;
    combinations *= values.back()->all.size();
    if (combinations > kFew * kFew) return std::nullopt;
  }
  std::vector<u128> answer;
  for (size_t n = 0; n < combinations; ++n) {
    term::Assignment assignment;
    assignment.variable = [&](Term variable) {
      size_t rest = n;
      for (size_t i = 0;; ++i) {
        if (variables[i] == variable) return values[i]->all[rest % values[i]->all.size()];
        rest /= values[i]->all.size();
      }
    };
    u128 value = program_.terms().evaluate(term, assignment);
    if (std::find(answer.begin(), answer.end(), value) == answer.end()) answer.push_back(value);
  }
  return answer;
}

void FewValues::find_reachable(FunctionId f) {
  const Function& function = program_.functions[f];
  std::vector<LocationId> stack{function.entry};
  reachable_[f].set(function.entry);
  while (!stack.empty()) {
    const Location& location = function.locations[stack.back()];
    stack.pop_back();
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const Edge& edge = function.edges[e];
      if (edge.to == kNone) continue;
      if (edge.statement.kind == Kind::Assume)
        if (auto all = of(f, edge.statement.operands[0]);
            all && !all->empty() && std::count(all->begin(), all->end(), 0) == static_cast<ptrdiff_t>(all->size()))
          continue;
      if (reachable_[f].set(edge.to)) stack.push_back(edge.to);
    }
  }
}

}  // namespace whittle::program::analysis
