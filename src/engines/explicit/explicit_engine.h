// explicit: visits every reachable state of the program, exactly. Proves programs with endless loops and finite data.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::explicit_ {

class ExplicitEngine : public Engine {
 public:
  std::string_view name() const override { return "explicit"; }
  std::string_view description() const override {
    return "every reachable state, exactly once: proofs of endless programs with finite data, CTL";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
  std::optional<std::string> supports_system() const override { return std::nullopt; }
  verdict::Verdict run_system(machine::System& system, const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::explicit_
