// What the search does where several processes share it (split.h).
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <random>

#include "engines/guided/search.h"

namespace whittle::engines::guided {

namespace {

/// Forks tell themselves apart by their numbers, machines by this.
uint64_t this_machine() {
  static const uint64_t number = uint64_t{std::random_device{}()} << 32 | std::random_device{}();
  return number;
}

}  // namespace

/// The machine stands at the node, and the reduction has it on top. Subtrees are given out where the tree is wide: there
/// are many more than processes then, so that all end at about the same time.
void Search::share_out(Node& node) {
  const Node* parent = nodes_.size() > 1 ? nodes_[nodes_.size() - 2].get() : nullptr;
  node.claimed = node.elsewhere = false;
  node.inside = parent != nullptr && (parent->inside || parent->claimed);
  if (node.inside) return;
  node.way = parent != nullptr ? parent->way : Way{};
  node.width = 1;
  if (parent != nullptr) {
    node.way.add(node.ran);
    for (size_t i = parent->path_length; i < path_.length(); ++i) {
      const Way condition = way_of(path_.conditions()[i]);
      node.way.add(condition.first);
      node.way.add(condition.second);
    }
    node.width = parent->width * static_cast<uint64_t>(std::max(1, std::popcount(parent->enabled))) * sides_;
  }
  if (node.width < options_.wide || node.enabled == 0) return reduction_.expand();
  // Threads that sleep are left out of a subtree: with others asleep it is another one.
  node.way.add(reduction_.sleeping());
  node.claimed = subtrees_->claim(node.way);
  node.elsewhere = !node.claimed;
}

/// Before a subtree counts as done, and at the end.
void Search::tell_subtrees() {
  if (!bound_place_.empty()) subtrees_->note_bound(bound_place_);
  if (!incomplete_.empty()) subtrees_->note_incomplete(incomplete_);
}

/// Equal ones in all processes: what it says, not when it was made.
Way Search::way_of(Term condition) {
  if (auto known = known_ways_.find(condition); known != known_ways_.end()) return known->second;
  Way way;
  way.add(static_cast<uint64_t>(condition.op()));
  way.add(condition.width());
  if (condition.is_constant()) {
    way.add(static_cast<uint64_t>(condition.value()));
    way.add(static_cast<uint64_t>(condition.value() >> 64));
  } else if (condition.is_variable()) {
    const std::vector<Term>& inputs = path_.inputs();
    const auto place = std::ranges::find(inputs, condition);
    way.add(static_cast<uint64_t>(place - inputs.begin()));
    if (place == inputs.end()) {  // equal to no other one
      way.add(this_machine());
      way.add(static_cast<uint64_t>(::getpid()) << 32 | ++strangers_);
    }
  } else {
    if (condition.op() == term::Op::Extract) way.add(condition.low());
    for (unsigned i = 0; i < condition.arity(); ++i) {
      const Way kid = way_of(condition.kid(i));
      way.add(kid.first);
      way.add(kid.second);
    }
  }
  known_ways_.emplace(condition, way);
  return way;
}

}  // namespace whittle::engines::guided
