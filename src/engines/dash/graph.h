// The region graph: for every node of the control flow (in its context) a partition of the states there into regions,
// and which region may lead to which over which block. It starts as the control-flow graph and is refined by splits.
//
//   Graph graph(space, walker, forest);
//   while (auto edge = graph.frontier(Graph::kError)) ... graph.split(...) or a new test
//
// An edge that is not there is claimed to be impossible. Edges go away because the terms alone show that they are
// impossible (feasible(): no solver is asked), because of how a region was split, or because a solver said so.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engines/dash/effect.h"
#include "engines/dash/facts.h"
#include "engines/dash/test.h"
#include "term/stride.h"

namespace whittle::engines::dash {

struct StateRef {
  uint32_t test = 0;
  uint32_t visit = 0;
};

/// All tests, and where they were.
class Forest {
 public:
  explicit Forest(const Space& space) : space_(space) {}
  uint32_t add(Test test);  ///< its number
  const Test& test(uint32_t number) const { return *tests_[number]; }
  size_t size() const { return tests_.size(); }
  const std::vector<StateRef>& at(Place place) const;
  bool holds(StateRef state, Term predicate) const {
    return tests_[state.test]->evaluate(space_, state.visit, predicate) == 1;
  }

 private:
  const Space& space_;
  std::vector<std::unique_ptr<Test>> tests_;
  std::map<Place, std::vector<StateRef>> index_;
};

struct BlockInfo {
  Block block;
  std::unique_ptr<Effect> effect;
  bool gone = false;  ///< replaced: its call was looked into
  size_t sites = 0;   ///< known when the effect was made
  std::unordered_map<Term, Term> before;
};

struct Region {
  uint32_t node = 0;
  std::vector<Term> literals;
  std::vector<StateRef> states;
  std::vector<uint32_t> in, out;  ///< edges, maybe dead ones too
  bool dead = false;              ///< it was split
  bool reached() const { return !states.empty(); }
};

struct RegionEdge {
  uint32_t from = 0, to = 0, block = 0;
  bool dead = false;
  bool stuck = false;     ///< neither a test nor a split was found
  bool asked = false;     ///< whether it is possible at all, invariants considered
  uint32_t misses = 0;    ///< states from which a test did not go this way although it should have
  bool moved = false;     ///< a test was run to have pointers in objects here
  bool astray = false;    ///< a test that should have gone this way had other aliases than the one before it
  std::vector<Term> why;  ///< what sets the source apart from states that cannot go this way
};

/// Where tests end on an abstract error trace.
struct Frontier {
  uint32_t edge = 0;
  uint32_t next = program::kNone;  ///< the edge after it; none if that one leads to the target
};

/// For all n < bound: property(n), where n is Space::element(). See elements.h.
struct ElementFact {
  Term bound;     ///< over the state
  Term property;  ///< over the state and n
  std::vector<term::Stride> accesses{};  ///< reads of the property, by n
  bool operator==(const ElementFact& o) const { return bound == o.bound && property == o.property; }
};

struct Node {
  Place place;
  std::vector<uint32_t> blocks;   ///< that leave it
  std::vector<uint32_t> regions;  ///< not dead
  uint32_t splits = 0;
  bool loop_head = false;
  std::vector<Term> invariants;  ///< hold whenever a run gets here
  std::vector<ElementFact> elements;  ///< and so do these
  /// And these: pointers with one value (addresses.h). The blocks that leave the node know them.
  std::shared_ptr<const wp::Effect::Known> pointers;
  std::vector<Term> pointer_equations;  ///< the same as conditions
  struct Known {
    std::vector<Term> invariants;
    std::vector<ElementFact> elements;
  };
  Known known() const { return {invariants, elements}; }
  void set_known(Known k) { invariants = std::move(k.invariants), elements = std::move(k.elements); }
  bool knows_something() const { return !invariants.empty() || !elements.empty(); }
  struct Decision {              ///< which region a state is in: a tree
    Term predicate;
    uint32_t yes = 0, no = 0;  ///< decisions
    uint32_t region = program::kNone;
  };
  std::vector<Decision> decisions;
};

class Graph {
 public:
  static constexpr uint32_t kError = 0, kUnknown = 1;  ///< regions

  Graph(Space& space, Walker& walker, Forest& forest);

