// States as bytes. A state is
//
//   mode, active thread                      (1 byte each; of a scheduling point: 0, 0)
//   static memory                            (the objects that something may write; of those of 64 bytes and more: a
//                                             length, and so many bytes; the others have their initial value)
//   threads: count, then for each: length of its part (0: not alive), depth of atomic regions, frame count, frames
//     frame: location (1 to 4 bytes, fixed per program), live registers packed to bytes
//   dynamic objects: count, then for each, by address: areas since the one before, place in the area (in units of 64
//     bytes; in the same area: distance), flags, size,
//     of stack objects frame and number, which bytes are initialised (unless all or none), the bytes (unless none)
//
// Numbers without a fixed size are written seven bits a byte. What is not live or not initialised is left out, so equal
// histories, and many different ones, give equal bytes.
#include "exec/state.h"

#include <algorithm>
#include <cassert>

#include "exec/machine_impl.h"

namespace whittle::exec {

namespace {

constexpr uint8_t kAlive = 1, kEscaped = 2, kAllSet = 4, kNoneSet = 8, kKindShift = 4, kNarrow = 64;

void write_registers(std::vector<uint8_t>& out, const Layout& layout, const uint64_t* r) {
  size_t at = out.size();
  out.resize(at + layout.bytes);
  uint8_t* p = out.data() + at;
  for (const Layout::Item& item : layout.items) {
    if (item.bytes <= 8) {
      std::memcpy(p, &r[item.slot], item.bytes);
    } else {
      std::memcpy(p, &r[item.slot], 8);
      std::memcpy(p + 8, &r[item.slot + 1], item.bytes - 8u);
    }
    p += item.bytes;
  }
}

void read_registers(const uint8_t* p, const Layout& layout, uint64_t* r) {
  for (const Layout::Item& item : layout.items) {
    r[item.slot] = 0;
    std::memcpy(&r[item.slot], p, item.bytes <= 8 ? item.bytes : 8);
    if (item.bytes > 8) {
      r[item.slot + 1] = 0;
      std::memcpy(&r[item.slot + 1], p + 8, item.bytes - 8u);
    }
    p += item.bytes;
  }
}

}  // namespace

void MachineImpl::encode_thread(Thread& t) {
  std::vector<uint8_t>& out = t.encoded;
  out.clear();
  put_number(out, t.depth);
  put_number(out, t.frames.size());
  for (size_t i = 0; i < t.frames.size(); ++i) {
    const FunctionCode& f = *t.frames[i].code;
    uint32_t l = i + 1 == t.frames.size() ? t.location : edge_at(f, f.calls[t.frames[i].call].edge).from;
    uint64_t global = code.global_location(f, l);
    for (unsigned b = 0; b < code.location_bytes; ++b) out.push_back(static_cast<uint8_t>(global >> (8 * b)));
    write_registers(out, layout_of(t, i), t.slots.data() + t.frames[i].base);
  }
  t.clean = true;
}

std::span<const uint8_t> MachineImpl::save() {
  saved.clear();
  saved.push_back(mode == Mode::Final
                      ? static_cast<uint8_t>(static_cast<unsigned>(Mode::Final) + static_cast<unsigned>(pause.kind))
                      : static_cast<uint8_t>(mode));
  saved.push_back(mode == Mode::Scheduling ? 0 : static_cast<uint8_t>(active));
  saved.insert(saved.end(), memory.image(), memory.image() + code.fixed_bytes);
  encode_large();
  size_t count = thread_limit();
  put_number(saved, count);
  for (size_t i = 0; i < count; ++i) {
    Thread& t = threads[i];
    if (!t.alive) {
      saved.push_back(0);
      continue;
    }
    if (!t.clean) encode_thread(t);
    put_number(saved, t.encoded.size());
    saved.insert(saved.end(), t.encoded.begin(), t.encoded.end());
  }
  encode_objects();
  return saved;
}

void MachineImpl::encode_large() {
  for (uint32_t index : code.large) {
    const StaticObject& object = code.statics[index];
    const uint8_t *now = memory.image() + object.host, *initial = code.image.data() + object.host;
    uint64_t length = object.size;
    while (length >= 8 && std::memcmp(now + length - 8, initial + length - 8, 8) == 0) length -= 8;
    while (length > 0 && now[length - 1] == initial[length - 1]) --length;
    put_number(saved, length);
    saved.insert(saved.end(), now, now + length);
  }
}

void MachineImpl::decode_large(Reader& in) {
  for (uint32_t index : code.large) {
    const StaticObject& object = code.statics[index];
    uint64_t length = in.number();
    std::memcpy(memory.image() + object.host, in.at, length);
    std::memcpy(memory.image() + object.host + length, code.image.data() + object.host + length, object.size - length);
    in.at += length;
  }
}

size_t MachineImpl::thread_limit() const {
  size_t count = used_threads;
  while (count > 0 && !threads[count - 1].alive) --count;
  return count;
}

void MachineImpl::encode_objects() {
  uint64_t count = memory.count(), last = 0;
  uint32_t last_area = 0;
  put_number(saved, count);
  if (count == 0) return;
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a)) {
      bool all = object.uninitialised == 0, none = object.uninitialised == object.size && object.size != 0;
      uint64_t unit = (object.address - memory.area_base(a)) >> 6;
      put_number(saved, a - last_area);
      put_number(saved, a == last_area ? unit - last : unit);
      last = unit;
      last_area = a;
      saved.push_back(static_cast<uint8_t>((object.alive ? kAlive : 0) | (object.escaped ? kEscaped : 0) |
                                           (all ? kAllSet : 0) | (none ? kNoneSet : 0) | (object.wide ? 0 : kNarrow) |
                                           static_cast<unsigned>(object.kind) << kKindShift));
      put_number(saved, object.size);
      if (!object.alive) continue;
      if (object.kind == ObjectInfo::Kind::Stack) put_number(saved, object.frame), put_number(saved, object.sequence);
      if (!all && !none)
        saved.insert(saved.end(), memory.shadow(object), memory.shadow(object) + (object.size + 7) / 8);
      if (!none) saved.insert(saved.end(), memory.bytes(object), memory.bytes(object) + object.size);
    }
}

