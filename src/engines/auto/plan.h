// Which engines to try on a program, in which order, and why.
//
//   Plan plan = make_plan(features, {"test", "explicit", "dpr"});
//   progress.say(plan.sentence(2));     // "one thread, 2 loops, no inputs: trying explicit and test, then dpr (...)"
//
// The table knows engines by name only. An engine that it does not know comes last, so a new one is never left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/analysis/features.h"

namespace whittle::engines::auto_ {

struct Turn {
  std::string engine;
  double weight = 1;  ///< share of the time, relative to the others
  /// Its share gets smaller with time: what random runs have not found in seconds they mostly do not find in minutes.
  bool fades() const { return engine == "test"; }
};

struct Plan {
  std::string look;  ///< what the program is made of
  std::string why;   ///< why this order
  std::vector<Turn> turns;

  /// One line for the user; `cores` engines run at a time.
  std::string sentence(unsigned cores) const;
};

/// `engines`: names of those that can try. Every one of them gets a turn.
Plan make_plan(const program::analysis::Features& features, const std::vector<std::string_view>& engines);

}  // namespace whittle::engines::auto_
