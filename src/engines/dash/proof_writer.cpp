#include "engines/dash/proof_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engines/dash/elements.h"
#include "semantics/demand.h"

namespace whittle::engines::dash {

using program::Kind;
using program::kNone;

namespace {

/// Regions that abstract runs can reach.
std::vector<char> reachable_regions(Graph& graph) {
  std::vector<char> seen(graph.region_slots(), 0);
  std::vector<uint32_t> todo;
  for (uint32_t r : graph.node(graph.entry()).regions) {
    bool initial = std::any_of(graph.region(r).states.begin(), graph.region(r).states.end(),
                               [](StateRef s) { return s.visit == 0; });
    if (initial) seen[r] = 1, todo.push_back(r);
  }
  while (!todo.empty()) {
    uint32_t r = todo.back();
    todo.pop_back();
    for (uint32_t e : graph.region(r).out) {
      const RegionEdge& edge = graph.edge(e);
      if (edge.dead || seen[edge.to]) continue;
      seen[edge.to] = 1;
      todo.push_back(edge.to);
    }
  }
  return seen;
}

class Writer {
 public:
  Writer(Space& space, Graph& graph, ProofStyle style)
      : space_(space), graph_(graph), style_(style), store_(space.terms()), seen_(reachable_regions(graph)) {}

  std::optional<proof::Proof> make(std::string& why) {
    collect_contexts();
    std::vector<uint32_t> order(contexts_.begin(), contexts_.end());
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return space_.context(a).depth != space_.context(b).depth ? space_.context(a).depth > space_.context(b).depth
                                                                : a < b;
    });
    for (uint32_t c : order) numbers_[c] = static_cast<uint32_t>(numbers_.size());
    proof_.functions.resize(order.size());
    promises();
    for (uint32_t c : order) function(c);
    proof_.entry = numbers_.at(space_.root());
    if (!problem_.empty()) {
      why = problem_;
      return std::nullopt;
    }
    return std::move(proof_);
  }

 private:
  /// Those that runs may be in, and those that a call would enter if it could be reached.
  void collect_contexts() {
    contexts_.insert(space_.root());
    for (uint32_t n = 2; n < graph_.nodes(); ++n) {
      const Node& node = graph_.node(n);
      if (std::none_of(node.regions.begin(), node.regions.end(), [&](uint32_t r) { return seen_[r] != 0; })) continue;
      for (uint32_t c = node.place.context; c != kNone; c = space_.context(c).parent) contexts_.insert(c);
      for (uint32_t b : node.blocks)
        for (const Step& s : graph_.block(b).block.steps)
          if (s.kind == Step::Kind::Enter) contexts_.insert(s.other);
    }
  }

  /// What is known of calls that are passed over: arguments are ghosts, for a function may change its parameters.
  void promises() {
    const auto& functions = space_.program().functions;
    for (program::FunctionId f = 0; f < functions.size(); ++f) {
      const Contract* contract = space_.contract(f);
      // Where something may go wrong inside, the checker would want to know why it does not.
      if (!contract || space_.can_fail(f) || (contract->holds.is_true() && !contract->safe)) continue;
      promised_[f] = static_cast<uint32_t>(proof_.functions.size());
      proof::FunctionProof promise;
      promise.function = f;
      promise.result = contract->result;
      promise.requires_ = store_.truth();
      for (Term p : contract->parameters) {
        promise.ghosts.push_back(store_.variable(p.width(), store_.variable_name(p)));
        promise.requires_ = store_.band(promise.requires_, store_.eq(p, promise.ghosts.back()));
      }
      promise.ensures = contract->of(store_, contract->holds, promise.ghosts, promise.result);
      proof_.functions.push_back(std::move(promise));
    }
    for (auto [f, number] : promised_)
      for (uint32_t e = 0; e < functions[f].edges.size(); ++e) {
        proof::CallSite site;
        site.edge = e;
        use_promises(functions[f], functions[f].edges[e].statement, site);
        if (!site.uses.empty()) proof_.functions[number].calls.push_back(std::move(site));
      }
  }

  void use_promises(const program::Function& caller, const program::Statement& call, proof::CallSite& site) {
    if (call.kind != Kind::Call && call.kind != Kind::IndirectCall) return;
    const size_t first = call.kind == Kind::IndirectCall ? 1 : 0;
    for (program::FunctionId g : space_.calls().targets(call)) {
      auto promise = promised_.find(g);
      if (promise == promised_.end()) continue;
      if (call.kind == Kind::IndirectCall && !semantics::fits(caller, call, space_.program().functions[g])) continue;
      proof::Use use;
      use.proof = promise->second;
      for (size_t i = 0; i < space_.contract(g)->parameters.size(); ++i) use.ghosts.push_back(call.operands[first + i]);
      site.uses.push_back(std::move(use));
    }
  }

