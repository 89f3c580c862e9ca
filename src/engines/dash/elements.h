// Facts about all elements of an array: "for all n < bound: property(n)".
//
// The number of the element is one variable, Space::element(), as wide as pointers. Terms of solvers have no quantifiers:
// a fact is shown for an element that stands for any, and used by instances, one for each read that a question mentions
// and that may be one of an element.
//
//   ElementFact zero = make_fact(space, i, read(a + 4 * n) == 0);     // for all n < i: a[n] == 0
//   std::vector<Term> known = instances(space, {zero}, question);     // j < i implies a[j] == 0, if it mentions a[j]
//   ElementProposals found = propose_elements(space, graph, forest);  // from what loops do; Invariants is the judge
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engines/dash/graph.h"

namespace whittle::engines::dash {

struct ElementLimits {
  size_t nodes = 160, blocks = 600;  ///< larger graphs are left alone
  size_t properties = 60;            ///< that are tried, of all loops
  size_t facts = 48;                 ///< at one node
  size_t instances = 160;            ///< in one question
  size_t reads = 24;                 ///< that are told to be equal if their addresses are
};

ElementFact make_fact(Space& space, Term bound, Term property);
/// With the element as a variable that has any value.
Term body(Space& space, const ElementFact& fact);

/// What the facts say of elements that the terms read; and that reads at equal addresses are equal. `of` gets, for each,
/// the number of the fact; kNone: of none.
std::vector<Term> instances(Space& space, std::span<const ElementFact> facts, const std::vector<Term>& terms,
                            std::vector<size_t>* of = nullptr, const ElementLimits& limits = {});

/// Where `known` says where an object lies, that takes the place of the register: which element is read is seen sooner.
void use_addresses(Space& space, const std::vector<Term>& known, std::vector<Term>& terms);

struct ElementProposals {
  std::vector<std::pair<Place, ElementFact>> facts;
  std::vector<std::pair<Place, Term>> conditions;  ///< on variables, that facts rely on
};

/// What loops do to elements one after the other: what they write, what they compare, what they look for.
ElementProposals propose_elements(Space& space, Graph& graph, const Forest& forest, const ElementLimits& limits = {});

/// Does the fact hold in the state, for the elements that are looked at?
bool holds_for_some(Space& space, const Forest& forest, StateRef state, const ElementFact& fact);

}  // namespace whittle::engines::dash
