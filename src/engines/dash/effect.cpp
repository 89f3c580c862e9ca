#include "engines/dash/effect.h"

#include <fmt/format.h>

namespace whittle::engines::dash {

using program::Kind;
using program::kNone;
using program::Statement;
using term::Op;

namespace {

constexpr uint64_t kMostBytes = 4096;  ///< of a copy, a fill or a zeroed object that is followed byte by byte

}  // namespace

Effect::Effect(Space& space, const Block& block, Oracle oracle)
    : space_(space), store_(space.terms()), oracle_(std::move(oracle)) {
  for (const Step& s : block.steps) step(s);
}

Term Effect::fresh(unsigned width) { return space_.fresh(fresh_count_++, width); }

Term Effect::value(Term variable) {
  auto it = registers_.find(variable);
  return it == registers_.end() ? variable : it->second;
}

Term Effect::now(uint32_t context, Term t) {
  if (t.is_constant()) return t;
  Term renamed = space_.in(context, t);
  if (!t.has_reads()) {
    if (registers_.empty()) return renamed;
    return store_.substitute(renamed, [&](Term v) { return value(v); });
  }
  return store_.substitute(
      renamed, [&](Term v) { return value(v); },
      [&](Term r) { return read(r.kid(0), r.width() / 8, writes_.size()); });
}

void Effect::guard(Term condition) {
  if (!condition.is_true()) guards_.push_back(condition);
}

Term Effect::address_plus(Term address, uint64_t offset) {
  return offset == 0 ? address : store_.add(address, store_.constant(address.width(), offset));
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
    Write w;
    w.kind = Write::Kind::Callee;
    w.callee = s.callee;
    writes_.push_back(std::move(w));
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
      write(address_plus(address, at), store_.constant(static_cast<unsigned>(8 * n), 0));
      at += n;
    }
    return;
  }
  Write w;
  w.kind = Write::Kind::Any;
  w.address = address;
  w.size = std::max<uint64_t>(room, 1);
  writes_.push_back(std::move(w));
}

void Effect::write(Term address, Term value) {
  Write w;
  w.address = address;
  w.size = value.width() / 8;
  w.value = value;
  writes_.push_back(std::move(w));
}

/// Bytes that may have no value when they are copied get any: the copy of none is none, too.
void Effect::copy(uint32_t context, uint32_t edge, Term to, Term from, uint64_t size) {
  const auto& initialised = space_.initialised();
  const program::FunctionId f = space_.context(context).function;
  std::vector<std::pair<uint64_t, Term>> parts;
  for (uint64_t at = 0; at < size;) {
    uint64_t n = size - at >= 4 ? 4 : 1;
    auto known = [&](uint64_t i) { return initialised.copied(f, edge, at + i); };
    if (n == 4 && !(known(0) && known(1) && known(2) && known(3))) n = 1;
    Term value = known(0) ? read(address_plus(from, at), static_cast<unsigned>(n), writes_.size()) : fresh(8);
    parts.push_back({at, value});
    at += n;
  }
  for (auto& [at, value] : parts) write(address_plus(to, at), value);
}

void Effect::fill(Term to, Term byte, uint64_t size) {
  Term word = byte;
  for (int i = 1; i < 4; ++i) word = store_.concat(byte, word);
  for (uint64_t at = 0; at < size;) {
    bool whole = size - at >= 4;
    write(address_plus(to, at), whole ? word : byte);
    at += whole ? 4 : 1;
  }
}

/// Too much is written to follow it: all memory may hold anything.
void Effect::anything() {
  Write w;
  w.kind = Write::Kind::Everything;
  writes_.push_back(std::move(w));
}

void Effect::bulk(uint32_t context, uint32_t edge, const semantics::Write& w) {
  Term size = now(context, w.size);
  if (!size.is_constant() || size.value() > kMostBytes) return anything();
  Term to = now(context, w.address), value = now(context, w.value);
  return w.kind == semantics::Write::Kind::Copy ? copy(context, edge, to, value, size.value64())
                                                : fill(to, value, size.value64());
}

