#include "engines/crowd/scopes.h"

#include <algorithm>
#include <vector>

#include "semantics/access.h"

namespace whittle::engines::crowd {

using program::Kind;
using program::kNone;
using program::RegisterId;
using program::Statement;
using term::Term;

namespace {

/// The edges from a StackSave to a StackRestore, if one way leads there and none into it; empty if not.
std::vector<uint32_t> way_between(const program::Function& function, uint32_t save, uint32_t restore) {
  std::vector<uint32_t> way;
  auto entered_once = [&](program::LocationId location) {
    return std::ranges::count(function.edges, location, &program::Edge::to) == 1;
  };
  for (uint32_t e = save; way.size() < function.edges.size();) {
    way.push_back(e);
    if (e == restore) return way;
    const program::LocationId next = function.edges[e].to;
    if (next == kNone || function.locations[next].edge_count != 1 || !entered_once(next)) break;
    e = function.locations[next].first_edge;
  }
  return {};
}

bool mentions(const Statement& s, Term reg) {
  return std::ranges::any_of(s.operands, [&](Term operand) {
    return std::ranges::any_of(term::variables(operand), [&](Term v) { return v == reg; });
  });
}

/// Is the register read for nothing but to access memory there?
bool only_accesses(const Statement& s, Term reg) {
  if (semantics::accesses(s).empty()) return false;
  for (size_t i = 0; i < s.operands.size(); ++i) {
    const bool address = std::ranges::any_of(semantics::accesses(s), [&](const auto& a) { return a.address == i; });
    if (address) continue;
    for (Term v : term::variables(s.operands[i]))
      if (v == reg) return false;
  }
  return true;
}

}  // namespace

bool nothing_outlives(const program::Program& program, const program::Function& function, uint32_t restore) {
  const Term saved = function.edges[restore].statement.operands[0];
  if (!saved.is_variable()) return false;
  const RegisterId reg = program.register_of(saved).reg;
  uint32_t save = kNone;
  for (uint32_t e = 0; e < function.edges.size(); ++e)
    if (std::ranges::find(function.edges[e].statement.targets, reg) != function.edges[e].statement.targets.end()) {
      if (save != kNone || function.edges[e].statement.kind != Kind::StackSave) return false;
      save = e;
    }
  if (save == kNone) return false;
  const std::vector<uint32_t> way = way_between(function, save, restore);
  if (way.empty()) return false;
  for (size_t at = 0; at < way.size(); ++at) {
    const Statement& made = function.edges[way[at]].statement;
    if (made.kind != Kind::StackAlloc) continue;
    const Term address = function.registers[made.targets[0]].variable;
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      if (!mentions(function.edges[e].statement, address)) continue;
      const bool on_the_way = std::find(way.begin() + static_cast<ptrdiff_t>(at), way.end(), e) != way.end();
      if (!on_the_way || !only_accesses(function.edges[e].statement, address)) return false;
    }
  }
  return true;
}

}  // namespace whittle::engines::crowd
