// From one harmless run to the reasons why it was harmless.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/dpr/choices.h"
#include "engines/dpr/joins.h"
#include "solve/solver.h"

namespace whittle::engines::dpr {

struct Literal {
  size_t level = 0;
  bool value = false;
  bool operator==(const Literal&) const = default;
};

/// Every oracle that makes these choices is harmless.
struct Reason {
  std::vector<Literal> choices;         ///< by level
  std::vector<const Kept*> conditions;  ///< what these choices make impossible to fail; empty: nothing could fail
  bool minimal = true;                  ///< no choice can be left out
};

struct LearnOptions {
  unsigned reasons = 8;  ///< at most so many from one run
  double seconds = 2;    ///< for one run; after that the best reason so far
};

/// At least one reason, the first one as small as could be found. `kept` must be of the run that made `choices`.
std::vector<Reason> learn(const std::vector<Kept>& kept, const std::vector<bool>& choices, Choices& bits,
                          term::Store& terms, solve::Solver& solver, const LearnOptions& options);

}  // namespace whittle::engines::dpr
