#include "solve/linear.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace whittle::solve {

using term::Term;

namespace {

constexpr unsigned kMostBits = 126;

bool is_power(u128 v) { return (v & (v - 1)) == 0; }

unsigned bits(i128 v) {
  unsigned n = 1;
  for (u128 u = static_cast<u128>(v < 0 ? -v : v); u != 0; u >>= 1) ++n;
  return n;
}

template <typename Is>
bool any_part(Term root, const Is& is) {
  std::unordered_set<Term> seen;
  std::vector<Term> todo{root};
  while (!todo.empty()) {
    Term t = todo.back();
    todo.pop_back();
    if (!seen.insert(t).second) continue;
    if (is(t)) return true;
    for (unsigned i = 0; t.op() != term::Op::Read && i < t.arity(); ++i) todo.push_back(t.kid(i));
  }
  return false;
}

}  // namespace

bool LinearSum::add(const LinearSum& other, i128 factor) {
  auto large = [](i128 v) { return bits(v) > 66; };
  auto too_much = [&](i128 v) { return bits(v) + bits(factor) > 100; };
  if (large(factor) || too_much(other.constant)) return false;
  for (const auto& [id, part] : other.parts) {
    if (too_much(part.second)) return false;
    auto& mine = parts.try_emplace(id, part.first, 0).first->second;
    mine.second += factor * part.second;
    if (large(mine.second)) return false;
    if (mine.second == 0) parts.erase(id);
  }
  constant += factor * other.constant;
  return !large(constant);
}

bool has_exact_sums(Term root) {
  return any_part(root, [](Term t) { return t.width() > 1 && t.width() % 8 != 0; });
}

bool is_about_sums(Term root) {
  return any_part(root, [](Term t) {
    if (t.width() > 1 && t.width() % 8 != 0) return true;
    return t.op() == term::Op::Mul && t.width() == 64 && t.kid(1).is_constant() && !is_power(t.kid(1).value());
  });
}

unsigned LinearTerms::own_width(const LinearSum& sum) {
  unsigned most = 0;
  for (const auto& [id, part] : sum.parts) most = std::max(most, part.first.width());
  return most;
}

/// With a bit for the sign, and so many that no partial sum is cut.
unsigned LinearTerms::exact_width(const LinearSum& sum) const {
  unsigned most = bits(sum.constant), extra = 1;
  for (const auto& [id, part] : sum.parts)
    most = std::max(most, part.first.width() + (signed_ ? 0 : 1) + bits(part.second) - 1);
  for (size_t n = sum.parts.size() + 1; n > 1; n >>= 1) ++extra;
  return most + extra;
}

Term LinearTerms::in_bits(const LinearSum& sum, unsigned w) const {
  Term all = store_.constant(w, static_cast<u128>(sum.constant));
  for (const auto& [id, part] : sum.parts) {
    Term t = signed_ ? store_.resize_signed(part.first, w) : store_.resize_unsigned(part.first, w);
    all = store_.add(all, store_.mul(t, store_.constant(w, static_cast<u128>(part.second))));
  }
  return all;
}

Term LinearTerms::exact(const LinearSum& sum) const {
  const unsigned w = exact_width(sum);
  return w > kMostBits ? Term() : in_bits(sum, w);
}

Term LinearTerms::zero(const LinearSum& sum) const {
  const unsigned w = own_width(sum);
  if (w == 0) return store_.boolean(sum.constant == 0);
  return store_.eq(in_bits(sum, w), store_.constant(w, 0));
}

Term LinearTerms::bound(Term t, bool upper, i128 value) const {
  const unsigned w = t.width();
  const i128 low = signed_ ? -(i128{1} << (w - 1)) : 0, high = (i128{1} << (signed_ ? w - 1 : w)) - 1;
  if (value < low) return store_.boolean(!upper);
  if (value > high) return store_.boolean(upper);
  Term constant = store_.constant(w, static_cast<u128>(value));
  Term left = upper ? t : constant, right = upper ? constant : t;
  return signed_ ? store_.sle(left, right) : store_.ule(left, right);
}

Term LinearTerms::not_positive(const LinearSum& sum) const {
  const unsigned own = own_width(sum);
  if (own == 0) return store_.boolean(sum.constant <= 0);
  std::vector<std::pair<Term, i128>> parts;
  for (const auto& [id, part] : sum.parts) parts.push_back(part);
  auto unit = [](i128 factor) { return factor == 1 || factor == -1; };
  if (parts.size() == 1 && unit(parts[0].second) && own < kMostBits)
    return parts[0].second == 1 ? bound(parts[0].first, true, -sum.constant)
                                : bound(parts[0].first, false, sum.constant);
  // Two of one width, whose difference is compared with 0 or -1: no wider than they are.
  if (parts.size() == 2 && parts[0].first.width() == parts[1].first.width() && unit(parts[0].second) &&
      parts[0].second + parts[1].second == 0 && (sum.constant == 0 || sum.constant == 1)) {
    Term a = parts[0].first, b = parts[1].first;
    if (parts[0].second < 0) std::swap(a, b);
    if (sum.constant == 0) return signed_ ? store_.sle(a, b) : store_.ule(a, b);
    return signed_ ? store_.slt(a, b) : store_.ult(a, b);
  }
  Term all = exact(sum);
  return all ? store_.sle(all, store_.constant(all.width(), 0)) : Term();
}

}  // namespace whittle::solve