void MachineImpl::decode_thread(Thread& t, Reader in) {
  t.depth = static_cast<uint32_t>(in.number());
  size_t count = in.number();
  t.frames.clear();
  uint32_t base = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t global = 0;
    for (unsigned b = 0; b < code.location_bytes; ++b) global |= uint64_t{*in.at++} << (8 * b);
    auto [function, location] = code.local_location(global);
    const FunctionCode& f = code.functions[function];
    t.frames.push_back({&f, base, 0, 0});
    bool top = i + 1 == count;
    if (top)
      t.location = location;
    else
      t.frames.back().call = f.call_of_edge[f.function->locations[location].first_edge];
    const Layout& layout = f.layouts[top ? f.top_layout[location] : f.waiting_layout[location]];
    size_t need = base + (top ? f.total_slots : f.register_slots) + 2;
    if (t.slots.size() < need) t.slots.resize(need * 2);
    read_registers(in.at, layout, t.slots.data() + base);
    in.at += layout.bytes;
    base += f.register_slots;
  }
  assert(in.at == in.end);
}

void MachineImpl::decode_objects(Reader in) {
  memory.clear_dynamic();
  uint64_t count = in.number(), unit = 0;
  uint32_t area = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t areas = static_cast<uint32_t>(in.number());
    unit = in.number() + (areas == 0 ? unit : 0);
    area += areas;
    uint8_t flags = *in.at++;
    DynamicObject entry;
    entry.address = memory.area_base(area) + static_cast<uint32_t>(unit << 6);
    entry.size = static_cast<uint32_t>(in.number());
    entry.alive = (flags & kAlive) != 0;
    entry.escaped = (flags & kEscaped) != 0;
    entry.kind = static_cast<ObjectInfo::Kind>(flags >> kKindShift & 3);
    entry.wide = (flags & kNarrow) == 0;
    if (entry.alive && entry.kind == ObjectInfo::Kind::Stack) {
      entry.frame = static_cast<uint32_t>(in.number());
      entry.sequence = static_cast<uint32_t>(in.number());
      ++threads[area / 2].frames[entry.frame].objects;
    }
    DynamicObject& object = memory.append(area, entry);
    if (!object.alive) continue;
    if (flags & kNoneSet) {
      memory.forget_contents(object);
      continue;
    }
    const uint8_t* bits = nullptr;
    if (!(flags & kAllSet)) bits = in.at, in.at += (object.size + 7) / 8;
    std::memcpy(memory.bytes(object), in.at, object.size);
    in.at += object.size;
    for (uint32_t b = 0; bits && b < object.size; ++b)
      if (bits[b / 8] >> (b % 8) & 1) memory.set_uninitialised(object, b, 1);
  }
  assert(in.at == in.end);
}

void MachineImpl::load_state(std::span<const uint8_t> state) {
  Reader in{state.data(), state.data() + state.size()};
  uint8_t kind = *in.at++;
  active = *in.at++;
  if (code.fixed_bytes != 0) std::memcpy(memory.image(), in.at, code.fixed_bytes);  // no statics: no image
  in.at += code.fixed_bytes;
  decode_large(in);
  size_t count = in.number(), limit = std::max<size_t>(count, thread_limit());
  alive_count = 0;
  for (size_t i = 0; i < limit; ++i) {
    Thread& t = threads[i];
    size_t length = i < count ? in.number() : 0;
    t.alive = length != 0;
    if (length == 0) {
      t.clean = false;
      t.frames.clear();
      continue;
    }
    ++alive_count;
    used_threads = std::max<size_t>(used_threads, i + 1);
    // A thread that stands where it stood when it was last written or read needs no decoding.
    if (!t.clean || t.encoded.size() != length || std::memcmp(t.encoded.data(), in.at, length) != 0) {
      decode_thread(t, {in.at, in.at + length});
      t.encoded.assign(in.at, in.at + length);
      t.clean = true;
    }
    for (Frame& frame : t.frames) frame.objects = 0;
    in.at += length;
  }
  decode_objects(in);
  restore_pause(kind);
}

void MachineImpl::restore_pause(uint8_t kind) {
  has_input = false;
  input_address = 0;
  if (!pause.scheduling()) pause = {};
  pause.kind = PauseKind::Visible;
  pause.position = {};
  pause.thread = active;
  if (kind >= static_cast<uint8_t>(Mode::Final)) {
    mode = Mode::Final;
    pause.kind = static_cast<PauseKind>(kind - static_cast<uint8_t>(Mode::Final));
    return;
  }
  mode = static_cast<Mode>(kind);
  if (mode == Mode::Scheduling) return;
  if (mode == Mode::Budget || mode == Mode::BudgetToken) {
    pause.kind = PauseKind::Budget;
    return;
  }
  // The statement asks again.
  bool was_traced = footprints;
  Listener* heard = listener;
  footprints = false;
  listener = nullptr;
  bool was_clean = threads[active].clean;
  run(active, mode == Mode::InputToken);
  threads[active].clean = was_clean;
  footprints = was_traced;
  listener = heard;
  assert(pause.kind == PauseKind::Input);
}

}  // namespace whittle::exec
