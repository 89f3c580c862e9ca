// dpr: dynamic path reduction. Runs the program along one oracle of choices after the other; learns from each run why
// it was harmless; never runs an oracle for which the same reason holds.
//
//   B := all oracles
//   while B has an oracle: run it;
//     violation: replay it, answer false
//     otherwise: learn the choices L that made it harmless; B := B without every oracle that makes the choices L
//   answer true
//
// See docs/dpr.md for what is learned and why it is sound.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::dpr {

class DprEngine : public Engine {
 public:
  std::string_view name() const override { return "dpr"; }
  std::string_view description() const override {
    return "dynamic path reduction: one run per reason, for programs whose inputs are few bits";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::dpr
