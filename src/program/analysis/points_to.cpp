#include "program/analysis/points_to.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include "program/analysis/graph.h"
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
  std::vector<Term> reads;  ///< of memory; no operand has any
  bool others = false;      ///< variables that are no registers; no operand has any
};

/// A set of places: most are tiny and are sorted lists, the others are bits.
class Set {
 public:
  bool empty() const { return few_.empty() && words_.empty(); }
  bool contains(PlaceId place) const {
    if (words_.empty()) return std::binary_search(few_.begin(), few_.end(), place);
    return place / 64 < words_.size() && (words_[place / 64] >> (place % 64) & 1) != 0;
  }
  /// Was it not there before?
  bool insert(PlaceId place) {
    if (contains(place)) return false;
    if (words_.empty() && few_.size() < kFew) {
      few_.insert(std::lower_bound(few_.begin(), few_.end(), place), place);
      return true;
    }
    widen();
    if (words_.size() <= place / 64) words_.resize(place / 64 + 1);
    words_[place / 64] |= uint64_t{1} << (place % 64);
    return true;
  }
  /// Adds all of another set. Is anything new?
  bool merge(const Set& other) {
    bool news = false;
    if (other.words_.empty()) {
      for (PlaceId place : other.few_) news |= insert(place);
      return news;
    }
    widen();
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    uint64_t more = 0;
    for (size_t w = 0; w < other.words_.size(); ++w) {
      more |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return more != 0;
  }
  template <typename F>
  void each(F f) const {
    for (PlaceId place : few_) f(place);
    for (size_t w = 0; w < words_.size(); ++w)
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        f(static_cast<PlaceId>(w * 64 + static_cast<size_t>(std::countr_zero(rest))));
  }

 private:
  static constexpr size_t kFew = 24;
  void widen() {
    if (!words_.empty()) return;
    words_.resize(few_.empty() ? 1 : few_.back() / 64 + 1);
    for (PlaceId place : few_) words_[place / 64] |= uint64_t{1} << (place % 64);
    few_ = {};
  }

  std::vector<PlaceId> few_;
  std::vector<uint64_t> words_;  ///< if not empty, all are here
};

constexpr size_t kNewCopies = 50'000;  ///< of one wave, more or less

}  // namespace

struct PointsTo::Impl {
  Impl(const Program& p, const CallGraph& c, bool n)
      : program(p), calls(c), nowhere(n && !p.disguised_addresses), places(p), addresses(p, places) {}

  // One node per register, per result of a function, per memory place (its contents), one for what is stored anywhere,
  // and one per operand that is more than a register.
  struct Node {
    Set pointees;
    Set done;                    ///< those that loads and stores below have seen
    std::vector<NodeId> loads;   ///< nodes that have the contents of these pointees
    std::vector<NodeId> stores;  ///< nodes whose pointees are in the contents of these
    bool news = false;           ///< pointees that those that copy from it do not have yet
  };

