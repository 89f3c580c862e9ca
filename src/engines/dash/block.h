// Blocks: the paths between two nodes of the region graph. A block has no joins inside, so going back over it is one
// substitution; a branch inside means several blocks.
//
//   Walker walker(space);
//   for (Block& block : walker.blocks({context, location})) ...
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engines/dash/space.h"
#include "semantics/demand.h"
#include "wp/effect.h"

namespace whittle::engines::dash {

struct Place {
  uint32_t context = 0;
  program::LocationId location = 0;
  bool operator==(const Place&) const = default;
  bool operator<(const Place& o) const { return context != o.context ? context < o.context : location < o.location; }
};

struct Step {
  enum class Kind : uint8_t {
    Statement,  ///< executed, and it went well
    Fails,      ///< the statement's demand number `demand` is not met
    TooLarge,   ///< the object that the statement makes is larger than the room kept for it
    Misfit,     ///< of an IndirectCall: it is `callee` that is called, which is of another type
    Enter,      ///< of a call: parameters get the arguments, `other` is the callee's context
    Leave,      ///< of a Return: the caller, `other`, gets the value
    Skip,       ///< of a call that is not looked into: memory and the result get any value; `callee` tells whose
  };
  Kind kind = Kind::Statement;
  uint32_t context = 0;
  uint32_t edge = 0;
  uint32_t other = program::kNone;
  program::FunctionId callee = program::kNone;
  uint32_t demand = 0;
  bool checked = false;  ///< Statement: its addresses lie where objects may be. Learned from a run that was cut there.
};

struct Block {
  enum class End : uint8_t { Node, Error, Unknown };
  Place from;
  End end = End::Node;
  Place to;            ///< Node
  std::string reason;  ///< Unknown: what cannot be followed
  /// Unknown: the statement that is not followed.
  uint32_t last_context = program::kNone, last_edge = program::kNone;
  std::vector<Step> steps;  ///< in order
  /// What is known of pointers wherever it begins (addresses.h); none: nothing.
  std::shared_ptr<const wp::Effect::Known> known;
  bool skips_call() const {
    for (const Step& s : steps)
      if (s.kind == Step::Kind::Skip) return true;
    return false;
  }
};

class Walker {
 public:
  explicit Walker(Space& space) : space_(space) {}

  /// From a node on, until the next one. Paths that just end (Halt) are left out.
  std::vector<Block> blocks(Place from);

  /// Calls are passed over as if they could do anything, until they are looked into.
  void expand(uint32_t context, uint32_t edge) { expanded_.insert({context, edge}); }
  bool expanded(uint32_t context, uint32_t edge) const { return expanded_.contains({context, edge}); }

 private:
  struct Walk;
  Space& space_;
  std::set<std::pair<uint32_t, uint32_t>> expanded_;
};

}  // namespace whittle::engines::dash