void Effect::effect(uint32_t context, uint32_t edge, const semantics::Meaning& m) {
  using enum semantics::Assign::Source;
  if (m.object) return allocate(context, edge, space_.variable(context, m.assigns[0].target), *m.object);
  std::vector<std::pair<Term, Term>> assigns, values;  // all terms speak of the state before the statement
  for (const semantics::Assign& a : m.assigns) {
    Term target = space_.variable(context, a.target);
    Term now_it = a.source == Value ? now(context, a.value) : fresh(target.width());
    if (a.source == Choice) inputs_.push_back(now_it);
    assigns.emplace_back(target, now_it);
  }
  for (const semantics::Write& w : m.writes)
    if (w.kind == semantics::Write::Kind::Value) values.emplace_back(now(context, w.address), now(context, w.value));
  if (m.guard) guard(now(context, m.guard));
  if (m.wait) guard(now(context, m.wait));
  for (const semantics::Write& w : m.writes)
    if (w.kind != semantics::Write::Kind::Value) bulk(context, edge, w);
  for (const auto& [address, value] : values) write(address, value);
  for (const auto& [target, value] : assigns) assign(target, value);
}

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
    default: return effect(context, edge, space_.meanings().of(space_.context(context).function, edge));
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
    if (!cut || demand.kind != semantics::Demand::Kind::Access || !demand.access.fixed(s)) continue;
    Term address = now(context, s.operands[demand.access.address]);
    guard(where_objects_may_be(address));
    in_objects_.push_back(valid(nullptr, address, demand.access.size(s), demand.access.write, 1));
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
Term Effect::valid(const BitSet* accessed, Term address, uint64_t bytes, bool write, unsigned align) {
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
    uint64_t base = object.thread_local_ ? space_.thread_local_address(o) : object.address;
    holds = store_.bor(holds, inside(base, object.size));
  }
  for (const Site& site : space_.sites()) {
    if (accessed && !places.contains(*accessed, places.of_site(space_.context(site.context).function, site.edge)))
      continue;
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
  if (align > 1) {
    Term low = store_.band(address, store_.constant(w, align - 1));
    holds = store_.band(holds, store_.eq(low, store_.constant(w, 0)));
  }
  return holds;
}

Term Effect::part(size_t index, uint64_t offset, unsigned bytes) {
  Write& w = writes_[index];
  if (w.kind == Write::Kind::Value) return store_.extract(w.value, static_cast<unsigned>(8 * offset), 8 * bytes);
  Term& any = w.any[{offset, bytes}];
  if (!any) any = fresh(8 * bytes);
  return any;
}

std::vector<std::pair<uint64_t, Term>> Effect::without_value() const {
  std::vector<std::pair<uint64_t, Term>> found;
  for (const Write& w : writes_)
    if (w.kind == Write::Kind::Any && w.address.is_constant())
      for (const auto& [where, any] : w.any) found.emplace_back(w.address.value64() + where.first, any);
  return found;
}

Term Effect::callee_read(size_t index, Term address, unsigned bytes) {
  Write& w = writes_[index];
  if (address.is_constant() && !space_.may_write(w.callee, address.value64())) return {};
  Term& any = w.any_at[{address.id(), bytes}];
  if (!any) any = fresh(8 * bytes);
  return any;
}

namespace {

/// A variable plus a constant, or a variable: the variable.
Term base_of(Term address) {
  if (address.op() == Op::Add && address.kid(0).is_constant()) return address.kid(1);
  if (address.op() == Op::Add && address.kid(1).is_constant()) return address.kid(0);
  return address;
}

}  // namespace

/// The address as a constant, if it is a steady pointer or a constant distance from one; `because` gets the condition.
Term Effect::pin(Term address, std::vector<Term>& because) const {
  Term base = base_of(address);
  if (!base.is_variable() || !oracle_.steady(base)) return address;
  Term value = store_.constant(base.width(), oracle_(base));
  because.push_back(store_.eq(base, value));
  return store_.add(value, store_.sub(address, base));
}

