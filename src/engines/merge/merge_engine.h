// merge: all paths of a sequential program as one formula. Branches are joined where they meet, loops and recursion are
// unwound as far as inputs can take them, deepened from round to round.
//
// See docs/merge.md for the method.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::merge {

class MergeEngine : public Engine {
 public:
  std::string_view name() const override { return "merge"; }
  std::string_view description() const override {
    return "all paths of a program without threads as one formula, joined where they meet";
  }
  std::span<const Option> options() const override;
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::merge
