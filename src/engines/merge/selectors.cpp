#include "engines/merge/selectors.h"

#include <algorithm>

#include "semantics/access.h"

namespace whittle::engines::merge {

using program::Kind;
using term::Op;
using term::Term;

Selectors::Selectors(const program::Program& program) : program_(program), returned_(program.functions.size()) {
  for (const program::Function& function : program.functions) registers_.emplace_back(function.registers.size());
  shaping_ = registers_;
  const auto count = static_cast<program::FunctionId>(program.functions.size());
  auto close = [&](Registers& registers, BitSet& returned) {
    for (bool news = true; news;) {
      news = false;
      for (program::FunctionId f = 0; f < count; ++f) news |= spread(f, registers, returned);
    }
  };
  for (program::FunctionId f = 0; f < count; ++f) begin(f);
  close(registers_, returned_);
  for (program::FunctionId f = 0; f < count; ++f) begin_shaping(f);
  BitSet returned(count);
  close(shaping_, returned);
}

/// The registers that are parts of the value; those that only decide about it too, if `conditions`. Was any of them new?
bool Selectors::mark(Term root, Registers& registers, bool conditions) const {
  bool news = false;
  std::vector<Term> stack{root};
  std::unordered_set<Term> seen;
  while (!stack.empty()) {
    Term t = stack.back();
    stack.pop_back();
    if (t.is_constant() || !seen.insert(t).second) continue;
    if (t.is_variable()) {
      const program::Program::RegisterRef r = program_.register_of(t);
      if (r.function != program::kNone) news |= registers[r.function].set(r.reg);
      continue;
    }
    if (!conditions && t.width() == 1) continue;
    for (unsigned i = t.op() == Op::Ite && !conditions ? 1 : 0; i < t.arity(); ++i) stack.push_back(t.kid(i));
  }
  return news;
}

bool Selectors::holds(Term t, const Registers& registers) const {
  const std::vector<Term> parts = term::variables(t);
  return std::any_of(parts.begin(), parts.end(), [&](Term v) {
    const program::Program::RegisterRef r = program_.register_of(v);
    return r.function != program::kNone && registers[r.function].test(r.reg);
  });
}

void Selectors::begin(program::FunctionId f) {
  const program::Function& function = program_.functions[f];
  for (const program::Edge& edge : function.edges) {
    const program::Statement& s = edge.statement;
    for (const semantics::Access& access : semantics::accesses(s)) {
      mark(s.operands[access.address], registers_);
      if (access.size_operand != semantics::Access::kFixed) mark(s.operands[access.size_operand], registers_);
    }
    if (s.kind == Kind::HeapFree || s.kind == Kind::IndirectCall) mark(s.operands[0], registers_);
    if (s.kind == Kind::Assume && function.locations[edge.from].edge_count >= kLargeSwitch)
      mark(s.operands[0], registers_, true);
  }
}

void Selectors::begin_shaping(program::FunctionId f) {
  for (const program::Edge& edge : program_.functions[f].edges) {
    const program::Statement& s = edge.statement;
    for (const semantics::Access& access : semantics::accesses(s)) {
      if (!access.write || 8 * access.bytes != program_.pointer_width()) continue;
      for (size_t i = 0; i < s.operands.size(); ++i)
        if (i != access.address && holds(s.operands[i], registers_)) mark(s.operands[access.address], shaping_);
    }
  }
}

bool Selectors::spread(program::FunctionId f, Registers& registers, BitSet& returned) const {
  bool news = false;
  for (const program::Edge& edge : program_.functions[f].edges) {
    const program::Statement& s = edge.statement;
    switch (s.kind) {
      case Kind::Assign:
        for (size_t i = 0; i < s.targets.size(); ++i)
          if (registers[f].test(s.targets[i])) news |= mark(s.operands[i], registers);
        break;
      case Kind::Return:
        if (returned.test(f) && !s.operands.empty()) news |= mark(s.operands[0], registers);
        break;
      case Kind::Call: {
        const uint32_t count = program_.functions[s.callee].parameter_count;
        for (uint32_t i = 0; i < count && i < s.operands.size(); ++i)
          if (registers[s.callee].test(i)) news |= mark(s.operands[i], registers);
        if (!s.targets.empty() && registers[f].test(s.targets[0])) news |= returned.set(s.callee);
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