/// The values that the address can have, if `because` holds; none: they are not known, or too many.
std::vector<u128> Effect::places(Term address, std::vector<Term>& because) const {
  if (address.is_constant()) return {address.value()};
  Term base = base_of(address);
  if (!base.is_variable()) return {};
  std::vector<u128> values = oracle_.places(base);
  if (values.empty()) return {};
  Term offset = store_.sub(address, base), one = store_.falsity();
  for (u128& v : values) {
    one = store_.bor(one, store_.eq(base, store_.constant(base.width(), v)));
    v = (v + offset.value()) & mask128(base.width());
  }
  because.push_back(one);
  return values;
}

bool Effect::apart_in_all_places(Term address, unsigned bytes, const Write& write) {
  std::vector<Term> because;
  const std::vector<u128> reads = places(address, because);
  if (reads.empty()) return false;
  const std::vector<u128> written = places(write.address, because);
  if (written.empty()) return false;
  const u128 mask = mask128(address.width());
  for (u128 r : reads)
    for (u128 w : written)
      if (((r - w) & mask) < write.size || ((w - r) & mask) < bytes) return false;
  alias_sink_->insert(alias_sink_->end(), because.begin(), because.end());
  return true;
}

Term Effect::read(Term address, unsigned bytes, size_t count) {
  unsigned width = address.width();
  u128 mask = mask128(width);
  for (size_t i = count; i-- > 0;) {
    if (writes_[i].kind == Write::Kind::Everything) {
      Term& any = writes_[i].any_at[{address.id(), bytes}];
      if (!any) any = fresh(8 * bytes);
      return any;
    }
    if (writes_[i].kind == Write::Kind::Callee) {
      if (Term any = callee_read(i, address, bytes)) return any;
      continue;
    }
    const uint64_t size = writes_[i].size;
    Term difference = store_.sub(address, writes_[i].address);
    bool certain = difference.is_constant();
    if (!certain && !oracle_) {
      Term apart = store_.band(store_.uge(difference, store_.constant(width, size)),
                               store_.uge(store_.neg(difference), store_.constant(width, bytes)));
      Term older = read(address, bytes, i);
      Term inside = fresh(8 * bytes);
      if (writes_[i].kind == Write::Kind::Value && size == bytes)
        inside = store_.ite(store_.eq(difference, store_.constant(width, 0)), writes_[i].value, inside);
      return store_.ite(apart, older, inside);
    }
    if (!certain && oracle_.steady) {
      std::vector<Term> because;
      Term at = pin(address, because), written = pin(writes_[i].address, because);
      if (!because.empty()) {
        alias_sink_->insert(alias_sink_->end(), because.begin(), because.end());
        address = at;
        difference = store_.sub(at, written);
        certain = difference.is_constant();
      }
    }
    if (!certain && oracle_.places && apart_in_all_places(address, bytes, writes_[i])) continue;
    u128 d = certain ? difference.value() : oracle_(difference) & mask;
    if (d >= size && ((u128{0} - d) & mask) >= bytes) {
      if (!certain)
        alias_sink_->push_back(store_.band(store_.uge(difference, store_.constant(width, size)),
                                           store_.uge(store_.neg(difference), store_.constant(width, bytes))));
      continue;
    }
    if (!certain) alias_sink_->push_back(store_.eq(difference, store_.constant(width, d)));
    if (d + bytes <= size) return part(i, static_cast<uint64_t>(d), bytes);
    Term value;  // partly inside: byte by byte
    for (unsigned b = 0; b < bytes; ++b) {
      Term byte = read(address_plus(address, b), 1, i + 1);
      value = value ? store_.concat(byte, value) : byte;
    }
    return value;
  }
  if (address.is_constant())
    if (auto known = space_.constant_bytes(address.value64(), bytes)) return store_.constant(8 * bytes, *known);
  return store_.read(address, 8 * bytes);
}

Term Effect::pre(Term predicate, std::vector<Term>& aliases) {
  alias_sink_ = &aliases;
  Term before = store_.substitute(
      predicate, [&](Term v) { return value(v); },
      [&](Term r) { return read(r.kid(0), r.width() / 8, writes_.size()); });
  alias_sink_ = &aliases_;
  return before;
}

}  // namespace whittle::engines::dash
