// guided: assertion-guided symbolic execution of threads. Explores schedules and paths depth first; dynamic partial
// order reduction leaves out schedules that only swap independent steps, predicate summaries leave out what is harmless
// for a reason seen before, slicing leaves out what no property depends on.
//
// See docs/guided.md for the method, and for why the three may be used together.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::guided {

class GuidedEngine : public Engine {
 public:
  std::string_view name() const override { return "guided"; }
  std::string_view description() const override {
    return "symbolic execution of all schedules, with partial order reduction and predicate summaries";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::guided
