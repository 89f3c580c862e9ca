// Straight pieces of a function's control flow, for people: what runs in one go from a location on.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"

namespace whittle::program {

struct Block {
  LocationId start = 0;
  std::vector<uint32_t> edges;  ///< the straight piece, in order
  LocationId end = 0;           ///< where that leads; kNone if it ends the path
  bool joins = false;  ///< goes on with the block that starts at `end`; otherwise the edges leaving `end` branch
};

/// Blocks in the order of their first locations, entry first; what cannot be reached is left out.
std::vector<Block> blocks(const Function& function);

/// A statement as a person would write it: "x = g", "*p = 3", "call f(x)". Assumes as their bare condition.
class BriefPrinter {
 public:
  BriefPrinter(const Program& program, FunctionId function);
  ~BriefPrinter();
  std::string statement(const Statement& statement);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle::program
