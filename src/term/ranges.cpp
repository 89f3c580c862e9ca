#include "term/ranges.h"

#include <algorithm>
#include <bit>

namespace whittle::term {

namespace {

constexpr i128 kLargest = i128{1} << 100;  ///< beyond, nothing is known

i128 gcd(i128 a, i128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const i128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

i128 floor_mod(i128 a, i128 m) { return (a % m + m) % m; }

Range full(unsigned width) { return {0, width >= 100 ? kLargest : (i128{1} << width) - 1, 1}; }
Range exactly(i128 value) { return {value, value, 0}; }
bool small(const Range& r) { return r.low > -kLargest && r.high < kLargest; }

Range hull(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), gcd(gcd(a.stride, b.stride), a.low - b.low)};
}

Range plus(const Range& a, const Range& b) { return {a.low + b.low, a.high + b.high, gcd(a.stride, b.stride)}; }

Range times(const Range& a, i128 factor) {
  Range r{a.low * factor, a.high * factor, a.stride * factor};
  if (factor < 0) std::swap(r.low, r.high), r.stride = -r.stride;
  return r;
}

/// The same numbers modulo 2^width in begin .. begin + 2^width - 1. What wraps around keeps only a stride that divides
/// the modulus.
Range wrapped(const Range& r, unsigned width, i128 begin) {
  if (width >= 100) return full(width);
  const i128 modulus = i128{1} << width;
  if (r.low >= begin && r.high < begin + modulus) return r;
  if (r.constant()) return exactly(begin + floor_mod(r.low - begin, modulus));
  const i128 stride = gcd(r.stride, modulus), rest = floor_mod(r.low - begin, stride);
  return {begin + rest, begin + modulus - stride + rest, stride};
}

}  // namespace

Range Ranges::as_unsigned(Range r, unsigned width) const { return wrapped(r, width, 0); }
Range Ranges::as_signed(Range r, unsigned width) const {
  return width >= 100 ? full(width) : wrapped(r, width, -(i128{1} << (width - 1)));
}

Range Ranges::unsigned_of(Term t) { return as_unsigned(of(t), t.width()); }

Range Ranges::of(Term root) {
  stack_.push_back(root);
  while (!stack_.empty()) {
    Term t = stack_.back();
    bool ready = true;
    if (!known_.contains(t) && t.op() != Op::Read && !t.has_floats())
      for (unsigned i = t.arity(); i-- > 0;)
        if (!known_.contains(t.kid(i))) stack_.push_back(t.kid(i)), ready = false;
    if (!ready) continue;
    stack_.pop_back();
    if (known_.contains(t)) continue;
    Range r = one(t);
    if (!small(r)) r = full(t.width());
    known_.emplace(t, r);
  }
  return known_.at(root);
}

std::optional<bool> Ranges::compared(Op op, Term x, Term y) {
  const unsigned width = x.width();
  if (width >= 100) return std::nullopt;
  const bool is_signed = op == Op::Slt || op == Op::Sle;
  auto range = [&](Term t) { return is_signed ? as_signed(of(t), width) : as_unsigned(of(t), width); };
  const Range a = range(x), b = range(y);
  switch (op) {
    case Op::Ult:
    case Op::Slt:
      if (a.high < b.low) return true;
      if (a.low >= b.high) return false;
      return std::nullopt;
    case Op::Ule:
    case Op::Sle:
      if (a.high <= b.low) return true;
      if (a.low > b.high) return false;
      return std::nullopt;
    case Op::Eq:
      if (a.constant() && b.constant()) return a.low == b.low;
      if (a.high < b.low || b.high < a.low) return false;
      if (const i128 common = gcd(a.stride, b.stride); common > 1 && (a.low - b.low) % common != 0) return false;
      return std::nullopt;
    default: return std::nullopt;
  }
}

