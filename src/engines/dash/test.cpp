#include "engines/dash/test.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "program/rmw.h"

namespace whittle::engines::dash {

using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::Rmw;
using program::Statement;
using verdict::Property;

const Test::Version* Test::version(Term variable, uint32_t time) const {
  auto it = variables_.find(variable.variable());
  if (it == variables_.end()) return nullptr;
  auto v = std::upper_bound(it->second.begin(), it->second.end(), time,
                            [](uint32_t t, const Version& x) { return t < x.time; });
  return v == it->second.begin() ? nullptr : &*(v - 1);
}

const Test::Byte* Test::byte(uint64_t address, uint32_t time) const {
  auto it = memory_.find(address);
  if (it == memory_.end()) return nullptr;
  auto v = std::upper_bound(it->second.begin(), it->second.end(), time,
                            [](uint32_t t, const Byte& x) { return t < x.time; });
  return v == it->second.begin() ? nullptr : &*(v - 1);
}

u128 Test::bytes(const Space& space, uint64_t address, unsigned count, uint32_t time) const {
  u128 value = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Byte* b = byte(address + i, time);
    value |= u128{b ? b->value : space.initial_byte(address + i)} << (8 * i);
  }
  return value;
}

Term Test::bytes_term(Space& space, uint64_t address, unsigned count, uint32_t time) const {
  bool any = false;
  for (unsigned i = 0; i < count && !any; ++i) {
    const Byte* b = byte(address + i, time);
    any = b && (b->term || b->unset);
  }
  auto& store = space.terms();
  if (!any) return store.constant(8 * count, bytes(space, address, count, time));
  Term value;
  for (unsigned i = 0; i < count; ++i) {
    const Byte* b = byte(address + i, time);
    Term t = b && b->unset  ? space.cell(address + i)
             : b && b->term ? b->term
                            : store.constant(8, b ? b->value : space.initial_byte(address + i));
    value = value ? store.concat(t, value) : t;
  }
  return value;
}

u128 Test::evaluate(const Space& space, uint32_t visit, Term t) const {
  term::Assignment a;
  a.variable = [&](Term v) -> u128 {
    const Version* x = version(v, visit);
    return x ? x->value : 0;
  };
  a.read = [&](u128 address, unsigned n) { return bytes(space, static_cast<uint64_t>(address), n, visit); };
  return space.terms().evaluate(t, a);
}

Term Test::symbolic(Space& space, uint32_t visit, Term t, std::vector<Term>& pins) const {
  auto& store = space.terms();
  auto model = [&](Term input) -> u128 {
    size_t n = space.input_number(input);
    return n < inputs.size() ? inputs[n].value : 0;
  };
  return store.substitute(
      t,
      [&](Term v) -> Term {
        if (!space.owner(v).known()) return {};
        const Version* x = version(v, visit);
        if (!x) return store.constant(v.width(), 0);
        return x->term ? x->term : store.constant(v.width(), x->value);
      },
      [&](Term r) -> Term {
        Term address = r.kid(0);
        u128 at = address.is_constant() ? address.value() : store.evaluate(address, {model, {}});
        if (!address.is_constant()) pins.push_back(store.eq(address, store.constant(address.width(), at)));
        return bytes_term(space, static_cast<uint64_t>(at), r.width() / 8, visit);
      });
}

/// The interpreter: values, and terms over inputs where they depend on any.
class TestRunner {
 public:
  TestRunner(Space& space, const TestPlan& plan, const std::function<u128(size_t, unsigned)>& more,
             const TestLimits& bounds, Limits& limits)
      : space_(space), store_(space.terms()), plan_(plan), more_(more), bounds_(bounds), limits_(limits) {}

  Test run() {
    context_ = space_.root();
    location_ = space_.program().functions[space_.program().entry].entry;
    visit();
    while (!done_) {
      if (test_.statements >= bounds_.statements || test_.visits.size() >= bounds_.visits ||
          space_.contexts() >= bounds_.contexts || space_.context(context_).depth >= 19'000 ||
          ((test_.statements & 1023) == 0 && limits_.poll_now() != Stop::No)) {
        test_.end = Test::End::Long;
        break;
      }
      step();
    }
    return std::move(test_);
  }

 private:
  struct Value {
    u128 value = 0;
    Term term;
  };

