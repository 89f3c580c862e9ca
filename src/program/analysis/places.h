// Memory as analyses see it: a place stands for a static object, for all objects made by one allocation statement, or
// (as something to point to) for a function.
//
//   Places places(program);
//   places.of_object(id); places.of_site(f, edge);      // numbers below places.objects()
//   BitSet set(places.size()); set.set(places.anything());
//
// Sets of places are bit sets of places.size() bits. The last bit says "anything": also what no other bit says.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "program/program.h"

namespace whittle::program::analysis {

using PlaceId = uint32_t;

class Places {
 public:
  /// Keeps a reference to the program.
  explicit Places(const Program& program);

  struct AllocationSite {
    FunctionId function = kNone;
    uint32_t edge = kNone;
    bool heap = false;  ///< else on the stack
  };

  PlaceId of_object(ObjectId object) const { return object; }  ///< a thread-local one: the copies of all threads
  PlaceId of_site(FunctionId function, uint32_t edge) const { return site_numbers_.at({function, edge}); }
  PlaceId of_function(FunctionId function) const { return objects() + function; }
  PlaceId anything() const { return objects() + static_cast<PlaceId>(program_.functions.size()); }

  PlaceId statics() const {
    return static_cast<PlaceId>(program_.objects.size());
  }  ///< places below are static objects
  PlaceId objects() const { return statics() + static_cast<PlaceId>(sites_.size()); }  ///< places below are memory
  size_t size() const { return anything() + 1; }

  bool is_static(PlaceId p) const { return p < statics(); }
  bool is_function(PlaceId p) const { return p >= objects() && p < anything(); }
  const AllocationSite& site(PlaceId p) const {
    return sites_[p - statics()];
  }                                   ///< requires a place between statics and objects
  std::string name(PlaceId p) const;  ///< "x", "heap object of main:3", ...

  /// Do the sets name a common object?
  bool overlap(const BitSet& a, const BitSet& b) const;
  bool contains(const BitSet& set, PlaceId place) const { return set.test(place) || set.test(anything()); }

 private:
  const Program& program_;
  std::vector<AllocationSite> sites_;
  std::map<std::pair<FunctionId, uint32_t>, PlaceId> site_numbers_;
};

}  // namespace whittle::program::analysis
