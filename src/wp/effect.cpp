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
  if (t.has_reads())
    return store_.substitute(
        t, [&](Term v) { return value(v); }, [&](Term r) { return load(r.kid(0), r.width() / 8); });
  return registers_.empty() && !known_ ? t : store_.substitute(t, [&](Term v) { return value(v); });
}

void Effect::guard(Term condition) {
  if (!condition.is_true()) guards_.push_back(condition);
}

void Effect::write(Term address, Term value) {
  writes_.push_back({Write::Kind::Value, address, value.width() / 8, value, {}, {}});
}

void Effect::write_any(Term address, uint64_t size) {
  writes_.push_back({Write::Kind::Any, address, std::max<uint64_t>(size, 1), {}, {}, {}});
}

void Effect::write_anywhere(std::function<bool(uint64_t)> may) {
  writes_.push_back({Write::Kind::Anywhere, {}, 0, {}, {}, std::move(may)});
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

/// The address as a constant, if it is a pointer to one object or a constant distance from one; `because` gets the condition.
Term Effect::pin(Term address, std::vector<Term>& because) const {
  Term base = base_of(address);
  if (!base.is_variable() || !oracle_.must_alias(base)) return address;
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
  aliases_wanted().insert(aliases_wanted().end(), because.begin(), because.end());
  return true;
}

Term Effect::read(Term address, unsigned bytes, size_t count) {
  const unsigned width = address.width();
  const u128 mask = mask128(width);
  for (size_t i = count; i-- > 0;) {
    if (writes_[i].kind == Write::Kind::Anywhere) {
      if (address.is_constant() && writes_[i].may && !writes_[i].may(address.value64())) continue;
      return any(i, address.id(), bytes);
    }
    const uint64_t size = writes_[i].size;
    Term difference;  // made only where it is needed: most addresses are constants
    bool certain = address.is_constant() && writes_[i].address.is_constant();
    u128 d = certain ? (address.value() - writes_[i].address.value()) & mask : 0;
    if (!certain) {
      difference = store_.sub(address, writes_[i].address);
      certain = difference.is_constant();
      if (certain) d = difference.value();
    }
    if (!certain && !oracle_) {
      Term apart = store_.band(store_.uge(difference, store_.constant(width, size)),
                               store_.uge(store_.neg(difference), store_.constant(width, bytes)));
      Term older = read(address, bytes, i);
      Term inside = fresh(8 * bytes);
      if (writes_[i].kind == Write::Kind::Value && size == bytes)
        inside = store_.ite(store_.eq(difference, store_.constant(width, 0)), writes_[i].value, inside);
      if (writes_[i].kind == Write::Kind::Any)  // what was read there before is there still
        for (const auto& [where, any] : writes_[i].any)
          if (where.second == bytes)
            inside = store_.ite(store_.eq(difference, store_.constant(width, where.first)), any, inside);
      return store_.ite(apart, older, inside);
    }
    if (!certain && oracle_.must_alias) {
      std::vector<Term> because;
      Term at = pin(address, because), written = pin(writes_[i].address, because);
      if (!because.empty()) {
        aliases_wanted().insert(aliases_wanted().end(), because.begin(), because.end());
        address = at;
        difference = store_.sub(at, written);
        certain = difference.is_constant();
        if (certain) d = difference.value();
      }
    }
    if (!certain && oracle_.places && apart_in_all_places(address, bytes, writes_[i])) continue;
    if (!certain) d = oracle_(difference) & mask;
    if (d >= size && ((u128{0} - d) & mask) >= bytes) {
      if (!certain)
        aliases_wanted().push_back(store_.band(store_.uge(difference, store_.constant(width, size)),
                                               store_.uge(store_.neg(difference), store_.constant(width, bytes))));
      continue;
    }
    if (!certain) aliases_wanted().push_back(store_.eq(difference, store_.constant(width, d)));
    if (d + bytes <= size) {
      const auto offset = static_cast<uint64_t>(d);
      if (writes_[i].kind == Write::Kind::Any) return any(i, offset, bytes);
      return store_.extract(writes_[i].value, static_cast<unsigned>(8 * offset), 8 * bytes);
    }
    Term value;  // partly inside: byte by byte
    for (unsigned b = 0; b < bytes; ++b) {
      Term byte = read(plus(address, b), 1, i + 1);
      value = value ? store_.concat(byte, value) : byte;
    }
    return value;
  }
  return memory(address, bytes);
}

Term Effect::pre(Term predicate, std::vector<Term>& aliases) {
  alias_sink_ = &aliases;
  Term before = now(predicate);
  alias_sink_ = nullptr;
  return before;
}

}  // namespace whittle::wp