  void visit() {
    test_.visits.push_back({{context_, location_},
                            static_cast<uint32_t>(test_.conditions.size()),
                            static_cast<uint32_t>(test_.inputs.size())});
  }
  void finish(Test::End end, std::string reason = {}) {
    test_.end = end;
    test_.reason = std::move(reason);
    done_ = true;
  }
  void unknown(const Statement& s, const std::string& what) {
    finish(Test::End::Unknown, fmt::format("{} ({})", what, space_.program().where(s.position)));
  }
  uint32_t time() const { return static_cast<uint32_t>(test_.visits.size()); }

  Value get(Term variable) const {
    auto it = test_.variables_.find(variable.variable());
    if (it == test_.variables_.end()) return {};
    return {it->second.back().value, it->second.back().term};
  }
  void set(Term variable, Value v) {
    auto& list = test_.variables_[variable.variable()];
    v.value &= mask128(variable.width());
    if (!list.empty() && list.back().time == time())
      list.back() = {time(), v.value, v.term};
    else
      list.push_back({time(), v.value, v.term});
  }

  /// An operand of a statement of the present context.
  Value operand(Term t) {
    if (t.is_constant()) return {t.value(), {}};
    bool symbolic = false;
    const auto& variables = space_.variables_of(t);
    for (uint32_t reg : variables) symbolic |= static_cast<bool>(get(space_.variable(context_, reg)).term);
    auto reg = [&](Term v) { return space_.variable(context_, space_.program().register_of(v).reg); };
    Value result;
    result.value = store_.evaluate(t, {[&](Term v) { return get(reg(v)).value; }, {}});
    if (symbolic)
      result.term = store_.substitute(t, [&](Term v) {
        Value x = get(reg(v));
        return x.term ? x.term : store_.constant(v.width(), x.value);
      });
    if (result.term && result.term.is_constant()) result.term = {};
    return result;
  }
  Term term_of(const Value& v, unsigned width) { return v.term ? v.term : store_.constant(width, v.value); }

  void condition(Term t) {
    if (!t || t.is_constant()) return;
    test_.forked = true;
    test_.conditions.push_back(t);
  }
  uint64_t address(Term operand_term) {
    Value v = operand(operand_term);
    condition_pin(v, operand_term.width());
    return static_cast<uint64_t>(v.value);
  }
  void condition_pin(const Value& v, unsigned width) {
    if (v.term) condition(store_.eq(v.term, store_.constant(width, v.value)));
  }

  /// `address`: of memory that has no value yet; 0: a Nondet statement.
  Value input(unsigned width, uint64_t address = 0) {
    size_t n = test_.inputs.size();
    u128 value = 0;
    if (n < plan_.inputs.size())
      value = plan_.inputs[n];
    else if (address != 0 && plan_.memory.contains(address))
      for (unsigned b = 0; b < width / 8; ++b) {
        auto it = plan_.memory.find(address + b);
        value |= u128{it == plan_.memory.end() ? uint8_t{0} : it->second} << (8 * b);
      }
    else if (address == 0 && later_ < plan_.later.size())
      value = plan_.later[later_++];
    else
      value = more_(n, width);
    value &= mask128(width);
    Term variable = space_.input(n, width);
    test_.inputs.push_back({variable, value});
    test_.forked = true;
    return {value, variable};
  }

