// A meaning done to a state, whatever the state is made of: everything in it is evaluated before anything is changed.
//
//   apply(meanings.of(function, edge), state);
//
// The state offers
//   Term now(Term t)                       // a term over registers and memory, as it is now
//   Term address(Term t)                   // the same for the address of a write
//   Term arbitrary(const Assign& assign)   // what a register gets that no term tells: a choice, the machine's
//   void guard(Term condition)             // must hold, or the path does not go on
//   void assign(program::RegisterId target, Term value)
//   void write(Term address, Term value)
//   void bulk(const Write& write)          // Copy or Fill
// New objects are the owner's: apply() leaves Meaning::object alone.
#pragma once

#include <utility>
#include <vector>

#include "semantics/meaning.h"

namespace whittle::semantics {

template <typename State>
void apply(const Meaning& m, State& state) {
  std::vector<std::pair<program::RegisterId, Term>> assigned;
  std::vector<std::pair<Term, Term>> written;
  for (const Assign& a : m.assigns)
    assigned.emplace_back(a.target, a.source == Assign::Source::Value ? state.now(a.value) : state.arbitrary(a));
  for (const Write& w : m.writes)
    if (w.kind == Write::Kind::Value) written.emplace_back(state.address(w.address), state.now(w.value));
  if (m.guard) state.guard(state.now(m.guard));
  if (m.wait) state.guard(state.now(m.wait));
  for (const Write& w : m.writes)
    if (w.kind != Write::Kind::Value) state.bulk(w);
  for (const auto& [address, value] : written) state.write(address, value);
  for (const auto& [target, value] : assigned) state.assign(target, value);
}

}  // namespace whittle::semantics
