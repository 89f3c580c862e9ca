// Memory: objects come and go, bytes are read and written at places that may depend on inputs.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/error.h"
#include "base/hash.h"
#include "engines/merge/unwinder.h"

namespace whittle::engines::merge {

using program::Kind;
using verdict::Property;

// Objects

namespace {
uint64_t site(program::FunctionId f, uint32_t edge) { return uint64_t{f} << 32 | edge | uint64_t{1} << 63; }
}  // namespace

bool Unwinder::make_object(Frame& frame, State& state, uint32_t edge, const semantics::NewObject& made) {
  const Statement& s = frame.function.edges[edge].statement;
  Term size = store_.resize_unsigned(evaluate(state, made.size), program_.pointer_width());
  const uint64_t most = code_->options().max_object;
  obstacle(store_.band(state.trail->all, store_.ugt(size, number(most))), "allocation of more than the machine's limit",
           frame, edge);
  state.trail = trails_->extend(state.trail, store_.ule(size, number(most)));
  if (Trails::impossible(state.trail)) return false;
  uint64_t capacity = 0;
  if (size.is_constant()) {
    capacity = size.value64();
  } else {
    // As many bytes as it can have, rounded up: what the structure of the term says, else the solver.
    const term::Range range = ranges_.unsigned_of(size);
    capacity = static_cast<uint64_t>(std::min<i128>(range.high, i128{1} << 40));
    if (capacity > 256)
      for (capacity = 64; capacity <= limitations_.object; capacity *= 4) {
        look_around();
        if (oracle_.possible(store_.band(state.trail->all, store_.ugt(size, number(capacity)))) == Possible::No) break;
      }
    if (capacity > limitations_.object) {
      obstacle(state.trail->all, "an object whose size depends on inputs and may be large", frame, edge);
      return false;
    }
  }
  const std::optional<ObjectNumber> n =
      objects_.make({.capacity = capacity, .size = size, .heap = made.heap, .site = site(frame.id, edge)},
                    key(frame, state, edge), made.heap || !frame.facts.saves);
  if (!n) {
    obstacle(state.trail->all, "no addresses left for another object", frame, edge);
    return false;
  }
  if (state.memory.find(*n)) fail_internal("an object is made twice on one way");
  ++figures_.objects;
  history_.made({state.trail->all, objects_[*n].address, frame.id, edge});
  Content content = Content::without_values(capacity);
  Term zeroed = evaluate(state, made.zeroed);
  if (zeroed.is_true()) {
    content = Content::zeroed(store_, capacity);
  } else if (!zeroed.is_false()) {
    const Content unknown = content;
    content = Content::join(store_, zeroed, Content::zeroed(store_, capacity), unknown, [&](uint64_t offset, bool) {
      return missing(*n, offset, store_.band(state.trail->all, store_.bnot(zeroed)));
    });
  }
  state.memory.add({*n, store_.truth(), std::make_shared<Content>(std::move(content))});
  if (!made.heap && std::find(frame.objects.begin(), frame.objects.end(), *n) == frame.objects.end())
    frame.objects.push_back(*n);
  set_register(frame, state, s.targets[0], number(objects_[*n].address));
  return true;
}

void Unwinder::free_object(Frame& frame, State& state, uint32_t edge) {
  Term pointer = evaluate(state, frame.function.edges[edge].statement.operands[0]);
  Term fine = store_.eq(pointer, store_.constant(pointer.width(), 0));
  std::vector<std::pair<ObjectNumber, Term>> ends;
  for (const Place& place : pointers_.places(pointer)) {
    const Memory::Held* held = state.memory.find(place.object);
    if (!held || !objects_[place.object].heap) continue;
    Term here = store_.band(place.condition, store_.band(held->alive, store_.eq(place.offset, number(0))));
    fine = store_.bor(fine, here);
    ends.emplace_back(place.object, here);
  }
  if (!require(state, fine, Property::ValidFree, frame, edge)) {
    state.trail = trails_->extend(state.trail, store_.falsity());
    return;
  }
  for (auto& [n, here] : ends)
    state.memory.set_alive(n, store_.band(state.memory.find(n)->alive, store_.bnot(here)));
}

/// Marks are counts of objects.
void Unwinder::restore_stack(Frame& frame, State& state, Term mark) {
  for (ObjectNumber n : frame.objects) {
    const Memory::Held* held = state.memory.find(n);
    if (!held) continue;
    Term stays = store_.ult(store_.constant(mark.width(), n), mark);
    if (!stays.is_true()) state.memory.set_alive(n, store_.band(held->alive, stays));
  }
}

/// ObjectSize and ObjectOffset. A pointer that is no choice between constants must point to one of its places.
Term Unwinder::object_property(Frame& frame, State& state, uint32_t edge) {
  const Statement& s = frame.function.edges[edge].statement;
  Term pointer = evaluate(state, s.operands[0]);
  const bool wants_size = s.kind == Kind::ObjectSize;
  Term result = wants_size ? number(0) : store_.resize_unsigned(pointer, program_.pointer_width());
  Term found = store_.boolean(pointers_.constants(pointer).has_value());
  for (const Place& place : pointers_.places(pointer)) {
    const Object& object = objects_[place.object];
    const Memory::Held* held = state.memory.find(place.object);
    if (!held && !object.fixed && wants_size) continue;
    Term inside = object.fixed ? store_.ult(place.offset, object.size) : store_.ule(place.offset, object.size);
    Term here = store_.band(place.condition, held && wants_size ? store_.band(held->alive, inside) : inside);
    result = store_.ite(here, wants_size ? object.size : place.offset, result);
    // Close to an object there is no other one.
    const uint64_t gap = program::layout::kStaticGap - 1;
    Term close = store_.ule(store_.add(place.offset, number(gap)), store_.add(object.size, number(2 * gap)));
    found = store_.bor(found, store_.band(place.condition, close));
  }
  obstacle(store_.band(state.trail->all, store_.bnot(found)), "a question about an object that is not known", frame,
           edge);
  state.trail = trails_->extend(state.trail, found);
  return result;
}

const Content& Unwinder::content(const State& state, ObjectNumber n) {
  const Memory::Held* held = state.memory.find(n);
  return held ? *held->content : objects_.initial(n);
}

/// A value for a byte that has one on other ways only.
Term Unwinder::missing(ObjectNumber n, uint64_t offset, Term when) {
  uint64_t k = hash_combine(objects_[n].address, offset);
  while (!keys_.insert(k).second) k = hash_mix(k);
  Term variable = input("uninitialised", 8, k);
  history_.asked({when, variable, objects_[n].address + offset, 1});
  return variable;
}

// Places

Unwinder::Located Unwinder::locate(const State& state, Term address, Term bytes, bool write, unsigned align) {
  Located located;
  located.valid = store_.falsity();
  std::vector<Place> places = pointers_.places(address);
  if (places.empty() && !address.is_constant()) places = anywhere(state, address);
  for (const Place& place : places) {
    const Object& object = objects_[place.object];
    const Memory::Held* held = state.memory.find(place.object);
    if ((!held && !object.fixed) || (write && object.constant)) continue;
    Term fits = store_.band(store_.ule(bytes, object.size), store_.ule(place.offset, store_.sub(object.size, bytes)));
    Term here = store_.band(place.condition, fits);
    if (held) here = store_.band(here, held->alive);
    if (align > 1) {
      Term at = store_.add(place.offset, number(object.address));
      here = store_.band(here, store_.eq(store_.band(at, number(align - 1)), number(0)));
    }
    if (here.is_false()) continue;
    located.valid = store_.bor(located.valid, here);
    located.targets.push_back({place.object, here, place.offset});
  }
  return located;
}

/// A pointer that comes from outside may point to whatever there is.
std::vector<Place> Unwinder::anywhere(const State& state, Term address) {
  std::vector<Place> places;
  for (ObjectNumber n = 0; n < objects_.count() && places.size() < limitations_.anywhere; ++n)
    if (objects_[n].fixed || state.memory.find(n))
      places.push_back({n, store_.truth(), store_.sub(address, store_.constant(address.width(), objects_[n].address))});
  return places;
}

term::Elements Unwinder::elements(const Target& target, uint64_t bytes) {
  return term::elements(ranges_, target.offset, objects_[target.object].capacity, bytes);
}

bool Unwinder::too_many(State& state, const term::Elements& e, uint64_t bytes, const Frame& frame,
                        uint32_t edge) {
  if (e.count <= limitations_.elements && e.count * bytes <= limitations_.bulk) return false;
  obstacle(state.trail->all, fmt::format("an access that may touch {} elements", e.count), frame, edge);
  return true;
}

// Reading

/// Bytes without a value get one when they are read, and keep it.
void Unwinder::give_values(Frame& frame, State& state, uint32_t edge, const Target& target, uint64_t offset,
                           uint64_t bytes) {
  const Content& now = content(state, target.object);
  if (now.has_values(offset, bytes)) return;
  const uint64_t address = objects_[target.object].address;
  Term here = store_.band(store_.band(state.trail->all, target.select), store_.eq(target.offset, number(offset)));
  for (uint64_t i = 0; i < bytes;) {
    if (content(state, target.object).has_value(offset + i)) {
      ++i;
      continue;
    }
    uint64_t end = i + 1;
    while (end < bytes && end - i < 16 && !content(state, target.object).has_value(offset + end)) ++end;
    Term variable = input("uninitialised", static_cast<unsigned>(8 * (end - i)),
                          hash_combine(key(frame, state, edge), address + offset + i));
    history_.asked({here, variable, address + offset + i, end - i});
    state.memory.writable(target.object, objects_, store_).store(offset + i, variable);
    i = end;
  }
}

Term Unwinder::load_one(Frame& frame, State& state, uint32_t edge, const Target& target, unsigned bytes) {
  const term::Elements e = elements(target, bytes);
  if (e.count == 0) return store_.constant(8 * bytes, 0);  // nowhere: that is a claim already
  for (uint64_t i = 0; i < e.count; ++i) give_values(frame, state, edge, target, e.place(i), bytes);
  const Content& now = content(state, target.object);
  std::vector<Term> values;
  for (uint64_t i = 0; i < e.count; ++i) values.push_back(now.load(store_, e.place(i), bytes));
  return term::pick(store_, target.offset, e, values);
}

Term Unwinder::load(Frame& frame, State& state, uint32_t edge, const Located& located, unsigned bytes) {
  if (located.targets.empty()) return store_.constant(8 * bytes, 0);
  Term value = load_one(frame, state, edge, located.targets.back(), bytes);
  for (size_t i = located.targets.size() - 1; i-- > 0;)
    value = store_.ite(located.targets[i].select, load_one(frame, state, edge, located.targets[i], bytes), value);
  return value;
}

// Writing

void Unwinder::store_one(Frame&, State& state, uint32_t, const Target& target, Term value, Term when) {
  const unsigned bytes = value.width() / 8;
  const term::Elements e = elements(target, bytes);
  if (e.count == 0) return;
  Content& into = state.memory.writable(target.object, objects_, store_);
  for (uint64_t i = 0; i < e.count; ++i) {
    const uint64_t offset = e.place(i);
    Term here = e.count == 1 ? when : store_.band(when, store_.eq(target.offset, number(offset)));
    if (here.is_false()) continue;
    if (here.is_true()) {
      into.store(offset, value);
      continue;
    }
    for (unsigned b = 0; b < bytes; ++b)
      if (!into.has_value(offset + b))
        into.store(offset + b, missing(target.object, offset + b, state.trail->all));
    into.store(offset, store_.ite(here, value, into.load(store_, offset, bytes)));
  }
}

void Unwinder::store(Frame& frame, State& state, uint32_t edge, const Located& located, Term value) {
  for (const Target& target : located.targets)
    store_one(frame, state, edge, target, value, located.targets.size() == 1 ? store_.truth() : target.select);
}

/// The usual case: so many bytes, at one place. Bytes without a value get one: their copies have the same.
bool Unwinder::bulk_in_place(Frame& frame, State& state, uint32_t edge, const Located& from, const Target& to,
                             uint64_t bytes, const semantics::Write& write) {
  const uint64_t target = to.offset.value64(), room = objects_[to.object].capacity;
  if (bytes > room || target > room - bytes) return false;  // a claim that fails
  if (write.kind == semantics::Write::Kind::Fill) {
    Term byte = evaluate(state, write.value);
    Content& into = state.memory.writable(to.object, objects_, store_);
    for (uint64_t i = 0; i < bytes; ++i) into.store(target + i, byte);
    return true;
  }
  const Target& source = from.targets[0];
  const uint64_t begin = source.offset.value64(), there = objects_[source.object].capacity;
  if (bytes > there || begin > there - bytes) return false;
  give_values(frame, state, edge, source, begin, bytes);
  const Content before = content(state, source.object);
  state.memory.writable(to.object, objects_, store_).copy(target, before, begin, bytes);
  return true;
}

/// Copy, Fill and Output.
bool Unwinder::bulk(Frame& frame, State& state, uint32_t edge, const semantics::Write& write) {
  const Statement& s = frame.function.edges[edge].statement;
  const bool copies = s.kind == Kind::Copy;
  const EdgeFacts& known = facts(frame, edge);
  Term size, from_address, to_address;
  Located from, to;
  for (const semantics::Demand& demand : known.demands) {
    const semantics::Access& access = demand.access;
    size = store_.resize_unsigned(evaluate(state, s.operands[access.size_operand]), program_.pointer_width());
    if (size.is_constant(0)) return true;
    Located located = locate(state, evaluate(state, s.operands[access.address]), size, access.write, 1);
    Term valid = store_.bor(store_.eq(size, number(0)), located.valid);
    if (!require(state, valid, demand.property, frame, edge)) return false;
    (access.write ? to : from) = std::move(located);
  }
  // So many bytes at most: what is known of the size, and what the objects have.
  auto room = [&](const Located& located) {
    uint64_t most = 0;
    for (const Target& target : located.targets) most = std::max(most, objects_[target.object].capacity);
    return most;
  };
  auto bytes = static_cast<uint64_t>(std::min<i128>(ranges_.unsigned_of(size).high, i128{1} << 40));
  if (copies || s.kind == Kind::Output) bytes = std::min(bytes, room(from));
  if (s.kind != Kind::Output) bytes = std::min(bytes, room(to));
  const bool exact = size.is_constant();
  auto plain = [&](const Located& l) { return l.targets.size() == 1 && l.targets[0].offset.is_constant(); };
  if (exact && plain(to) && (plain(from) || s.kind == Kind::Fill))
    return bulk_in_place(frame, state, edge, from, to.targets[0], size.value64(), write);
  uint64_t work = 0;
  for (const Located* located : {&from, &to})
    for (const Target& target : located->targets) {
      const term::Elements e = elements(target, 1);
      work += e.count * bytes;
    }
  if (work > limitations_.bulk) {
    obstacle(state.trail->all, fmt::format("a copy or fill that may touch {} bytes", work), frame, edge);
    return false;
  }
  auto shifted = [&](const Located& located, uint64_t by) {
    Located moved = located;
    for (Target& target : moved.targets) target.offset = store_.add(target.offset, number(by));
    return moved;
  };
  std::vector<Term> values;
  Term byte = s.kind == Kind::Fill ? evaluate(state, write.value) : Term();
  for (uint64_t i = 0; i < bytes; ++i)
    values.push_back(byte ? byte : load(frame, state, edge, shifted(from, i), 1));
  if (s.kind == Kind::Output) return true;
  for (uint64_t i = 0; i < bytes; ++i) {
    Term within = store_.ult(number(i), size);
    if (within.is_false()) break;
    Located moved = shifted(to, i);
    for (const Target& target : moved.targets) {
      Term when = moved.targets.size() == 1 ? within : store_.band(within, target.select);
      store_one(frame, state, edge, target, values[i], when);
    }
  }
  return true;
}

}  // namespace whittle::engines::merge
