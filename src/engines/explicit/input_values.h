// Which values of a nondeterministic input must be tried.
//
//   InputValues values(program, machine, 65536);
//   auto list = values.at_pause();          // the machine stands at an Input pause
//   if (list == nullptr) ...                // more values than may be tried
//
// All of them, in the worst case, but often far fewer are enough:
// - a value that no one reads: one;
// - what an assumption right after the input rules out need not be tried;
// - if the input is only looked at through expressions over it alone (`if (nondet())`, `x > 3`, `x % 4`), one value for
//   every possible outcome of these expressions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "exec/machine.h"
#include "program/analysis/analyses.h"
#include "program/program.h"
#include "solve/solver.h"

namespace whittle::engines::explicit_ {

class InputValues {
 public:
  using List = std::shared_ptr<const std::vector<u128>>;

  InputValues(const program::Program& program, const exec::View& machine, uint64_t most, Context& context);

  /// Requires an Input pause. Null: more than `most` values are possible.
  List at_pause();

 private:
  static uint64_t key(term::Term assumption) { return assumption ? uint64_t{assumption.id()} + 1 : 0; }
  /// The statement that asks, if it is a Nondet.
  struct Asker {
    program::FunctionId function = program::kNone;
    uint32_t edge = program::kNone;
    term::Term variable;
  };
  Asker asker() const;
  bool is_dead(const Asker& asker);
  const std::optional<std::vector<term::Term>>& views_of(const Asker& asker);
  List all(unsigned width);
  List satisfying(term::Term assumption, term::Term variable);
  List representatives(const std::vector<term::Term>& views, term::Term assumption, term::Term variable);
  std::optional<u128> least(term::Term condition, term::Term variable);

  const program::Program& program_;
  const exec::View& machine_;
  uint64_t most_;
  std::unique_ptr<solve::Solver> solver_;
  std::unordered_map<unsigned, List> all_;
  std::map<std::pair<uint64_t, uint32_t>, List> known_;  ///< by assumption (or none) and variable
  std::unordered_map<term::Term, std::optional<std::vector<term::Term>>> views_;
  std::shared_ptr<program::analysis::Analyses> analyses_;
};

}  // namespace whittle::engines::explicit_
