#include "program/analysis/points_to.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "program/analysis/static_addresses.h"
#include "semantics/access.h"
#include "term/op.h"

namespace whittle::program::analysis {
namespace {

using term::Op;
using term::Term;
using NodeId = uint32_t;

/// What a value is computed from: registers, and places that constants are addresses of.
struct Sources {
  std::vector<Term> registers;
  std::vector<PlaceId> places;
};

/// A sorted list of places: most sets are tiny.
using Set = std::vector<PlaceId>;

bool insert(Set& set, PlaceId place) {
  auto at = std::lower_bound(set.begin(), set.end(), place);
  if (at != set.end() && *at == place) return false;
  set.insert(at, place);
  return true;
}

bool merge(Set& set, const Set& other) {
  if (std::includes(set.begin(), set.end(), other.begin(), other.end())) return false;
  Set both;
  both.reserve(set.size() + other.size());
  std::set_union(set.begin(), set.end(), other.begin(), other.end(), std::back_inserter(both));
  set = std::move(both);
  return true;
}

}  // namespace

struct PointsTo::Impl {
  Impl(const Program& p, const CallGraph& c) : program(p), calls(c), places(p), addresses(p, places) {}

  // One node per register, per result of a function, per memory place (its contents), one for what is stored anywhere,
  // and one per operand that is more than a register.
  struct Node {
    Set pointees;
    Set done;                    ///< those that loads and stores below have seen
    std::vector<NodeId> copies;  ///< nodes that have all of these pointees too
    std::vector<NodeId> loads;   ///< nodes that have the contents of these pointees
    std::vector<NodeId> stores;  ///< nodes whose pointees are in the contents of these
    bool waiting = false;
  };

  const Program& program;
  const CallGraph& calls;
  Places places;
  StaticAddresses addresses;
  std::vector<Node> nodes;
  std::vector<NodeId> first_register;  ///< by function
  NodeId first_result = 0, first_contents = 0, wild = 0;
  bool wild_is_used = false;
  std::unordered_map<Term, NodeId> operand_nodes, address_nodes;
  std::unordered_set<uint64_t> copies;  ///< pairs of nodes joined already
  std::vector<NodeId> worklist;
  std::vector<NodeId> addresses_used;  ///< nodes that something is loaded or stored through, constants apart

