#include "engines/dash/graph.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

#include "engines/dash/facts.h"

namespace whittle::engines::dash {

using program::kNone;

uint32_t Forest::add(Test test) {
  uint32_t number = static_cast<uint32_t>(tests_.size());
  tests_.push_back(std::make_unique<Test>(std::move(test)));
  const auto& visits = tests_.back()->visits;
  for (uint32_t v = 0; v < visits.size(); ++v) index_[visits[v].place].push_back({number, v});
  return number;
}

const std::vector<StateRef>& Forest::at(Place place) const {
  static const std::vector<StateRef> kNowhere;
  auto it = index_.find(place);
  return it == index_.end() ? kNowhere : it->second;
}

Graph::Graph(Space& space, Walker& walker, Forest& forest) : space_(space), walker_(walker), forest_(forest) {
  for (int sink = 0; sink < 2; ++sink) {
    nodes_.emplace_back();
    uint32_t r = make_region(static_cast<uint32_t>(nodes_.size() - 1));
    nodes_.back().regions.push_back(r);
  }
  make_node({space.root(), space.program().functions[space.program().entry].entry});
  build();
}

std::optional<uint32_t> Graph::find(Place place) const {
  auto it = by_place_.find(place);
  if (it == by_place_.end()) return std::nullopt;
  return it->second;
}

uint32_t Graph::make_region(uint32_t node) {
  regions_.emplace_back();
  regions_.back().node = node;
  return static_cast<uint32_t>(regions_.size() - 1);
}

uint32_t Graph::make_node(Place place) {
  auto [it, fresh] = by_place_.try_emplace(place, static_cast<uint32_t>(nodes_.size()));
  if (!fresh) return it->second;
  uint32_t n = it->second;
  nodes_.emplace_back();
  Node& node = nodes_.back();
  node.place = place;
  node.loop_head = space_.function(place.context).locations[place.location].loop_head;
  uint32_t r = make_region(n);
  node.regions.push_back(r);
  Node::Decision leaf;
  leaf.region = r;
  node.decisions.push_back(leaf);
  regions_[r].states = forest_.at(place);
  fresh_nodes_.push_back(n);
  return n;
}

void Graph::build() {
  while (!fresh_nodes_.empty()) {
    uint32_t n = fresh_nodes_.back();
    fresh_nodes_.pop_back();
    for (Block& block : walker_.blocks(nodes_[n].place)) {
      uint32_t b = static_cast<uint32_t>(blocks_.size());
      blocks_.emplace_back();
      blocks_.back().block = std::move(block);
      mark_checked(blocks_.back().block);
      nodes_[n].blocks.push_back(b);
      blocks_.back().block.known = nodes_[n].pointers;
      const Block& made = blocks_.back().block;
      std::vector<uint32_t> targets;
      if (made.end == Block::End::Error)
        targets = {kError};
      else if (made.end == Block::End::Unknown)
        targets = {kUnknown};
      else
        targets = nodes_[make_node(made.to)].regions;
      for (uint32_t from : std::vector<uint32_t>(nodes_[n].regions))
        for (uint32_t to : targets) connect(from, b, to, {});
    }
  }
}

void Graph::expand(uint32_t b) {
  bool any = false;
  for (const Step& s : blocks_[b].block.steps)
    if (s.kind == Step::Kind::Skip && !walker_.expanded(s.context, s.edge)) {
      walker_.expand(s.context, s.edge);
      any = true;
    }
  assert(any);
  uint32_t n = by_place_.at(blocks_[b].block.from);
  for (uint32_t old : nodes_[n].blocks) blocks_[old].gone = true;
  nodes_[n].blocks.clear();
  for (uint32_t r : nodes_[n].regions)
    for (uint32_t e : regions_[r].out) edges_[e].dead = true;
  fresh_nodes_.push_back(n);
  build();
}

bool Graph::check_addresses(uint32_t b, uint32_t context, uint32_t edge) {
  checked_.insert({context, edge});
  bool any = false;
  for (uint32_t other = 0; other < blocks_.size(); ++other)
    if (!blocks_[other].gone && mark_checked(blocks_[other].block)) {
      forget_effect(other);
      any |= other == b;
    }
  return any;
}

/// True if something is checked now that was not.
bool Graph::mark_checked(Block& block) const {
  bool any = false;
  for (Step& s : block.steps)
    if (s.kind == Step::Kind::Statement && !s.checked && checked_.contains({s.context, s.edge})) s.checked = any = true;
  return any;
}

void Graph::forget_effect(uint32_t b) {
  blocks_[b].effect.reset();
  blocks_[b].before.clear();
  for (Leaving& l : leaving_) l.from = kNone;
}

void Graph::set_pointers(uint32_t n, wp::Effect::Known pointers) {
  Node& node = nodes_[n];
  node.pointer_equations.clear();
  for (const auto& [leaf, value] : pointers) node.pointer_equations.push_back(space_.terms().eq(leaf, value));
  std::sort(node.pointer_equations.begin(), node.pointer_equations.end(),
            [](Term a, Term b) { return a.id() < b.id(); });
  node.pointers = std::make_shared<const wp::Effect::Known>(std::move(pointers));
  for (uint32_t b : node.blocks) {
    blocks_[b].block.known = node.pointers;
    forget_effect(b);
  }
}

Term Graph::translate(Term predicate, uint32_t from, uint32_t to) const {
  bool fits = true;
  Term result = space_.terms().substitute(
      predicate,
      [&](Term v) {
        Space::Owner owner = space_.owner(v);
        if (owner.context != from || owner.reg == kNone) {
          fits = false;
          return v;
        }
        return space_.variable(to, owner.reg);
      },
      [&](Term read) {
        fits &= read.kid(0).is_constant() && space_.program().object_at(read.kid(0).value64()).has_value();
        return read;
      });
  // Where objects of the other call lie means nothing here.
  std::vector<Term> todo{predicate};
  std::unordered_set<Term> seen;
  while (fits && !todo.empty()) {
    Term t = todo.back();
    todo.pop_back();
    if (!seen.insert(t).second) continue;
    if (t.is_constant() && t.width() == space_.program().pointer_width())
      for (const Site& site : space_.sites()) fits &= t.value() < site.address || t.value() > site.address + site.size;
    for (unsigned i = 0; i < t.arity(); ++i) todo.push_back(t.kid(i));
  }
  return fits ? result : Term();
}

void Graph::own_conditions(uint32_t n, std::vector<Term>& found) const {
  const uint32_t context = nodes_[n].place.context;
  std::unordered_set<Term> seen;
  std::vector<Term> todo;
  for (uint32_t r : nodes_[n].regions)
    todo.insert(todo.end(), regions_[r].literals.begin(), regions_[r].literals.end());
  todo.insert(todo.end(), nodes_[n].invariants.begin(), nodes_[n].invariants.end());
  while (!todo.empty()) {
    Term t = todo.back();
    todo.pop_back();
    if (t.width() != 1 || t.is_constant() || !seen.insert(t).second) continue;
    const bool connective = t.op() == term::Op::And || t.op() == term::Op::Or || t.op() == term::Op::Not;
    if (!connective && translate(t, context, context)) found.push_back(t);
    if (connective)
      for (unsigned i = 0; i < t.arity(); ++i) todo.push_back(t.kid(i));
  }
}

namespace {

bool ends_objects(const Space& space, const Block& block) {
  for (const Step& s : block.steps)
    if (s.kind == Step::Kind::Skip || s.kind == Step::Kind::Leave ||
        space.edge(s.context, s.edge).statement.kind == program::Kind::HeapFree)
      return true;
  return false;
}

}  // namespace

Effect& Graph::effect(uint32_t b) {
  BlockInfo& info = blocks_[b];
  // Objects that came to light since then may end in this block, too.
  if (info.sites != space_.sites().size() && ends_objects(space_, info.block)) {
    info.effect.reset();
    info.before.clear();
  }
  info.sites = space_.sites().size();
  if (!info.effect) info.effect = std::make_unique<Effect>(space_, info.block, Effect::Reads::Later);
  return *info.effect;
}

Term Graph::before(uint32_t b, Term predicate) {
  Effect& effect = this->effect(b);  // forgets what is out of date
  Term& before = blocks_[b].before[predicate];
  if (!before) before = effect.pre(predicate);
  return before;
}

/// What is known when a run leaves the region over the block; nothing if no run can. Splits ask about the same regions
/// and blocks several times in a row, so the facts of the last two regions are kept.
Facts* Graph::leave(uint32_t from, uint32_t b) {
  const size_t sites = space_.sites().size();
  if (leaving_[0].from != from) std::swap(leaving_[0], leaving_[1]);
  Leaving& l = leaving_[0];
  if (l.from != from || l.sites != sites) {
    l.facts = std::make_unique<Facts>(space_.terms());
    l.from = from;
    l.sites = sites;
    l.block = kNone;
    const Region& source = regions_[from];
    for (Term t : nodes_[source.node].pointer_equations) l.facts->add(t);
    for (Term t : nodes_[source.node].invariants) l.facts->add(t);
    for (Term t : source.literals) l.facts->add(t);
    l.region = l.facts->mark();
  }
  if (l.block == b) {
    l.facts->back_to(l.left);
  } else {
    l.facts->back_to(l.region);
    l.block = b;
    for (Term g : effect(b).guards()) l.facts->add(g);
    l.impossible = l.facts->contradiction();
    l.left = l.facts->mark();
  }
  return l.impossible ? nullptr : l.facts.get();
}

bool Graph::feasible(uint32_t from, uint32_t b, const std::vector<Term>& targets, size_t fresh) {
  const auto& known = regions_[from].literals;
  auto among = [&](Term t) { return std::find(known.begin(), known.end(), t) != known.end(); };
  // Of an edge that was possible until the target was split only what is new can make a difference.
  std::vector<Term> last, rest;
  for (size_t i = targets.size() - fresh; i < targets.size(); ++i) {
    Term before = this->before(b, targets[i]);
    if (among(before)) continue;
    if (among(space_.terms().bnot(before))) return false;
    last.push_back(before);
  }
  if (fresh > 0 && last.empty()) return true;
  Facts* facts = leave(from, b);
  if (!facts) return false;
  auto look_at = [&](Term before) {
    Term now = facts->simplify(before);
    if (!now.is_true()) rest.push_back(now);
    return !now.is_false();
  };
  for (Term before : last)
    if (!look_at(before)) return false;
  if (fresh > 0 && rest.empty()) return true;
  for (size_t i = 0; i + fresh < targets.size(); ++i)
    if (!look_at(this->before(b, targets[i]))) return false;
  for (Term t : rest) facts->add(t);
  return !facts->contradiction();
}

void Graph::connect(uint32_t from, uint32_t b, uint32_t to, const std::vector<Term>& why, size_t fresh) {
  std::vector<Term> targets;
  if (to > kUnknown) targets = nodes_[regions_[to].node].invariants;
  targets.insert(targets.end(), regions_[to].literals.begin(), regions_[to].literals.end());
  if (!feasible(from, b, targets, fresh)) return;
  uint32_t e = static_cast<uint32_t>(edges_.size());
  edges_.push_back({.from = from, .to = to, .block = b, .why = why});
  regions_[from].out.push_back(e);
  regions_[to].in.push_back(e);
}

uint32_t Graph::classify(const Node& node, StateRef state) const {
  uint32_t d = 0;
  while (node.decisions[d].region == kNone)
    d = forest_.holds(state, node.decisions[d].predicate) ? node.decisions[d].yes : node.decisions[d].no;
  return node.decisions[d].region;
}

void Graph::add_states(uint32_t test) {
  const Test& t = forest_.test(test);
  for (uint32_t v = 0; v < t.visits.size(); ++v) {
    auto it = by_place_.find(t.visits[v].place);
    if (it == by_place_.end()) continue;
    regions_[classify(nodes_[it->second], {test, v})].states.push_back({test, v});
  }
}

std::optional<Frontier> Graph::frontier(uint32_t target) {
  seen_.resize(regions_.size(), 0);
  next_.resize(regions_.size(), kNone);
  ++searches_;
  next_[target] = kNone;
  seen_[target] = searches_;
  std::vector<uint32_t> queue{target};
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t to = queue[i];
    auto& in = regions_[to].in;
    std::erase_if(in, [&](uint32_t e) { return edges_[e].dead; });
    for (uint32_t e : in) {
      const RegionEdge& edge = edges_[e];
      if (edge.stuck || seen_[edge.from] == searches_) continue;
      if (regions_[edge.from].reached()) return Frontier{e, next_[to]};
      seen_[edge.from] = searches_;
      next_[edge.from] = e;
      queue.push_back(edge.from);
    }
  }
  return std::nullopt;
}

