// Which values terms can have in a state: their intervals tell, or cvc5 is asked, and Z3 about a sample of what it finds to be impossible.
//
//   Questions questions(executor.symbols(), limits);
//   for (u128 value : questions.values(state, end, problem)) ...   // end.kind is Input or Choice
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "proof/executor.h"
#include "solve/solver.h"
#include "term/ranges.h"

namespace whittle::proof {

inline constexpr uint32_t kMostQuestions = 1000;  ///< before a statement

class Questions {
 public:
  /// Keeps references.
  Questions(Symbols& symbols, Limits& limits) : symbols_(symbols), limits_(limits) {}

  /// All values that are possible, the least first; of conditions perhaps one more, if that could not be decided. If there
  /// are too many, or it is not known which, `problem` is set.
  std::vector<u128> values(const State& state, const End& asked, std::string& problem);
  /// A question could not be decided, so not all that was found need be possible.
  bool doubt() const { return doubt_; }

 private:
  std::vector<Term> about(const State& state, Term t) const;
  std::optional<bool> plainly(Term condition);
  bool possible(std::vector<Term> conditions, Term more);
  solve::Solver& solver();

  Symbols& symbols_;
  Limits& limits_;
  term::Ranges ranges_;
  std::unique_ptr<solve::Solver> solver_;
  std::map<std::vector<uint32_t>, bool> answers_;
  unsigned questions_ = 0;
  bool doubt_ = false;
};

}  // namespace whittle::proof
