#include "frontend/noreturn.h"

#include <vector>

namespace whittle::frontend {

using program::Edge;
using program::Function;
using program::Kind;
using program::kNone;
using program::LocationId;

namespace {

/// Locations that can be reached if calls of functions not yet known to return do not.
std::vector<bool> reached(const Function& function, const std::vector<bool>& returns, bool& leaves) {
  std::vector<bool> seen(function.locations.size(), false);
  std::vector<LocationId> work{function.entry};
  seen[function.entry] = true;
  while (!work.empty()) {
    const program::Location& location = function.locations[work.back()];
    work.pop_back();
    for (uint32_t i = 0; i < location.edge_count; ++i) {
      const Edge& edge = function.edges[location.first_edge + i];
      if (edge.statement.kind == Kind::Return) leaves = true;
      if (edge.to == kNone || seen[edge.to]) continue;
      if (edge.statement.kind == Kind::Call && !returns[edge.statement.callee]) continue;
      seen[edge.to] = true;
      work.push_back(edge.to);
    }
  }
  return seen;
}

void rebuild(program::Program& program, program::FunctionId id, const std::vector<bool>& returns,
             const std::vector<bool>& seen) {
  Function& function = program.functions[id];
  std::vector<Edge> edges = std::move(function.edges);
  size_t count = function.locations.size();
  LocationId entry = function.entry;
  function.edges.clear();
  function.locations.clear();
  program::FunctionBuilder builder(program, id);
  std::vector<LocationId> renamed(count, kNone);
  for (size_t l = 0; l < count; ++l)
    if (seen[l]) renamed[l] = builder.location();
  LocationId end = kNone;  // where nothing follows
  for (Edge& edge : edges) {
    if (!seen[edge.from]) continue;
    bool endless = edge.statement.kind == Kind::Call && !returns[edge.statement.callee];
    if (endless && end == kNone) end = builder.location();
    LocationId to = edge.to == kNone ? kNone : endless ? end : renamed[edge.to];
    builder.edge(renamed[edge.from], to, std::move(edge.statement));
  }
  builder.finish(renamed[entry]);
}

}  // namespace

void cut_after_endless_calls(program::Program& program) {
  // Least fixpoint: a function returns if a path to a Return has only calls that return.
  std::vector<bool> returns(program.functions.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t f = 0; f < program.functions.size(); ++f) {
      bool leaves = false;
      if (!returns[f] && (reached(program.functions[f], returns, leaves), leaves)) returns[f] = changed = true;
    }
  }
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) {
    bool leaves = false;
    std::vector<bool> seen = reached(program.functions[f], returns, leaves);
    bool endless = false;
    for (const Edge& edge : program.functions[f].edges)
      endless |= edge.statement.kind == Kind::Call && !returns[edge.statement.callee];
    if (endless) rebuild(program, f, returns, seen);
  }
}

}  // namespace whittle::frontend
