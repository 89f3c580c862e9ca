#include "program/analysis/features.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/analysis/loops.h"

namespace whittle::program::analysis {

namespace {

/// Does no exit of the loop lead to the end of the function, the thread or the program? A failing assertion is no way
/// out.
bool endless(const Function& function, const Loop& loop) {
  BitSet seen(function.locations.size());
  std::vector<LocationId> open;
  auto follow = [&](const Edge& edge) {
    if (edge.to != kNone && !seen.test(edge.to)) seen.set(edge.to), open.push_back(edge.to);
    Kind kind = edge.statement.kind;
    return kind == Kind::Return || kind == Kind::Halt || kind == Kind::ThreadExit;
  };
  for (uint32_t exit : loop.exits)
    if (follow(function.edges[exit])) return false;
  while (!open.empty()) {
    const Location& location = function.locations[open.back()];
    open.pop_back();
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e)
      if (follow(function.edges[e])) return false;
  }
  return true;
}

void count_statement(Features& features, const Function& function, const Statement& statement) {
  switch (statement.kind) {
    case Kind::Nondet:
      // Models read uninitialised bytes of their own; the program's own questions are marked as inputs.
      if (function.runtime && !statement.input) break;
      ++features.inputs;
      for (RegisterId target : statement.targets)
        features.widest_input = std::max(features.widest_input, function.registers[target].width());
      break;
    case Kind::HeapAlloc: features.heap = true; break;
    case Kind::HostMath: features.floats = true; break;
    case Kind::IndirectCall: features.indirect_calls |= !function.runtime; break;
    case Kind::Error:
    case Kind::Check: features.assertions += function.runtime ? 0 : 1; break;
    default: break;
  }
  for (term::Term operand : statement.operands) features.floats |= !function.runtime && operand.has_floats();
}

/// Functions that start a thread themselves or through models of ours: pthread_create and its like.
BitSet find_starters(const Program& program, const CallGraph& calls) {
  BitSet starters(program.functions.size());
  for (FunctionId f : calls.bottom_up()) {
    const Function& function = program.functions[f];
    bool starts = std::ranges::any_of(function.edges, [](const Edge& e) { return e.statement.kind == Kind::Spawn; });
    if (function.runtime)
      for (FunctionId callee : calls.callees(f)) starts |= program.functions[callee].runtime && starters.test(callee);
    if (starts) starters.set(f);
  }
  return starters;
}

void count_loops(Features& features, const Program& program, const Function& function, const CallGraph& calls,
                 const BitSet& starters) {
  Loops loops(function);
  features.loops += static_cast<unsigned>(loops.all().size() + loops.irreducible().size());
  for (const Loop& loop : loops.all()) features.endless_loop |= endless(function, loop);
  for (const Edge& edge : function.edges) {
    std::vector<FunctionId> targets = calls.targets(edge.statement);
    bool starts = edge.statement.kind == Kind::Spawn || std::ranges::any_of(targets, [&](FunctionId f) {
                    return program.functions[f].runtime && starters.test(f);
                  });
    if (!starts) continue;
    ++features.spawns;
    features.spawns_in_loops |= loops.innermost(edge.from) != kNone || !loops.irreducible().empty();
  }
}

}  // namespace

Features::Features(const Program& program, const CallGraph& calls) : concurrent(calls.concurrent()) {
  BitSet starters = find_starters(program, calls);
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!calls.reachable().test(f)) continue;
    const Function& function = program.functions[f];
    for (const Edge& edge : function.edges) count_statement(*this, function, edge.statement);
    if (function.runtime) continue;
    statements += static_cast<unsigned>(function.edges.size());
    recursion |= calls.recursive(f);
    count_loops(*this, program, function, calls, starters);
  }
}

std::string Features::text() const {
  auto number = [](unsigned n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  std::string out = concurrent ? fmt::format("threads, started at {}", number(spawns, "place")) +
                                     (spawns_in_loops ? " (in loops)" : "")
                               : "one thread";
  out += ", " + (loops == 0 ? "no loops" : number(loops, "loop") + (endless_loop ? " (endless)" : ""));
  out += ", " + (inputs == 0 ? "no inputs" : number(inputs, "input") + fmt::format(" of up to {} bits", widest_input));
  if (unset_memory) out += ", memory without a value";
  if (recursion) out += ", recursion";
  if (heap) out += ", heap";
  if (floats) out += ", floats";
  if (indirect_calls) out += ", function pointers";
  return out;
}

}  // namespace whittle::program::analysis
