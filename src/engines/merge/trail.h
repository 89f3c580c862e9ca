// The conditions on the way to a state, and what becomes of them where ways meet.
//
//   Trails trails(store);
//   Trail yes = trails.extend(trails.root(), c), no = trails.extend(trails.root(), not c);
//   Joined met = trails.join(yes, no);     // met.trail == trails.root(), met.first == c
//
// Ways that part share what came before, so where they meet only what tells them apart is looked at: values become
// ite(first, a, b) with the condition of the branch rather than the whole way.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "term/term.h"

namespace whittle::engines::merge {

using term::Term;

struct TrailNode {
  Term condition;           ///< the newest one
  Term all;                 ///< the conjunction of all
  const TrailNode* before;  ///< of the root: null
  uint32_t depth;
};
using Trail = const TrailNode*;

class Trails {
 public:
  explicit Trails(term::Store& store);

  Trail root() const { return &nodes_.front(); }
  Trail extend(Trail trail, Term condition);
  static bool impossible(Trail trail) { return trail->all.is_false(); }

  struct Joined {
    Trail trail;
    Term first;  ///< on the joined trail: did the way come along the first of the two?
  };
  /// The two exclude each other.
  Joined join(Trail a, Trail b);
  static uint32_t common_depth(Trail a, Trail b);

 private:
  static constexpr unsigned kLookBack = 64;  ///< how many conditions are looked at for the same one or its opposite

  Term conjunction(const std::vector<Term>& conditions, size_t from);

  term::Store& store_;
  std::deque<TrailNode> nodes_;
};

}  // namespace whittle::engines::merge
