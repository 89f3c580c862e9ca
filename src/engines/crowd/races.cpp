// Data races: two threads stand before accesses of the same bytes, one of which writes, and which are not both atomic.
//
// A program whose atomic accesses order all that they can has a race only if it has one of two accesses made in steps right
// after each other (docs/decisions/034), so only if two threads can stand before them. Every access outside of atomic sections
// is the first of its step; one inside is taken to be made where the section begins.
#include "engines/crowd/prover.h"

namespace whittle::engines::crowd {

std::optional<std::pair<const SharedAccess*, const SharedAccess*>> Prover::race() {
  for (uint32_t a = 0; a < nodes_.size(); ++a)
    for (uint32_t b = a; b < nodes_.size(); ++b) {
      if (!nodes_[a].alive || !nodes_[b].alive || !possible(a, b) || !pair(a, b).alive) continue;
      for (const SharedAccess& one : automaton_.nodes()[a].accesses)
        for (const SharedAccess& two : automaton_.nodes()[b].accesses)
          if (one.object == two.object && (one.write || two.write) && !(one.atomic && two.atomic) && may_race(a, b, one, two))
            return std::pair(&one, &two);
    }
  return std::nullopt;
}

bool Prover::may_race(uint32_t a, uint32_t b, const SharedAccess& one, const SharedAccess& two) {
  // What one of them leaves open may be something else for the other.
  std::unordered_map<Term, Term> names;
  auto of_other = [&](Term t) {
    const Term named = other(t);
    return terms_.substitute(named, [&](Term v) -> Term {
      if (automaton_.variable(v) || owners_.contains(v)) return {};
      Term& name = names[v];
      if (!name) name = terms_.variable(v.width(), "any");
      return name;
    });
  };
  auto below = [&](Term begin, Term other_begin, uint64_t size) {
    return terms_.ult(begin, terms_.add(other_begin, terms_.constant(other_begin.width(), size)));
  };
  const Term there = of_other(two.address);
  const Term meet = terms_.band(below(one.address, there, two.size), below(there, one.address, one.size));
  if (meet.is_false()) return false;
  solver_.push();
  add_both(a, b, [&](Term t) { solver_.add(t); });
  solver_.add(one.condition);
  solver_.add(of_other(two.condition));
  const bool excluded = check(meet).unsat();
  solver_.pop();
  return !excluded;
}

}  // namespace whittle::engines::crowd