Range Ranges::one(Term t) {
  const unsigned width = t.width();
  if (width >= 100 || t.has_floats()) return full(width);
  auto kid = [&](unsigned i) { return known(t.kid(i)); };
  auto positive = [&](unsigned i) { return as_unsigned(kid(i), t.kid(i).width()); };
  switch (t.op()) {
    case Op::Constant: return exactly(width == 1 ? static_cast<i128>(t.value()) : sign_extend128(t.value(), width));
    case Op::Neg: return times(kid(0), -1);
    case Op::Add: return plus(kid(0), kid(1));
    case Op::Sub: return plus(kid(0), times(kid(1), -1));
    case Op::Mul:
      for (unsigned i = 0; i < 2; ++i)
        if (t.kid(i).is_constant()) {
          const Range& other = known(t.kid(1 - i));
          const i128 factor = sign_extend128(t.kid(i).value(), width);
          const i128 most = std::max(other.high < 0 ? -other.high : other.high, other.low < 0 ? -other.low : other.low);
          if (factor == 0 || most < kLargest / (factor < 0 ? -factor : factor)) return times(other, factor);
        }
      return full(width);
    case Op::And: {
      const Range a = positive(0), b = positive(1);
      Range r{0, std::min(a.high, b.high), 1};
      if (t.kid(1).is_constant() && t.kid(1).value() != 0) {
        const u128 mask = t.kid(1).value();
        r.stride = static_cast<i128>(mask & (~mask + 1));
        r.high -= r.high % r.stride;
      }
      return r;
    }
    case Op::Or:
    case Op::Xor: {
      // Bits above the highest of both are clear, as are those below the lowest.
      const Range a = positive(0), b = positive(1);
      auto lowest = [](i128 x) { return x & -x; };
      const i128 either = gcd(a.low, a.stride) | gcd(b.low, b.stride);
      const i128 stride = either == 0 ? 1 : lowest(either);
      i128 top = 1;
      while (top <= std::max(a.high, b.high)) top *= 2;
      return {0, std::max<i128>(0, top - stride), stride};
    }
    case Op::Shl:
      if (t.kid(1).is_constant() && t.kid(1).value() < width && width <= 64) {
        const Range r = positive(0);
        const i128 factor = i128{1} << static_cast<unsigned>(t.kid(1).value());
        if (r.high < kLargest / factor) return times(r, factor);
      }
      return full(width);
    case Op::ZExt: return positive(0);
    case Op::SExt: return as_signed(kid(0), t.kid(0).width());
    case Op::Ite: return hull(kid(1), kid(2));
    case Op::Extract: {
      if (t.low() == 0) {
        Range r = kid(0);
        return small(r) ? r : full(width);
      }
      if (t.kid(0).width() >= 100) return full(width);  // the bound of such a width is none
      Range r = positive(0);
      Range shifted{r.low >> t.low(), r.high >> t.low(), 1};
      return shifted.high < (i128{1} << width) ? shifted : full(width);
    }
    case Op::Concat: {
      const unsigned low = t.kid(1).width();
      return plus(times(positive(0), i128{1} << low), positive(1));
    }
    case Op::UDiv:
      if (t.kid(1).is_constant() && t.kid(1).value() != 0) {
        const auto by = static_cast<i128>(t.kid(1).value());
        const Range r = positive(0);
        return {r.low / by, r.high / by, 1};
      }
      return full(width);
    case Op::URem:
      if (t.kid(1).is_constant() && t.kid(1).value() != 0) {
        const auto by = static_cast<i128>(t.kid(1).value());
        const Range r = positive(0);
        return r.high < by ? r : Range{0, by - 1, 1};
      }
      return full(width);
    case Op::LShr: {
      const Range r = positive(0);
      if (!t.kid(1).is_constant() || t.kid(1).value() >= width) return {0, r.high, 1};
      const auto by = static_cast<unsigned>(t.kid(1).value());
      return {r.low >> by, r.high >> by, 1};
    }
    default: return full(width);
  }
}

Elements elements(Ranges& ranges, Term offset, uint64_t capacity, uint64_t bytes) {
  Elements found;
  if (bytes > capacity) return found;
  Range range = ranges.of(offset);
  // Where it wraps around there is no telling which of the numbers it is.
  const i128 far = i128{1} << (offset.width() - 1);
  if (range.low < -far || range.high >= far) range = ranges.unsigned_of(offset);
  const i128 stride = range.stride == 0 ? 1 : range.stride;
  i128 first = range.low;
  if (first < 0) first += (-first + stride - 1) / stride * stride;
  const i128 last = std::min<i128>(range.high, static_cast<i128>(capacity - bytes));
  if (first > last) return found;
  found.first = static_cast<uint64_t>(first);
  found.stride = static_cast<uint64_t>(std::min<i128>(stride, i128{1} << 62));
  found.count = static_cast<uint64_t>((last - first) / stride) + 1;
  return found;
}

Term pick(Store& store, Term offset, const Elements& elements, const std::vector<Term>& values) {
  constexpr size_t kFew = 4;
  auto number = [&](uint64_t n) { return store.constant(offset.width(), n); };
  if (values.size() <= kFew || !std::has_single_bit(elements.stride)) {
    Term result = values.back();
    for (size_t i = values.size() - 1; i-- > 0;)
      result = store.ite(store.eq(offset, number(elements.place(i))), values[i], result);
    return result;
  }
  Term index = store.sub(offset, number(elements.first));
  std::vector<Term> level = values;
  for (auto bit = static_cast<unsigned>(std::countr_zero(elements.stride)); level.size() > 1; ++bit) {
    Term high = store.extract(index, bit, 1);
    std::vector<Term> next;
    for (size_t i = 0; i < level.size(); i += 2)
      next.push_back(i + 1 < level.size() ? store.ite(high, level[i + 1], level[i]) : level[i]);
    level = std::move(next);
  }
  return level[0];
}

}  // namespace whittle::term
