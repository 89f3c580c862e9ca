// Expressions over bytes of which some bits are unknown: between which values they lie. Exact where all is known, too
// wide elsewhere, never too narrow.
#include <algorithm>
#include <limits>

#include "avr/expression.h"
#include "avr/operators.h"

namespace whittle::avr {

namespace {

constexpr Interval kAnything{std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};

bool is_point(Interval i) { return i.low == i.high; }
std::optional<bool> truth_of(Interval i) {
  if (i.low > 0 || i.high < 0) return true;
  if (i.low == 0 && i.high == 0) return false;
  return std::nullopt;
}
Interval of_truth(std::optional<bool> truth) {
  return truth ? Interval{*truth, *truth} : Interval{0, 1};
}
Interval of_comparison(bool always, bool never) { return always ? Interval{1, 1} : never ? Interval{0, 0} : Interval{0, 1}; }

Interval sum(Interval a, Interval b, bool minus) {
  Interval out;
  bool wraps = minus ? __builtin_sub_overflow(a.low, b.high, &out.low) || __builtin_sub_overflow(a.high, b.low, &out.high)
                     : __builtin_add_overflow(a.low, b.low, &out.low) || __builtin_add_overflow(a.high, b.high, &out.high);
  return wraps ? kAnything : out;
}

}  // namespace

Interval Expression::load_bounds(const Core& core, const Node& node, uint32_t address, const ByteInstead& instead) const {
  uint64_t low = 0, unknown = 0;
  for (uint8_t i = 0; i < node.size; ++i) {
    bool other = address + i == instead.address;
    uint8_t x = other ? instead.x : core.x[address + i], v = other ? instead.v : core.v[address + i];
    low |= uint64_t(v & uint8_t(~x)) << (8 * i);
    unknown |= uint64_t(x) << (8 * i);
  }
  unsigned width = node.size * 8u;
  if (node.bits != 0) {
    uint64_t mask = (uint64_t{1} << node.bits) - 1;
    low = low >> node.shift & mask, unknown = unknown >> node.shift & mask;
    width = node.bits;
  }
  uint64_t high = low | unknown, sign = uint64_t{1} << (width - 1);
  if (width == 64) return unknown == 0 ? Interval{int64_t(low), int64_t(low)} : kAnything;
  if (!node.is_signed) return {int64_t(low), int64_t(high)};
  auto extended = [&](uint64_t value) { return (value & sign) != 0 ? int64_t(value | ~uint64_t{0} << width) : int64_t(value); };
  if ((unknown & sign) != 0) return {extended(low | sign), int64_t(high & ~sign)};
  return {extended(low), extended(high)};
}

Interval Expression::binary_bounds(const Core& core, const Node& node, const ByteInstead& instead) const {
  if (compares_reals(node)) {
    auto x = real(core, node.a, instead), y = real(core, node.b, instead);
    return of_truth(x && y ? std::optional<bool>(compare(node.op, *x, *y) != 0) : std::nullopt);
  }
  auto of_operand = [&](int index) {
    if (!nodes_[size_t(index)].is_real) return bounds(core, index, instead);
    auto value = real(core, index, instead);
    return of_truth(value ? std::optional<bool>(*value != 0) : std::nullopt);
  };
  if (node.is_real) return kAnything;  // as a whole only: real()
  Interval a = of_operand(node.a), b = of_operand(node.b);
  if (node.op == kOrOr || node.op == kAndAnd) {
    auto first = truth_of(a), second = truth_of(b);
    bool decisive = node.op == kOrOr;
    if (first == decisive || second == decisive) return {decisive, decisive};
    return first && second ? Interval{!decisive, !decisive} : Interval{0, 1};
  }
  if (is_point(a) && is_point(b)) {
    int64_t value = compute(node.op, a.low, b.low);
    return {value, value};
  }
  bool apart = a.high < b.low || b.high < a.low;
  switch (node.op) {
    case kEq: return of_comparison(false, apart);
    case kNe: return of_comparison(apart, false);
    case kLe: return of_comparison(a.high <= b.low, a.low > b.high);
    case kGe: return of_comparison(a.low >= b.high, a.high < b.low);
    case kLt: return of_comparison(a.high < b.low, a.low >= b.high);
    case kGt: return of_comparison(a.low > b.high, a.high <= b.low);
    case kAdd: return sum(a, b, false);
    case kSub: return sum(a, b, true);
    case kAnd: return a.low >= 0 && b.low >= 0 ? Interval{0, std::min(a.high, b.high)} : kAnything;
    case kMod: return a.low >= 0 && b.low > 0 ? Interval{0, std::min(a.high, b.high - 1)} : kAnything;
    default: return kAnything;
  }
}

Interval Expression::bounds(const Core& core, int index, const ByteInstead& instead) const {
  const Node& node = nodes_[size_t(index)];
  switch (node.kind) {
    case Kind::Memory: {
      int64_t address = node.address;
      if (node.a >= 0) {
        Interval offset = bounds(core, node.a, instead);
        if (!is_point(offset)) return kAnything;
        address += offset.low;
        if (address < int64_t(node.address) || address + node.size > int64_t(node.extent)) return {0, 0};
      }
      return load_bounds(core, node, uint32_t(address), instead);
    }
    case Kind::Pointed: {
      Interval address = bounds(core, node.a, instead);
      if (!is_point(address) || !leads_to_variable(node, uint16_t(address.low))) return kAnything;
      return load_bounds(core, node, uint16_t(address.low), instead);
    }
    case Kind::Flash: {
      if (node.a >= 0 && !is_point(bounds(core, node.a, instead))) return kAnything;
      int64_t value = evaluate(core, index);
      return {value, value};
    }
    case Kind::Unary: {
      if (nodes_[size_t(node.a)].is_real) {
        auto value = real(core, node.a, instead);
        if (node.op == kNot && value) return of_truth(*value == 0);
        return node.op == kNot ? Interval{0, 1} : kAnything;
      }
      Interval a = bounds(core, node.a, instead);
      if (node.op == kNot) {
        auto truth = truth_of(a);
        return of_truth(truth ? std::optional<bool>(!*truth) : std::nullopt);
      }
      if (node.op == kComplement) return {~a.high, ~a.low};
      return sum({0, 0}, a, true);
    }
    case Kind::Binary: return binary_bounds(core, node, instead);
    case Kind::Conditional: {
      auto condition = truth_of(bounds(core, node.a, instead));
      if (condition) return bounds(core, *condition ? node.b : node.c, instead);
      Interval b = bounds(core, node.b, instead), c = bounds(core, node.c, instead);
      return {std::min(b.low, c.low), std::max(b.high, c.high)};
    }
    default: {
      int64_t value = evaluate(core, index);
      return {value, value};
    }
  }
}

std::optional<bool> Expression::truth(const Core& core, const ByteInstead& instead) const {
  if (nodes_[size_t(root_)].is_real) {
    auto value = real(core, root_, instead);
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
  }
  return truth_of(bounds(core, root_, instead));
}

}  // namespace whittle::avr
