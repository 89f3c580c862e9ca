// What is known about each thing that was asked, beside the verdict on the whole.
#pragma once

#include <string>
#include <vector>

#include "verdict/detailed_trace.h"

namespace whittle::verdict {

/// One thing that was asked: a property, or one assertion of the program.
struct Claim {
  Property property = Property::UnreachCall;
  std::string text;  ///< of an assertion: "assertion `x == 1`"; empty: the property as a whole
  std::string function;
  std::string file;
  unsigned line = 0;
  Answer answer = Answer::Unknown;
  std::string reason;  ///< Unknown: why; False: what was left out; True: nothing
};

/// A run that violates something, beyond the one that a verdict is about.
struct Finding {
  Violation violation;
  Counterexample counterexample;
  Trace trace;
  std::vector<std::string> ignored;  ///< FILE:LINE:COLUMN of violations that its run meets before and passes over
  DetailedTrace detailed;            ///< for reports
  Specification specification = {};  ///< what its run violates first; a violation that cannot be passed over is not asked
  std::string replay;                ///< command that runs into it again
};

struct Claims {
  std::vector<Claim> claims;      ///< one for each property, that of assertions followed by them; empty: there is no list
  std::vector<Finding> findings;  ///< further violations, if all were asked for
};

}  // namespace whittle::verdict
