// What addresses may point to, for all of the program at once (after Andersen; fields of an object are one).
//
//   PointsTo points(program, calls);
//   BitSet objects = points.accessed(statement.operands[0]);      // places that a Load may read
//
// Assumes of programs what C does: an address computed from pointers by any arithmetic stays within the objects that
// those pointers point into; and the constant part of an address lies no further from its object than the gaps of
// Program::place_objects (narrower gaps are noticed, and then it may be any static object). An address made of no
// pointer at all may be anything; so may a nondeterministic value of pointer type, and every address that is no
// constant in programs that disguise addresses of static objects (Program::disguised_addresses).
#pragma once

#include <memory>
#include <vector>

#include "program/analysis/call_graph.h"
#include "program/analysis/places.h"

namespace whittle::program::analysis {

class PointsTo {
 public:
  enum class Strays : uint8_t { Anywhere, Nowhere };
  /// Keeps references to both.
  PointsTo(const Program& program, const CallGraph& calls, Strays strays = Strays::Anywhere);
  ~PointsTo();
  PointsTo(PointsTo&&) noexcept;

  const Places& places() const;

  /// What the value of the term, over registers and memory, may point to; may be empty.
  BitSet pointees(term::Term term) const;
  /// The memory that an access through the address may touch: never empty unless the address is a constant that is
  /// no object's, or strays. Functions are left out.
  BitSet accessed(term::Term address) const;
  /// With Strays::Nowhere: is the address computed from a pointer that was read from memory or is nondeterministic?
  bool strays(term::Term address) const;
  /// What pointers stored in the memory of a place may point to.
  BitSet contents(PlaceId place) const;
  /// What pointers may have been stored through addresses that may be anything.
  BitSet wild() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle::program::analysis
