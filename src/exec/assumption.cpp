#include "exec/assumption.h"

#include <map>
#include <set>

namespace whittle::exec {

using program::Kind;
using program::kNone;
using term::Term;

namespace {

/// Follows the code after an input, both sides of branches, as long as it only computes and assumes: `x > 0 && x < 9`
/// is branches by the time it gets here.
class LookAhead {
 public:
  LookAhead(const View& machine, uint32_t thread, uint32_t frame, const program::Function& function,
            program::RegisterId input)
      : machine_(machine),
        program_(machine.code().program()),
        terms_(program_.terms()),
        thread_(thread),
        frame_(frame),
        function_(function),
        input_(input),
        variable_(function.registers[input].variable) {}

  using Registers = std::map<program::RegisterId, Term>;

  /// What must hold so that some path from here on is not given up; true where it is not known.
  Term survives(program::LocationId at, Registers assigned) {
    Term required = terms_.truth();
    while (at != kNone && function_.locations[at].edge_count == 1) {
      if (steps_ == 0) return required;
      --steps_;
      const program::Edge& edge = function_.edges[function_.locations[at].first_edge];
      const program::Statement& statement = edge.statement;
      if (statement.kind == Kind::Assign) {
        if (!assign(statement, assigned)) return required;
      } else if (statement.kind == Kind::Assume) {
        required = terms_.band(required, evaluate(statement.operands[0], assigned));
        if (required.is_false()) return required;
      } else if (statement.kind != Kind::Skip) {
        return required;
      }
      at = edge.to;
    }
    return at == kNone ? required : terms_.band(required, branch(at, assigned));
  }

  const std::set<program::RegisterId>& used() const { return used_; }

 private:
  Term branch(program::LocationId at, const Registers& assigned) {
    const program::Location& location = function_.locations[at];
    Term some = terms_.falsity();
    bool matters = false;
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const program::Edge& edge = function_.edges[e];
      if (edge.statement.kind != Kind::Assume || steps_ == 0) return terms_.truth();
      --steps_;
      Term condition = evaluate(edge.statement.operands[0], assigned);
      if (condition.is_false()) continue;
      Term rest = survives(edge.to, assigned);
      matters = matters || !rest.is_true();
      some = terms_.bor(some, terms_.band(condition, rest));
    }
    return matters ? some : terms_.truth();  // an ordinary branch: one of its sides is taken
  }

  /// False: the input's own register is overwritten.
  bool assign(const program::Statement& statement, Registers& assigned) {
    std::vector<Term> values;
    for (Term operand : statement.operands) values.push_back(evaluate(operand, assigned));
    for (size_t i = 0; i < values.size(); ++i) {
      if (statement.targets[i] == input_) return false;
      assigned[statement.targets[i]] = values[i];
    }
    return true;
  }

  Term evaluate(Term operand, const Registers& assigned) {
    return terms_.substitute(operand, [&](Term v) {
      if (v == variable_) return v;
      program::RegisterId reg = program_.register_of(v).reg;
      if (auto found = assigned.find(reg); found != assigned.end()) return found->second;
      used_.insert(reg);
      return terms_.constant(v.width(), machine_.register_value(thread_, frame_, reg));
    });
  }

  const View& machine_;
  const program::Program& program_;
  term::Store& terms_;
  uint32_t thread_, frame_;
  const program::Function& function_;
  program::RegisterId input_;
  Term variable_;
  std::set<program::RegisterId> used_;  ///< whose present values were looked at
  uint32_t steps_ = 64;                 ///< statements looked at, in all
};

/// Is there an assumption at all within sight? Most inputs have none, and searches ask at every single state.
bool assumption_in_sight(const program::Function& function, program::LocationId from) {
  std::vector<bool> seen(function.locations.size());
  std::vector<program::LocationId> open{from};
  while (!open.empty()) {
    program::LocationId at = open.back();
    open.pop_back();
    if (at == kNone || seen[at]) continue;
    seen[at] = true;
    const program::Location& location = function.locations[at];
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      Kind kind = function.edges[e].statement.kind;
      if (kind == Kind::Assume && location.edge_count == 1) return true;
      if (kind == Kind::Assume || kind == Kind::Assign || kind == Kind::Skip) open.push_back(function.edges[e].to);
    }
  }
  return false;
}

}  // namespace

term::Term assumption_after_input(const View& machine, std::vector<program::RegisterId>* used) {
  const program::Program& program = machine.code().program();
  uint32_t thread = machine.pause().thread;
  uint32_t frame = machine.frame_count(thread) - 1;
  FramePosition top = machine.frame(thread, frame);
  const program::Function& function = program.functions[top.function];
  const program::Edge& asking = function.edges[function.locations[top.location].first_edge];
  if (asking.statement.kind != Kind::Nondet || asking.statement.targets.empty()) return {};
  if (!assumption_in_sight(function, asking.to)) {
    if (used != nullptr) used->clear();
    return {};
  }
  LookAhead ahead(machine, thread, frame, function, asking.statement.targets[0]);
  Term condition = ahead.survives(asking.to, {});
  if (used != nullptr) used->assign(ahead.used().begin(), ahead.used().end());
  return condition.is_true() ? Term() : condition;
}

}  // namespace whittle::exec
