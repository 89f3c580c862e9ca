// Where the sides of a branch meet again, and which sides are calm enough to be stepped around.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "program/program.h"

namespace whittle::engines::dpr {

class Regions {
 public:
  explicit Regions(const program::Program& program);

  /// The first location that every path from here to the end of the function comes through; kNone if there is none
  /// (the paths part for good: one halts, or they return in different places).
  program::LocationId join(program::FunctionId function, program::LocationId location);

  /// Between `from` and `join` nothing happens that would shift later choices or move memory objects for those who go
  /// another way: no choice, no allocation or release, no thread operation, also not in functions called.
  bool calm(program::FunctionId function, program::LocationId from, program::LocationId join);

 private:
  const std::vector<program::LocationId>& joins(program::FunctionId function);

  const program::Program& program_;
  std::vector<bool> restless_;  ///< by function: it or a function it may call is not calm
  std::vector<std::vector<program::LocationId>> joins_;
  struct Key {
    program::FunctionId function;
    program::LocationId from, join;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, bool> calm_;
};

}  // namespace whittle::engines::dpr
