#include "engines/merge/selectors.h"

#include <algorithm>

#include "semantics/access.h"

namespace whittle::engines::merge {

using program::Kind;
using term::Op;
using term::Term;

Selectors::Selectors(const program::Program& program) : program_(program), returned_(program.functions.size()) {
  for (const program::Function& function : program.functions) registers_.emplace_back(function.registers.size());
  for (bool news = true; news;) {
    news = false;
    for (program::FunctionId f = 0; f < program.functions.size(); ++f) news |= visit(program.functions[f], f);
  }
}

/// The registers that are parts of the value; those that only decide about it too, if `conditions`. Was any of them new?
bool Selectors::mark(Term root, bool conditions) {
  bool news = false;
  std::vector<Term> stack{root};
  std::unordered_set<Term> seen;
  while (!stack.empty()) {
    Term t = stack.back();
    stack.pop_back();
    if (t.is_constant() || !seen.insert(t).second) continue;
    if (t.is_variable()) {
      const program::Program::RegisterRef r = program_.register_of(t);
      if (r.function != program::kNone) news |= registers_[r.function].set(r.reg);
      continue;
    }
    if (!conditions && t.width() == 1) continue;
    for (unsigned i = t.op() == Op::Ite && !conditions ? 1 : 0; i < t.arity(); ++i) stack.push_back(t.kid(i));
  }
  return news;
}

bool Selectors::visit(const program::Function& function, program::FunctionId f) {
  bool news = false;
  for (const program::Edge& edge : function.edges) {
    const program::Statement& s = edge.statement;
    for (const semantics::Access& access : semantics::accesses(s)) {
      news |= mark(s.operands[access.address]);
      if (access.size_operand != semantics::Access::kFixed) news |= mark(s.operands[access.size_operand]);
    }
    switch (s.kind) {
      case Kind::HeapFree:
      case Kind::IndirectCall: news |= mark(s.operands[0]); break;
      case Kind::Assume:
        if (function.locations[edge.from].edge_count >= kLargeSwitch) news |= mark(s.operands[0], true);
        break;
      case Kind::Assign:
        for (size_t i = 0; i < s.targets.size(); ++i)
          if (registers_[f].test(s.targets[i])) news |= mark(s.operands[i]);
        break;
      case Kind::Return:
        if (returned_.test(f) && !s.operands.empty()) news |= mark(s.operands[0]);
        break;
      case Kind::Call: {
        const BitSet& parameters = registers_[s.callee];
        const uint32_t count = program_.functions[s.callee].parameter_count;
        for (uint32_t i = 0; i < count && i < s.operands.size(); ++i)
          if (parameters.test(i)) news |= mark(s.operands[i]);
        if (!s.targets.empty() && registers_[f].test(s.targets[0])) news |= returned_.set(s.callee);
        break;
      }
      default: break;
    }
  }
  return news;
}

void Selectors::loaded(uint64_t site, Cell cell) {
  std::vector<Cell>& cells = cells_[site];
  if (cells.size() >= kCells || std::find(cells.begin(), cells.end(), cell) != cells.end()) return;
  const auto dropped = dropped_.find(site);
  if (dropped != dropped_.end() && std::find(dropped->second.begin(), dropped->second.end(), cell) != dropped->second.end())
    return;
  cells.push_back(cell);
}

const std::vector<Selectors::Cell>& Selectors::cells(uint64_t site) const {
  static const std::vector<Cell> kNone;
  const auto it = cells_.find(site);
  return it == cells_.end() ? kNone : it->second;
}

void Selectors::drop(uint64_t site, Cell cell) {
  std::erase(cells_[site], cell);
  dropped_[site].push_back(cell);
}

}  // namespace whittle::engines::merge
