#include "engines/dash/elements.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "term/stride.h"

namespace whittle::engines::dash {

namespace {

/// Are these sums that begin in different objects? (Then an instance would say nothing.)
bool in_other_object(Space& space, Term a, Term b) {
  auto object = [&](Term t) -> std::pair<bool, uint64_t> {
    const uint64_t at = static_cast<uint64_t>(term::constant_part(t));
    if (auto o = space.program().object_at(at)) return {true, space.program().objects[*o].address};
    for (const Site& site : space.sites())
      if (at >= site.address && at - site.address <= site.size) return {true, site.address};
    return {false, 0};
  };
  const auto x = object(a), y = object(b);
  return x.first && y.first && x.second != y.second;
}

}  // namespace

ElementFact make_fact(Space& space, Term bound, Term property) {
  return {bound, property, term::strides(space.terms(), property, space.element())};
}

Term body(Space& space, const ElementFact& fact) {
  auto& store = space.terms();
  return store.implies(store.ult(space.element(), fact.bound), fact.property);
}

std::vector<Term> instances(Space& space, std::span<const ElementFact> facts, const std::vector<Term>& terms,
                            std::vector<size_t>* of, const ElementLimits& limits) {
  auto& store = space.terms();
  const Term n = space.element();
  std::vector<Term> reads, found;
  std::unordered_set<Term> seen, made;
  auto note = [&](Term t) {
    if (!t.has_reads()) return;
    for (Term r : term::reads(t))
      if (seen.insert(r).second) reads.push_back(r);
  };
  for (Term t : terms) note(t);
  std::vector<Term> bodies;
  for (const ElementFact& fact : facts) bodies.push_back(body(space, fact));
  // What an instance reads may be an element of another fact: a[i] == b[i], and b[i] == 0. Copies of copies make chains.
  constexpr int kRounds = 6;
  size_t from = 0;
  for (int round = 0; round < kRounds && from < reads.size(); ++round) {
    const size_t to = reads.size();
    for (size_t r = from; r < to; ++r)
      for (size_t f = 0; f < facts.size() && found.size() < limits.instances; ++f)
        for (const term::Stride& access : facts[f].accesses) {
          const Term address = reads[r].kid(0);
          if (access.width != reads[r].width() || in_other_object(space, access.base, address)) continue;
          const Term number = term::quotient(store, store.sub(address, access.base), access.scale);
          Term instance = store.substitute(bodies[f], [&](Term v) { return v == n ? number : Term(); });
          if (instance.is_true() || !made.insert(instance).second) continue;
          found.push_back(instance);
          if (of) of->push_back(f);
          note(instance);
        }
    from = to;
  }
  const size_t count = std::min(reads.size(), limits.reads);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < i; ++j) {
      if (reads[i].width() != reads[j].width() || in_other_object(space, reads[i].kid(0), reads[j].kid(0))) continue;
      const Term same = store.eq(reads[i].kid(0), reads[j].kid(0));
      if (same.is_false()) continue;
      found.push_back(store.implies(same, store.eq(reads[i], reads[j])));
      if (of) of->push_back(program::kNone);
    }
  return found;
}

void use_addresses(Space& space, const std::vector<Term>& known, std::vector<Term>& terms) {
  auto& store = space.terms();
  std::unordered_map<Term, Term> values;
  std::unordered_set<Term> equations;
  for (Term t : known) {
    if (t.op() != term::Op::Eq) continue;
    for (unsigned side = 0; side < 2; ++side) {
      const Term variable = t.kid(side), value = t.kid(1 - side);
      if (!variable.is_variable() || !value.is_constant() || value.width() != space.program().pointer_width()) continue;
      values.emplace(variable, value);
      equations.insert(t);
    }
  }
  if (values.empty()) return;
  auto replace = [&](Term v) {
    auto it = values.find(v);
    return it == values.end() ? Term() : it->second;
  };
  for (Term& t : terms)
    if (!equations.contains(t)) t = store.substitute(t, replace, [](Term r) { return r; });
}

bool holds_for_some(Space& space, const Forest& forest, StateRef state, const ElementFact& fact) {
  const Test& test = forest.test(state.test);
  const u128 bound = test.evaluate(space, state.visit, fact.bound);
  constexpr u128 kEach = 12;  // from both ends
  for (u128 k = 0; k < std::min(bound, 2 * kEach); ++k) {
    const u128 number = k < kEach || bound <= 2 * kEach ? k : bound - (k - kEach) - 1;
    if (test.evaluate(space, state.visit, fact.property, space.element(), number) != 1) return false;
  }
  return true;
}

}  // namespace whittle::engines::dash