  // Memory
  Value load(uint64_t at, unsigned bytes) {
    for (unsigned i = 0; i < bytes;) {
      if (!unset_.contains(at + i)) {
        ++i;
        continue;
      }
      unsigned last = i + 1;
      while (last < bytes && last - i < 16 && unset_.contains(at + last)) ++last;
      Value v = input(8 * (last - i), at + i);
      for (unsigned b = i; b < last; ++b) {
        auto& list = test_.memory_[at + b];
        list.back().value = static_cast<uint8_t>(v.value >> (8 * (b - i)));
        list.back().term = store_.extract(v.term, 8 * (b - i), 8);
        list.back().unset = false;
        test_.lazy.push_back({at + b, static_cast<uint32_t>(test_.inputs.size() - 1), b - i});
        unset_.erase(at + b);
      }
      i = last;
    }
    Value v;
    v.value = test_.bytes(space_, at, bytes, UINT32_MAX);
    Term t = test_.bytes_term(space_, at, bytes, UINT32_MAX);
    if (!t.is_constant()) v.term = t;
    return v;
  }
  void put_byte(uint64_t at, uint8_t value, Term term, bool unset = false) {
    auto& list = test_.memory_[at];
    if (!list.empty() && list.back().time == time())
      list.back() = {time(), value, term, unset};
    else
      list.push_back({time(), value, term, unset});
  }
  void store(uint64_t at, unsigned bytes, const Value& v) {
    for (unsigned i = 0; i < bytes; ++i) {
      Term part = v.term ? store_.extract(v.term, 8 * i, 8) : Term();
      if (part && part.is_constant()) part = {};
      put_byte(at + i, static_cast<uint8_t>(v.value >> (8 * i)), part);
      unset_.erase(at + i);
    }
  }
  bool accessible(uint64_t at, uint64_t bytes, bool write, unsigned align) const {
    bool deref = space_.specification().has(Property::ValidDeref);
    if (deref && align > 1 && at % align != 0) return false;
    const auto& program = space_.program();
    if (auto o = program.object_at(at)) {
      const auto& object = program.objects[*o];
      return bytes <= object.size && at - object.address <= object.size - bytes && !(write && object.constant);
    }
    for (program::ObjectId o = 0; o < program.objects.size(); ++o)
      if (program.objects[o].thread_local_) {
        uint64_t base = space_.thread_local_address(o);
        if (at >= base && at - base + bytes <= program.objects[o].size) return true;
      }
    for (const Site& site : space_.sites()) {
      if (at < site.address || get(site.alive).value == 0) continue;
      uint64_t size = site.fixed ? site.size : static_cast<uint64_t>(get(site.bytes).value);
      if (bytes <= size && at - site.address <= size - bytes) return true;
    }
    return false;
  }
  bool access(const Statement&, uint64_t at, uint64_t bytes, bool write, unsigned align) {
    if (accessible(at, bytes, write, align)) return true;
    if (space_.specification().has(Property::ValidDeref))
      finish(Test::End::Error);
    else
      finish(Test::End::Finished);
    return false;
  }

  // Control
  void go(const program::Edge& edge) { arrive(context_, edge.to); }
  void arrive(uint32_t context, LocationId to) {
    context_ = context;
    if (to == kNone) return finish(Test::End::Finished);
    location_ = to;
    if (space_.is_node(space_.context(context).function, to)) visit();
  }

  void step() {
    const auto& function = space_.function(context_);
    const auto& location = function.locations[location_];
    if (location.edge_count == 0) return finish(Test::End::Finished);
    ++test_.statements;
    const program::Edge& first = function.edges[location.first_edge];
    if (first.statement.kind == Kind::Assume) return branch(function, location);
    statement(first, location.first_edge);
  }

