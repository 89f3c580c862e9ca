// The oracles not yet spoken for: a propositional formula over choice variables, one per level.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engines/dpr/learn.h"

namespace whittle::engines::dpr {

class Oracles {
 public:
  enum class Order : uint8_t {
    Guided,  ///< `true` wherever nothing is known: the then-branch of every `if (*)`
    Random,  ///< a fresh coin for every choice that is open
  };
  Oracles(Order order, uint64_t seed);
  ~Oracles();

  /// Looks for an oracle that makes these choices and that no reason covers; false if there is none. Then choice() tells it,
  /// level by level.
  bool next(const std::vector<Literal>& fixed = {});
  bool choice(size_t level);

  /// Removes every oracle that makes all of these choices.
  void remove(const std::vector<Literal>& choices);

  size_t clauses() const { return clauses_; }
  size_t literals() const { return literals_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  size_t clauses_ = 0;
  size_t literals_ = 0;
};

}  // namespace whittle::engines::dpr
