// No engine to choose: looks at the program, tries the engines that may decide it, takes the first definite answer.
//
// plan.h has the order, race.h the turns, child.h the processes, vacuity.h the warnings about empty proofs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engines/engine.h"

namespace whittle::engines::auto_ {

class AutoEngine : public Engine {
 public:
  using Engines = std::vector<std::unique_ptr<Engine>>;

  /// `make` makes one of each engine to try; never itself.
  explicit AutoEngine(std::function<Engines()> make) : make_(std::move(make)) {}

  std::string_view name() const override { return "auto"; }
  std::string_view description() const override { return "looks at the program, tries engines side by side"; }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;

 private:
  std::function<Engines()> make_;
};

}  // namespace whittle::engines::auto_
