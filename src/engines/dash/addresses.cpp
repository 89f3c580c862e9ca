#include "engines/dash/addresses.h"

namespace whittle::engines::dash {

using program::kNone;
using Known = wp::Effect::Known;

namespace {

constexpr size_t kMostPointers = 200;  ///< of a node

/// Constant propagation, optimistic: a node knows what all blocks found so far bring to it.
class Propagation {
 public:
  Propagation(Space& space, Graph& graph)
      : space_(space), graph_(graph), width_(space.program().pointer_width()), known_(graph.nodes()) {}

  bool run(const std::function<bool()>& stop) {
    known_[graph_.entry()] = Known{};
    std::vector<uint32_t> todo{graph_.entry()};
    std::vector<char> waiting(graph_.nodes(), 0);
    while (!todo.empty()) {
      const uint32_t n = todo.back();
      todo.pop_back();
      waiting[n] = 0;
      const auto before = std::make_shared<const Known>(*known_[n]);
      for (uint32_t b : graph_.node(n).blocks) {
        if (graph_.block(b).gone || graph_.block(b).block.end != Block::End::Node) continue;
        if (stop()) return false;
        const uint32_t to = *graph_.find(graph_.block(b).block.to);
        if (!follow(graph_.block(b).block, before, to) || waiting[to]) continue;
        waiting[to] = 1;
        todo.push_back(to);
      }
    }
    return true;
  }

  /// True if some node knows more than before, or something else.
  bool tell() {
    bool news = false;
    for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
      Known found = known_[n] ? std::move(*known_[n]) : Known{};
      const Node& node = graph_.node(n);
      if (node.pointers ? *node.pointers == found : found.empty()) continue;
      graph_.set_pointers(n, std::move(found));
      news = true;
    }
    return news;
  }

 private:
  /// An address in an object, or of a function.
  bool is_address(Term t) const {
    if (t.width() != width_ || !t.is_constant()) return false;
    const uint64_t value = t.value64();
    if (space_.program().object_at(value) || space_.program().function_at(value)) return true;
    for (const Site& site : space_.sites())
      if (value >= site.address && value < site.address + std::max<uint64_t>(site.size, 1)) return true;
    return false;
  }

  bool is_set_once(Term address) const { return space_.is_set_once(address.value64()); }

  /// True if the node after the block knows something else now.
  bool follow(const Block& original, const std::shared_ptr<const Known>& before, uint32_t to) {
    Block block = original;
    block.known = before;
    Effect effect(space_, block);
    for (Term g : effect.guards())
      if (g.is_false()) return false;
    Known after;
    // (Numbers decide branches on which pointers depend. In memory they are too many, except those that never change.)
    auto note = [&](Term leaf, Term value) {
      const bool wanted =
          value.is_constant() && (leaf.is_variable() || is_address(value) || is_set_once(leaf.kid(0)));
      if (wanted && after.size() < kMostPointers) after.emplace(leaf, value);
    };
    for (const auto& [leaf, value] : *before) {
      if (leaf.op() == term::Op::Read)
        note(leaf, effect.load(leaf.kid(0), leaf.width() / 8));
      else if (is_live(space_, leaf, block.to))
        note(leaf, effect.value(leaf));
    }
    for (const auto& [variable, value] : effect.values())
      if (value.is_constant() && is_live(space_, variable, block.to)) note(variable, value);
    for (const auto& [address, value] : effect.written())
      if (address.is_constant() && (is_address(value) || is_set_once(address)))
        note(space_.terms().read(address, value.width()), effect.load(address, value.width() / 8));
    return meet(to, std::move(after));
  }

  bool meet(uint32_t node, Known more) {
    if (!known_[node]) {
      known_[node] = std::move(more);
      return true;
    }
    return std::erase_if(*known_[node], [&](const auto& known) {
             auto it = more.find(known.first);
             return it == more.end() || it->second != known.second;
           }) > 0;
  }

  Space& space_;
  Graph& graph_;
  const unsigned width_;
  std::vector<std::optional<Known>> known_;  ///< by node; nothing: no run was seen to get there
};

}  // namespace

bool is_live(const Space& space, Term variable, const Place& place) {
  const Space::Owner owner = space.owner(variable);
  if (!owner.known() || owner.reg == kNone) return false;
  program::LocationId at = place.location;
  for (uint32_t c = place.context;;) {
    const Context& context = space.context(c);
    if (c == owner.context) return at != kNone && space.liveness(context.function).at(at).test(owner.reg);
    if (context.parent == kNone) return false;
    at = space.edge(context.parent, context.edge).to;
    c = context.parent;
  }
}

bool find_pointers(Space& space, Graph& graph, const std::function<bool()>& stop) {
  Propagation propagation(space, graph);
  return propagation.run(stop) && propagation.tell();
}

}  // namespace whittle::engines::dash
