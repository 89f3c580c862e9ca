// Weak compare-and-exchange may fail although the values are equal: C11 `atomic_compare_exchange_weak`, GNU
// `__atomic_compare_exchange_n(.., weak = 1, ..)`.
#pragma once

#include <vector>

#include "program/program.h"

namespace whittle::frontend {

struct WeakCas {
  program::FunctionId function = program::kNone;
  program::RegisterId success = program::kNone;  ///< second target of its AtomicCas
};

/// Before each of these a choice is made: to do the AtomicCas, or just to load and fail. Left out where failing leads
/// nowhere new (program/analysis/retry.h).
void let_fail(program::Program& program, const std::vector<WeakCas>& all);

}  // namespace whittle::frontend
