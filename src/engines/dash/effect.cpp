#include "engines/dash/effect.h"

#include "semantics/apply.h"

namespace whittle::engines::dash {

using program::Kind;
using program::kNone;
using program::Statement;

namespace {

constexpr uint64_t kMostBytes = 4096;  ///< of a copy, a fill or a zeroed object that is followed byte by byte

}  // namespace

Effect::Effect(Space& space, const Block& block, Reads reads) : wp::Effect(space.terms(), reads), space_(space) {
  know(block.known);
  for (const Step& s : block.steps) step(s);
}

Term Effect::fresh(unsigned width) { return space_.fresh(fresh_count_++, width); }

Term Effect::memory(Term address, unsigned bytes) {
  if (address.is_constant())
    if (auto known = space_.constant_bytes(address.value64(), bytes)) return store_.constant(8 * bytes, *known);
  return wp::Effect::memory(address, bytes);
}

void Effect::step(const Step& s) {
  const Statement& statement = space_.edge(s.context, s.edge).statement;
  switch (s.kind) {
    case Step::Kind::Statement:
      if (s.checked) check_addresses(s.context, statement);
      return this->statement(s.context, statement, s.edge);
    case Step::Kind::Fails:
      guards_.push_back(store_.bnot(met(s.context, s.edge, semantics::demands(statement)[s.demand])));
      return;
    case Step::Kind::TooLarge: {
      Term size = now(s.context, statement.operands[0]);
      guards_.push_back(store_.ugt(size, store_.constant(size.width(), space_.site(s.context, s.edge)->size)));
      return;
    }
    case Step::Kind::Misfit: return guard(calls(s));
    case Step::Kind::Enter: return enter(s);
    case Step::Kind::Leave: return leave(s);
    case Step::Kind::Skip: return skip(s);
  }
}

Term Effect::calls(const Step& s) {
  Term target = now(s.context, space_.edge(s.context, s.edge).statement.operands[0]);
  return store_.eq(target, store_.constant(target.width(), program::Program::function_address(s.callee)));
}

void Effect::enter(const Step& s) {
  const Statement& call = space_.edge(s.context, s.edge).statement;
  const auto& callee = space_.program().functions[s.callee];
  size_t first = 0;
  if (call.kind == Kind::IndirectCall) {
    guard(calls(s));
    first = 1;
  }
  std::vector<Term> arguments;
  for (uint32_t i = 0; i < callee.parameter_count; ++i) arguments.push_back(now(s.context, call.operands[first + i]));
  // Whatever an earlier activation left in its registers is not known to this one.
  for (uint32_t r = 0; r < callee.registers.size(); ++r)
    assign(space_.variable(s.other, r), r < arguments.size() ? arguments[r] : fresh(callee.registers[r].width()));
}

void Effect::leave(const Step& s) {
  const Statement& statement = space_.edge(s.context, s.edge).statement;
  const Statement& call = space_.edge(s.other, space_.context(s.context).edge).statement;
  if (!call.targets.empty() && !statement.operands.empty())
    assign(space_.variable(s.other, call.targets[0]), now(s.context, statement.operands[0]));
  for (uint32_t k : space_.sites_of(s.context))
    if (!space_.sites()[k].heap) assign(space_.sites()[k].alive, store_.falsity());
}

void Effect::skip(const Step& s) {
  const Statement& call = space_.edge(s.context, s.edge).statement;
  if (call.kind == Kind::IndirectCall) guard(calls(s));
  if (space_.writes_memory(s.callee)) {
    write_anywhere([this, callee = s.callee](uint64_t address) { return space_.may_write(callee, address); });
    for (const Site& site : space_.sites()) {
      if (!site.heap) continue;
      assign(site.alive, fresh(1));
      if (site.bytes) assign(site.bytes, fresh(site.bytes.width()));
    }
  }
  if (call.targets.empty()) return;
  const Term target = space_.variable(s.context, call.targets[0]), result = fresh(target.width());
  if (const Contract* contract = space_.contract(s.callee)) {
    std::vector<Term> arguments;
    const size_t first = call.kind == Kind::IndirectCall ? 1 : 0;
    for (size_t i = 0; i < contract->parameters.size(); ++i)
      arguments.push_back(now(s.context, call.operands[first + i]));
    guard(contract->of(store_, contract->holds, arguments, result));
  }
  assign(target, result);
}

void Effect::allocate(uint32_t context, uint32_t edge, Term target, const semantics::NewObject& object) {
  const Site* site = space_.site(context, edge);
  Term size = now(context, object.size), zeroed = now(context, object.zeroed);
  if (!site->fixed) {
    guard(store_.ule(size, store_.constant(size.width(), site->size)));
    assign(site->bytes, store_.resize_unsigned(size, site->bytes.width()));
  }
  Term address = store_.constant(target.width(), site->address);
  assign(target, address);
  assign(site->alive, store_.truth());
  uint64_t room = site->size;
  if (zeroed.is_true() && room <= kMostBytes) {
    for (uint64_t at = 0; at < room;) {
      uint64_t n = std::min<uint64_t>(16, room - at);
      write(plus(address, at), store_.constant(static_cast<unsigned>(8 * n), 0));
      at += n;
    }
    return;
  }
  write_any(address, room);
}

void Effect::bulk(uint32_t context, const semantics::Write& w) {
  Term size = now(context, w.size);
  if (!size.is_constant() || size.value() > kMostBytes) return write_anywhere();  // too much to follow it
  Term to = now(context, w.address), value = now(context, w.value);
  if (w.kind == semantics::Write::Kind::Fill) return fill(to, value, size.value64());
  copy(to, value, size.value64());
}

/// The state of a context, for semantics::apply.
struct Effect::State {
  Effect& effect;
  uint32_t context, edge;
  wp::Reach reach{};  ///< of what is written

