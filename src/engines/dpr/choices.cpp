#include "engines/dpr/choices.h"

#include <fmt/format.h>

#include <array>

#include "exec/assumption.h"

namespace whittle::engines::dpr {

using program::Kind;
using term::Term;

Shape Choices::shape(const exec::Pause& pause, std::vector<program::RegisterId>& used) {
  used.clear();
  if (pause.width <= kMostBits) return {pause.width, false, true};
  auto top = machine_.frame(0, machine_.frame_count(0) - 1);
  const auto& function = program_.functions[top.function];
  const auto& edge = function.edges[function.locations[top.location].first_edge];
  if (edge.statement.kind != Kind::Nondet || edge.statement.targets.empty()) return {kMostBits, false, false};
  Term variable = function.registers[edge.statement.targets[0]].variable;
  Term assumption = exec::assumption_after_input(machine_, &used);
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
  std::optional<u128> base = least(assumption, variable);
  if (base)
    for (unsigned bits = 0; bits <= kMostBits; ++bits) {
      Term offset = terms.sub(variable, terms.constant(width, *base));
      if (implied(terms.ult(offset, terms.constant(width, u128{1} << bits)))) return {bits, false, true, *base};
    }
  // Not all of them, but some that the assumption allows.
  Term small = terms.ult(variable, terms.constant(width, u128{1} << kMostBits));
  if (solver_.check(std::array{assumption, small}).sat()) base = 0;
  return {kMostBits, false, false, base.value_or(0)};
}

/// The least value (signed) that satisfies the assumption, by bisection.
std::optional<u128> Choices::least(Term assumption, Term variable) {
  auto& terms = program_.terms();
  unsigned width = variable.width();
  Term bias = terms.constant(width, u128{1} << (width - 1));
  u128 low = 0, high = mask128(width);
  while (low < high) {
    u128 middle = low + (high - low) / 2;
    Term below = terms.ule(terms.bxor(variable, bias), terms.constant(width, middle));
    auto result = solver_.check(std::array{assumption, below});
    if (result.unknown()) return std::nullopt;
    if (result.sat())
      high = middle;
    else
      low = middle + 1;
  }
  return low ^ (u128{1} << (width - 1));
}

Term Choices::bit(size_t level) {
  while (bits_.size() <= level)
    bits_.push_back(program_.terms().variable(1, fmt::format("choice{}", bits_.size() + 1)));
  return bits_[level];
}

Term Choices::value(const Shape& shape, size_t level, unsigned width) {
  auto& terms = program_.terms();
  if (shape.bits == 0) return terms.constant(width, shape.base);
  Term value = bit(level);
  for (unsigned i = 1; i < shape.bits; ++i) value = terms.concat(bit(level + i), value);
  value = shape.is_signed ? terms.sext(value, width) : terms.zext(value, width);
  return shape.base == 0 ? value : terms.add(value, terms.constant(width, shape.base));
}

}  // namespace whittle::engines::dpr
