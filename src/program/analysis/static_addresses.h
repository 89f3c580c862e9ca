// Whose address is this constant?
#pragma once

#include <span>
#include <vector>

#include "program/analysis/places.h"

namespace whittle::program::analysis {

class StaticAddresses {
 public:
  StaticAddresses(const Program& program, const Places& places);

  /// Adds the places that a constant term may be an address of. `whole`: the constant is the address itself; otherwise
  /// something is added to it, and it may lie outside of its object.
  void collect(term::Term constant, bool whole, std::vector<PlaceId>& found) const;
  /// The same for pointers among the bytes of an initial value.
  void collect(std::span<const uint8_t> bytes, std::vector<PlaceId>& found) const;

 private:
  void owners(uint64_t address, bool whole, std::vector<PlaceId>& found) const;

  const Program& program_;
  const Places& places_;
  std::vector<ObjectId> by_address_;  ///< static objects that have one
  bool narrow_ = false;               ///< some gap is narrower than a part of an address may be off
};

}  // namespace whittle::program::analysis
