// crowd: proofs for any number of threads. See docs/crowd.md.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::crowd {

class CrowdEngine : public Engine {
 public:
  std::string_view name() const override { return "crowd"; }
  std::string_view description() const override {
    return "facts that hold of every thread: proofs for any number of threads";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::crowd
