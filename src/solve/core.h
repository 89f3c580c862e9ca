// Small reasons for unsatisfiability.
//
//   MinimalCore core = minimal_core(*solver, store, hard, soft);
//   if (core.answer == Answer::Unsat) use(core.conditions, core.minimal);
//
// `hard` conditions always hold; a core is a subset of `soft` that contradicts them. The solver must have nothing added
// to it but what is passed here, for models are inspected with these conditions in mind. It is left as it was.
#pragma once

#include <limits>

#include "solve/solver.h"

namespace whittle::solve {

/// When it is used up, the best core so far is the result, marked as not minimal.
struct CoreBudget {
  uint64_t checks = std::numeric_limits<uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
};

struct MinimalCore {
  Answer answer = Answer::Unknown;  ///< of all conditions together; a core exists only for Unsat
  std::vector<Term> conditions;     ///< in the order of `soft`; always a core if the answer is Unsat
  bool minimal = false;             ///< proved: no proper subset (or, for the smallest: no smaller one) is a core
  uint64_t checks = 0;              ///< of the solver, spent
  std::string reason;               ///< why the answer is Unknown or the core not known to be minimal
};

/// A minimal unsatisfiable subset: nothing can be left out. Deletion, with model rotation: a model that violates one
/// condition only is changed a little until it violates another one only, which is then known to be needed, too.
MinimalCore minimal_core(Solver& solver, const term::Store& store, std::span<const Term> hard,
                         std::span<const Term> soft, const CoreBudget& budget = {});

/// A smallest unsatisfiable subset: implicit hitting sets. Every maximal satisfiable subset tells a set of conditions
/// of which each core must contain one; the smallest set that hits all of them is tried as a core until it is one.
MinimalCore smallest_core(Solver& solver, const term::Store& store, std::span<const Term> hard,
                          std::span<const Term> soft, const CoreBudget& budget = {});

}  // namespace whittle::solve