  Term region_predicate(uint32_t r) {
    std::vector<Term> parts;
    const Node& node = graph_.node(graph_.region(r).node);
    Facts pointers(store_);
    for (Term t : node.pointer_equations) pointers.add(t);
    if (style_ == ProofStyle::Regions)
      for (Term t : graph_.region(r).literals) parts.push_back(pointers.simplify(t));
    parts.insert(parts.end(), node.invariants.begin(), node.invariants.end());
    parts.insert(parts.end(), node.pointer_equations.begin(), node.pointer_equations.end());
    return store_.conjunction(parts);
  }

  /// What holds whenever a run is at the place.
  Term holds_at(Place place) {
    auto n = graph_.find(place);
    if (!n) return store_.falsity();
    Term any = store_.falsity();
    for (uint32_t r : graph_.node(*n).regions)
      if (seen_[r]) any = store_.bor(any, region_predicate(r));
    return any;
  }

  /// What holds for all elements whenever a run is at the place.
  std::vector<Term> elements_at(Place place) {
    std::vector<Term> found;
    if (auto n = graph_.find(place))
      for (const ElementFact& fact : graph_.node(*n).elements) found.push_back(body(space_, fact));
    return found;
  }

  /// Inside or near: a field of the object minus an offset, say. (Gaps between sites are twice as wide.)
  static bool in_site(const Site& site, uint64_t value) {
    constexpr uint64_t kNear = 512;
    return value >= site.address - kNear && value <= site.address + site.size + kNear;
  }
  bool in_site(uint64_t value) const {
    return std::any_of(space_.sites().begin(), space_.sites().end(),
                       [&](const Site& site) { return in_site(site, value); });
  }

  /// An address inside (or near) an object that the program makes, in terms of where that object lies.
  Term address_of(uint64_t value, unsigned width) {
    const uint64_t negated = static_cast<uint64_t>((u128{0} - value) & mask128(width));
    if (!in_site(value) && in_site(negated)) {  // of a difference
      Term address = address_of(negated, width);
      return address ? store_.neg(address) : address;
    }
    for (size_t k = 0; k < space_.sites().size(); ++k) {
      const Site& site = space_.sites()[k];
      if (!in_site(site, value)) continue;
      if (!numbers_.contains(site.context)) return {};
      return store_.add(object(k).address, store_.constant(width, value - site.address));
    }
    return store_.constant(width, value);
  }

  proof::Object& object(size_t k) {
    const Site& site = space_.sites()[k];
    auto [it, fresh] = objects_.try_emplace(k, proof_.objects.size());
    if (fresh) {
      const unsigned width = space_.program().pointer_width();
      proof_.objects.push_back({numbers_.at(site.context), site.edge, std::max<uint64_t>(site.size, 1),
                                store_.variable(width, "object"), store_.variable(1, "there"),
                                store_.variable(width, "size")});
    }
    return proof_.objects[it->second];
  }

  /// A term of the flat space in the scope of one context.
  Term rename(uint32_t c, Term t) {
    auto& memo = renamed_[c];
    auto known = memo.find(t);
    if (known != memo.end()) return known->second;
    Term result;
    if (t.is_constant()) {
      result = t;
      if (t.width() == space_.program().pointer_width() && t.value() >= program::layout::kDynamicBase &&
          !space_.sites().empty()) {
        result = address_of(t.value64(), t.width());
        if (!result) {
          problem_ = "it mentions an object that is never made";
          result = t;
        }
      }
    } else if (t.is_variable()) {
      result = variable(c, t);
    } else {
      Term kids[3];
      for (unsigned i = 0; i < t.arity(); ++i) kids[i] = rename(c, t.kid(i));
      unsigned low = t.op() == term::Op::Extract ? t.low() : 0;
      result = t.op() == term::Op::Read ? store_.read(kids[0], t.width())
                                        : store_.make(t.op(), std::span(kids, t.arity()), t.width(), low);
    }
    memo.emplace(t, result);
    return result;
  }

  Term variable(uint32_t c, Term v) {
    Space::Owner owner = space_.owner(v);
    if (v == space_.element()) {
      Term& element = proof_.functions[numbers_.at(c)].element;
      if (!element) element = store_.variable(v.width(), "n");
      return element;
    }
    if (owner.known() && owner.reg == kNone)
      for (size_t k = 0; k < space_.sites().size(); ++k) {
        const Site& site = space_.sites()[k];
        if (v != site.alive && v != site.bytes) continue;
        if (!numbers_.contains(site.context)) return store_.constant(v.width(), 0);  // it is never made
        return v == site.alive ? object(k).there : object(k).size;
      }
    if (!owner.known() || owner.reg == kNone) {
      problem_ = "it mentions values that no state has";
      return v;
    }
    if (owner.context == c) return space_.function(c).registers[owner.reg].variable;
    Term& ghost = ghosts_[c][v];
    if (!ghost) {
      ghost = store_.variable(v.width(), space_.terms().variable_name(v));
      proof_.functions[numbers_.at(c)].ghosts.push_back(ghost);
      ghost_order_[c].push_back(v);
    }
    return ghost;
  }