void Graph::split(uint32_t r, Term predicate, const std::vector<Term>& yes, const std::vector<Term>& no,
                  const std::vector<uint32_t>& removed, const std::vector<Term>& why) {
  uint32_t n = regions_[r].node;
  uint32_t children[2] = {make_region(n), make_region(n)};
  size_t fresh[2];
  for (int side = 0; side < 2; ++side) {
    Region& child = regions_[children[side]];
    child.literals = regions_[r].literals;
    for (Term t : side == 0 ? yes : no) flatten(t, child.literals);
    fresh[side] = child.literals.size() - regions_[r].literals.size();
  }
  for (StateRef s : regions_[r].states) regions_[children[forest_.holds(s, predicate) ? 0 : 1]].states.push_back(s);
  regions_[r].dead = true;
  Node& node = nodes_[n];
  ++node.splits;
  std::erase(node.regions, r);
  node.regions.push_back(children[0]);
  node.regions.push_back(children[1]);
  for (uint32_t d = 0; d < node.decisions.size(); ++d) {
    if (node.decisions[d].region != r) continue;
    node.decisions[d].region = kNone;
    node.decisions[d].predicate = predicate;
    for (int side = 0; side < 2; ++side) {
      Node::Decision leaf;
      leaf.region = children[side];
      node.decisions.push_back(leaf);
      (side == 0 ? node.decisions[d].yes : node.decisions[d].no) = static_cast<uint32_t>(node.decisions.size() - 1);
    }
    break;
  }
  std::vector<uint32_t> in, out;
  for (uint32_t e : regions_[r].in)
    if (!edges_[e].dead) in.push_back(e);
  for (uint32_t e : regions_[r].out)
    if (!edges_[e].dead) out.push_back(e);
  for (uint32_t e : in) {
    RegionEdge old = edges_[e];
    edges_[e].dead = true;
    if (old.from == r) continue;  // a loop: with the outgoing ones
    for (int side = 0; side < 2; ++side) connect(old.from, old.block, children[side], old.why, fresh[side]);
  }
  for (uint32_t e : out) {
    RegionEdge old = edges_[e];
    edges_[e].dead = true;
    bool goes = std::find(removed.begin(), removed.end(), e) != removed.end();
    for (uint32_t child : children) {
      if (goes && child == children[1]) continue;
      if (old.to == r)
        for (uint32_t target : children) connect(child, old.block, target, old.why);
      else
        connect(child, old.block, old.to, goes && !why.empty() ? why : old.why);
    }
  }
}

void Graph::add_invariants(uint32_t n, const std::vector<Term>& invariants) {
  for (Term t : invariants) flatten(t, nodes_[n].invariants);
  for (Leaving& l : leaving_) l = {};
}

void Graph::prune(uint32_t context) {
  auto there = [&](uint32_t region) {
    return region > kUnknown && nodes_[regions_[region].node].place.context == context;
  };
  for (uint32_t e = 0; e < edges_.size(); ++e) {
    RegionEdge& edge = edges_[e];
    if (edge.dead || (context != kNone && !there(edge.from) && !there(edge.to))) continue;
    std::vector<Term> targets = regions_[edge.to].literals;
    if (!feasible(edge.from, edge.block, targets, 0)) edge.dead = true;
    edge.stuck = false;
    edge.asked = false;
    edge.astray = false;
  }
}

void Graph::clear(uint32_t r) {
  for (uint32_t e : regions_[r].in) edges_[e].dead = true;
  for (uint32_t e : regions_[r].out) edges_[e].dead = true;
}

size_t Graph::region_count() const {
  size_t count = 0;
  for (const Region& r : regions_) count += !r.dead;
  return count;
}

}  // namespace whittle::engines::dash
