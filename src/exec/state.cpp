// States as bytes. A state is
//
//   mode, active thread                      (1 byte each; of a scheduling point: 0, 0)
//   static memory                            (the objects that something may write; of those of 64 bytes and more: a
//                                             length, and so many bytes; the others have their initial value)
//   threads: count, then for each: length of its part (0: not alive), depth of atomic regions, frame count, frames
//     frame: location (1 to 4 bytes, fixed per program), live registers packed to bytes
//   if no-data-race is checked: length, accesses that a later one could race with (races.cpp)
//   dynamic objects: count, then for each, by address: areas since the one before, place in the area (in units of 64
//     bytes; in the same area: distance), flags, size,
//     of stack objects frame and number, which bytes are initialised (unless all or none), the bytes (unless none)
//   which bytes without a value are copies of one another, if any are: runs of address, length and number of the first value
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

void write_registers(Bytes& out, const Layout& layout, const uint64_t* r) {
  for (const Layout::Item& item : layout.items) {
    unsigned low = item.bytes <= 8 ? item.bytes : 8;
    out.put_word(r[item.slot], low);
    if (item.bytes > 8) out.put_word(r[item.slot + 1], item.bytes - 8u);
  }
}

/// The lowest `bytes` bytes, of a buffer that may be read beyond.
uint64_t word_at(const uint8_t* p, unsigned bytes) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return word & mask64(8 * bytes);
}

void read_registers(const uint8_t* p, const Layout& layout, uint64_t* r) {
  for (const Layout::Item& item : layout.items) {
    r[item.slot] = word_at(p, item.bytes <= 8 ? item.bytes : 8);
    if (item.bytes > 8) r[item.slot + 1] = word_at(p + 8, item.bytes - 8u);
    p += item.bytes;
  }
}

}  // namespace

void MachineImpl::encode_thread(Thread& t) {
  Bytes& out = t.encoded;
  out.start(2 * Bytes::kLongestNumber);
  out.put_number(t.depth);
  out.put_number(t.frames.size());
  for (size_t i = 0; i < t.frames.size(); ++i) {
    const FunctionCode& f = *t.frames[i].code;
    const Layout& layout = layout_of(t, i);
    uint32_t l = i + 1 == t.frames.size() ? t.location : edge_at(f, f.calls[t.frames[i].call].edge).from;
    out.reserve(code.location_bytes + layout.bytes);
    out.put_word(code.global_location(f, l), code.location_bytes);
    write_registers(out, layout, t.slots.data() + t.frames[i].base);
  }
  t.clean = true;
}

std::span<const uint8_t> MachineImpl::save() {
  if (!saved.empty()) return saved;
  shape_known = false;
  encode_large();
  if (memory.changed()) encode_objects();
  size_t count = thread_limit();
  size_t most =
      2 + code.fixed_bytes + large_encoded.size() + (count + 1) * Bytes::kLongestNumber + objects_encoded.size();
  if (code.check_races) most += races.encode().size() + Bytes::kLongestNumber;
  for (size_t i = 0; i < count; ++i) {
    Thread& t = threads[i];
    if (!t.alive) continue;
    if (!t.clean) encode_thread(t);
    most += t.encoded.size();
  }
  state.start(most);
  state.put(mode == Mode::Final
                ? static_cast<uint8_t>(static_cast<unsigned>(Mode::Final) + static_cast<unsigned>(pause.kind))
                : static_cast<uint8_t>(mode));
  state.put(mode == Mode::Scheduling ? uint8_t{0} : static_cast<uint8_t>(active));
  state.put(memory.image(), code.fixed_bytes);
  state.put(large_encoded.data(), large_encoded.size());
  state.put_number(count);
  for (size_t i = 0; i < count; ++i) {
    const Thread& t = threads[i];
    state.put_number(t.alive ? t.encoded.size() : 0);
    if (t.alive) state.put(t.encoded.data(), t.encoded.size());
  }
  if (code.check_races) {
    const Bytes& accesses = races.encode();
    state.put_number(accesses.size());
    state.put(accesses.data(), accesses.size());
  }
  state.put(objects_encoded.data(), objects_encoded.size());
  saved = state.span();
  return saved;
}

