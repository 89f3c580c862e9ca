#include "engines/dash/test.h"

#include <algorithm>

namespace whittle::engines::dash {

namespace {

/// The last one up to a time; null: there is none.
template <typename Entry>
const Entry* latest(const std::vector<Entry>& entries, uint32_t time) {
  auto it =
      std::upper_bound(entries.begin(), entries.end(), time, [](uint32_t t, const Entry& e) { return t < e.time; });
  return it == entries.begin() ? nullptr : &*(it - 1);
}

/// Only the last change between two visits can be seen.
template <typename Entry>
void append(std::vector<Entry>& entries, const Entry& entry, uint32_t last_visit) {
  if (!entries.empty() && entries.back().time > last_visit)
    entries.back() = entry;
  else
    entries.push_back(entry);
}

}  // namespace

// Writing

void Test::visit(Place place, size_t path) {
  visits.push_back({place, static_cast<uint32_t>(path), static_cast<uint32_t>(inputs.size()), time_});
}

void Test::set(Term variable, u128 value, Term term) {
  append(variables_[variable.variable()], {++time_, value & mask128(variable.width()), term}, last_visit());
}

void Test::set_byte(uint64_t address, uint8_t value, Term term) {
  append(memory_[address], {++time_, value, false, term, 0}, last_visit());
}

void Test::unset_byte(uint64_t address, uint64_t first) {
  append(memory_[address], {++time_, 0, true, {}, first}, last_visit());
}

void Test::make_object(uint64_t address, uint64_t size, bool zeroed) {
  objects_[address].push_back({++time_, zeroed, size});
}

void Test::settle_byte(uint64_t address, uint8_t value, Term term) {
  auto known = byte(address, UINT32_MAX);
  const uint32_t since = known ? known->time : 0;
  auto& entries = memory_[address];
  if (!entries.empty() && entries.back().time == since) entries.pop_back();
  entries.push_back({since, value, false, term, 0});
}

// Reading

const Test::Version* Test::version(Term variable, uint32_t time) const {
  auto it = variables_.find(variable.variable());
  return it == variables_.end() ? nullptr : latest(it->second, time);
}

const Test::Made* Test::made(uint64_t address, uint32_t time) const {
  auto it = objects_.upper_bound(address);
  if (it == objects_.begin()) return nullptr;
  --it;
  const Made* object = latest(it->second, time);
  return object && address - it->first < object->size ? object : nullptr;
}

std::optional<Test::Byte> Test::byte(uint64_t address, uint32_t time) const {
  auto it = memory_.find(address);
  const Byte* written = it == memory_.end() ? nullptr : latest(it->second, time);
  const Made* object = address < program::layout::kDynamicBase ? nullptr : made(address, time);
  if (object && (!written || written->time < object->time)) return Byte{object->time, 0, !object->zeroed, {}, address};
  if (!written) return std::nullopt;
  return *written;
}

uint8_t Test::value(const Space& space, uint64_t address, const std::optional<Byte>& byte) const {
  if (!byte) return space.initial_byte(address);
  if (!byte->unset) return byte->value;
  // (What is never read has the value that was planned, too: predicates may mention it.)
  auto it = planned.find(byte->first);
  return it == planned.end() ? 0 : it->second;
}

u128 Test::bytes(const Space& space, uint64_t address, unsigned count, uint32_t time) const {
  u128 result = 0;
  for (unsigned i = 0; i < count; ++i) result |= u128{value(space, address + i, byte(address + i, time))} << (8 * i);
  return result;
}

Term Test::bytes_term(Space& space, uint64_t address, unsigned count, uint32_t time) const {
  auto& store = space.terms();
  bool symbolic = false;
  u128 constant = 0;
  std::vector<std::optional<Byte>> known(count);
  for (unsigned i = 0; i < count; ++i) {
    known[i] = byte(address + i, time);
    symbolic |= known[i] && (known[i]->term || known[i]->unset);
    constant |= u128{value(space, address + i, known[i])} << (8 * i);
  }
  if (!symbolic) return store.constant(8 * count, constant);
  Term result;
  for (unsigned i = 0; i < count; ++i) {
    Term t = known[i] && known[i]->unset  ? space.cell(known[i]->first)
             : known[i] && known[i]->term ? known[i]->term
                                          : store.constant(8, constant >> (8 * i) & 0xff);
    result = result ? store.concat(t, result) : t;
  }
  return result;
}

std::vector<std::pair<uint64_t, uint64_t>> Test::without_value(uint32_t visit, uint64_t least) const {
  const uint32_t time = visits[visit].time;
  std::vector<std::pair<uint64_t, uint64_t>> found;
  for (const auto& [address, versions] : objects_) {
    const Made* object = latest(versions, time);
    if (!object || object->zeroed) continue;
    constexpr uint64_t kFar = 4096;  // into an object
    uint64_t begin = 0, longest = 0, longest_begin = 0;
    for (uint64_t i = 0; i <= std::min(object->size, kFar); ++i) {
      const bool unset = i < object->size && byte(address + i, time)->unset;
      if (!unset && i - begin > longest) longest = i - begin, longest_begin = begin;
      if (!unset) begin = i + 1;
    }
    if (longest >= least) found.emplace_back(address + longest_begin, longest);
  }
  return found;
}

u128 Test::evaluate(const Space& space, uint32_t visit, Term t, Term extra, u128 value) const {
  const uint32_t time = visits[visit].time;
  term::Assignment a;
  a.variable = [&](Term v) -> u128 {
    if (v == extra) return value;
    const Version* x = version(v, time);
    return x ? x->value : 0;
  };
  a.read = [&](u128 address, unsigned n) { return bytes(space, static_cast<uint64_t>(address), n, time); };
  return space.terms().evaluate(t, a);
}

Term Test::symbolic(Space& space, uint32_t visit, Term t, std::vector<Term>& pins) const {
  const uint32_t time = visits[visit].time;
  auto& store = space.terms();
  auto model = [&](Term input) -> u128 {
    if (auto cell = space.cell_address(input)) {
      auto it = planned.find(*cell);
      return it == planned.end() ? 0 : it->second;
    }
    size_t n = space.input_number(input);
    return n < inputs.size() ? inputs[n].value : 0;
  };
  return store.substitute(
      t,
      [&](Term v) -> Term {
        if (!space.owner(v).known()) return {};
        const Version* x = version(v, time);
        if (!x) return store.constant(v.width(), 0);
        return x->term ? x->term : store.constant(v.width(), x->value);
      },
      [&](Term r) -> Term {
        Term address = r.kid(0);
        u128 at = address.is_constant() ? address.value() : store.evaluate(address, {model, {}});
        if (!address.is_constant()) pins.push_back(store.eq(address, store.constant(address.width(), at)));
        return bytes_term(space, static_cast<uint64_t>(at), r.width() / 8, time);
      });
}

}  // namespace whittle::engines::dash