  const Program& program;
  const CallGraph& calls;
  bool nowhere = false;  ///< stray pointers lead to no object
  Places places;
  StaticAddresses addresses;
  std::vector<Node> nodes;
  std::vector<NodeId> first_register;  ///< by function
  NodeId first_result = 0, first_contents = 0, wild = 0;
  bool wild_is_used = false;
  std::unordered_map<Term, NodeId> operand_nodes, address_nodes;
  Digraph copies;                        ///< successors of a node have all of its pointees, too
  std::unordered_set<uint64_t> copied;   ///< pairs of nodes that are there already
  std::vector<NodeId> joined;            ///< nodes on a cycle of copies are one: the next on the way to that one
  std::vector<NodeId> order;             ///< those that stand for others or themselves, copies before those that copy from them
  bool any_news = false, more_copies = true;
  std::vector<char> stray;  ///< by node of a register or result
  Set compared;             ///< places that stray pointers were compared with
  std::unordered_map<NodeId, std::vector<NodeId>> loaded_from;  ///< addresses, by the register that has what is there
  std::unordered_set<uint64_t> made_equal;                      ///< registers and addresses
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
        if (nodes[find(n)].pointees.empty()) add(n, places.anything()), changed = true;
      solve();
    }
    if (!nowhere) return;
    // Stray pointers meet in the memory of no object. What that adds can only make fewer of them stray.
    for (bool news = true; news;) {
      const std::vector<char> before = stray;
      find_strays();
      find_compared();
      for (const auto& [address, node] : address_nodes) {
        if (!strays(address)) continue;
        compared.each([&, n = node](PlaceId p) { add(n, p); });
        const std::vector<NodeId> loads = nodes[find(node)].loads, stores = nodes[find(node)].stores;
        for (NodeId to : loads) copy(wild, to);
        for (NodeId from : stores) copy(from, wild);
      }
      news = any_news || before != stray;
      solve();
    }
  }

  /// A stray pointer that is compared with another one, or from which another one is subtracted, may be found to be equal to that:
  /// `assume(p == &x)`. From then on no stray pointer is said not to lead there.
  void find_compared() {
    calls.reachable().each([&](size_t f) {
      for (const Edge& edge : program.functions[f].edges)
        for (Term operand : edge.statement.operands) compare(operand);
    });
  }
  void compare(Term operand) {
    if (operand.is_constant() || operand.is_variable()) return;
    std::vector<PlaceId> found;
    std::vector<Term> todo{operand};
    std::unordered_set<Term> seen;
    size_t sources = 0;
    bool any = false, given = false;  // one source strays; one does not
    std::vector<NodeId> registers;
    while (!todo.empty()) {
      const Term t = todo.back();
      todo.pop_back();
      if (!seen.insert(t).second) continue;
      const size_t before = found.size();
      if (t.is_constant()) {
        addresses.collect(t, false, found);
        addresses.collect(program.terms().neg(t), false, found);  // p - &x
      }
      if (t.is_variable()) {
        const NodeId n = register_node(t);
        any |= stray[n] != 0;
        given |= !stray[n] && !nodes[find(n)].pointees.empty();
        registers.push_back(n);
        ++sources;
        nodes[find(n)].pointees.each([&](PlaceId p) { found.push_back(p); });
      } else if (found.size() > before) {
        ++sources;
        given = true;
      }
      for (unsigned i = 0; i < t.arity(); ++i) todo.push_back(t.kid(i));
    }
    if (!any || sources < 2) return;
    if (!given) return make_equal(registers);
    for (PlaceId p : found)
      if (p < places.objects()) compared.insert(p);
  }

  /// Each of them, and the memory that they were read from, may hold what any of them may point to.
  void make_equal(const std::vector<NodeId>& registers) {
    for (NodeId from : registers)
      for (NodeId to : registers) copy(from, to);
    for (NodeId r : registers)
      for (NodeId address : loaded_from[r]) {
        if (!made_equal.insert(uint64_t{r} << 32 | address).second) continue;
        nodes[find(address)].stores.push_back(r);
        nodes[find(address)].done = {};
        wake(find(address));
      }
  }

  /// Registers and results that hold what was read from memory or is nondeterministic, and what is computed from that.
  void find_strays() {
    stray.assign(first_contents, 0);
    for (bool changed = true; changed;) {
      changed = false;
      auto mark = [&](NodeId n, bool is) {
        if (!is || stray[n]) return;
        stray[n] = 1;
        changed = true;
      };
      calls.reachable().each([&](size_t f) {
        for (const Edge& edge : program.functions[f].edges) strays_through(static_cast<FunctionId>(f), edge.statement, mark);
      });
    }
  }

  template <typename Mark>
  void strays_through(FunctionId f, const Statement& s, const Mark& mark) const {
    auto target = [&](size_t i) { return register_node(f, s.targets[i]); };
    switch (s.kind) {
      case Kind::Assign:
        for (size_t i = 0; i < s.targets.size(); ++i) mark(target(i), strays(s.operands[i]));
        return;
      case Kind::Nondet: return mark(target(0), is_pointer(f, s.targets[0]));
      case Kind::Return: return s.operands.empty() ? void() : mark(first_result + f, strays(s.operands[0]));
      case Kind::Call:
      case Kind::IndirectCall:
        for (FunctionId to : calls.targets(s)) {
          const size_t first = s.kind == Kind::Call ? 0 : 1;
          for (RegisterId p = 0; p < program.functions[to].parameter_count && p + first < s.operands.size(); ++p)
            mark(register_node(to, p), strays(s.operands[p + first]));
          if (!s.targets.empty()) mark(target(0), stray[first_result + to]);
        }
        return;
      default:
        for (const semantics::Access& access : semantics::accesses(s))
          if (access.read && !s.targets.empty()) mark(target(0), true);
    }
  }

  /// (What is added to a pointer that does not stray, an index, makes it none that does.)
  bool strays(Term address) const {
    if (!nowhere || address.is_constant()) return false;
    const Sources from = sources(address);
    bool any = !from.reads.empty();
    for (Term read : from.reads)
      if (read.kid(0).is_constant() && !program.object_at(read.kid(0).value64())) return false;
    for (Term variable : from.registers) {
      const NodeId n = register_node(variable);
      if (!stray[n] && !nodes[find(n)].pointees.empty()) return false;
      any |= stray[n] != 0;
    }
    return any && from.places.empty() && !from.others;
  }

  bool is_pointer(FunctionId f, RegisterId reg) const {
    return program.types[program.functions[f].registers[reg].type].kind == Type::Kind::Pointer;
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
    while (nodes.size() <= wild) new_node();
  }
  NodeId new_node() {
    nodes.emplace_back();
    copies.successors.emplace_back();
    joined.push_back(static_cast<NodeId>(joined.size()));
    more_copies = true;
    return joined.back();
  }
  NodeId find(NodeId n) const {
    while (joined[n] != n) n = joined[n];
    return n;
  }

  NodeId register_node(FunctionId f, RegisterId r) const { return first_register[f] + r; }
  NodeId register_node(Term variable) const {
    auto ref = program.register_of(variable);
    return register_node(ref.function, ref.reg);
  }
  NodeId contents_node(PlaceId p) const { return first_contents + p; }

  void wake(NodeId n) { nodes[n].news = any_news = true; }
  void add(NodeId n, PlaceId place) {
    n = find(n);
    if (nodes[n].pointees.insert(place)) wake(n);
  }
  void copy(NodeId from, NodeId to) {
    from = find(from);
    to = find(to);
    if (from == to || !copied.insert(uint64_t{from} << 32 | to).second) return;
    copies.successors[from].push_back(to);
    more_copies = true;
    if (nodes[to].pointees.merge(nodes[from].pointees)) wake(to);
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
      case Op::Variable:
        if (program.register_of(t).reg == kNone)
          found.others = true;
        else
          found.registers.push_back(t);
        return;
      case Op::Read: found.reads.push_back(t); return;
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
    auto [entry, fresh] = operand_nodes.try_emplace(operand, kNone);
    if (!fresh) return entry->second;
    NodeId n = entry->second = new_node();
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
      NodeId n = new_node();
      add(n, places.of_object(*object));
      return n;
    }
    // A node of its own: that the address may be anything here says nothing about the register elsewhere.
    auto [entry, fresh] = address_nodes.try_emplace(address, kNone);
    if (!fresh) return entry->second;
    NodeId value = operand_node(address);
    NodeId n = address_nodes[address] = new_node();
    copy(value, n);
    addresses_used.push_back(n);
    return n;
  }

  void load(Term address, NodeId to) {
    NodeId n = address_node(address);
    if (n == kNone) return;
    nodes[n].loads.push_back(to);
    if (nowhere) loaded_from[to].push_back(n);
    nodes[n].done = {};
    wake(n);
  }
  void store(Term address, NodeId from) {
    NodeId n = address_node(address);
    if (n == kNone) return;
    nodes[n].stores.push_back(from);
    nodes[n].done = {};
    wake(n);
  }

  void statement(FunctionId f, uint32_t e) {
    const Statement& s = program.functions[f].edges[e].statement;
    auto target = [&](size_t i) { return register_node(f, s.targets[i]); };
    switch (s.kind) {
      case Kind::Assign:
        for (size_t i = 0; i < s.targets.size(); ++i) copy(operand_node(s.operands[i]), target(i));
        break;
      case Kind::Nondet:
        if (is_pointer(f, s.targets[0])) add(target(0), places.anything());
        break;
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
        between = new_node();
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

  /// In waves (after Pereira and Berlin): cycles of copies become one node, pointees go along all copies in one pass, and what is
  /// loaded and stored through new pointees makes new copies.
  void solve() {
    std::vector<NodeId> through;
    while (any_news) {
      any_news = false;
      if (more_copies) join_cycles();
      through.clear();
      for (NodeId n : order) {
        if (!nodes[n].news) continue;
        nodes[n].news = false;
        for (NodeId to : copies.successors[n])
          if (to = find(to); to != n && nodes[to].pointees.merge(nodes[n].pointees)) nodes[to].news = true;
        if (!nodes[n].loads.empty() || !nodes[n].stores.empty()) through.push_back(n);
      }
      // Not too many new copies at a time: most of them close cycles, and there are fewer afterwards.
      const size_t before = copied.size();
      for (NodeId n : through)
        if (copied.size() - before < kNewCopies)
          dereference(n);
        else
          wake(n);
    }
  }

  void join_cycles() {
    more_copies = false;
    const Components found = components(copies);
    std::vector<NodeId> first(found.count, kNone);
    for (NodeId n = 0; n < nodes.size(); ++n) {
      if (joined[n] != n) continue;
      NodeId& one = first[found.of[n]];
      if (one == kNone)
        one = n;
      else
        join(n, one);
    }
    copied.clear();
    order.clear();
    for (size_t c = found.count; c-- > 0;)
      if (first[c] != kNone) order.push_back(first[c]);
    for (NodeId n : order) {
      std::vector<NodeId>& to = copies.successors[n];
      for (NodeId& t : to) t = find(t);
      std::sort(to.begin(), to.end());
      to.erase(std::unique(to.begin(), to.end()), to.end());
      std::erase(to, n);
      for (NodeId t : to) copied.insert(uint64_t{n} << 32 | t);
    }
  }

  void join(NodeId n, NodeId into) {
    auto move_to = [](std::vector<NodeId>& from, std::vector<NodeId>& to) {
      to.insert(to.end(), from.begin(), from.end());
      from = {};
    };
    joined[n] = into;
    Node& one = nodes[into];
    one.pointees.merge(nodes[n].pointees);
    move_to(copies.successors[n], copies.successors[into]);
    move_to(nodes[n].loads, one.loads);
    move_to(nodes[n].stores, one.stores);
    one.done = {};
    nodes[n] = {};
    wake(into);
  }

  void dereference(NodeId n) {
    std::vector<NodeId> fresh;
    bool anything = false;
    nodes[n].pointees.each([&](PlaceId p) {
      if (nodes[n].done.contains(p)) return;
      if (p == places.anything())
        anything = true;
      else if (!places.is_function(p))
        fresh.push_back(find(contents_node(p)));
    });
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    nodes[n].done = nodes[n].pointees;
    std::vector<NodeId> loads = nodes[n].loads, stores = nodes[n].stores;
    for (NodeId to : loads) {
      if (anything) add(to, places.anything()), copy(wild, to);
      for (NodeId contents : fresh) copy(contents, to);
    }
    for (NodeId from : stores) {
      if (anything) store_anywhere(from);
      for (NodeId contents : fresh) copy(from, contents);
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
    set.each([&](PlaceId p) { answer.set(p); });
    return answer;
  }
};

PointsTo::PointsTo(const Program& program, const CallGraph& calls, Strays strays)
    : impl_(std::make_unique<Impl>(program, calls, strays == Strays::Nowhere)) {
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
    impl_->nodes[impl_->find(impl_->register_node(variable))].pointees.each([&](PlaceId p) { answer.set(p); });
  for (Term read : from.reads) {
    const BitSet there = accessed(read.kid(0));
    for (PlaceId p = 0; p < places().objects(); ++p)
      if (there.test(p)) answer.merge(contents(p));
    if (strays(read.kid(0)) || there.test(places().anything())) answer.merge(wild());
    if (there.test(places().anything())) answer.set(places().anything());
  }
  return answer;
}

BitSet PointsTo::accessed(Term address) const {
  BitSet answer(impl_->places.size());
  if (address.is_constant()) {
    if (auto object = impl_->program.object_at(address.value64())) answer.set(impl_->places.of_object(*object));
    return answer;
  }
  answer = pointees(address);
  if (strays(address)) {
    for (PlaceId p = impl_->places.objects(); p < impl_->places.size(); ++p) answer.reset(p);
    impl_->compared.each([&](PlaceId p) { answer.set(p); });
    return answer;
  }
  if (answer.empty()) answer.set(impl_->places.anything());
  for (PlaceId p = impl_->places.objects(); p < impl_->places.anything(); ++p) answer.reset(p);
  // A pointer to functions only: the access fails, but who knows with what arithmetic.
  if (answer.empty()) answer.set(impl_->places.anything());
  return answer;
}

bool PointsTo::strays(Term address) const { return impl_->strays(address); }

BitSet PointsTo::contents(PlaceId place) const {
  return impl_->bits(impl_->nodes[impl_->find(impl_->contents_node(place))].pointees);
}
BitSet PointsTo::wild() const { return impl_->bits(impl_->nodes[impl_->find(impl_->wild)].pointees); }

}  // namespace whittle::program::analysis
