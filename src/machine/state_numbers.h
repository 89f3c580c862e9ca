// What numbers in states refer to, for machines whose states are to be kept in a file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace whittle::machine {

/// A machine has it as a second base if its states can be read by another process, with what is written here.
class StateNumbers {
 public:
  /// Appends what numbers in states refer to; nothing if there are no such numbers.
  virtual void save_numbers(std::vector<uint8_t>& out) = 0;
  /// Takes over what another machine for the same system gave, before any step. False: it does not fit.
  virtual bool load_numbers(std::span<const uint8_t> saved) = 0;

 protected:
  ~StateNumbers() = default;
};

}  // namespace whittle::machine
