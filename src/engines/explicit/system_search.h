// Explicit search of a system that is no program: the machine's own checks, and formulas over the atoms it knows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.h"
#include "explore/ctl.h"

namespace whittle::engines::explicit_ {

/// A system with the atoms of one formula.
struct Prepared {
  std::unique_ptr<machine::System> system;
  explore::Formula formula;
  bool universal = false;  ///< about all paths
  bool invariant = false;  ///< AG p
  bool early = false;  ///< inputs are decided when they are read because the formula demands it
};

/// Binds the atoms of a formula to a fresh system. Formulas of branching time can tell when an input was decided: for
/// them it is decided when it is read. `fair`: the conditions of --fair, one a line. Throws Error (bad input).
Prepared prepare(const machine::System& system, const std::string& formula, const std::string& fair);

class SystemSearch {
 public:
  SystemSearch(machine::System& system, const Settings& settings, Context& context);

  /// One verdict for all formulas: `false` if one fails, then `unknown` if one is not decided. With several formulas
  /// the statistic `formula` counts to the one that the verdict is about, and notes say how each ended.
  verdict::Verdict answer();

 private:
  void ask(const std::string& text, Prepared& prepared);
  void shorten(const std::string& text, Prepared& prepared, explore::CtlResult& result);
  /// How far the abstraction of a system has come.
  struct AbstractSearch {
    machine::Abstraction& abstraction;
    uint64_t states = 10'000;  ///< stored states after which a search is given up
    uint64_t searches = 0, refinements = 0;
    unsigned rounds = 0;
    bool stuck = false;
  };
  explore::CtlResult search(Prepared& prepared);
  std::optional<explore::CtlResult> search_abstract(Prepared& prepared, AbstractSearch& abstract, double patience);
  void fails(const std::string& text, Prepared& prepared, const explore::CtlResult& result);
  void show(Prepared& prepared, const explore::CtlResult& result);

  machine::System& system_;
  Context& context_;
  explore::Options options_;
  std::string fair_;                   ///< conditions of --fair, one a line
  std::vector<std::string> formulas_;  ///< "": the machine's own checks alone
  bool of_abstraction_ = false;        ///< it was proved for an abstraction
  verdict::Verdict verdict_;           ///< of the formula that is asked
};

}  // namespace whittle::engines::explicit_