  void run() {
    make_nodes();
    // Parameters of functions that never run point to nothing: accesses through them must not count as wild.
    calls.reachable().each([&](size_t f) {
      for (uint32_t e = 0; e < program.functions[f].edges.size(); ++e) statement(static_cast<FunctionId>(f), e);
    });
    initial_contents();
    solve();
    // An address made of no pointer may be anything. What is stored through it may give others their first pointer,
    // which come too late to be called wild with good reason; that is only less precise.
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId n : addresses_used)
        if (nodes[n].pointees.empty()) add(n, places.anything()), changed = true;
      solve();
    }
  }

  void make_nodes() {
    NodeId next = 0;
    for (const Function& f : program.functions) {
      first_register.push_back(next);
      next += static_cast<NodeId>(f.registers.size());
    }
    first_result = next;
    first_contents = first_result + static_cast<NodeId>(program.functions.size());
    wild = first_contents + places.objects();
    nodes.resize(wild + 1);
  }

  NodeId register_node(FunctionId f, RegisterId r) const { return first_register[f] + r; }
  NodeId register_node(Term variable) const {
    auto ref = program.register_of(variable);
    return register_node(ref.function, ref.reg);
  }
  NodeId contents_node(PlaceId p) const { return first_contents + p; }

  void wake(NodeId n) {
    if (nodes[n].waiting) return;
    nodes[n].waiting = true;
    worklist.push_back(n);
  }
  void add(NodeId n, PlaceId place) {
    if (insert(nodes[n].pointees, place)) wake(n);
  }
  void copy(NodeId from, NodeId to) {
    if (from == to) return;
    if (!copies.insert(uint64_t{from} << 32 | to).second) return;
    nodes[from].copies.push_back(to);
    if (merge(nodes[to].pointees, nodes[from].pointees)) wake(to);
  }

  Sources sources(Term root) const {
    Sources found;
    std::unordered_set<uint64_t> seen;
    walk(root, true, found, seen);
    // A value computed from something may be what a constant address looked like before it was disguised.
    if (program.disguised_addresses && !root.is_constant() && root.width() >= 8)
      found.places.push_back(places.anything());
    return found;
  }

  /// `whole`: the term is the value itself, not a part that something is added to.
  void walk(Term t, bool whole, Sources& found, std::unordered_set<uint64_t>& seen) const {
    if (t.width() == 1 || !seen.insert(uint64_t{t.id()} * 2 + (whole ? 1 : 0)).second) return;
    switch (t.op()) {
      case Op::Constant: addresses.collect(t, whole, found.places); return;
      case Op::Variable: found.registers.push_back(t); return;
      case Op::Ite:
        walk(t.kid(1), whole, found, seen);
        walk(t.kid(2), whole, found, seen);
        return;
      default: break;
    }
    if (term::is_float_op(t.op()) || term::is_comparison(t.op())) return;
    bool scales = t.op() == Op::Mul || (t.op() >= Op::UDiv && t.op() <= Op::AShr);
    bool passes = t.op() == Op::ZExt || t.op() == Op::SExt || t.op() == Op::Concat || t.op() == Op::Extract;
    for (unsigned i = 0; i < t.arity(); ++i)
      if (!scales || !t.kid(i).is_constant()) walk(t.kid(i), whole && passes, found, seen);
  }

  NodeId operand_node(Term operand) {
    if (operand.is_variable()) return register_node(operand);
    auto [entry, fresh] = operand_nodes.try_emplace(operand, static_cast<NodeId>(nodes.size()));
    NodeId n = entry->second;
    if (!fresh) return n;
    nodes.emplace_back();
    Sources from = sources(operand);
    for (Term variable : from.registers) copy(register_node(variable), n);
    for (PlaceId place : from.places) add(n, place);
    return n;
  }

  /// The node of an address that something is loaded or stored through; kNone if nothing can be there.
  NodeId address_node(Term address) {
    if (address.is_constant()) {
      // Exactly one object, if any: neighbours of a gap are for values that travel on.
      auto object = program.object_at(address.value64());
      if (!object) return kNone;
      NodeId n = static_cast<NodeId>(nodes.size());
      nodes.emplace_back();
      add(n, places.of_object(*object));
      return n;
    }
    // A node of its own: that the address may be anything here says nothing about the register elsewhere.
    auto [entry, fresh] = address_nodes.try_emplace(address, kNone);
    if (!fresh) return entry->second;
    NodeId value = operand_node(address);
    NodeId n = entry->second = static_cast<NodeId>(nodes.size());
    nodes.emplace_back();
    copy(value, n);
    addresses_used.push_back(n);
    return n;
  }

  void load(Term address, NodeId to) {
    NodeId n = address_node(address);
    if (n == kNone) return;
    nodes[n].loads.push_back(to);
    nodes[n].done.clear();
    wake(n);
  }
  void store(Term address, NodeId from) {
    NodeId n = address_node(address);
    if (n == kNone) return;
    nodes[n].stores.push_back(from);
    nodes[n].done.clear();
    wake(n);
  }

  void statement(FunctionId f, uint32_t e) {
    const Statement& s = program.functions[f].edges[e].statement;
    auto target = [&](size_t i) { return register_node(f, s.targets[i]); };
    switch (s.kind) {
      case Kind::Assign:
        for (size_t i = 0; i < s.targets.size(); ++i) copy(operand_node(s.operands[i]), target(i));
        break;
      case Kind::Nondet: {
        TypeId type = program.functions[f].registers[s.targets[0]].type;
        if (program.types[type].kind == Type::Kind::Pointer) add(target(0), places.anything());
        break;
      }
      case Kind::StackAlloc:
      case Kind::HeapAlloc: add(target(0), places.of_site(f, e)); break;
      case Kind::ThreadLocal: add(target(0), places.of_object(s.object)); break;
      case Kind::Return:
        if (!s.operands.empty()) copy(operand_node(s.operands[0]), first_result + f);
        break;
      case Kind::Call:
      case Kind::IndirectCall:
      case Kind::Spawn: call(f, s); break;
      default: memory(f, s); break;
    }
  }

  /// Whatever is read may come into the first target, whatever operand is no address and no size into memory.
  void memory(FunctionId f, const Statement& s) {
    const semantics::Accesses touched = semantics::accesses(s);
    NodeId between = kNone;
    for (const semantics::Access& access : touched) {
      if (access.read && !s.targets.empty()) load(s.operands[access.address], register_node(f, s.targets[0]));
      if (access.read && touched.end() - touched.begin() == 2) {  // from memory to memory
        between = static_cast<NodeId>(nodes.size());
        nodes.emplace_back();
        load(s.operands[access.address], between);
      }
      if (!access.write) continue;
      if (between != kNone) {
        store(s.operands[access.address], between);
        continue;
      }
      for (size_t i = access.address + 1; i < s.operands.size(); ++i)
        if (i != access.size_operand) store(s.operands[access.address], operand_node(s.operands[i]));
    }
  }

  void call(FunctionId f, const Statement& s) {
    size_t first = s.kind == Kind::Call ? 0 : 1;
    for (FunctionId to : calls.targets(s)) {
      for (RegisterId p = 0; p < program.functions[to].parameter_count && p + first < s.operands.size(); ++p)
        copy(operand_node(s.operands[p + first]), register_node(to, p));
      if (s.kind != Kind::Spawn && !s.targets.empty()) copy(first_result + to, register_node(f, s.targets[0]));
    }
  }

  void initial_contents() {
    for (ObjectId o = 0; o < program.objects.size(); ++o) {
      std::vector<PlaceId> found;
      addresses.collect(program.objects[o].initial, found);
      for (PlaceId place : found) add(contents_node(places.of_object(o)), place);
    }
  }

  void solve() {
    while (!worklist.empty()) {
      NodeId n = worklist.back();
      worklist.pop_back();
      nodes[n].waiting = false;
      if (!nodes[n].loads.empty() || !nodes[n].stores.empty()) dereference(n);
      for (size_t i = 0; i < nodes[n].copies.size(); ++i) {
        NodeId to = nodes[n].copies[i];
        if (merge(nodes[to].pointees, nodes[n].pointees)) wake(to);
      }
    }
  }

  void dereference(NodeId n) {
    Set fresh;
    std::set_difference(nodes[n].pointees.begin(), nodes[n].pointees.end(), nodes[n].done.begin(), nodes[n].done.end(),
                        std::back_inserter(fresh));
    nodes[n].done = nodes[n].pointees;
    std::vector<NodeId> loads = nodes[n].loads, stores = nodes[n].stores;
    for (PlaceId p : fresh) {
      if (p == places.anything()) {
        for (NodeId to : loads) add(to, places.anything());
        for (NodeId from : stores) store_anywhere(from);
      } else if (!places.is_function(p)) {
        for (NodeId to : loads) copy(contents_node(p), to);
        for (NodeId from : stores) copy(from, contents_node(p));
      }
    }
  }

  void store_anywhere(NodeId from) {
    copy(from, wild);
    if (wild_is_used) return;
    wild_is_used = true;
    for (PlaceId p = 0; p < places.objects(); ++p) copy(wild, contents_node(p));
  }

  BitSet bits(const Set& set) const {
    BitSet answer(places.size());
    for (PlaceId p : set) answer.set(p);
    return answer;
  }
};

