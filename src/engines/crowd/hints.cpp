#include "engines/crowd/hints.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace whittle::engines::crowd {

namespace {

constexpr size_t kMostHints = 200;

bool is_shared(const Variable* v) { return v && v->kind == kNone && !v->counter && v->address != 0; }

/// The same condition over variables of another automaton; none: it has no such variables.
Term translated(Term condition, const Automaton& from, const Automaton& to, term::Store& terms) {
  bool all = true;
  const Term said = terms.substitute(condition, [&](Term v) -> Term {
    const Variable* known = from.variable(v);
    if (is_shared(known))
      for (const Variable& other : to.variables())
        if (is_shared(&other) && other.address == known->address && other.term.width() == v.width()) return other.term;
    all = false;
    return {};
  });
  return all ? said : Term();
}

}  // namespace

std::vector<Term> hints(const Automaton& sections, const Prover& prover, const Automaton& plain, term::Store& terms) {
  std::optional<std::vector<Term>> everywhere;
  for (uint32_t n = 0; n < sections.nodes().size(); ++n) {
    if (!prover.reached(n)) continue;
    const std::vector<Term> here = prover.facts(n);
    const std::unordered_set<Term> known(here.begin(), here.end());
    if (!everywhere)
      everywhere = here;
    else
      std::erase_if(*everywhere, [&](Term fact) { return !known.contains(fact); });
  }
  std::vector<Term> found;
  if (!everywhere) return found;
  for (Term free : sections.free_locks())
    for (Term fact : *everywhere) {
      const Term lock = translated(free, sections, plain, terms), said = translated(fact, sections, plain, terms);
      if (lock && said && found.size() < kMostHints) found.push_back(terms.implies(lock, said));
    }
  return found;
}

}  // namespace whittle::engines::crowd
