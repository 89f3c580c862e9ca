#include "program/analysis/liveness.h"

#include <algorithm>

#include "program/analysis/graph.h"

namespace whittle::program::analysis {

std::vector<RegisterId> registers_read(const Program& program, const Statement& statement) {
  std::vector<RegisterId> answer;
  for (term::Term operand : statement.operands) {
    if (operand.is_constant()) continue;
    for (term::Term variable : term::variables(operand)) answer.push_back(program.register_of(variable).reg);
  }
  std::sort(answer.begin(), answer.end());
  answer.erase(std::unique(answer.begin(), answer.end()), answer.end());
  return answer;
}

Liveness::Liveness(const Program& program, FunctionId function)
    : function_(program.functions[function]), live_(function_.locations.size(), BitSet(function_.registers.size())) {
  std::vector<std::vector<RegisterId>> reads;
  for (const Edge& edge : function_.edges) reads.push_back(registers_read(program, edge.statement));

  // Backwards: later locations first, so that most are right the first time.
  Digraph graph = flow_graph(function_);
  std::vector<uint32_t> order;
  for (LocationId l = 0; l < function_.locations.size(); ++l) order.push_back(l);
  std::vector<uint32_t> forward = reverse_postorder(graph, function_.entry);
  std::vector<uint32_t> position(graph.size(), 0);
  for (uint32_t i = 0; i < forward.size(); ++i) position[forward[i]] = i + 1;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return position[a] < position[b]; });
  std::vector<bool> waiting(graph.size(), true);
  std::vector<uint32_t> stack(order.begin(), order.end());  // its end is the last location
  while (!stack.empty()) {
    LocationId l = stack.back();
    stack.pop_back();
    waiting[l] = false;
    const Location& location = function_.locations[l];
    bool changed = false;
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const Edge& edge = function_.edges[e];
      BitSet before(function_.registers.size());
      if (edge.to != kNone) before = live_[edge.to];
      for (RegisterId target : edge.statement.targets) before.reset(target);
      for (RegisterId read : reads[e]) before.set(read);
      changed |= live_[l].merge(before);
    }
    if (!changed) continue;
    for (uint32_t from : graph.predecessors[l])
      if (!waiting[from]) waiting[from] = true, stack.push_back(from);
  }
}

BitSet Liveness::during_call(uint32_t edge) const {
  const Edge& call = function_.edges[edge];
  BitSet live = live_[call.to];
  for (RegisterId target : call.statement.targets) live.reset(target);
  return live;
}

}  // namespace whittle::program::analysis