  void add_states(uint32_t test);
  /// The edge behind which nothing was reached, on a shortest way to the target from something reached.
  std::optional<Frontier> frontier(uint32_t target);
  /// Splits the region into one where all of `yes` hold and one where all of `no` hold; they are each other's
  /// complement, `predicate` decides. The edges given are not there from the second one; `why` is for the first.
  void split(uint32_t region, Term predicate, const std::vector<Term>& yes, const std::vector<Term>& no,
             const std::vector<uint32_t>& edges = {}, const std::vector<Term>& why = {});
  void remove(uint32_t edge) { edges_[edge].dead = true; }
  /// Looks into the calls that the block passes over.
  void expand(uint32_t block);
  /// From now on blocks are run only where addresses of this statement lie where objects may be. False: it is not in this
  /// block, or was checked before.
  bool check_addresses(uint32_t block, uint32_t context, uint32_t edge);
  /// Parts of the node's predicates that mention the function's own registers and of static memory only.
  void own_conditions(uint32_t node, std::vector<Term>& found) const;
  /// A predicate on registers of one context and static memory, for another context of the same function; no term if it
  /// mentions anything else.
  Term translate(Term predicate, uint32_t from, uint32_t to) const;
  void add_invariants(uint32_t node, const std::vector<Term>& invariants);
  /// Whenever a run gets to the node, these variables and Reads have these values.
  void set_pointers(uint32_t node, wp::Effect::Known pointers);
  /// Edges that invariants make impossible go (of one context, or of all); none is stuck any more.
  void prune(uint32_t context = program::kNone);
  void clear(uint32_t region);  ///< no state is in it: all its edges go

  Space& space() const { return space_; }
  const Region& region(uint32_t r) const { return regions_[r]; }
  Region& region(uint32_t r) { return regions_[r]; }
  RegionEdge& edge(uint32_t e) { return edges_[e]; }
  const RegionEdge& edge(uint32_t e) const { return edges_[e]; }
  BlockInfo& block(uint32_t b) { return blocks_[b]; }
  size_t block_count() const { return blocks_.size(); }
  Node& node(uint32_t n) { return nodes_[n]; }
  const Node& node(uint32_t n) const { return nodes_[n]; }
  size_t nodes() const { return nodes_.size(); }
  size_t region_count() const;
  size_t region_slots() const { return regions_.size(); }
  uint32_t entry() const { return 2; }  ///< node
  std::optional<uint32_t> find(Place place) const;

  /// The effect of a block. Reads whose aliasing it does not know stand as variables: see wp::Resolution.
  Effect& effect(uint32_t block);
  /// The predicate before the block.
  Term before(uint32_t block, Term predicate);

 private:
  uint32_t make_node(Place place);
  void build();
  /// `fresh`: so many of the target's literals are new, and the edge was possible without them.
  void connect(uint32_t from, uint32_t block, uint32_t to, const std::vector<Term>& why, size_t fresh = 0);
  Facts* leave(uint32_t from, uint32_t block);
  bool feasible(uint32_t from, uint32_t block, const std::vector<Term>& targets, size_t fresh);
  uint32_t classify(const Node& node, StateRef state) const;
  uint32_t make_region(uint32_t node);
  void forget_effect(uint32_t block);
  bool mark_checked(Block& block) const;

  Space& space_;
  Walker& walker_;
  Forest& forest_;
  std::deque<BlockInfo> blocks_;
  std::deque<Node> nodes_;
  std::deque<Region> regions_;
  std::deque<RegionEdge> edges_;
  std::map<Place, uint32_t> by_place_;
  std::set<std::pair<uint32_t, uint32_t>> checked_;  ///< statements by context and edge: see check_addresses()
  std::vector<uint32_t> fresh_nodes_;
  struct Leaving {  ///< see leave()
    uint32_t from = program::kNone, block = program::kNone;
    size_t sites = 0;
    std::unique_ptr<Facts> facts;
    Facts::Mark region, left;
    bool impossible = false;
  };
  Leaving leaving_[2];
  std::vector<uint64_t> seen_;  ///< by region: the last search for a frontier that came by
  std::vector<uint32_t> next_;
  uint64_t searches_ = 0;
};

}  // namespace whittle::engines::dash