  Term now(Term t) { return effect.now(context, t); }
  Term address(Term t) { return now(t); }
  Term arbitrary(const semantics::Assign& a) {
    Term any = effect.fresh(effect.space_.variable(context, a.target).width());
    if (a.source == semantics::Assign::Source::Choice) effect.inputs_.push_back(any);
    return any;
  }
  void guard(Term condition) { effect.guard(condition); }
  void assign(program::RegisterId target, Term value) { effect.assign(effect.space_.variable(context, target), value); }
  void write(Term address, Term value) { effect.write(address, value, reach); }
  void bulk(const semantics::Write& w) { effect.bulk(context, w); }
};

void Effect::statement(uint32_t context, const Statement& s, uint32_t edge) {
  auto set = [&](uint64_t value) {
    Term target = space_.variable(context, s.targets[0]);
    assign(target, store_.constant(target.width(), value));
  };
  switch (s.kind) {
    case Kind::Check:
      if (semantics::treatment(space_.specification(), s.property) != semantics::Treatment::Ignored)
        guard(now(context, s.operands[0]));
      return;
    case Kind::HeapFree: {
      Term address = now(context, s.operands[0]);
      for (const Site& site : space_.sites()) {
        if (!site.heap) continue;
        Term other = store_.ne(address, store_.constant(address.width(), site.address));
        assign(site.alive, store_.band(value(site.alive), other));
      }
      return;
    }
    case Kind::StackSave:
    case Kind::Freed:  // asked only where there are other threads
    case Kind::Shared:
    case Kind::Self: return set(0);  // one thread, number 0
    case Kind::ThreadLocal: return set(space_.thread_local_address(s.object));
    default: {
      const semantics::Meaning& m = space_.meanings().of(space_.context(context).function, edge);
      if (m.object) return allocate(context, edge, space_.variable(context, m.assigns[0].target), *m.object);
      State state{*this, context, edge};
      for (const semantics::Access& access : semantics::accesses(s))
        if (access.write) state.reach = space_.reach(s.operands[access.address]);
      return semantics::apply(m, state);
    }
  }
}

Term Effect::met(uint32_t context, uint32_t edge, const semantics::Demand& demand) {
  const Statement& s = space_.edge(context, edge).statement;
  using enum semantics::Demand::Kind;
  switch (demand.kind) {
    case Condition: return now(context, s.operands[0]);
    case Access: {
      Term address = s.operands[demand.access.address];
      const BitSet accessed = space_.points().accessed(address);
      return valid(&accessed, now(context, address), demand.access.size(s), demand.access.write, demand.access.align);
    }
    case Free: {
      Term address = now(context, s.operands[0]);
      Term holds = store_.eq(address, store_.constant(address.width(), 0));
      for (const Site& site : space_.sites())
        if (site.heap)
          holds = store_.bor(holds, store_.band(value(site.alive),
                                                store_.eq(address, store_.constant(address.width(), site.address))));
      return holds;
    }
    case Function: {
      Term target = now(context, s.operands[0]), holds = store_.falsity();
      for (program::FunctionId f = 0; f < space_.program().functions.size(); ++f)
        holds = store_.bor(holds,
                           store_.eq(target, store_.constant(target.width(), program::Program::function_address(f))));
      return holds;
    }
    case Progress: return now(context, space_.meanings().of(space_.context(context).function, edge).wait);
    case Unreachable:
    case Supported: break;
  }
  return store_.falsity();
}

/// What the machine demands although no property asks about it.
void Effect::check_addresses(uint32_t context, const Statement& s) {
  for (const semantics::Demand& demand : semantics::demands(s)) {
    const bool cut = semantics::treatment(space_.specification(), demand.property) == semantics::Treatment::Cut;
    if (!cut || demand.kind != semantics::Demand::Kind::Access) continue;
    Term address = now(context, s.operands[demand.access.address]), none = store_.falsity();
    uint64_t bytes = 1;  // of those that are accessed
    if (demand.access.fixed(s)) {
      bytes = demand.access.size(s);
    } else {
      const Term size = now(context, s.operands[demand.access.size_operand]);
      if (size.is_constant()) bytes = size.value64();
      none = store_.eq(size, store_.constant(size.width(), 0));
    }
    if (none.is_true()) continue;
    guard(store_.bor(none, where_objects_may_be(address)));
    const wp::Reach reach = space_.reach(s.operands[demand.access.address]);
    checked_.push_back({address, bytes, store_.bor(none, valid(nullptr, address, bytes, demand.access.write, 1, reach)),
                        reach ? space_.in_no_object(address, bytes) : Term()});
  }
}

Term Effect::where_objects_may_be(Term address) {
  const unsigned w = address.width();
  auto number = [&](uint64_t n) { return store_.constant(w, n); };
  uint64_t first = program::layout::kDynamicBase;  // static objects lie below the others, these below 4 GiB
  for (const auto& object : space_.program().objects)
    if (!object.thread_local_) first = std::min(first, object.address);
  return store_.ule(store_.sub(address, number(first)), number(UINT32_MAX - first));
}

/// `accessed`: places that the address may point into; null: any.
Term Effect::valid(const BitSet* accessed, Term address, uint64_t bytes, bool write, unsigned align, const wp::Reach& reach) {
  const auto& program = space_.program();
  const auto& places = space_.points().places();
  unsigned w = address.width();
  Term holds = store_.falsity();
  auto inside = [&](uint64_t base, uint64_t size) {
    if (size < bytes) return store_.falsity();
    return store_.ule(store_.sub(address, store_.constant(w, base)), store_.constant(w, size - bytes));
  };
  for (program::ObjectId o = 0; o < program.objects.size(); ++o) {
    const auto& object = program.objects[o];
    if (accessed ? !places.contains(*accessed, places.of_object(o)) : write && !space_.writable(o)) continue;
    if (write && object.constant) continue;
    if (reach && !object.thread_local_ && !(*reach)(object.address)) continue;
    uint64_t base = object.thread_local_ ? space_.thread_local_address(o) : object.address;
    holds = store_.bor(holds, inside(base, object.size));
  }
  for (const Site& site : space_.sites()) {
    if (accessed && !places.contains(*accessed, places.of_site(space_.context(site.context).function, site.edge)))
      continue;
    if (reach && !(*reach)(site.address)) continue;
    Term here = inside(site.address, site.size);
    if (!site.fixed) {
      Term size = store_.resize_unsigned(value(site.bytes), w), need = store_.constant(w, bytes);
      // (Inside the room kept for it, too: an address that is known to lie elsewhere then needs no look at the size.)
      here = store_.band(
          here, store_.band(store_.ule(need, size),
                            store_.ule(store_.sub(address, store_.constant(w, site.address)), store_.sub(size, need))));
    }
    holds = store_.bor(holds, store_.band(value(site.alive), here));
  }
  if (!accessed && space_.follows_strays()) holds = store_.bor(holds, space_.in_no_object(address, bytes));
  if (align > 1) {
    Term low = store_.band(address, store_.constant(w, align - 1));
    holds = store_.band(holds, store_.eq(low, store_.constant(w, 0)));
  }
  return holds;
}

}  // namespace whittle::engines::dash