  void function(uint32_t c) {
    uint32_t number = numbers_.at(c);
    const Context& context = space_.context(c);
    const auto& code = space_.function(c);
    auto here = [&]() -> proof::FunctionProof& { return proof_.functions[number]; };
    here().function = context.function;
    if (code.return_width != 0) here().result = store_.variable(code.return_width, "result");
    here().requires_ = store_.truth();
    here().ensures = store_.truth();
    if (context.parent != kNone) contract(c, number);
    regions(c, number);
    for (uint32_t e = 0; e < code.edges.size(); ++e) {
      Kind kind = code.edges[e].statement.kind;
      if (kind != Kind::Call && kind != Kind::IndirectCall) continue;
      proof::CallSite site;
      site.edge = e;
      bool entered = false;
      for (program::FunctionId g : space_.calls().targets(code.edges[e].statement)) {
        uint32_t child = space_.child(c, e, g);
        if (!numbers_.contains(child)) continue;
        entered = true;
        proof::Use use;
        use.proof = numbers_.at(child);
        for (Term v : ghost_order_[child]) use.ghosts.push_back(rename(c, v));
        site.uses.push_back(std::move(use));
      }
      if (!entered) use_promises(code, code.edges[e].statement, site);
      if (!site.uses.empty()) here().calls.push_back(std::move(site));
    }
  }

  void contract(uint32_t c, uint32_t number) {
    const Context& context = space_.context(c);
    const program::Edge& call = space_.edge(context.parent, context.edge);
    const auto& code = space_.function(c);
    size_t first = call.statement.kind == Kind::IndirectCall ? 1 : 0;
    Term before = rename(c, holds_at({context.parent, call.from}));
    for (uint32_t i = 0; i < code.parameter_count && !before.is_false(); ++i) {
      Term argument = rename(c, space_.in(context.parent, call.statement.operands[first + i]));
      before = store_.band(before, store_.eq(code.registers[i].variable, argument));
    }
    // Straight into an error: no function may call it.
    const auto& start = code.locations[code.entry];
    bool error = start.edge_count == 1 && code.edges[start.first_edge].statement.kind == Kind::Error;
    proof_.functions[number].requires_ = error ? store_.falsity() : before;
    for (Term t : elements_at({context.parent, call.from})) {
      Term all = rename(c, t);
      proof_.functions[number].requires_all.push_back(all);
    }
    if (call.to == kNone) return;
    Term target, mark;
    if (!call.statement.targets.empty()) {
      target = space_.variable(context.parent, call.statement.targets[0]);
      Term result = proof_.functions[number].result;
      mark = store_.variable(target.width(), "result");
      renamed_[c][mark] = result && result.width() == mark.width() ? result : mark;
    }
    auto after = [&](Term t) {
      return rename(c, store_.substitute(t, [&](Term v) { return target && v == target ? mark : Term(); }));
    };
    Term ensures = after(holds_at({context.parent, call.to}));
    proof_.functions[number].ensures = ensures;
    for (Term t : elements_at({context.parent, call.to})) {
      Term all = after(t);
      proof_.functions[number].ensures_all.push_back(all);
    }
  }

  void regions(uint32_t c, uint32_t number) {
    std::vector<uint32_t> possible, rest;
    for (uint32_t n = 2; n < graph_.nodes(); ++n) {
      const Node& node = graph_.node(n);
      if (node.place.context != c) continue;
      Term outside = store_.truth();
      for (uint32_t r : node.regions) {
        if (!seen_[r]) continue;
        if (style_ == ProofStyle::Invariants && !outside.is_true()) break;
        Term predicate = rename(c, region_predicate(r));
        possible.push_back(static_cast<uint32_t>(proof_.functions[number].regions.size()));
        proof_.functions[number].regions.push_back({node.place.location, predicate});
        outside = store_.band(outside, store_.bnot(predicate));
      }
      if (!outside.is_true())  // (otherwise no run gets there)
        for (Term t : elements_at(node.place)) {
          Term all = rename(c, t);
          proof_.functions[number].elements.push_back({node.place.location, all});
        }
      if (outside.is_false()) continue;
      rest.push_back(static_cast<uint32_t>(proof_.functions[number].regions.size()));
      proof_.functions[number].regions.push_back({node.place.location, outside});
    }
    // Loops that are never entered have no nodes, but every cycle wants a region.
    const auto& code = space_.function(c);
    for (program::LocationId l = 0; l < code.locations.size(); ++l) {
      if (!code.locations[l].loop_head || graph_.find({c, l})) continue;
      rest.push_back(static_cast<uint32_t>(proof_.functions[number].regions.size()));
      proof_.functions[number].regions.push_back({l, store_.truth()});
    }
    for (uint32_t to : rest) {
      proof_.functions[number].impossible.push_back({proof::kStart, to});
      for (uint32_t from : possible) proof_.functions[number].impossible.push_back({from, to});
    }
  }

