#include "engines/dpr/choices.h"

#include <fmt/format.h>

#include <array>

#include "exec/assumption.h"

namespace whittle::engines::dpr {

using program::Kind;
using term::Term;

Shape Choices::shape(const exec::Pause& pause) {
  if (pause.width <= kMostBits) return {pause.width, false, true};
  auto top = machine_.frame(0, machine_.frame_count(0) - 1);
  const auto& function = program_.functions[top.function];
  const auto& edge = function.edges[function.locations[top.location].first_edge];
  if (edge.statement.kind != Kind::Nondet || edge.statement.targets.empty()) return {kMostBits, false, false};
  Term variable = function.registers[edge.statement.targets[0]].variable;
  Term assumption = exec::assumption_after_input(machine_);
  if (!assumption) return {kMostBits, false, false};
  auto known = known_.find(assumption);
  if (known == known_.end()) known = known_.emplace(assumption, bounded(assumption, variable)).first;
  return known->second;
}

Shape Choices::bounded(Term assumption, Term variable) {
  auto& terms = program_.terms();
  unsigned width = variable.width();
  auto implied = [&](Term bound) { return solver_.check(std::array{assumption, terms.bnot(bound)}).unsat(); };
  for (unsigned bits = 0; bits <= kMostBits; ++bits) {
    if (implied(terms.ult(variable, terms.constant(width, u128{1} << bits)))) return {bits, false, true};
    if (bits == 0) continue;
    Term shifted = terms.add(variable, terms.constant(width, u128{1} << (bits - 1)));
    if (implied(terms.ult(shifted, terms.constant(width, u128{1} << bits)))) return {bits, true, true};
  }
  return {kMostBits, false, false};
}

Term Choices::bit(size_t level) {
  while (bits_.size() <= level)
    bits_.push_back(program_.terms().variable(1, fmt::format("choice{}", bits_.size() + 1)));
  return bits_[level];
}

Term Choices::value(const Shape& shape, size_t level, unsigned width) {
  auto& terms = program_.terms();
  if (shape.bits == 0) return terms.constant(width, 0);
  Term value = bit(level);
  for (unsigned i = 1; i < shape.bits; ++i) value = terms.concat(bit(level + i), value);
  return shape.is_signed ? terms.sext(value, width) : terms.zext(value, width);
}

}  // namespace whittle::engines::dpr
