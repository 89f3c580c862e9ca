// Which registers may still be read: decides what a frame leaves in a state.
#include "exec/instruction.h"

namespace whittle::exec {
namespace {

struct Effects {
  std::vector<program::RegisterId> reads;
};

}  // namespace

Liveness::Liveness(const program::Function& function, const program::Program& program)
    : words_((function.registers.size() + 63) / 64), rows_(words_ * function.locations.size(), 0) {
  std::vector<Effects> effects(function.edges.size());
  for (size_t i = 0; i < function.edges.size(); ++i)
    for (term::Term operand : function.edges[i].statement.operands)
      for (term::Term variable : term::variables(operand))
        effects[i].reads.push_back(program.register_of(variable).reg);
  std::vector<std::vector<uint32_t>> incoming(function.locations.size());
  for (uint32_t i = 0; i < function.edges.size(); ++i)
    if (function.edges[i].to != program::kNone) incoming[function.edges[i].to].push_back(i);

  // Edges are evaluated again when what is live behind them grows.
  std::vector<uint32_t> work;
  std::vector<bool> queued(function.edges.size(), true);
  for (uint32_t i = 0; i < function.edges.size(); ++i) work.push_back(i);
  std::vector<uint64_t> row(words_);
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    queued[i] = false;
    const program::Edge& edge = function.edges[i];
    if (edge.to == program::kNone)
      row.assign(words_, 0);
    else
      row.assign(rows_.begin() + edge.to * words_, rows_.begin() + (edge.to + 1) * words_);
    for (program::RegisterId target : edge.statement.targets) row[target / 64] &= ~(uint64_t{1} << (target % 64));
    for (program::RegisterId reg : effects[i].reads) row[reg / 64] |= uint64_t{1} << (reg % 64);
    bool grew = false;
    for (size_t w = 0; w < words_; ++w) {
      uint64_t& old = rows_[edge.from * words_ + w];
      grew |= (row[w] & ~old) != 0;
      old |= row[w];
    }
    if (!grew) continue;
    for (uint32_t before : incoming[edge.from])
      if (!queued[before]) queued[before] = true, work.push_back(before);
  }
}

}  // namespace whittle::exec
