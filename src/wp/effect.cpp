#include "wp/effect.h"

#include <algorithm>

namespace whittle::wp {

using term::Op;

Term Effect::fresh(unsigned width) { return store_.variable(width, "any"); }

Term Effect::value(Term variable) const {
  auto it = registers_.find(variable);
  return it == registers_.end() ? before(variable) : it->second;
}

Term Effect::now(Term t) {
  if (t.is_constant()) return t;
  if (t.is_variable()) return value(t);
  if (t.has_reads()) {
    std::unordered_map<Term, Reach> reaches;
    for (Term r : term::reads(t))
      if (Reach known = reach(r.kid(0))) reaches[now(r.kid(0))] = std::move(known);
    return store_.substitute(
        t, [&](Term v) { return value(v); },
        [&](Term r) {
          auto known = reaches.find(r.kid(0));
          return load(r.kid(0), r.width() / 8, known == reaches.end() ? nullptr : known->second);
        });
  }
  return registers_.empty() && !known_ ? t : store_.substitute(t, [&](Term v) { return value(v); });
}

void Effect::guard(Term condition) {
  if (!condition.is_true()) guards_.push_back(condition);
}

void Effect::write(Term address, Term value, Reach reach) {
  writes_.push_back({Write::Kind::Value, address, value.width() / 8, value, {}, {}, std::move(reach)});
}

void Effect::write_any(Term address, uint64_t size) {
  writes_.push_back({Write::Kind::Any, address, std::max<uint64_t>(size, 1), {}, {}, {}, {}});
}

void Effect::write_anywhere(std::function<bool(uint64_t)> may) {
  writes_.push_back({Write::Kind::Anywhere, {}, 0, {}, {}, std::move(may), {}});
}

void Effect::copy(Term to, Term from, uint64_t size) {
  std::vector<std::pair<uint64_t, Term>> parts;
  for (uint64_t at = 0; at < size;) {
    const unsigned n = size - at >= 4 ? 4 : 1;
    parts.push_back({at, load(plus(from, at), n)});
    at += n;
  }
  for (auto& [at, value] : parts) write(plus(to, at), value);
}

void Effect::fill(Term to, Term byte, uint64_t size) {
  Term word = byte;
  for (int i = 1; i < 4; ++i) word = store_.concat(byte, word);
  for (uint64_t at = 0; at < size;) {
    bool whole = size - at >= 4;
    write(plus(to, at), whole ? word : byte);
    at += whole ? 4 : 1;
  }
}

Term Effect::any(size_t write, uint64_t key, unsigned bytes) {
  Term& found = writes_[write].any[{key, bytes}];
  if (!found) found = fresh(8 * bytes);
  return found;
}

std::vector<std::pair<Term, Term>> Effect::written() const {
  std::vector<std::pair<Term, Term>> found;
  for (const Write& w : writes_)
    if (w.kind == Write::Kind::Value) found.emplace_back(w.address, w.value);
  return found;
}

std::vector<std::pair<uint64_t, Term>> Effect::without_value() const {
  std::vector<std::pair<uint64_t, Term>> found;
  for (const Write& w : writes_)
    if (w.kind == Write::Kind::Any && w.address.is_constant())
      for (const auto& [where, any] : w.any) found.emplace_back(w.address.value64() + where.first, any);
  return found;
}

namespace {

/// A variable plus a constant, or a variable: the variable.
Term base_of(Term address) {
  if (address.op() == Op::Add && address.kid(0).is_constant()) return address.kid(1);
  if (address.op() == Op::Add && address.kid(1).is_constant()) return address.kid(0);
  return address;
}

}  // namespace

Term Effect::later(Later read) {
  Term& variable = later_variables_[{read.address.id(), read.bytes, read.writes, read.reach.get()}];
  if (!variable) {
    variable = fresh(8 * read.bytes);
    later_.emplace(variable, std::move(read));
  }
  return variable;
}

/// Are two places of so many bytes that lie so far from each other the same, or apart? Elements of one array are.
bool Effect::equal_or_apart(Term difference, uint64_t bytes) {
  if ((bytes & (bytes - 1)) != 0) return false;
  const term::Range range = ranges_.of(difference);
  const auto size = static_cast<i128>(bytes);
  return range.low % size == 0 && range.stride % size == 0;
}

/// A read that overlaps the write, or does not.
Term Effect::all_cases(Term address, unsigned bytes, size_t write, Term difference, const Reach& reach) {
  const unsigned width = address.width();
  const uint64_t size = writes_[write].size;
  if (writes_[write].kind == Write::Kind::Value && size == bytes && equal_or_apart(difference, bytes))
    return store_.ite(store_.eq(difference, store_.constant(width, 0)), writes_[write].value,
                      read(address, bytes, write, reach));
  Term apart = store_.band(store_.uge(difference, store_.constant(width, size)),
                           store_.uge(store_.neg(difference), store_.constant(width, bytes)));
  Term older = read(address, bytes, write, reach);
  Term inside = fresh(8 * bytes);
  if (writes_[write].kind == Write::Kind::Value && size == bytes)
    inside = store_.ite(store_.eq(difference, store_.constant(width, 0)), writes_[write].value, inside);
  if (writes_[write].kind == Write::Kind::Any)  // what was read there before is there still
    for (const auto& [where, any] : writes_[write].any)
      if (where.second == bytes)
        inside = store_.ite(store_.eq(difference, store_.constant(width, where.first)), any, inside);
  return store_.ite(apart, older, inside);
}

namespace {

/// Are they known to be of different objects?
bool apart(Term address, const Reach& reach, Term written, const Reach& reach_of_write) {
  return (reach && written.is_constant() && !(*reach)(written.value64())) ||
         (reach_of_write && address.is_constant() && !(*reach_of_write)(address.value64()));
}

}  // namespace

Term Effect::read(Term address, unsigned bytes, size_t count, const Reach& reach, Resolution* resolution) {
  const unsigned width = address.width();
  const u128 mask = mask128(width);
  for (size_t i = count; i-- > 0;) {
    if (writes_[i].kind == Write::Kind::Anywhere) {
      if (address.is_constant() && writes_[i].may && !writes_[i].may(address.value64())) continue;
      return any(i, address.id(), bytes);
    }
    const uint64_t size = writes_[i].size;
    const Term written = resolution ? resolution->of(writes_[i].address) : writes_[i].address;
    if (apart(address, reach, written, writes_[i].reach)) continue;
    Term difference;  // made only where it is needed: most addresses are constants
    bool certain = address.is_constant() && written.is_constant();
    u128 d = certain ? (address.value() - written.value()) & mask : 0;
    auto compare = [&](Term a, Term b) {
      difference = store_.sub(a, b);
      certain = difference.is_constant();
      if (certain) d = difference.value();
    };
    if (!certain) compare(address, written);
    if (!certain && !resolution)
      return reads_ == Reads::Later ? later({address, bytes, i + 1, reach}) : all_cases(address, bytes, i, difference, reach);
    if (!certain && resolution->oracle_.must_alias) {
      std::vector<Term> because;
      Term at = resolution->pin(address, because), to = resolution->pin(written, because);
      if (!because.empty()) {
        resolution->assume(because);
        address = at;
        compare(at, to);
      }
    }
    if (!certain && resolution->oracle_.places && resolution->apart_in_all_places(address, bytes, written, size))
      continue;
    if (!certain) d = resolution->oracle_(difference) & mask;
    if (d >= size && ((u128{0} - d) & mask) >= bytes) {
      if (!certain)
        resolution->assume(store_.band(store_.uge(difference, store_.constant(width, size)),
                                       store_.uge(store_.neg(difference), store_.constant(width, bytes))));
      continue;
    }
    if (!certain) resolution->assume(store_.eq(difference, store_.constant(width, d)));
    if (d + bytes <= size) {
      const auto offset = static_cast<uint64_t>(d);
      if (writes_[i].kind == Write::Kind::Any) return any(i, offset, bytes);
      const Term value = resolution ? resolution->of(writes_[i].value) : writes_[i].value;
      return store_.extract(value, static_cast<unsigned>(8 * offset), 8 * bytes);
    }
    Term value;  // partly inside: byte by byte
    for (unsigned b = 0; b < bytes; ++b) {
      Term byte = read(plus(address, b), 1, i + 1, reach, resolution);
      value = value ? store_.concat(byte, value) : byte;
    }
    return value;
  }
  return memory(address, bytes);
}

Term Resolution::of(Term t, std::vector<Term>& aliases) {
  if (effect_.later_.empty()) return t;
  for (;;) {
    std::vector<Term> open;
    for (Term v : term::variables(t))
      if (effect_.later_.contains(v)) open.push_back(v);
    if (open.empty()) return t;
    for (Term v : open) {
      const Known& k = known(v);
      aliases.insert(aliases.end(), k.aliases.begin(), k.aliases.end());
    }
    t = effect_.store_.substitute(t, [&](Term v) { return effect_.later_.contains(v) ? known(v).value : v; });
  }
}

const Resolution::Known& Resolution::known(Term variable) {
  auto it = known_.find(variable);
  if (it != known_.end()) return it->second;
  Known found;
  std::vector<Term>* outer = sink_;
  sink_ = &found.aliases;
  const auto [address, bytes, writes, reach] = effect_.later_.at(variable);
  found.value = effect_.read(of(address), bytes, writes, reach, this);
  sink_ = outer;
  return known_.emplace(variable, std::move(found)).first->second;
}

/// The address as a constant, if it is a pointer to one object or a constant distance from one; `because` gets the condition.
Term Resolution::pin(Term address, std::vector<Term>& because) const {
  term::Store& store = effect_.store_;
  Term base = base_of(address);
  if (!base.is_variable() || !oracle_.must_alias(base)) return address;
  Term value = store.constant(base.width(), oracle_(base));
  because.push_back(store.eq(base, value));
  return store.add(value, store.sub(address, base));
}

/// The values that the address can have, if `because` holds; none: they are not known, or too many.
std::vector<u128> Resolution::places(Term address, std::vector<Term>& because) const {
  term::Store& store = effect_.store_;
  if (address.is_constant()) return {address.value()};
  Term base = base_of(address);
  if (!base.is_variable()) return {};
  std::vector<u128> values = oracle_.places(base);
  if (values.empty()) return {};
  Term offset = store.sub(address, base), one = store.falsity();
  for (u128& v : values) {
    one = store.bor(one, store.eq(base, store.constant(base.width(), v)));
    v = (v + offset.value()) & mask128(base.width());
  }
  because.push_back(one);
  return values;
}

bool Resolution::apart_in_all_places(Term address, unsigned bytes, Term written, uint64_t size) {
  std::vector<Term> because;
  const std::vector<u128> reads = places(address, because);
  if (reads.empty()) return false;
  const std::vector<u128> writes = places(written, because);
  if (writes.empty()) return false;
  const u128 mask = mask128(address.width());
  for (u128 r : reads)
    for (u128 w : writes)
      if (((r - w) & mask) < size || ((w - r) & mask) < bytes) return false;
  assume(because);
  return true;
}

}  // namespace whittle::wp
