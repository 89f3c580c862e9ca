// shape: lists of any length, as graphs in which one node stands for many. See docs/shape.md.
#pragma once

#include "engines/engine.h"

namespace whittle::engines::shape {

class ShapeEngine : public Engine {
 public:
  std::string_view name() const override { return "shape"; }
  std::string_view description() const override {
    return "memory as a graph with lists of any length: proofs about programs that link objects";
  }
  std::optional<std::string> supports(const program::Program& program,
                                      const verdict::Specification& specification) const override;
  verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) override;
};

}  // namespace whittle::engines::shape