  void branch(const program::Function& function, const program::Location& location) {
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const program::Edge& edge = function.edges[e];
      Value v = operand(edge.statement.operands[0]);
      if (v.value == 0) continue;
      condition(v.term);
      return go(edge);
    }
    finish(Test::End::Finished);  // an assumption does not hold
  }

  void statement(const program::Edge& edge, uint32_t e) {
    const Statement& s = edge.statement;
    auto target = [&](size_t i) { return space_.variable(context_, s.targets[i]); };
    switch (s.kind) {
      case Kind::Assign: {
        std::vector<Value> values;
        for (Term t : s.operands) values.push_back(operand(t));
        for (size_t i = 0; i < values.size(); ++i) set(target(i), values[i]);
        return go(edge);
      }
      case Kind::Check: {
        semantics::Treatment how = semantics::treatment(space_.specification(), s.property);
        if (how == semantics::Treatment::Ignored) return go(edge);
        Value v = operand(s.operands[0]);
        if (v.value == 0) return finish(how == semantics::Treatment::Violation ? Test::End::Error : Test::End::Finished);
        condition(v.term);
        return go(edge);
      }
      case Kind::Load:
      case Kind::Store:
      case Kind::AtomicRmw:
      case Kind::AtomicCas:
      case Kind::Await: return memory(edge);
      case Kind::Nondet: set(target(0), input(target(0).width())); return go(edge);
      case Kind::StackAlloc:
      case Kind::HeapAlloc: return allocate(edge, e);
      case Kind::HeapFree: return free_heap(edge);
      case Kind::Copy:
      case Kind::Fill: return bulk(edge);
      case Kind::Call: return call(edge, e, s.callee, 0);
      case Kind::IndirectCall: {
        uint64_t at = address(s.operands[0]);
        auto f = space_.program().function_at(at);
        if (!f)
          return finish(space_.specification().has(Property::ValidDeref) ? Test::End::Error : Test::End::Finished);
        return call(edge, e, *f, 1);
      }
      case Kind::Return: return leave(s);
      case Kind::StackSave:
      case Kind::Self: set(target(0), {}); return go(edge);
      case Kind::ThreadLocal: set(target(0), {space_.thread_local_address(s.object), {}}); return go(edge);
      case Kind::Error: return finish(space_.specification().has(s.property) ? Test::End::Error : Test::End::Finished);
      case Kind::Halt:
      case Kind::ThreadExit: return finish(Test::End::Finished);
      case Kind::Unsupported: return unknown(s, "not supported: " + s.text);
      case Kind::HostMath: return unknown(s, "the function " + s.text);
      case Kind::StackRestore:
        if (space_.specification().has(Property::ValidDeref))
          return unknown(s, "the end of an array of variable length");
        return go(edge);
      case Kind::Spawn: return unknown(s, "a thread");
      case Kind::ObjectSize: return unknown(s, "the size of an object");
      default: return go(edge);
    }
  }

  void memory(const program::Edge& edge) {
    const Statement& s = edge.statement;
    auto target = [&](size_t i) { return space_.variable(context_, s.targets[i]); };
    uint64_t at = address(s.operands[0]);
    unsigned bytes = s.width / 8;
    bool write = s.kind != Kind::Load && s.kind != Kind::Await;
    if (!access(s, at, bytes, write, s.kind == Kind::Await ? 1 : s.align)) return;
    if (s.kind == Kind::Store) {
      store(at, bytes, operand(s.operands[1]));
      return go(edge);
    }
    Value old = load(at, bytes);
    if (s.kind == Kind::Load) set(target(0), old);
    if (s.kind == Kind::AtomicRmw) {
      Term x = term_of(old, s.width), y = term_of(operand(s.operands[1]), s.width);
      Value z{operand(s.operands[1]).value, operand(s.operands[1]).term};
      if (s.rmw != Rmw::Exchange) {
        auto pick = [&](Term a, Term b) { return program::combine(store_, s.rmw, a, b); };
        z.term = pick(x, y);
        z.value =
            pick(store_.constant(s.width, old.value), store_.constant(s.width, operand(s.operands[1]).value)).value();
        if (z.term.is_constant()) z.term = {};
      }
      store(at, bytes, z);
      if (!s.targets.empty()) set(target(0), old);
    }
    if (s.kind == Kind::AtomicCas) {
      Value expected = operand(s.operands[1]), wanted = operand(s.operands[2]);
      bool same = old.value == expected.value;
      Term equal = store_.eq(term_of(old, s.width), term_of(expected, s.width));
      if (!equal.is_constant()) condition(same ? equal : store_.bnot(equal));
      if (same) store(at, bytes, wanted);
      set(target(0), old);
      if (s.targets.size() > 1) set(target(1), {same ? u128{1} : u128{0}, {}});
    }
    if (s.kind == Kind::Await) {
      Term masked = store_.band(term_of(old, s.width), term_of(operand(s.operands[1]), s.width));
      Term holds = store_.band(store_.sle(term_of(operand(s.operands[2]), s.width), masked),
                               store_.sle(masked, term_of(operand(s.operands[3]), s.width)));
      if (!holds.is_constant()) return unknown(s, "waiting for an input");
      if (holds.is_false())
        return finish(space_.specification().has(Property::NoDeadlock) ? Test::End::Error : Test::End::Finished);
    }
    go(edge);
  }

  void allocate(const program::Edge& edge, uint32_t e) {
    const Statement& s = edge.statement;
    const Site* site = space_.site(context_, e);
    if (!site) return unknown(s, "an object that is made again and again");
    Value size = operand(s.operands[0]);
    if (size.value > site->size) return finish(Test::End::Unknown, "a large object");
    if (!site->fixed) {
      if (size.term) condition(store_.ule(size.term, store_.constant(size.term.width(), site->size)));
      size.term = size.term ? store_.resize_unsigned(size.term, site->bytes.width()) : Term();
      set(site->bytes, size);
    }
    bool zeroed = s.kind == Kind::HeapAlloc && operand(s.operands[1]).value != 0;
    if (!site->fixed && size.value > 4096) return finish(Test::End::Unknown, "a large object");
    for (uint64_t i = 0; i < size.value; ++i) {
      // (What is never read has the value that was planned, too: predicates may speak of it.)
      auto planned = plan_.memory.find(site->address + i);
      put_byte(site->address + i, zeroed || planned == plan_.memory.end() ? uint8_t{0} : planned->second, {}, !zeroed);
      if (zeroed)
        unset_.erase(site->address + i);
      else
        unset_.insert(site->address + i);
    }
    set(site->alive, {1, {}});
    set(space_.variable(context_, s.targets[0]), {site->address, {}});
    go(edge);
  }

  void free_heap(const program::Edge& edge) {
    uint64_t at = address(edge.statement.operands[0]);
    if (at == 0) return go(edge);
    for (const Site& site : space_.sites())
      if (site.heap && site.address == at && get(site.alive).value != 0) {
        set(site.alive, {0, {}});
        return go(edge);
      }
    finish(space_.specification().has(Property::ValidFree) ? Test::End::Error : Test::End::Finished);
  }

  void bulk(const program::Edge& edge) {
    const Statement& s = edge.statement;
    Value size = operand(s.operands[2]);
    if (size.value > 4096) return unknown(s, "copying or filling many bytes");
    condition_pin(size, s.operands[2].width());
    if (size.value == 0) return go(edge);
    uint64_t n = static_cast<uint64_t>(size.value), to = address(s.operands[0]);
    if (s.kind == Kind::Fill) {
      if (!access(s, to, n, true, 1)) return;
      Value byte = operand(s.operands[1]);
      for (uint64_t i = 0; i < n; ++i) store(to + i, 1, byte);
      return go(edge);
    }
    uint64_t from = address(s.operands[1]);
    if (!access(s, from, n, false, 1) || !access(s, to, n, true, 1)) return;
    bool fixed = space_.program().object_at(to).has_value();
    std::vector<Value> values;
    std::vector<bool> missing;
    for (uint64_t i = 0; i < n; ++i) {
      if (fixed && unset_.contains(from + i)) {
        uint64_t last = i;
        while (last < n && last - i < 16 && unset_.contains(from + last)) ++last;
        load(from + i, static_cast<unsigned>(last - i));
      }
      missing.push_back(unset_.contains(from + i));
      values.push_back({test_.bytes(space_, from + i, 1, UINT32_MAX), {}});
      Term t = test_.bytes_term(space_, from + i, 1, UINT32_MAX);
      if (!t.is_constant()) values.back().term = t;
    }
    for (uint64_t i = 0; i < n; ++i) {
      store(to + i, 1, values[i]);
      if (missing[i]) {
        unset_.insert(to + i);
        put_byte(to + i, 0, {}, true);
      }
    }
    go(edge);
  }

  void call(const program::Edge& edge, uint32_t e, FunctionId callee, size_t first) {
    const auto& function = space_.program().functions[callee];
    const Statement& s = edge.statement;
    if (space_.specification().has(Property::UnreachCall) &&
        space_.specification().error_functions.contains(function.name))
      return finish(Test::End::Error);
    if (function.parameter_count + first > s.operands.size()) return finish(Test::End::Finished);
    for (uint32_t i = 0; i < function.parameter_count; ++i)
      if (function.registers[i].width() != s.operands[first + i].width()) return finish(Test::End::Finished);
    if (!s.targets.empty() && space_.function(context_).registers[s.targets[0]].width() != function.return_width)
      return finish(Test::End::Finished);
    std::vector<Value> arguments;
    for (uint32_t i = 0; i < function.parameter_count; ++i) arguments.push_back(operand(s.operands[first + i]));
    uint32_t inside = space_.child(context_, e, callee);
    for (uint32_t r = 0; r < function.registers.size(); ++r)
      set(space_.variable(inside, r), r < arguments.size() ? arguments[r] : Value{});
    arrive(inside, function.entry);
  }

  void leave(const Statement& s) {
    uint32_t parent = space_.context(context_).parent;
    if (parent == kNone) return finish(Test::End::Finished);
    const program::Edge& call = space_.edge(parent, space_.context(context_).edge);
    Value v;
    if (!s.operands.empty()) v = operand(s.operands[0]);
    for (uint32_t k : space_.sites_of(context_))
      if (!space_.sites()[k].heap) set(space_.sites()[k].alive, {});
    if (!call.statement.targets.empty()) set(space_.variable(parent, call.statement.targets[0]), v);
    arrive(parent, call.to);
  }

  Space& space_;
  term::Store& store_;
  const TestPlan& plan_;
  size_t later_ = 0;  ///< of plan_.later that were used
  const std::function<u128(size_t, unsigned)>& more_;
  TestLimits bounds_;
  Limits& limits_;
  Test test_;
  uint32_t context_ = 0;
  LocationId location_ = 0;
  bool done_ = false;
  std::unordered_set<uint64_t> unset_;
};

Test run_test(Space& space, const TestPlan& plan, const std::function<u128(size_t, unsigned)>& more,
              const TestLimits& bounds, Limits& limits) {
  return TestRunner(space, plan, more, bounds, limits).run();
}

}  // namespace whittle::engines::dash
