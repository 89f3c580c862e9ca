// Random programs of threads that add up shared variables, and what they do by definition: every interleaving of single
// accesses is tried, with nothing of whittle.
//
//   Sums program = random_sums(seed);
//   program.text();                  // C, entry main_SEED
//   program.fails();                 // can an assertion fail?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whittle::test {

struct Sums {
  enum class Kind : uint8_t { Add, AtomicAdd, Subtract, Set, Above, Assert, AssertOfKept, Assume, Lock, Unlock };
  /// Add: a += b + constant, each variable is read by itself. AtomicAdd: in two steps, b is read first. Above: what follows is done if a > constant. AssertOfKept:
  /// what the thread kept of a, when it did this the last time, is at most constant.
  struct Step {
    Kind kind = Kind::Add;
    int a = 0, b = 0, constant = 0;
  };
  struct Thread {
    std::vector<Step> steps;
    int rounds = 1;
  };
  uint64_t seed = 0;
  std::vector<int> initial;
  std::vector<Thread> threads;
  int least = 0;  ///< asserted in the end: what variable 0 has above this, unsigned, is at most the bound
  int bound = 0;

  std::string text() const;
  bool fails() const;
  bool final_fails(int value) const;
};

Sums random_sums(uint64_t seed);

}  // namespace whittle::test