PointsTo::PointsTo(const Program& program, const CallGraph& calls) : impl_(std::make_unique<Impl>(program, calls)) {
  impl_->run();
}
PointsTo::~PointsTo() = default;
PointsTo::PointsTo(PointsTo&&) noexcept = default;

const Places& PointsTo::places() const { return impl_->places; }

BitSet PointsTo::pointees(Term term) const {
  Sources from = impl_->sources(term);
  BitSet answer(impl_->places.size());
  for (PlaceId p : from.places) answer.set(p);
  for (Term variable : from.registers)
    for (PlaceId p : impl_->nodes[impl_->register_node(variable)].pointees) answer.set(p);
  return answer;
}

BitSet PointsTo::accessed(Term address) const {
  BitSet answer(impl_->places.size());
  if (address.is_constant()) {
    if (auto object = impl_->program.object_at(address.value64())) answer.set(impl_->places.of_object(*object));
    return answer;
  }
  answer = pointees(address);
  if (answer.empty()) answer.set(impl_->places.anything());
  for (PlaceId p = impl_->places.objects(); p < impl_->places.anything(); ++p) answer.reset(p);
  // A pointer to functions only: the access fails, but who knows with what arithmetic.
  if (answer.empty()) answer.set(impl_->places.anything());
  return answer;
}

BitSet PointsTo::contents(PlaceId place) const {
  return impl_->bits(impl_->nodes[impl_->contents_node(place)].pointees);
}
BitSet PointsTo::wild() const { return impl_->bits(impl_->nodes[impl_->wild].pointees); }

}  // namespace whittle::program::analysis
