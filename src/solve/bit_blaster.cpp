#include "solve/bit_blaster.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

#include "base/error.h"

namespace whittle::solve {

using term::Op;

size_t BitBlaster::KeyHash::operator()(const Key& k) const {
  uint64_t h = static_cast<uint32_t>(k.a) * 0x9e3779b97f4a7c15u;
  h = (h ^ static_cast<uint32_t>(k.b)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 29 ^ static_cast<uint32_t>(k.c)) * 0x94d049bb133111ebu;
  return h ^ h >> 32;
}

BitBlaster::BitBlaster(Sat& sat) : sat_(sat) {
  const int truth = sat_.variable();
  assert(truth == kTrue);
  sat_.clause({truth});
}

// Gates

int BitBlaster::both(int a, int b) {
  if (a == -kTrue || b == -kTrue || a == -b) return -kTrue;
  if (a == kTrue || a == b) return b;
  if (b == kTrue) return a;
  if (a > b) std::swap(a, b);
  int& gate = ands_[{a, b, 0}];
  if (gate != 0) return gate;
  gate = sat_.variable();
  ++gates_;
  sat_.clause({-gate, a});
  sat_.clause({-gate, b});
  sat_.clause({gate, -a, -b});
  return gate;
}

int BitBlaster::differ(int a, int b) {
  if (a == kTrue) return -b;
  if (a == -kTrue) return b;
  if (b == kTrue) return -a;
  if (b == -kTrue) return a;
  if (a == b) return -kTrue;
  if (a == -b) return kTrue;
  int sign = 1;
  if (a < 0) a = -a, sign = -sign;
  if (b < 0) b = -b, sign = -sign;
  if (a > b) std::swap(a, b);
  int& gate = xors_[{a, b, 0}];
  if (gate == 0) {
    gate = sat_.variable();
    ++gates_;
    sat_.clause({-gate, a, b});
    sat_.clause({-gate, -a, -b});
    sat_.clause({gate, -a, b});
    sat_.clause({gate, a, -b});
  }
  return sign * gate;
}

int BitBlaster::choose(int c, int a, int b) {
  if (c == kTrue || a == b) return a;
  if (c == -kTrue) return b;
  if (a == -b) return -differ(c, a);
  if (a == kTrue || a == c) return either(c, b);
  if (a == -kTrue || a == -c) return both(-c, b);
  if (b == kTrue || b == -c) return either(-c, a);
  if (b == -kTrue || b == c) return both(c, a);
  if (c < 0) c = -c, std::swap(a, b);
  int sign = 1;
  if (a < 0) a = -a, b = -b, sign = -1;
  int& gate = muxes_[{c, a, b}];
  if (gate == 0) {
    gate = sat_.variable();
    ++gates_;
    sat_.clause({-c, -a, gate});
    sat_.clause({-c, a, -gate});
    sat_.clause({c, -b, gate});
    sat_.clause({c, b, -gate});
    sat_.clause({-a, -b, gate});
    sat_.clause({a, b, -gate});
  }
  return sign * gate;
}

int BitBlaster::majority(int a, int b, int c) {
  int k[3] = {a, b, c};
  for (int i = 0; i < 3; ++i) {
    const int x = k[(i + 1) % 3], y = k[(i + 2) % 3];
    if (k[i] == kTrue) return either(x, y);
    if (k[i] == -kTrue) return both(x, y);
    if (x == y) return x;
    if (x == -y) return k[i];
  }
  std::sort(k, k + 3);
  int& gate = majorities_[{k[0], k[1], k[2]}];
  if (gate != 0) return gate;
  gate = sat_.variable();
  ++gates_;
  for (int i = 0; i < 3; ++i) {
    const int x = k[i], y = k[(i + 1) % 3];
    sat_.clause({-x, -y, gate});
    sat_.clause({x, y, -gate});
  }
  return gate;
}

// Words, lowest bit first

BitBlaster::Bits BitBlaster::constant(unsigned width, u128 value) const {
  Bits result(width);
  for (unsigned i = 0; i < width; ++i) result[i] = (value >> i & 1) != 0 ? kTrue : -kTrue;
  return result;
}

BitBlaster::Bits BitBlaster::map(const Bits& a, const Bits& b, int (BitBlaster::*gate)(int, int)) {
  Bits result(a.size());
  for (size_t i = 0; i < a.size(); ++i) result[i] = (this->*gate)(a[i], b[i]);
  return result;
}

BitBlaster::Bits BitBlaster::choose(int c, const Bits& a, const Bits& b) {
  Bits result(a.size());
  for (size_t i = 0; i < a.size(); ++i) result[i] = choose(c, a[i], b[i]);
  return result;
}

BitBlaster::Bits BitBlaster::inverted(Bits a) const {
  for (int& bit : a) bit = -bit;
  return a;
}

BitBlaster::Bits BitBlaster::sum(const Bits& a, const Bits& b, int carry, int* carry_out) {
  Bits result(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    result[i] = differ(differ(a[i], b[i]), carry);
    if (i + 1 < a.size() || carry_out) carry = majority(a[i], b[i], carry);
  }
  if (carry_out) *carry_out = carry;
  return result;
}

BitBlaster::Bits BitBlaster::product(Bits a, Bits b) {
  auto open = [](const Bits& x) { return std::count_if(x.begin(), x.end(), [](int l) { return std::abs(l) != kTrue; }); };
  if (open(a) < open(b)) std::swap(a, b);
  const size_t width = a.size();
  Bits result = constant(static_cast<unsigned>(width), 0);
  // Runs of ones in a known factor: one sum and one difference.
  if (open(b) == 0) {
    for (size_t i = 0; i < width;) {
      if (b[i] != kTrue) {
        ++i;
        continue;
      }
      size_t end = i;
      while (end < width && b[end] == kTrue) ++end;
      auto shifted = [&](size_t by) {
        Bits x = constant(static_cast<unsigned>(width), 0);
        for (size_t k = by; k < width; ++k) x[k] = a[k - by];
        return x;
      };
      if (end - i > 2) {
        if (end < width) result = sum(result, shifted(end), -kTrue);
        result = sum(result, inverted(shifted(i)), kTrue);
      } else {
        for (size_t k = i; k < end; ++k) result = sum(result, shifted(k), -kTrue);
      }
      i = end;
    }
    return result;
  }
  for (size_t i = 0; i < width; ++i) {
    if (b[i] == -kTrue) continue;
    Bits row = constant(static_cast<unsigned>(width), 0);
    for (size_t k = i; k < width; ++k) row[k] = both(a[k - i], b[i]);
    result = sum(result, row, -kTrue);
  }
  return result;
}

/// Restoring division. By zero the quotient is all ones and the remainder a, as in SMT-LIB.
void BitBlaster::divide(const Bits& a, const Bits& b, Bits& quotient, Bits& remainder) {
  const size_t width = a.size();
  quotient.assign(width, -kTrue);
  Bits rest(width + 1, -kTrue), wide = b;
  wide.push_back(-kTrue);
  for (size_t i = width; i-- > 0;) {
    rest.pop_back();  // below b, so its top bit is clear; or b is zero and the top bit does not matter
    rest.insert(rest.begin(), a[i]);
    int fits = 0;
    Bits less = sum(rest, inverted(wide), kTrue, &fits);
    quotient[i] = fits;
    rest = choose(fits, less, rest);
  }
  rest.pop_back();
  remainder = rest;
}

BitBlaster::Bits BitBlaster::division(Op op, const Bits& a, const Bits& b) {
  const bool is_signed = op == Op::SDiv || op == Op::SRem;
  const int na = is_signed ? a.back() : -kTrue, nb = is_signed ? b.back() : -kTrue;
  Bits quotient, remainder;
  divide(choose(na, negated(a), a), choose(nb, negated(b), b), quotient, remainder);
  if (op == Op::UDiv || op == Op::SDiv) return choose(differ(na, nb), negated(quotient), quotient);
  return choose(na, negated(remainder), remainder);
}

BitBlaster::Bits BitBlaster::shift(Op op, const Bits& a, const Bits& amount) {
  const size_t width = a.size();
  const int fill = op == Op::AShr ? a.back() : -kTrue;
  Bits result = a;
  int beyond = -kTrue;
  for (size_t i = 0; i < amount.size(); ++i) {
    const size_t by = i < 8 ? size_t{1} << i : width;
    if (by >= width) {
      beyond = either(beyond, amount[i]);
      continue;
    }
    Bits moved(width);
    for (size_t k = 0; k < width; ++k) {
      if (op == Op::Shl)
        moved[k] = k >= by ? result[k - by] : -kTrue;
      else
        moved[k] = k + by < width ? result[k + by] : fill;
    }
    result = choose(amount[i], moved, result);
  }
  return choose(beyond, Bits(width, fill), result);
}

int BitBlaster::equal(const Bits& a, const Bits& b) {
  int result = kTrue;
  for (size_t i = 0; i < a.size(); ++i) result = both(result, -differ(a[i], b[i]));
  return result;
}

int BitBlaster::less(const Bits& a, const Bits& b) {
  int result = -kTrue;
  for (size_t i = 0; i < a.size(); ++i) result = majority(-a[i], b[i], result);
  return result;
}

// Terms

BitBlaster::Bits BitBlaster::bits(Term t) const {
  auto begin = pool_.begin() + start_[t.id()];
  return Bits(begin, begin + t.width());
}

int BitBlaster::literal(Term condition) {
  encode(condition);
  return pool_[start_[condition.id()]];
}

u128 BitBlaster::value(Term leaf) const {
  if (!known(leaf)) return 0;
  u128 result = 0;
  for (unsigned i = 0; i < leaf.width(); ++i)
    if (sat_.value(pool_[start_[leaf.id()] + i])) result |= u128{1} << i;
  return result;
}

void BitBlaster::encode(Term root) {
  stack_.push_back(root);
  while (!stack_.empty()) {
    Term t = stack_.back();
    bool ready = true;
    if (!known(t) && t.op() != Op::Read)
      for (unsigned i = t.arity(); i-- > 0;)
        if (!known(t.kid(i))) stack_.push_back(t.kid(i)), ready = false;
    if (!ready) continue;
    stack_.pop_back();
    if (known(t)) continue;
    Bits made = one(t);
    assert(made.size() == t.width());
    if (start_.size() <= t.id()) start_.resize(std::max<size_t>(t.id() + 1, start_.size() * 3 / 2));
    start_[t.id()] = static_cast<uint32_t>(pool_.size());
    pool_.insert(pool_.end(), made.begin(), made.end());
  }
}

BitBlaster::Bits BitBlaster::one(Term t) {
  const unsigned width = t.width();
  switch (t.op()) {
    case Op::Constant: return constant(width, t.value());
    case Op::Variable:
    case Op::Read: {
      Bits fresh(width);
      for (int& bit : fresh) bit = sat_.variable();
      return fresh;
    }
    default: break;
  }
  const Bits a = bits(t.kid(0));
  switch (t.op()) {
    case Op::Not: return inverted(a);
    case Op::Neg: return negated(a);
    case Op::Extract: return Bits(a.begin() + t.low(), a.begin() + t.low() + width);
    case Op::ZExt:
    case Op::SExt: {
      Bits wide = a;
      wide.resize(width, t.op() == Op::SExt ? a.back() : -kTrue);
      return wide;
    }
    default: break;
  }
  const Bits b = bits(t.kid(1));
  auto flipped = [](Bits x) {
    x.back() = -x.back();
    return x;
  };
  switch (t.op()) {
    case Op::And: return map(a, b, &BitBlaster::both);
    case Op::Or: return map(a, b, &BitBlaster::either);
    case Op::Xor: return map(a, b, &BitBlaster::differ);
    case Op::Add: return sum(a, b, -kTrue);
    case Op::Sub: return sum(a, inverted(b), kTrue);
    case Op::Mul: return product(a, b);
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem: return division(t.op(), a, b);
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return shift(t.op(), a, b);
    case Op::Eq: return {equal(a, b)};
    case Op::Ult: return {less(a, b)};
    case Op::Ule: return {-less(b, a)};
    case Op::Slt: return {less(flipped(a), flipped(b))};
    case Op::Sle: return {-less(flipped(b), flipped(a))};
    case Op::Concat: {
      Bits joined = b;
      joined.insert(joined.end(), a.begin(), a.end());
      return joined;
    }
    case Op::Ite: return choose(a[0], b, bits(t.kid(2)));
    default: fail_internal("{} has no gates", term::name(t.op()));
  }
}

}  // namespace whittle::solve
