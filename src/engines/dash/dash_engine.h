// dash: proofs from tests. Keeps tests (what can happen) and a region graph (what might happen); each iteration either
// finds a test that gets one step further towards an error, or learns from the failure why no test does, and splits a
// region. No way to an error left: a proof for all inputs, loops included.
//
// See docs/dash.md for the regions, the proofs and what they mean.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::dash {

class DashEngine : public Engine {
 public:
  std::string_view name() const override { return "dash"; }
  std::string_view description() const override {
    return "proofs from tests: splits regions until no way to an error is left, loops included; one thread";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, whittle::Context& context) override;
};

}  // namespace whittle::engines::dash
