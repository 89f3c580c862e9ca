// Which values of a nondeterministic input must be tried.
//
//   InputValues values(program, 65536, context);
//   auto list = values.at_pause(machine);   // the machine stands at an Input pause
//   if (list == nullptr) ...                // more values than may be tried
//
// All of them, in the worst case, but often far fewer are enough:
// - a value that no one reads: one;
// - what an assumption right after the input rules out need not be tried;
// - if the input is only looked at through expressions over it alone (`if (nondet())`, `x > 3`, `x % 4`), one value for
//   every possible outcome of these expressions.
//
// Machines in several threads may ask: the same values come in the same order for all of them. Terms are made here, so
// while one thread asks the others wait.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
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

  InputValues(const program::Program& program, uint64_t most, Context& context);

  /// Requires an Input pause. Null: more than `most` values are possible.
  List at_pause(const exec::View& machine);
  /// While it is held, no other thread makes or evaluates terms of the program.
  std::mutex& terms_in_use() { return mutex_; }

 private:
  static uint64_t key(term::Term assumption) { return assumption ? uint64_t{assumption.id()} + 1 : 0; }
  /// The statement that asks, if it is a Nondet.
  struct Asker {
    program::FunctionId function = program::kNone;
    uint32_t edge = program::kNone;
    term::Term variable;
  };
  Asker asker(const exec::View& machine) const;
  bool is_dead(const Asker& asker);
  const std::optional<std::vector<term::Term>>& views_of(const Asker& asker);
  List all(unsigned width);
  List satisfying(term::Term assumption, term::Term variable);
  List representatives(const std::vector<term::Term>& views, term::Term assumption, term::Term variable);
  std::optional<u128> least(term::Term condition, term::Term variable);

  const program::Program& program_;
  std::mutex mutex_;
  uint64_t most_;
  std::unique_ptr<solve::Solver> solver_;
  std::unordered_map<unsigned, List> all_;
  std::map<std::pair<uint64_t, uint32_t>, List> known_;  ///< by assumption (or none) and variable
  std::unordered_map<term::Term, std::optional<std::vector<term::Term>>> views_;
  std::shared_ptr<program::analysis::Analyses> analyses_;
};

}  // namespace whittle::engines::explicit_
