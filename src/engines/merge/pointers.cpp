#include "engines/merge/pointers.h"

#include <algorithm>
#include <unordered_set>

namespace whittle::engines::merge {

using term::Op;

namespace {

/// Kids through which the base of a pointer comes.
std::vector<Term> carriers(Term t) {
  switch (t.op()) {
    case Op::Ite: return {t.kid(1), t.kid(2)};
    case Op::Add:
    case Op::And:
    case Op::Or: return t.width() == 1 ? std::vector<Term>{} : std::vector{t.kid(0), t.kid(1)};
    case Op::Sub:
    case Op::ZExt:
    case Op::Extract: return {t.kid(0)};
    case Op::Concat: return {t.kid(1)};
    default: return {};
  }
}

}  // namespace

const Pointers::Bases& Pointers::bases(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term t = stack.back();
    bool ready = true;
    const std::vector<Term> kids = bases_.contains(t) ? std::vector<Term>{} : carriers(t);
    for (Term kid : kids)
      if (!bases_.contains(kid)) stack.push_back(kid), ready = false;
    if (!ready) continue;
    stack.pop_back();
    if (bases_.contains(t)) continue;
    Bases found;
    if (t.is_constant() && t.width() >= 32)
      if (auto n = objects_.near(t.value64())) found.push_back(*n);
    for (Term kid : kids)
      for (ObjectNumber n : bases_.at(kid))
        if (std::find(found.begin(), found.end(), n) == found.end()) found.push_back(n);
    std::sort(found.begin(), found.end());
    bases_.emplace(t, std::move(found));
  }
  return bases_.at(root);
}

Pointers::Rebased Pointers::rebase(Term root, ObjectNumber n) {
  auto has = [&](Term t) {
    const Bases& b = bases(t);
    return std::binary_search(b.begin(), b.end(), n);
  };
  auto split = [&](Term t) {  // a sum with one summand that carries a base
    return t.op() == Op::Add && bases(t.kid(0)).empty() != bases(t.kid(1)).empty();
  };
  const uint64_t address = objects_[n].address;
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term t = stack.back();
    auto known = [&](Term kid) { return rebased_.contains({kid.id(), n}); };
    std::vector<Term> kids;
    if (!known(t)) {
      if (t.op() == Op::Ite) {
        for (unsigned i = 1; i < 3; ++i)
          if (has(t.kid(i))) kids.push_back(t.kid(i));
      } else if (split(t)) {
        kids.push_back(t.kid(bases(t.kid(0)).empty() ? 1 : 0));
      }
    }
    bool ready = true;
    for (Term kid : kids)
      if (!known(kid)) stack.push_back(kid), ready = false;
    if (!ready) continue;
    stack.pop_back();
    if (known(t)) continue;
    Rebased result;
    if (t.op() == Op::Ite) {
      const bool yes = has(t.kid(1)), no = has(t.kid(2));
      const Rebased a = yes ? rebased_[{t.kid(1).id(), n}] : Rebased{}, b = no ? rebased_[{t.kid(2).id(), n}] : Rebased{};
      if (yes && no)
        result = {store_.ite(t.kid(0), a.condition, b.condition), store_.ite(t.kid(0), a.offset, b.offset)};
      else if (yes)
        result = {store_.band(t.kid(0), a.condition), a.offset};
      else
        result = {store_.band(store_.bnot(t.kid(0)), b.condition), b.offset};
    } else if (split(t)) {
      const unsigned carrier = bases(t.kid(0)).empty() ? 1 : 0;
      const Rebased a = rebased_[{t.kid(carrier).id(), n}];
      result = {a.condition, store_.add(a.offset, t.kid(1 - carrier))};
    } else {
      result = {store_.truth(), store_.sub(t, store_.constant(t.width(), address))};
    }
    rebased_[{t.id(), n}] = result;
  }
  return rebased_[{root.id(), n}];
}

std::vector<Place> Pointers::places(Term pointer) {
  std::vector<Place> found;
  const Bases all = bases(pointer);
  for (ObjectNumber n : all) {
    Rebased r = rebase(pointer, n);
    if (!r.condition.is_false()) found.push_back({n, r.condition, r.offset});
  }
  return found;
}

std::optional<std::vector<uint64_t>> Pointers::constants(Term root) const {
  std::vector<uint64_t> values;
  std::vector<Term> stack{root};
  std::unordered_set<Term> seen;
  while (!stack.empty()) {
    Term t = stack.back();
    stack.pop_back();
    if (!seen.insert(t).second) continue;
    if (t.is_constant())
      values.push_back(t.value64());
    else if (t.op() == Op::Ite)
      stack.insert(stack.end(), {t.kid(1), t.kid(2)});
    else
      return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace whittle::engines::merge
