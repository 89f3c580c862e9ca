// Statements about objects and their bytes, other than plain loads and stores.
#include <fmt/format.h>

#include <algorithm>

#include "exec/machine_impl.h"

namespace whittle::exec {

using program::Kind;
using program::Rmw;
using verdict::Property;

namespace {

u128 combine(Rmw rmw, u128 old, u128 value, unsigned width) {
  i128 a = sign_extend128(old, width), b = sign_extend128(value, width);
  switch (rmw) {
    case Rmw::Exchange: return value;
    case Rmw::Add: return old + value;
    case Rmw::Sub: return old - value;
    case Rmw::And: return old & value;
    case Rmw::Nand: return ~(old & value);
    case Rmw::Or: return old | value;
    case Rmw::Xor: return old ^ value;
    case Rmw::Max: return a > b ? old : value;
    case Rmw::Min: return a < b ? old : value;
    case Rmw::UMax: return old > value ? old : value;
    case Rmw::UMin: return old < value ? old : value;
  }
  return value;
}

u128 read_bytes(const uint8_t* bytes, unsigned size) {
  u128 value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

unsigned alignment(const CodeImpl& code, const program::Statement& s) {
  return code.options.check_alignment && code.specification.has(Property::ValidDeref) ? s.align : 1;
}

}  // namespace

Outcome MachineImpl::wide_access(const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  const program::Statement& statement = *s.statement;
  bool write = statement.kind == Kind::Store;
  unsigned size = statement.width / 8;
  uint64_t address = static_cast<uint64_t>(get(r, s.operands[0]));
  Pending::Range range{address, size, !write, write};
  bool shared = reachable_by_others(address) && !statement.local, had_token = token;
  if (peeking) return admit(Pending::Kind::Access, &range, 1, statement.atomic, shared, f, s.edge), Outcome::Paused;
  Target target = resolve(address, size, write, alignment(code, statement), f, s.edge);
  if (!target.bytes) return Outcome::Paused;
  if (watch && !admit(Pending::Kind::Access, &range, 1, statement.atomic, shared, f, s.edge)) return Outcome::Paused;
  if (write) {
    u128 value = get(r, s.operands[1]);
    std::memcpy(target.bytes, &value, size);
    wrote(target, size);
  } else {
    if (!require_initialised(target, size, f, s.edge)) {
      token = had_token;
      return Outcome::Paused;
    }
    put(r, s.targets[0], read_bytes(target.bytes, size));
  }
  return Outcome::Next;
}

Outcome MachineImpl::update(const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  const program::Statement& statement = *s.statement;
  unsigned size = statement.width / 8;
  uint64_t address = static_cast<uint64_t>(get(r, s.operands[0]));
  Pending::Range range{address, size, true, true};
  bool shared = reachable_by_others(address), had_token = token;
  if (peeking) return admit(Pending::Kind::Access, &range, 1, true, shared, f, s.edge), Outcome::Paused;
  Target target = resolve(address, size, true, alignment(code, statement), f, s.edge);
  if (!target.bytes) return Outcome::Paused;
  if (watch && !admit(Pending::Kind::Access, &range, 1, true, shared, f, s.edge)) return Outcome::Paused;
  if (!require_initialised(target, size, f, s.edge)) {
    token = had_token;
    return Outcome::Paused;
  }
  u128 old = read_bytes(target.bytes, size), value = get(r, s.operands[1]);
  bool stores = true;
  if (statement.kind == Kind::AtomicCas) {
    stores = old == value;
    value = get(r, s.operands[2]);
  } else {
    value = combine(statement.rmw, old, value, statement.width);
  }
  const uint8_t kind = static_cast<uint8_t>(Access::kAtomic | (stores ? Access::kWrite : 0));
  const program::Order order = stores ? program::order_of(statement) : program::failure_order(statement);
  if (!note_access({address, size, kind, stores, may_race_later(address), order}, f, s.edge)) return Outcome::Paused;
  if (stores) {
    std::memcpy(target.bytes, &value, size);
    wrote(target, size);
  }
  if (!s.targets.empty()) put(r, s.targets[0], old);
  if (s.targets.size() > 1) put(r, s.targets[1], stores ? 1 : 0);
  return Outcome::Next;
}

Outcome MachineImpl::copy(const FunctionCode& f, const SlowStatement& s, const uint64_t* r) {
  uint64_t to = static_cast<uint64_t>(get(r, s.operands[0])), from = static_cast<uint64_t>(get(r, s.operands[1]));
  uint64_t size = static_cast<uint64_t>(get(r, s.operands[2]));
  if (size == 0) return peeking ? Outcome::Paused : Outcome::Next;
  Pending::Range ranges[2] = {{from, size, true, false}, {to, size, false, true}};
  bool shared = (reachable_by_others(from) || reachable_by_others(to)) && !s.statement->local, had_token = token;
  if (peeking) return admit(Pending::Kind::Access, ranges, 2, false, shared, f, s.edge), Outcome::Paused;
  Target source = resolve(from, size, false, 1, f, s.edge);
  if (!source.bytes) return Outcome::Paused;
  Target target = resolve(to, size, true, 1, f, s.edge);
  if (!target.bytes) return Outcome::Paused;
  if (watch && !admit(Pending::Kind::Access, ranges, 2, false, shared, f, s.edge)) return Outcome::Paused;
  std::vector<uint32_t> holes;  // bytes without a value stay without one: it is the same
  if (source.dynamic && source.dynamic->uninitialised != 0)
    for (uint32_t i = 0; i < size; ++i)
      if (!memory.initialised(*source.dynamic, source.offset + i)) holes.push_back(i);
  if (!holes.empty() && !target.dynamic) {
    // Static objects always have values: ask for the missing ones.
    if (!require_initialised(source, size, f, s.edge)) {
      token = had_token;
      return Outcome::Paused;
    }
  }
  if (!holes.empty() && from == to) return Outcome::Next;
  std::vector<Links::Unknown> unknowns;  // all of them first: the two may overlap
  for (uint32_t i : holes) unknowns.push_back(memory.links().unknown(static_cast<uint32_t>(from) + i));
  std::memmove(target.bytes, source.bytes, size);
  wrote(target, size);
  for (size_t k = 0; k < holes.size(); ++k) {
    memory.set_uninitialised(*target.dynamic, target.offset + holes[k], 1);
    memory.links().set(static_cast<uint32_t>(to) + holes[k], unknowns[k]);
  }
  return Outcome::Next;
}

Outcome MachineImpl::fill(const FunctionCode& f, const SlowStatement& s, const uint64_t* r) {
  uint64_t to = static_cast<uint64_t>(get(r, s.operands[0]));
  uint64_t size = static_cast<uint64_t>(get(r, s.operands[2]));
  if (size == 0) return peeking ? Outcome::Paused : Outcome::Next;
  Pending::Range range{to, size, false, true};
  bool shared = reachable_by_others(to) && !s.statement->local;
  if (peeking) return admit(Pending::Kind::Access, &range, 1, false, shared, f, s.edge), Outcome::Paused;
  Target target = resolve(to, size, true, 1, f, s.edge);
  if (!target.bytes) return Outcome::Paused;
  if (watch && !admit(Pending::Kind::Access, &range, 1, false, shared, f, s.edge)) return Outcome::Paused;
  std::memset(target.bytes, static_cast<int>(get(r, s.operands[1])), size);
  wrote(target, size);
  return Outcome::Next;
}

Outcome MachineImpl::execute_memory(Thread&, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  switch (s.statement->kind) {
    case Kind::Copy: return copy(f, s, r);
    case Kind::Fill: return fill(f, s, r);
    case Kind::Load:
    case Kind::Store: return wide_access(f, s, r);
    default: return update(f, s, r);
  }
}

// Objects

Outcome MachineImpl::allocate(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  bool heap = s.statement->kind == Kind::HeapAlloc;
  uint64_t size = static_cast<uint64_t>(get(r, s.operands[0]));
  if (size > code.options.max_object || memory.live_bytes() + size > code.options.max_memory) {
    cut("allocation of more than the machine's limit", f, s.edge);
    return Outcome::Paused;
  }
  t.location = edge_at(f, s.edge).from;
  if (memory.dead() > 64 + (memory.live_bytes() + code.saved_bytes) / 256) collect();
  uint32_t area = heap ? Memory::heap_area(active) : Memory::stack_area(active);
  const uint64_t wanted = placement ? placement->place(active, f.id, s.edge, size) : 0;
  DynamicObject* object = nullptr;
  if (heap && s.operands.size() > 2)
    if (DynamicObject* ended = memory.find(static_cast<uint64_t>(get(r, s.operands[2])));
        ended && can_take(*ended, size)) {
      object = &memory.allocate_again(*ended, size);
      area = Memory::area_of(object->address);
      // Whoever has the old pointer can reach it, and what has not escaped belongs to the thread of its area.
      memory.set_escaped(*object, alive_count > 1 || area != Memory::heap_area(active));
    }
  if (!object)
    object = wanted != 0 ? memory.place(area, wanted, size)
                         : memory.allocate(area, size, heap ? 16 : std::max<unsigned>(s.statement->align, 1));
  if (!object) {
    cut(wanted != 0 ? "an object is made where another one lives" : "no addresses left for another object", f, s.edge);
    return Outcome::Paused;
  }
  object->kind = heap ? ObjectInfo::Kind::Heap : ObjectInfo::Kind::Stack;
  EdgeRef site = heap ? user_site(f, s.edge) : EdgeRef{&f, s.edge};
  object->site_function = site.function->id;
  object->site_edge = site.edge;
  if (heap) {
    if (get(r, s.operands[1]) & 1) memory.set_initialised(*object, 0, object->size);
  } else {
    object->frame = static_cast<uint32_t>(t.frames.size() - 1);
    object->sequence = t.frames.back().objects++;
  }
  put(r, s.targets[0], object->address);
  return Outcome::Next;
}

bool MachineImpl::can_take(const DynamicObject& ended, uint64_t size) const {
  return !ended.alive && ended.kind == ObjectInfo::Kind::Heap && memory.fits(ended, size);
}

/// Only where there are others: a thread alone that compares a pointer to what it freed compares an indeterminate
/// value.
Outcome MachineImpl::freed(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  uint64_t size = static_cast<uint64_t>(get(r, s.operands[0])), above = static_cast<uint64_t>(get(r, s.operands[1]));
  uint64_t found = 0;
  if (alive_count > 1 && memory.dead() != 0) {
    t.location = edge_at(f, s.edge).from;
    collect();
    for (uint32_t a = 0; a < memory.area_count() && found == 0; a += 2)
      for (const DynamicObject& object : memory.objects(a))
        if (found == 0 && object.address > above && can_take(object, size)) found = object.address;
  }
  put(r, s.targets[0], found);
  return Outcome::Next;
}

Outcome MachineImpl::free_heap(const FunctionCode& f, const SlowStatement& s, const uint64_t* r) {
  uint64_t address = static_cast<uint64_t>(get(r, s.operands[0]));
  if (address == 0) return peeking ? Outcome::Paused : Outcome::Next;
  DynamicObject* object = memory.find(address);
  Pending::Range range{address, object ? object->size : 0, false, true};
  if (peeking)
    return admit(Pending::Kind::Free, &range, 1, false, reachable_by_others(address), f, s.edge), Outcome::Paused;
  std::string wrong;
  if (!object)
    wrong = fmt::format("free of address {:#x}, where no heap object is", address);
  else if (object->kind != ObjectInfo::Kind::Heap)
    wrong = fmt::format("free of {}, which is no heap object", name_of(*object));
  else if (!object->alive)
    wrong = fmt::format("{} is freed a second time", name_of(*object));
  else if (object->address != address)
    wrong = fmt::format("free of offset {} of {}, not of its begin", address - object->address, name_of(*object));
  if (const StaticObject* fixed = code.static_at(address))
    wrong = fmt::format("free of {}, which is no heap object", code.program.objects[fixed->id].name);
  if (!wrong.empty()) {
    fail(Property::ValidFree, wrong, f, s.edge);
    return Outcome::Paused;
  }
  if (hidden(*object)) {
    cut(fmt::format("free of {} of another thread, by an address that was no pointer on its way", name_of(*object)), f,
        s.edge);
    return Outcome::Paused;
  }
  if (watch && !admit(Pending::Kind::Free, &range, 1, false, object->escaped, f, s.edge)) return Outcome::Paused;
  end_object(*object);
  return Outcome::Next;
}

Outcome MachineImpl::execute_object(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  switch (s.statement->kind) {
    case Kind::StackAlloc:
    case Kind::HeapAlloc: return allocate(t, f, s, r);
    case Kind::Freed: return freed(t, f, s, r);
    case Kind::HeapFree: return free_heap(f, s, r);
    case Kind::ObjectSize: {
      uint64_t address = static_cast<uint64_t>(get(r, s.operands[0])), size = 0;
      if (const StaticObject* object = code.static_at(address))
        size = object->size;
      else if (const DynamicObject* dynamic = memory.find(address);
               dynamic && dynamic->alive && address - dynamic->address <= dynamic->size)
        size = dynamic->size;
      put(r, s.targets[0], size);
      return Outcome::Next;
    }
    case Kind::ObjectOffset: {
      uint64_t offset = static_cast<uint64_t>(get(r, s.operands[0]));
      if (const StaticObject* object = code.static_at(offset))
        offset -= object->address;
      else if (const DynamicObject* dynamic = memory.find(offset);
               dynamic && offset - dynamic->address <= dynamic->size)
        offset -= dynamic->address;
      put(r, s.targets[0], offset);
      return Outcome::Next;
    }
    case Kind::StackSave: put(r, s.targets[0], t.frames.back().objects); return Outcome::Next;
    case Kind::StackRestore: {
      uint32_t mark = static_cast<uint32_t>(get(r, s.operands[0]));
      if (mark >= t.frames.back().objects) return Outcome::Next;
      bool escaped = false;
      for (const DynamicObject& o : memory.objects(Memory::stack_area(active)))
        escaped |= o.alive && o.escaped && o.frame + 1 == t.frames.size();
      if (escaped && !admit(Pending::Kind::Free, nullptr, 0, false, true, f, s.edge)) return Outcome::Paused;
      end_frame_objects(active, static_cast<uint32_t>(t.frames.size() - 1), mark);
      t.frames.back().objects = mark;
      return Outcome::Next;
    }
    case Kind::ThreadLocal: return thread_local_copy(f, s, r);
    default: cut("a statement the machine does not know", f, s.edge); return Outcome::Paused;
  }
}

/// It comes into being when it is first asked for, always at the same address.
Outcome MachineImpl::thread_local_copy(const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  const program::Object& object = code.program.objects[s.statement->object];
  uint32_t area = Memory::stack_area(active);
  uint32_t address = memory.area_base(area) + static_cast<uint32_t>(code.thread_local_offset[s.statement->object]);
  const DynamicObject* existing = memory.find(address);
  if (!existing || !existing->alive) {
    if (existing) memory.release(area, [&](const DynamicObject& o) { return o.address != address; });
    DynamicObject& made = memory.allocate_at(area, address, object.size);
    made.kind = ObjectInfo::Kind::ThreadLocal;
    made.site_function = f.id;
    made.site_edge = s.edge;
    memory.set_initialised(made, 0, made.size);
    std::copy(object.initial.begin(), object.initial.end(), memory.bytes(made));
  }
  put(r, s.targets[0], address);
  return Outcome::Next;
}

}  // namespace whittle::exec
