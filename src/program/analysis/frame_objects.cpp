#include "program/analysis/frame_objects.h"

namespace whittle::program::analysis {

std::vector<FrameObject> frame_objects(const Function& function) {
  std::vector<FrameObject> found;
  std::vector<unsigned> assigned(function.registers.size());
  for (const Edge& edge : function.edges) {
    if (edge.statement.kind == Kind::StackRestore) return {};  // objects may end early
    for (RegisterId target : edge.statement.targets) ++assigned[target];
  }
  for (uint32_t e = 0; e < function.edges.size(); ++e) {
    const Statement& s = function.edges[e].statement;
    if (s.kind != Kind::StackAlloc || !s.operands[0].is_constant()) continue;
    const RegisterId reg = s.targets[0];
    if (assigned[reg] != 1 || reg < function.parameter_count) continue;
    found.push_back({reg, e, s.operands[0].value64(), s.align});
  }
  return found;
}

}  // namespace whittle::program::analysis
