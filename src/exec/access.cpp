// Loads and stores: which object, whether it is allowed, whether other threads could see it.
#include <fmt/format.h>

#include <algorithm>

#include "exec/machine_impl.h"
#include "exec/strays.h"

namespace whittle::exec {

using verdict::Property;

std::string MachineImpl::name_of(const DynamicObject& object) const {
  const char* what = object.kind == ObjectInfo::Kind::Static ? "memory of no object"
                     : object.kind == ObjectInfo::Kind::Heap  ? "heap object"
                     : object.kind == ObjectInfo::Kind::Stack ? "local object"
                                                              : "thread-local object";
  if (object.site_function == program::kNone) return what;
  const program::Statement& site = edge_at(code.functions[object.site_function], object.site_edge).statement;
  if (object.kind == ObjectInfo::Kind::ThreadLocal) return code.program.objects[site.object].name;
  if (object.kind == ObjectInfo::Kind::Stack && !site.text.empty()) return site.text.starts_with('.') ? "compound literal" : site.text;
  if (!site.position.known()) return what;
  return fmt::format("{} allocated at {}", what, code.program.where(site.position));
}

namespace {

/// "at offset 4 of x (8 bytes)", "2 bytes past the end of x (8 bytes)", "1 byte before x (8 bytes)".
std::string where_in(uint64_t address, uint64_t object, uint64_t size, const std::string& name) {
  auto bytes = [](uint64_t n) { return fmt::format("{} byte{}", n, n == 1 ? "" : "s"); };
  const std::string whole = fmt::format("{} ({})", name, bytes(size));
  if (address < object) return fmt::format("{} before {}", bytes(object - address), whole);
  const uint64_t offset = address - object;
  if (offset < size) return fmt::format("at offset {} of {}", offset, whole);
  return offset == size ? fmt::format("just past the end of {}", whole)
                        : fmt::format("{} past the end of {}", bytes(offset - size), whole);
}

}  // namespace

std::optional<ObjectInfo> MachineImpl::nearest(uint64_t address) const {
  constexpr uint64_t kNear = 4096;
  std::optional<ObjectInfo> best;
  uint64_t distance = kNear;
  auto consider = [&](const ObjectInfo& object) {
    const uint64_t end = object.address + object.size;
    const uint64_t away = address < object.address ? object.address - address : address < end ? 0 : address - end;
    if (away < distance || (away == 0 && address < end)) best = object, distance = away;
  };
  auto consider_static = [&](const StaticObject& object) {
    consider({object.address, object.size, ObjectInfo::Kind::Static, true, object.constant});
  };
  auto consider_dynamic = [&](const DynamicObject* object) {
    if (object) consider({object->address, object->size, object->kind, object->alive, false});
  };
  auto next = std::upper_bound(code.statics.begin(), code.statics.end(), address,
                               [](uint64_t a, const StaticObject& o) { return a < o.address; });
  if (next != code.statics.begin()) consider_static(*(next - 1));
  consider_dynamic(memory.find(address));
  if (next != code.statics.end()) consider_static(*next);
  consider_dynamic(memory.next(address));
  return best;
}

std::string MachineImpl::describe(uint64_t address, uint64_t size, bool write) const {
  std::string access = fmt::format("{} of {} byte{}", write ? "write" : "read", size, size == 1 ? "" : "s");
  if (address == 0) return access + " through a null pointer";
  if (address < program::layout::kNullEnd)
    return fmt::format("{} through a null pointer (address {})", access, address);
  const std::optional<ObjectInfo> object = nearest(address);
  const StaticObject* known = object ? code.static_at(object->address) : nullptr;  // none: memory of no object
  if (known) return access + " " + where_in(address, object->address, object->size, code.program.objects[known->id].name);
  if (object) {
    std::string place = access + " " + where_in(address, object->address, object->size, name_of(*memory.find(object->address)));
    if (!object->alive)
      place += object->kind == ObjectInfo::Kind::Heap ? " after it was freed" : " after its lifetime ended";
    return place;
  }
  if (code.program.function_at(address)) return fmt::format("{} in the code of a function", access);
  return fmt::format("{} at address {:#x}, where no object is", access, address);
}

/// A page of memory of no object, made when something is accessed there first; null: this is none.
DynamicObject* MachineImpl::stray_page(uint64_t address, uint64_t size) {
  constexpr uint64_t kPage = 4096;
  if (!strays || alive_count != 1 || address < kStrayBase || address >= kStrayEnd) return nullptr;
  const uint64_t page = address / kPage * kPage;
  if (size > page + kPage - address || memory.find(page)) return nullptr;
  DynamicObject& made = memory.allocate_at(Memory::heap_area(0), static_cast<uint32_t>(page), kPage);
  made.kind = ObjectInfo::Kind::Static;
  made.place = made.size;  // the next page begins there
  return &made;
}

Target MachineImpl::resolve(uint64_t address, uint64_t size, bool write, unsigned align, const FunctionCode& f,
                            uint32_t edge) {
  Target target;
  if (const StaticObject* object = code.static_at(address)) {
    uint64_t inside = address - object->address;
    if (size > object->size || inside > object->size - size) {
      fail(Property::ValidDeref, describe(address, size, write), f, edge);
      return {};
    }
    if (write && object->constant) {
      fail(Property::ValidDeref, describe(address, size, true) + ", which is constant", f, edge);
      return {};
    }
    if (write && object->frozen) {
      cut(fmt::format("{}: nothing was thought to write it", describe(address, size, true)), f, edge);
      return {};
    }
    target = {memory.image() + object->host + inside, nullptr, static_cast<uint32_t>(inside), !object->frozen};
  } else {
    DynamicObject* dynamic = memory.find(address);
    if (!dynamic) dynamic = stray_page(address, size);
    if (!dynamic || !dynamic->alive || size > dynamic->size || address - dynamic->address > dynamic->size - size) {
      fail(Property::ValidDeref, describe(address, size, write), f, edge);
      return {};
    }
    if (hidden(*dynamic)) {
      cut(describe(address, size, write) + " of another thread, by an address that was no pointer on its way", f, edge);
      return {};
    }
    uint32_t inside = static_cast<uint32_t>(address - dynamic->address);
    target = {memory.bytes(*dynamic) + inside, dynamic, inside, dynamic->escaped};
  }
  if (align > 1 && address % align != 0) {
    fail(Property::ValidDeref, describe(address, size, write) + fmt::format(" is misaligned: {} bytes demanded", align),
         f, edge);
    return {};
  }
  return target;
}

bool MachineImpl::reachable_by_others(uint64_t address) const {
  if (const StaticObject* object = code.static_at(address)) return !object->frozen;
  const DynamicObject* object = memory.find(address);
  return !object || !object->alive || object->escaped;
}

/// Where others cannot reach the object yet, what is done to it is ordered before whatever hands a pointer to it over, and
/// that orders it before what the receiver does: unless weaker orders are used, which order nothing.
bool MachineImpl::may_race_later(uint64_t address) const {
  return reachable_by_others(address) || (code.orders.secret && memory.find(address));
}

bool MachineImpl::is_observed(const Pending::Range* ranges, unsigned count) const {
  for (const Pending::Range& seen : observed)
    for (unsigned i = 0; i < count; ++i)
      if (ranges[i].write && ranges[i].address < seen.address + seen.size &&
          seen.address < ranges[i].address + ranges[i].size)
        return true;
  return false;
}

bool MachineImpl::admit(Pending::Kind kind, const Pending::Range* ranges, unsigned count, bool atomic, bool shared,
                        const FunctionCode& f, uint32_t edge) {
  const Thread& t = threads[active];
  bool visible = (shared && alive_count > 1) || (!observed.empty() && is_observed(ranges, count));
  if (peeking || (visible && t.depth == 0 && !token)) {
    pending = {};
    pending.kind = peeking && !shared ? Pending::Kind::Unknown : kind;
    pending.atomic = atomic;
    pending.range_count = static_cast<uint8_t>(count);
    for (unsigned i = 0; i < count; ++i) pending.ranges[i] = ranges[i];
    pending.function = f.id;
    pending.edge = edge;
    if (!peeking) stop(PauseKind::Visible, f, edge);
    return false;
  }
  if (visible && t.depth == 0) token = false;
  if (code.check_races && kind != Pending::Kind::Await) {
    const uint8_t atomically = atomic ? Access::kAtomic : 0;
    const program::Statement& s = edge_at(f, edge).statement;
    for (unsigned i = 0; i < count; ++i)
      if (ranges[i].read != ranges[i].write &&  // not an update: it knows only later whether it writes
          !note_access({ranges[i].address, ranges[i].size,
                        static_cast<uint8_t>(atomically | (ranges[i].write ? Access::kWrite : 0)), false,
                        !s.local && may_race_later(ranges[i].address), program::order_of(s)},
                       f, edge))
        return false;
  }
  if (access_log && (shared || alive_count == 1))
    for (unsigned i = 0; i < count; ++i) {
      access_log->push_back(ranges[i]);
      access_log->back().function = f.id;
      access_log->back().edge = edge;
      access_log->back().region = t.depth > 0;
    }
  if (recording)
    for (unsigned i = 0; i < count; ++i) record(ranges[i]);
  if (footprints)
    for (unsigned i = 0; i < count; ++i) {
      if (ranges[i].read) touch_memory(false, ranges[i].address, ranges[i].size);
      if (ranges[i].write) touch_memory(true, ranges[i].address, ranges[i].size);
    }
  return true;
}

bool MachineImpl::note_access(Access access, const FunctionCode& f, uint32_t edge) {
  if (!code.check_races || (races.empty() && alive_count == 1)) return true;
  if (threads[active].depth > 0) {
    access.kind |= Access::kAtomic;
    access.order = program::Order::Both;
  }
  const EdgeRef site = user_site(f, edge);
  const AccessSite* earlier = races.access(active, access, {ordinal(active), site.function->id, site.edge});
  if (earlier) report_race(access, *earlier, f, edge);
  return !earlier;
}

std::string MachineImpl::name_at(uint64_t address) const {
  if (const StaticObject* object = code.static_at(address)) return code.program.objects[object->id].name;
  const DynamicObject* dynamic = memory.find(address);
  return dynamic ? name_of(*dynamic) : "memory";
}

void MachineImpl::report_race(const Access& access, const AccessSite& earlier, const FunctionCode& f, uint32_t edge) {
  std::string other = "an earlier access";
  if (earlier.known())
    other = fmt::format(
        "thread {} at {}", earlier.thread,
        code.program.where(code.program.functions[earlier.function].edges[earlier.edge].statement.position));
  const EdgeRef site = user_site(f, edge);
  fail(Property::NoDataRace,
       fmt::format("data race on {}: thread {} at {} and {}", name_at(access.address), ordinal(active),
                   code.program.where(edge_at(*site.function, site.edge).statement.position), other),
       f, edge);
}

bool MachineImpl::require_initialised(const Target& target, uint64_t size, const FunctionCode& f, uint32_t edge) {
  if (!target.dynamic || target.dynamic->uninitialised == 0) return true;
  const DynamicObject& object = *target.dynamic;
  uint32_t first = target.offset, end = target.offset + static_cast<uint32_t>(size);
  while (first < end && memory.initialised(object, first)) ++first;
  if (first == end) return true;
  uint32_t last = first + 1;
  auto repeats = [&] {  // the value of a byte that is asked for already
    if (memory.links().empty()) return false;
    const std::vector<uint32_t> same = memory.links().others(object.address + last);
    return std::any_of(same.begin(), same.end(),
                       [&](uint32_t a) { return a >= object.address + first && a < object.address + last; });
  };
  while (last < end && last - first < 16 && !memory.initialised(object, last) && !repeats()) ++last;
  stop(PauseKind::Input, f, edge);
  pause.width = 8 * (last - first);
  pause.input = false;
  // What the start function makes are the texts of the command line.
  pause.origin = object.site_function == code.program.entry ? fmt::format("{}[{}]", name_of(object), first)
                                                            : "uninitialised " + name_of(object);
  pause.memory = input_address = object.address + first;
  input_size = last - first;
  return false;
}

void MachineImpl::wrote(const Target& target, uint64_t size) {
  if (target.dynamic) {
    memory.touch();
    memory.set_initialised(*target.dynamic, target.offset, static_cast<uint32_t>(size));
  }
  if (alive_count > 1 && target.shared && memory.confined() != 0) scan_stored(target, size);
}

bool MachineImpl::load(const FunctionCode& f, uint32_t word, uint64_t address, unsigned size, uint64_t& value) {
  uint32_t edge = word & kEdgeMask;
  Pending::Range range{address, size, true, false};
  if (peeking)
    return admit(Pending::Kind::Access, &range, 1, edge_at(f, edge).statement.atomic,
                 reachable_by_others(address) && !(word & kLocalBit), f, edge);
  bool had_token = token;
  Target target = resolve(address, size, false, 1u << (word >> kAlignShift & 15), f, edge);
  if (!target.bytes) return false;
  if (watch && !admit(Pending::Kind::Access, &range, 1, edge_at(f, edge).statement.atomic,
                      target.shared && !(word & kLocalBit), f, edge))
    return false;
  if (!require_initialised(target, size, f, edge)) {
    token = had_token;  // the access is still to be done
    return false;
  }
  value = 0;
  std::memcpy(&value, target.bytes, size);
  return true;
}

bool MachineImpl::store(const FunctionCode& f, uint32_t word, uint64_t address, unsigned size, uint64_t value) {
  uint32_t edge = word & kEdgeMask;
  Pending::Range range{address, size, false, true};
  if (peeking)
    return admit(Pending::Kind::Access, &range, 1, edge_at(f, edge).statement.atomic,
                 reachable_by_others(address) && !(word & kLocalBit), f, edge);
  Target target = resolve(address, size, true, 1u << (word >> kAlignShift & 15), f, edge);
  if (!target.bytes) return false;
  if (watch && !admit(Pending::Kind::Access, &range, 1, edge_at(f, edge).statement.atomic,
                      target.shared && !(word & kLocalBit), f, edge))
    return false;
  std::memcpy(target.bytes, &value, size);
  wrote(target, size);
  return true;
}

// Constant addresses: bounds and alignment were settled when the code was compiled.

bool MachineImpl::load_static(const FunctionCode& f, uint32_t word, unsigned size) {
  const program::Statement& s = edge_at(f, word & kEdgeMask).statement;
  Pending::Range range{s.operands[0].value64(), size, true, false};
  return admit(Pending::Kind::Access, &range, 1, s.atomic, true, f, word & kEdgeMask);
}

bool MachineImpl::before_store_static(const FunctionCode& f, uint32_t word, unsigned size) {
  const program::Statement& s = edge_at(f, word & kEdgeMask).statement;
  Pending::Range range{s.operands[0].value64(), size, false, true};
  return admit(Pending::Kind::Access, &range, 1, s.atomic, true, f, word & kEdgeMask);
}

void MachineImpl::after_store_static(const FunctionCode& f, uint32_t word, unsigned size) {
  if (alive_count <= 1 || memory.confined() == 0) return;
  uint64_t address = edge_at(f, word & kEdgeMask).statement.operands[0].value64();
  const StaticObject* object = code.static_at(address);
  uint32_t inside = static_cast<uint32_t>(address - object->address);
  scan_stored({memory.image() + object->host + inside, nullptr, inside, true}, size);
}

}  // namespace whittle::exec
