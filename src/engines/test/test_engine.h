// Many concrete runs with random and boundary inputs and randomised schedules. Finds violations; proves programs that have one
// run only.
//
// Runs differ in three ways, all drawn from the seed: the scheduler (priorities with few change points, random walks,
// round-robin with a quantum and a thread held back), the style of inputs (zeros, small, boundary, constants of the
// program, values that assumptions let pass, random, mixed; or those of an earlier run along a new path with a few of them
// replaced) and the number of statements they may take, so that an endless loop does not eat the time of
// all others. A violation is made small, replayed, and only then reported.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::test {

class TestEngine : public Engine {
 public:
  std::string_view name() const override { return "test"; }
  std::string_view description() const override {
    return "many concrete runs with random inputs and schedules; finds violations, never proves";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::test
