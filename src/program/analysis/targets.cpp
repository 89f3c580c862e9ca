#include "program/analysis/targets.h"

namespace whittle::program::analysis {

std::vector<FunctionId> functions_called(const CallGraph& calls, const PointsTo& points, const Statement& statement) {
  std::vector<FunctionId> all = calls.targets(statement);
  if (all.empty() || (statement.kind != Kind::IndirectCall && statement.kind != Kind::Spawn)) return all;
  const Places& places = points.places();
  BitSet known = points.pointees(statement.operands[0]);
  if (!known.test(places.anything()))
    std::erase_if(all, [&](FunctionId f) { return !known.test(places.of_function(f)); });
  return all;
}

BitSet functions_of_others(const Program& program, const CallGraph& calls, const PointsTo& points,
                           const std::function<bool(FunctionId)>& closed) {
  BitSet others(program.functions.size());
  std::vector<FunctionId> stack;
  auto reach = [&](const Statement& statement) {
    for (FunctionId f : functions_called(calls, points, statement))
      if (others.set(f)) stack.push_back(f);
  };
  calls.reachable().each([&](size_t f) {
    for (const Edge& edge : program.functions[f].edges)
      if (edge.statement.kind == Kind::Spawn) reach(edge.statement);
  });
  while (!stack.empty()) {
    FunctionId f = stack.back();
    stack.pop_back();
    if (closed(f)) continue;
    for (const Edge& edge : program.functions[f].edges) reach(edge.statement);
  }
  return others;
}

}  // namespace whittle::program::analysis
