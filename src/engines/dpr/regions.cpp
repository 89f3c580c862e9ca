#include "engines/dpr/regions.h"

#include "program/analysis/dominators.h"

namespace whittle::engines::dpr {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;

namespace {

/// Statements after which the rest of the program may see other choices or other addresses.
bool restless(Kind kind) {
  switch (kind) {
    case Kind::Nondet:
    case Kind::StackAlloc:
    case Kind::HeapAlloc:
    case Kind::HeapFree:
    case Kind::StackSave:
    case Kind::StackRestore:
    case Kind::IndirectCall:
    case Kind::Spawn:
    case Kind::ThreadExit:
    case Kind::Await:
    case Kind::Unsupported: return true;
    default: return false;
  }
}

}  // namespace

Regions::Regions(const program::Program& program) : program_(program), restless_(program.functions.size()) {
  joins_.resize(program.functions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f = 0; f < program.functions.size(); ++f) {
      if (restless_[f]) continue;
      for (const Edge& edge : program.functions[f].edges) {
        const auto& statement = edge.statement;
        if (restless(statement.kind) || (statement.kind == Kind::Call && restless_[statement.callee])) {
          restless_[f] = changed = true;
          break;
        }
      }
    }
  }
}

const std::vector<LocationId>& Regions::joins(FunctionId f) {
  auto& result = joins_[f];
  const Function& function = program_.functions[f];
  if (!result.empty() || function.locations.empty()) return result;
  auto post = program::analysis::post_dominators(function);
  const auto exit = static_cast<uint32_t>(function.locations.size());
  result.assign(exit, kNone);
  for (LocationId l = 0; l < exit; ++l)
    if (post.reachable(l) && post.immediate(l) != exit) result[l] = post.immediate(l);
  return result;
}

LocationId Regions::join(FunctionId function, LocationId location) { return joins(function)[location]; }

bool Regions::calm(FunctionId f, LocationId from, LocationId join) {
  auto [entry, fresh] = calm_.try_emplace(Key{f, from, join}, true);
  if (!fresh) return entry->second;
  const Function& function = program_.functions[f];
  std::vector<bool> seen(function.locations.size());
  std::vector<LocationId> stack;
  auto visit = [&](LocationId l) {
    if (l != kNone && l != join && !seen[l]) seen[l] = true, stack.push_back(l);
  };
  visit(from);
  while (!stack.empty()) {
    const auto& location = function.locations[stack.back()];
    stack.pop_back();
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const auto& statement = function.edges[e].statement;
      if (restless(statement.kind) || (statement.kind == Kind::Call && restless_[statement.callee]))
        return entry->second = false;
      visit(function.edges[e].to);
    }
  }
  return entry->second = true;
}

}  // namespace whittle::engines::dpr