  Space& space_;
  Graph& graph_;
  ProofStyle style_;
  term::Store& store_;
  std::vector<char> seen_;
  std::set<uint32_t> contexts_;
  std::map<uint32_t, uint32_t> numbers_;
  std::unordered_map<uint32_t, std::unordered_map<Term, Term>> ghosts_, renamed_;
  std::unordered_map<uint32_t, std::vector<Term>> ghost_order_;
  std::map<program::FunctionId, uint32_t> promised_;  ///< which proof is that of the function's contract
  std::unordered_map<size_t, size_t> objects_;        ///< of the proof, by number of the site
  proof::Proof proof_;
  std::string problem_;
};

}  // namespace

bool has_invariants(const Graph& graph) {
  for (uint32_t n = 2; n < graph.nodes(); ++n)
    if (graph.node(n).knows_something()) return true;
  return false;
}

std::optional<proof::Proof> make_proof(Space& space, Graph& graph, ProofStyle style, std::string& why) {
  auto proof = Writer(space, graph, style).make(why);
  if (proof) proof->invariants = loop_invariants(space, graph, style);
  return proof;
}

std::vector<std::pair<Place, Term>> node_predicates(Space& space, Graph& graph, ProofStyle style) {
  std::vector<char> seen = reachable_regions(graph);
  auto& store = space.terms();
  std::vector<std::pair<Place, Term>> found;
  for (uint32_t n = 2; n < graph.nodes(); ++n) {
    const Node& node = graph.node(n);
    Term any = store.falsity();
    for (uint32_t r : node.regions)
      if (seen[r])
        any =
            store.bor(any, style == ProofStyle::Regions ? store.conjunction(graph.region(r).literals) : store.truth());
    any = store.band(any, store.conjunction(node.invariants));
    found.emplace_back(node.place, any);
  }
  return found;
}

/// The parts of a conjunction, and of a long one those that people can read: the shortest of the node's, as far as they fit. They follow
/// from the predicate. That two things differ says little, and is left out.
std::vector<Term> readable_parts(const Graph& graph, uint32_t n, Term predicate, const std::vector<char>& seen) {
  constexpr size_t kAll = 60, kSome = 30;  // nodes of a term
  std::vector<Term> parts;
  if (term::dag_size(predicate) <= kAll) {
    flatten(predicate, parts);
    return parts;
  }
  std::optional<std::vector<Term>> common;  // of all regions that can be reached
  for (uint32_t r : graph.node(n).regions) {
    if (!seen[r]) continue;
    const std::vector<Term>& literals = graph.region(r).literals;
    if (!common) common = literals;
    std::erase_if(*common, [&](Term t) { return std::ranges::find(literals, t) == literals.end(); });
  }
  parts = graph.node(n).invariants;
  if (common)
    for (Term t : *common)
      if (std::ranges::find(parts, t) == parts.end()) parts.push_back(t);
  std::erase_if(parts, [](Term t) { return t.op() == term::Op::Not && t.kid(0).op() == term::Op::Eq; });
  std::ranges::stable_sort(parts, {}, [](Term t) { return std::pair(t.op() != term::Op::Eq, term::dag_size(t)); });
  size_t size = 0;
  std::erase_if(parts, [&](Term t) { return (size += term::dag_size(t)) > kSome; });
  return parts;
}

std::vector<std::string> loop_invariants(Space& space, Graph& graph, ProofStyle style) {
  const std::vector<char> seen = reachable_regions(graph);
  std::vector<std::string> lines;
  uint32_t n = 1;
  for (const auto& [place, predicate] : node_predicates(space, graph, style)) {
    ++n;
    const auto& function = space.function(place.context);
    const auto& location = function.locations[place.location];
    if (!location.loop_head || predicate.is_constant()) continue;
    std::string text;
    const std::vector<Term> parts = readable_parts(graph, n, predicate, seen);
    for (Term part : parts) {
      const std::string one = space.to_c(part);
      const bool alone = parts.size() == 1 || one.find_first_of("|?") == std::string::npos;
      text += (text.empty() ? "" : " && ") + (alone ? one : "(" + one + ")");
    }
    const auto& statement = function.edges[location.first_edge].statement;
    if (!text.empty()) lines.push_back(fmt::format("{}: {}", space.program().where(statement.position), text));
  }
  return lines;
}

}  // namespace whittle::engines::dash
