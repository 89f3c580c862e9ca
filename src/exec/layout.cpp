// What of a frame is part of a state: the live registers, packed to bytes.
#include <algorithm>
#include <map>

#include "exec/instruction.h"
#include "program/analysis/liveness.h"

namespace whittle::exec {
namespace {

/// Registers that hold the current value of a named variable somewhere: with several registers for one name, those that
/// some path to the location assigned last. Needed only to know which memory variables in scope still point to.
class NamedRegisters {
 public:
  explicit NamedRegisters(const program::Function& function)
      : words_((function.registers.size() + 63) / 64), rows_(words_ * function.locations.size(), 0) {
    std::map<std::string, std::vector<program::RegisterId>> by_name;
    for (program::RegisterId r = 0; r < function.registers.size(); ++r)
      if (!function.registers[r].name.empty()) by_name[function.registers[r].name].push_back(r);
    std::vector<uint64_t> row(words_);
    for (program::RegisterId r = 0; r < function.parameter_count; ++r)
      if (!function.registers[r].name.empty()) rows_[function.entry * words_ + r / 64] |= uint64_t{1} << (r % 64);
    for (bool changed = true; changed;) {
      changed = false;
      for (const program::Edge& edge : function.edges) {
        if (edge.to == program::kNone) continue;
        row.assign(rows_.begin() + edge.from * words_, rows_.begin() + (edge.from + 1) * words_);
        for (program::RegisterId target : edge.statement.targets) {
          if (function.registers[target].name.empty()) continue;
          for (program::RegisterId other : by_name[function.registers[target].name])
            row[other / 64] &= ~(uint64_t{1} << (other % 64));
          row[target / 64] |= uint64_t{1} << (target % 64);
        }
        for (size_t w = 0; w < words_; ++w) {
          uint64_t& old = rows_[edge.to * words_ + w];
          changed |= (row[w] & ~old) != 0;
          old |= row[w];
        }
      }
    }
  }
  bool holds(program::LocationId location, program::RegisterId reg) const {
    return rows_[location * words_ + reg / 64] >> (reg % 64) & 1;
  }

 private:
  size_t words_;
  std::vector<uint64_t> rows_;
};

class LayoutBuilder {
 public:
  LayoutBuilder(CodeImpl& impl, FunctionCode& code) : impl_(impl), code_(code), f_(*code.function) {
    if (impl.options.drop_dead_registers) live_ = std::make_unique<program::analysis::Liveness>(impl.program, code.id);
    if (live_ && impl.specification.has(verdict::Property::ValidMemtrack))
      named_ = std::make_unique<NamedRegisters>(f_);
  }

  void build() {
    code_.top_layout.assign(f_.locations.size(), 0);
    code_.waiting_layout.assign(f_.locations.size(), 0);
    for (program::LocationId l = 0; l < f_.locations.size(); ++l) {
      code_.top_layout[l] = intern(l, nullptr);
      if (f_.locations[l].edge_count != 1) continue;
      const program::Edge& edge = f_.edges[f_.locations[l].first_edge];
      if (edge.statement.kind == program::Kind::Call || edge.statement.kind == program::Kind::IndirectCall)
        code_.waiting_layout[l] = intern(edge.to, &edge.statement.targets);
    }
    for (program::RegisterId r = 0; r < f_.registers.size(); ++r) {
      if (r < f_.parameter_count || !kept(f_.entry, r)) continue;
      code_.zeroed.push_back(code_.slot[r]);
      if (f_.registers[r].width() > 64) code_.zeroed.push_back(static_cast<uint16_t>(code_.slot[r] + 1));
    }
  }

 private:
  bool kept(program::LocationId l, program::RegisterId r) const {
    return !live_ || live_->at(l).test(r) || (named_ && named_->holds(l, r));
  }
  uint32_t intern(program::LocationId l, const std::vector<program::RegisterId>* without) {
    std::vector<program::RegisterId> regs;
    for (program::RegisterId r = 0; r < f_.registers.size(); ++r)
      if (kept(l, r) && !(without && std::find(without->begin(), without->end(), r) != without->end()))
        regs.push_back(r);
    auto [it, is_new] = known_.try_emplace(regs, static_cast<uint32_t>(code_.layouts.size()));
    if (!is_new) return it->second;
    Layout layout;
    for (program::RegisterId r : regs) {
      uint16_t bytes = static_cast<uint16_t>((f_.registers[r].width() + 7) / 8);
      layout.items.push_back({code_.slot[r], bytes, r});
      layout.bytes += bytes;
    }
    code_.layouts.push_back(std::move(layout));
    return it->second;
  }

  CodeImpl& impl_;
  FunctionCode& code_;
  const program::Function& f_;
  std::unique_ptr<program::analysis::Liveness> live_;
  std::unique_ptr<NamedRegisters> named_;
  std::map<std::vector<program::RegisterId>, uint32_t> known_;
};

}  // namespace

void lay_out(CodeImpl& impl, FunctionCode& code) {
  if (!code.too_large) LayoutBuilder(impl, code).build();
}

}  // namespace whittle::exec