void MachineImpl::encode_large() {
  if (code.large.empty() || large_known) return;
  const size_t size = code.saved_bytes - code.fixed_bytes;
  const uint8_t* image = memory.image() + code.fixed_bytes;
  large_known = true;
  if (large_image.size() == size && std::memcmp(large_image.data(), image, size) == 0) return;
  large_image.assign(image, image + size);
  large_encoded.start(size + code.large.size() * Bytes::kLongestNumber);
  for (uint32_t index : code.large) {
    const StaticObject& object = code.statics[index];
    const uint8_t *now = memory.image() + object.host, *initial = code.image.data() + object.host;
    uint64_t length = object.size;
    while (length >= 8 && std::memcmp(now + length - 8, initial + length - 8, 8) == 0) length -= 8;
    while (length > 0 && now[length - 1] == initial[length - 1]) --length;
    large_encoded.put_number(length);
    large_encoded.put(now, length);
  }
}

void MachineImpl::load_large(Reader& in) {
  if (code.large.empty()) return;
  const size_t size = code.saved_bytes - code.fixed_bytes;
  uint8_t* image = memory.image() + code.fixed_bytes;
  // The lengths come first: no encoding is the begin of another one.
  const size_t length = large_encoded.size(), left = static_cast<size_t>(in.end - in.at);
  if (!large_image.empty() && length <= left && large_encoded.equals(in.at, length)) {
    if (!large_known) std::memcpy(image, large_image.data(), size);
    in.at += length;
  } else {
    const uint8_t* begin = in.at;
    if (decode_large(in))
      large_image.assign(image, image + size);
    else
      large_image.clear();
    large_encoded.start(static_cast<size_t>(in.at - begin));
    large_encoded.put(begin, static_cast<size_t>(in.at - begin));
  }
  large_known = !large_image.empty();
}

bool MachineImpl::decode_large(Reader& in) {
  bool canonical = true;
  for (uint32_t index : code.large) {
    const StaticObject& object = code.statics[index];
    uint64_t length = in.number();
    std::memcpy(memory.image() + object.host, in.at, length);
    std::memcpy(memory.image() + object.host + length, code.image.data() + object.host + length, object.size - length);
    canonical &= length == 0 || in.at[length - 1] != code.image[object.host + length - 1];
    in.at += length;
  }
  return canonical;
}

size_t MachineImpl::thread_limit() const {
  size_t count = used_threads;
  while (count > 0 && !threads[count - 1].alive) --count;
  return count;
}

void MachineImpl::encode_objects() {
  uint64_t count = memory.count(), last = 0;
  uint32_t last_area = 0;
  Bytes& out = objects_encoded;
  out.start(Bytes::kLongestNumber);
  out.put_number(count);
  memory.settle();
  if (count == 0) return;
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a)) {
      bool all = object.uninitialised == 0, none = object.uninitialised == object.size && object.size != 0;
      uint64_t unit = (object.address - memory.area_base(a)) >> 6;
      out.reserve(1 + 5 * Bytes::kLongestNumber + (object.alive ? object.size + (object.size + 7) / 8 : 0));
      out.put_number(a - last_area);
      out.put_number(a == last_area ? unit - last : unit);
      last = unit;
      last_area = a;
      out.put(static_cast<uint8_t>((object.alive ? kAlive : 0) | (object.escaped ? kEscaped : 0) | (all ? kAllSet : 0) |
                                   (none ? kNoneSet : 0) | (object.wide ? 0 : kNarrow) |
                                   static_cast<unsigned>(object.kind) << kKindShift));
      out.put_number(object.size);
      if (!object.alive) continue;
      if (object.kind == ObjectInfo::Kind::Stack) out.put_number(object.frame), out.put_number(object.sequence);
      if (!all && !none) out.put(memory.shadow(object), (object.size + 7) / 8);
      if (!none) out.put(memory.bytes(object), object.size);
    }
  if (memory.links().empty()) return;
  const std::vector<Links::Run> runs = memory.links().runs();
  out.reserve(3 * Bytes::kLongestNumber * runs.size());
  for (const Links::Run& run : runs) out.put_number(run.address), out.put_number(run.length), out.put_number(run.unknown);
}

