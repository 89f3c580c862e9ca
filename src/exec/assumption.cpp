#include "exec/assumption.h"

#include <map>

namespace whittle::exec {

using program::Kind;
using program::kNone;
using term::Term;

term::Term assumption_after_input(const Machine& machine) {
  constexpr int kLookAhead = 24;  // statements
  const program::Program& program = machine.code().program();
  auto& terms = program.terms();
  uint32_t thread = machine.pause().thread;
  uint32_t frame = machine.frame_count(thread) - 1;
  FramePosition top = machine.frame(thread, frame);
  const program::Function& function = program.functions[top.function];
  const program::Edge& asking = function.edges[function.locations[top.location].first_edge];
  if (asking.statement.kind != Kind::Nondet || asking.statement.targets.empty()) return {};
  program::RegisterId input = asking.statement.targets[0];
  Term variable = function.registers[input].variable;

  std::map<program::RegisterId, Term> assigned;
  auto evaluate = [&](Term operand) {
    return terms.substitute(operand, [&](Term v) {
      if (v == variable) return v;
      program::RegisterId reg = program.register_of(v).reg;
      if (auto found = assigned.find(reg); found != assigned.end()) return found->second;
      return terms.constant(v.width(), machine.register_value(thread, frame, reg));
    });
  };
  Term assumption;
  program::LocationId at = asking.to;
  for (int steps = 0; steps < kLookAhead && at != kNone && function.locations[at].edge_count == 1; ++steps) {
    const program::Edge& edge = function.edges[function.locations[at].first_edge];
    const program::Statement& statement = edge.statement;
    if (statement.kind == Kind::Assign) {
      std::vector<Term> values;
      for (Term operand : statement.operands) values.push_back(evaluate(operand));
      for (size_t i = 0; i < values.size(); ++i) {
        if (statement.targets[i] == input) return assumption;
        assigned[statement.targets[i]] = values[i];
      }
    } else if (statement.kind == Kind::Assume) {
      Term condition = evaluate(statement.operands[0]);
      assumption = assumption ? terms.band(assumption, condition) : condition;
    } else if (statement.kind != Kind::Skip) {
      break;
    }
    at = edge.to;
  }
  return assumption;
}

}  // namespace whittle::exec
