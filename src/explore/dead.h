// Which bytes of which stored state are live, learned while depth-first search goes back, and which stored state
// covers a new one because the two differ in dead bytes only.
//
// Beyond Maximal Dynamic Dead Variables: a state's dead set is the intersection over *all* its successors, not the
// empty set after nondeterminism, and within a cycle it is raised to the exact one when the component is complete.
//
//   live(s) = never-dead bytes of s + union over the paths e from s to stored states t of
//             reads(e) + (live(t) - writes(e))
//
// The tracker always holds an upper bound of live(s) for every stored state:
// - on entry: all bytes but those that static analysis knows to be dead;
// - on leave: the equation, with the bounds known for the successors (those on the stack: their bound on entry);
// - when the component of s in the graph (Tarjan) is complete: the equation's least solution, which is exact.
// Two states that agree on an upper bound of the live bytes of one of them are bisimilar, so matching is sound at any
// time. Deadlock states count as all live: why nothing can move may lie in any byte.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/byte_sets.h"
#include "explore/intern_table.h"
#include "explore/tree_store.h"
#include "explore/walker.h"

namespace whittle::explore {

/// Finds stored states that cover others. States are grouped by their never-dead bytes; a group knows the few different
/// sets of live bytes that its states have, and for each of these one probe of a hash table answers whether some state
/// agrees with the given one on it: the length of the paper's chains does not matter.
class CoverIndex {
 public:
  CoverIndex(ByteSets& sets, const TreeStore& store) : sets_(sets), store_(store), slots_(1u << kFirstBits) {}

  /// What a state's never-dead bytes are: their set, and their number if the machine has one for them.
  struct Kept {
    SetId never_dead = 0;
    uint32_t number = 0;
  };
  /// `live_bound` by state. Returns kNoState if no stored state covers the one with these bytes.
  StateId find(Kept kept, const uint8_t* block, const GrowingArray<SetId>& live_bound);
  /// `live` is an upper bound of what is live in `state`, whose bytes these are.
  void add(StateId state, Kept kept, const uint8_t* block, SetId live, const GrowingArray<SetId>& live_bound);
  uint64_t bytes() const {
    return slots_.bytes() + links_.bytes() + numbered_groups_.size() * sizeof(uint32_t) + groups_.size() * 56;
  }

 private:
  struct Link {
    SetId live;
    uint32_t next;  ///< + 1; 0 ends the list
  };
  static constexpr unsigned kFirstBits = 10;
  void insert(uint64_t slot_value);
  /// Where the group's first link + 1 stands; 0 for none.
  uint32_t& group(Kept kept, const uint8_t* block);
  /// A state that agrees with the bytes on `live`, which is enough for it.
  StateId probe(uint64_t hash, SetId live, const uint8_t* block, const GrowingArray<SetId>& live_bound);

  ByteSets& sets_;
  const TreeStore& store_;
  std::vector<uint32_t> numbered_groups_;          ///< first link + 1, by number of the never-dead bytes
  std::unordered_map<uint64_t, uint32_t> groups_;  ///< the same by their hash, for those without a number
  GrowingArray<Link> links_;
  unsigned bits_ = kFirstBits;
  uint64_t used_ = 0;
  ZeroedArray<uint64_t> slots_;  ///< upper half of the hash, state + 1
  std::vector<uint64_t> scratch_;
};

class DeadTracker {
 public:
  DeadTracker(const TreeStore& store, uint64_t max_open_edges, Limits& limits)
      : store_(store), covers_(sets_, store), max_open_edges_(max_open_edges), limits_(limits) {}
  DeadTracker(const DeadTracker&) = delete;  // covers_ refers to sets_

  /// What the machine says of the current state: to be called before find_cover and enter.
  void look(machine::Machine& machine, uint64_t length);
  /// A stored state that covers the state looked at, whose bytes these are; kNoState if there is none.
  StateId find_cover(const uint8_t* block) { return covers_.find(kept_, block, live_); }
  /// Ranges that static analysis knows to be dead in the state looked at.
  const std::vector<machine::ByteRange>& dead() const { return dead_; }

  /// The state looked at has been stored and becomes the top of the stack. `through`: the path from the state below.
  void enter(StateId state, FootprintId through);
  void mark_all_live(uint64_t length);  ///< of the top: a deadlock
  /// A path from the top to a state that was stored before.
  void edge(StateId target, FootprintId through);
  /// A path from the top that ends nowhere: an assume that failed, a cut.
  void dead_end(FootprintId through);
  /// The top has no further successors.
  void leave(const uint8_t* block);

  /// Of the walker's last path.
  FootprintId footprint(Walker& walker);
  const ByteSets& sets() const { return sets_; }
  SetId live(StateId state) const { return live_[state]; }
  bool exact_components() const { return !overflow_; }
  uint64_t bytes() const {
    return sets_.bytes() + covers_.bytes() + live_.bytes() + kept_of_.bytes() + open_.bytes() + edges_.bytes() +
           stack_.capacity() * sizeof(Top);
  }

 private:
  struct Top {
    StateId state;
    SetId live;           ///< so far
    FootprintId through;  ///< from the state below
    StateId low;          ///< Tarjan: smallest state of this component known to be reachable
    uint64_t first_edge;  ///< in edges_
    uint64_t first_open;  ///< in open_
    bool cyclic;          ///< reaches a state of a component that is not complete
    bool edges_lost;      ///< the log overflowed somewhere below
  };
  struct Edge {
    StateId from, to;
    FootprintId through;
  };
  void log(StateId to, FootprintId through);
  void complete(const Top& top);
  bool solve(const Top& top);  ///< false: stopped, nothing is solved

  const TreeStore& store_;
  ByteSets sets_;
  CoverIndex covers_;
  uint64_t max_open_edges_;
  Limits& limits_;
  CoverIndex::Kept kept_;
  SetId entry_live_ = 0;
  ByteSet scratch_;
  GrowingArray<SetId> live_;                ///< by state: upper bound
  GrowingArray<CoverIndex::Kept> kept_of_;  ///< by state
  GrowingArray<uint8_t> closed_;            ///< by state: its component is complete
  std::vector<Top> stack_;
  GrowingArray<StateId> open_;  ///< states of incomplete components, in the order of entry
  GrowingArray<Edge> edges_;    ///< from those states
  std::vector<machine::ByteRange> mortal_, dead_;
  struct Known {
    bool is = false;
    SetId never_dead = 0, entry_live = 0;
  };
  std::vector<Known> known_;                   ///< by number of cells; only where nothing is dead already
  std::vector<FootprintId> known_footprints_;  ///< by their number: + 1
  bool overflow_ = false;
};

}  // namespace whittle::explore
