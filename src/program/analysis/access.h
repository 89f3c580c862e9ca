// Which memory a thread may still touch, from a location on.
//
//   AccessSets accesses(program, calls, points, &values);
//   const Access& rest = accesses.before_return(f, l);            // until f returns: join over all frames of the
//   thread if (!places.contains(rest.writes, places.of_object(x))) ...   // this frame never writes x again
//
// A frame stands before the edge it takes next. For a frame that waits for a call, ask with the location after the
// call. Threads started on the way are part of the set: whoever starts them is responsible for them until then.
//
//   AccessSets open(program, calls, points, &values, address);   // what can be done while another thread holds a mutex
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/analysis/few_values.h"
#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

/// Sets of places (see places.h). The end of an object's life is a write to it.
struct Access {
  BitSet reads, writes;
  bool operator==(const Access&) const = default;
  bool merge(const Access& other) {
    bool a = reads.merge(other.reads), b = writes.merge(other.writes);
    return a || b;
  }
};

/// The address of the mutex that the statement locks or unlocks by a call of its model, if it is known: nothing else is
/// touched in that call.
std::optional<uint64_t> mutex_of(const Program& program, const Statement& statement);

/// What one statement touches itself, callees and ends of stack objects not included.
Access accessed_by(const PointsTo& points, const Statement& statement);

class AccessSets {
 public:
  /// With `values`, statements that these show to be never reached are left out (`if (p) *p = 1` where p is always null:
  /// such an address says nothing about where it goes). With `mutex`, the address of one that another thread holds: a call that locks it is not passed, and what is after
  /// it is not part of the sets.
  AccessSets(const Program& program, const CallGraph& calls, const PointsTo& points, const FewValues* values = nullptr,
             std::optional<uint64_t> mutex = std::nullopt);

  /// From the location until the function returns, the return itself included; in callees and new threads too.
  const Access& before_return(FunctionId f, LocationId l) const { return pool_[numbers_[f][l]]; }

  /// Sets by number, for joins over frames: equal sets have equal numbers, joins are remembered.
  uint32_t number(FunctionId f, LocationId l) const { return numbers_[f][l]; }
  const Access& numbered(uint32_t number) const { return pool_[number]; }
  uint32_t empty() const { return 0; }
  /// May the function return from there (with `mutex`: without locking it)?
  bool returns(FunctionId f, LocationId l) const { return returns_[f][l]; }
  uint32_t join(uint32_t a, uint32_t b);

 private:
  uint32_t intern(Access access);
  bool locks(const Program& program, const Statement& statement) const;
  bool solve(const Program& program, FunctionId f, const FewValues* values, const std::vector<uint32_t>& own,
             const std::vector<std::vector<FunctionId>>& called);

  std::vector<Access> pool_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
  std::unordered_map<uint64_t, uint32_t> joins_;
  std::vector<std::vector<uint32_t>> numbers_;
  std::vector<std::vector<bool>> returns_;
  std::optional<uint64_t> mutex_;
};

/// Static objects that some function that can run may write. All others keep their initial value.
BitSet written_objects(const Program& program, const CallGraph& calls, const PointsTo& points);

/// Static objects that one statement sets, all of it, to a number, and no other that can run writes.
BitSet set_once(const Program& program, const CallGraph& calls, const PointsTo& points);

}  // namespace whittle::program::analysis