void MachineImpl::decode_thread(Thread& t) {
  Reader in{t.encoded.data(), t.encoded.data() + t.encoded.size()};
  t.depth = static_cast<uint32_t>(in.number());
  size_t count = in.number();
  t.frames.clear();
  t.counted = false;
  uint32_t base = 0;
  for (size_t i = 0; i < count; ++i) {
    auto [function, location] = code.local_location(word_at(in.at, code.location_bytes));
    in.at += code.location_bytes;
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

void MachineImpl::count_objects(uint32_t thread) {
  Thread& t = threads[thread];
  for (Frame& frame : t.frames) frame.objects = 0;
  t.counted = true;
  for (const DynamicObject& object : memory.objects(Memory::stack_area(thread)))
    if (object.alive && object.kind == ObjectInfo::Kind::Stack) ++t.frames[object.frame].objects;
}

void MachineImpl::load_objects(Reader in) {
  const size_t size = static_cast<size_t>(in.end - in.at), count = thread_limit();
  const bool same = !memory.changed() && objects_encoded.equals(in.at, size);
  if (!same) {
    const bool canonical = decode_objects(in);
    objects_encoded.start(size);
    objects_encoded.put(in.at, size);
    if (canonical) memory.settle();
  }
  for (uint32_t i = 0; i < count; ++i)
    if (threads[i].alive && !(same && threads[i].counted)) count_objects(i);
}

bool MachineImpl::decode_objects(Reader in) {
  bool canonical = true;
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
      if (bits[b / 8] >> (b % 8) & 1) {
        canonical &= memory.bytes(object)[b] == 0;
        memory.set_uninitialised(object, b, 1);
      }
  }
  while (in.at < in.end) {
    Links::Run run;
    run.address = static_cast<uint32_t>(in.number());
    run.length = static_cast<uint32_t>(in.number());
    run.unknown = static_cast<uint32_t>(in.number());
    memory.links().add(run);
  }
  assert(in.at == in.end);
  return canonical;
}

void MachineImpl::load_state(std::span<const uint8_t> bytes) {
  Reader in{bytes.data(), bytes.data() + bytes.size()};
  uint8_t kind = *in.at++;
  active = *in.at++;
  ordinals.clear();
  if (code.fixed_bytes != 0) std::memcpy(memory.image(), in.at, code.fixed_bytes);  // no statics: no image
  in.at += code.fixed_bytes;
  load_large(in);
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
    if (!t.clean || !t.encoded.equals(in.at, length)) {
      t.encoded.start(length);
      t.encoded.put(in.at, length);
      decode_thread(t);
      t.clean = true;
    }
    in.at += length;
  }
  if (code.check_races) {
    uint64_t alive = 0;
    for (size_t i = 0; i < limit; ++i) alive |= uint64_t{threads[i].alive ? 1u : 0u} << i;
    const size_t length = in.number();
    races.decode(in.at, length, alive);
    in.at += length;
  }
  load_objects(in);
  saved = {};
  restore_pause(kind);
}

void MachineImpl::split(std::span<const uint8_t> bytes, StateParts& parts) const {
  Reader in{bytes.data(), bytes.data() + bytes.size()};
  auto here = [&] { return static_cast<uint32_t>(in.at - bytes.data()); };
  parts.scheduling = bytes[0] == static_cast<uint8_t>(Mode::Scheduling);
  in.at += 2 + code.fixed_bytes;
  for (size_t i = 0; i < code.large.size(); ++i) {
    uint64_t length = in.number();
    in.at += length;
  }
  parts.threads_begin = here();
  parts.threads.resize(in.number());
  parts.alive = 0;
  for (StateParts::Part& part : parts.threads) {
    part.begin = here();
    uint64_t length = in.number();
    in.at += length;
    part.length = here() - part.begin;
    part.alive = length != 0;
    parts.alive += part.alive ? 1 : 0;
  }
  if (code.check_races) {
    uint64_t length = in.number();
    in.at += length;
  }
  parts.objects = here();
}

void MachineImpl::record(const Pending::Range& range) {
  if (range.size == 0) return;
  const StaticObject* object = code.static_at(range.address);
  if (!object) {
    // Dynamic objects count as read; memory.changed() tells whether one was written.
    return;
  }
  if (object->frozen) return;
  uint64_t host = object->host + (range.address - object->address);
  if (host + range.size > code.fixed_bytes) {
    recording->repeatable = false;
    return;
  }
  constexpr uint32_t kHeader = 2;
  recording->accesses.push_back(
      {kHeader + static_cast<uint32_t>(host), static_cast<uint32_t>(range.size), range.read, range.write});
}

void MachineImpl::restore_pause(uint8_t kind) {
  has_input = false;
  input_address = 0;
  clear_pause();
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
