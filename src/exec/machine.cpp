// The public face; everything happens in MachineImpl.
#include "exec/machine.h"

#include "exec/machine_impl.h"

namespace whittle::exec {

Machine::Machine(std::shared_ptr<const Code> code) : impl_(std::make_unique<MachineImpl>(std::move(code))) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

const Code& Machine::code() const { return *impl_->owner; }
void Machine::reset() { impl_->reset(); }
const Pause& Machine::pause() const { return impl_->pause; }
const Pause& Machine::schedule(uint32_t thread) { return impl_->schedule(thread); }
const Pause& Machine::approach(uint32_t thread) { return impl_->approach(thread); }
const Pause& Machine::provide(u128 value) { return impl_->provide(value); }
const Pause& Machine::resume() { return impl_->resume(); }
void Machine::set_observed(std::span<const Pending::Range> ranges) {
  impl_->observed.assign(ranges.begin(), ranges.end());
}
void Machine::yield_here() { impl_->yield_here(); }
void Machine::set_budget(uint64_t statements) { impl_->budget = statements == 0 ? 1 : statements; }
uint64_t Machine::statements() const { return impl_->statements; }

std::span<const uint8_t> Machine::save() { return impl_->save(); }
void Machine::load(std::span<const uint8_t> state) { impl_->load_state(state); }

uint32_t Machine::thread_count() const { return static_cast<uint32_t>(impl_->thread_limit()); }
bool Machine::in_atomic_region(uint32_t thread) const { return alive(thread) && impl_->threads[thread].depth > 0; }
bool Machine::alive(uint32_t thread) const { return thread < impl_->threads.size() && impl_->threads[thread].alive; }
uint32_t Machine::ordinal(uint32_t thread) const { return impl_->ordinal(thread); }
bool Machine::enabled(uint32_t thread) { return impl_->enabled(thread); }
bool Machine::deadlocked() { return impl_->deadlocked(); }
Pending Machine::pending(uint32_t thread) { return impl_->peek(thread); }
verdict::Violation Machine::deadlock_violation() { return impl_->deadlock_violation(); }

uint32_t Machine::frame_count(uint32_t thread) const {
  return static_cast<uint32_t>(impl_->threads[thread].frames.size());
}

FramePosition Machine::frame(uint32_t thread, uint32_t index) const {
  const Thread& t = impl_->threads[thread];
  const FunctionCode& f = *t.frames[index].code;
  if (index + 1 == t.frames.size()) return {f.id, t.location};
  return {f.id, f.function->edges[f.calls[t.frames[index].call].edge].from};
}

u128 Machine::register_value(uint32_t thread, uint32_t frame, program::RegisterId reg) const {
  const Thread& t = impl_->threads[thread];
  const FunctionCode& f = *t.frames[frame].code;
  Place place{f.slot[reg], static_cast<uint16_t>(f.function->registers[reg].width())};
  return impl_->get(t.slots.data() + t.frames[frame].base, place);
}

u128 Machine::evaluate(uint32_t thread, uint32_t frame, term::Term term) const {
  const program::Program& program = impl_->code.program;
  term::Assignment assignment;
  assignment.variable = [&](term::Term variable) {
    return register_value(thread, frame, program.register_of(variable).reg);
  };
  return program.terms().evaluate(term, assignment);
}

std::optional<ObjectInfo> Machine::object_at(uint64_t address) const {
  if (const StaticObject* object = impl_->code.static_at(address)) {
    const program::Object& o = impl_->code.program.objects[object->id];
    return ObjectInfo{object->address, object->size, ObjectInfo::Kind::Static, true, object->constant, o.name};
  }
  const DynamicObject* object = impl_->memory.find(address);
  if (!object) return std::nullopt;
  return ObjectInfo{object->address, object->size, object->kind, object->alive, false, impl_->name_of(*object)};
}

bool Machine::read_memory(uint64_t address, std::span<uint8_t> bytes) const {
  const Memory& memory = impl_->memory;
  if (const StaticObject* object = impl_->code.static_at(address)) {
    if (bytes.size() > object->size || address - object->address > object->size - bytes.size()) return false;
    std::memcpy(bytes.data(), memory.image() + object->host + (address - object->address), bytes.size());
    return true;
  }
  const DynamicObject* object = memory.find(address);
  if (!object || !object->alive || bytes.size() > object->size ||
      address - object->address > object->size - bytes.size())
    return false;
  std::memcpy(bytes.data(), memory.bytes(*object) + (address - object->address), bytes.size());
  return true;
}

void Machine::trace_footprints(bool on) {
  impl_->footprints = on;
  impl_->old_frames.assign(impl_->threads.size(), 0);
}
const machine::Footprint& Machine::footprint() { return impl_->footprint(); }
void Machine::cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) {
  impl_->cells(mortal, dead);
}

uint32_t Machine::cells_number() { return impl_->shape(); }

void Machine::set_recording(Recording* recording) { impl_->recording = recording; }
void Machine::split(std::span<const uint8_t> state, StateParts& parts) const { impl_->split(state, parts); }
uint32_t Machine::fixed_end() const { return 2 + impl_->code.fixed_bytes; }

void Machine::set_output(Sink sink) { impl_->sink = std::move(sink); }
void Machine::set_listener(Listener* listener) { impl_->listener = impl_->holder = listener; }
void Machine::set_placement(Placement* placement) { impl_->placement = placement; }
void Machine::set_access_log(std::vector<Pending::Range>* log) { impl_->access_log = log; }

uint64_t Machine::thread_local_address(uint32_t thread, program::ObjectId object) const {
  return impl_->memory.area_base(Memory::stack_area(thread)) + impl_->code.thread_local_offset[object];
}

bool Machine::remembers_accesses() const { return impl_->code.check_races && !impl_->races.empty(); }
Machine::Area Machine::area(uint32_t thread, ObjectInfo::Kind kind) const {
  const bool heap = kind == ObjectInfo::Kind::Heap;
  const uint32_t index = heap ? Memory::heap_area(thread) : Memory::stack_area(thread);
  const uint64_t base = impl_->memory.area_base(index), end = base + impl_->memory.area_size(index);
  return {heap ? base : base + impl_->code.thread_local_bytes, end};
}

bool Machine::hides_objects() const { return impl_->alive_count > 1 && impl_->memory.confined() != 0; }
void Machine::expose(uint64_t address) {
  if (impl_->alive_count > 1) impl_->escape(address);
  impl_->saved = {};
}

void Machine::set_register(uint32_t thread, uint32_t frame, program::RegisterId reg, u128 value) {
  Thread& t = impl_->threads[thread];
  const FunctionCode& f = *t.frames[frame].code;
  impl_->put(t.slots.data() + t.frames[frame].base,
             {f.slot[reg], static_cast<uint16_t>(f.function->registers[reg].width())}, value);
  t.clean = false;
  impl_->saved = {};
}

bool Machine::write_memory(uint64_t address, std::span<const uint8_t> bytes) {
  Memory& memory = impl_->memory;
  Target target;
  if (const StaticObject* object = impl_->code.static_at(address)) {
    uint64_t inside = address - object->address;
    if (object->frozen || bytes.size() > object->size || inside > object->size - bytes.size()) return false;
    target = {memory.image() + object->host + inside, nullptr, static_cast<uint32_t>(inside), true};
  } else {
    DynamicObject* dynamic = memory.find(address);
    if (!dynamic || !dynamic->alive || bytes.size() > dynamic->size ||
        address - dynamic->address > dynamic->size - bytes.size())
      return false;
    uint32_t inside = static_cast<uint32_t>(address - dynamic->address);
    target = {memory.bytes(*dynamic) + inside, dynamic, inside, dynamic->escaped};
  }
  std::memcpy(target.bytes, bytes.data(), bytes.size());
  memory.touch();
  impl_->wrote(target, bytes.size());
  impl_->saved = {};
  impl_->large_known = false;
  return true;
}

void Machine::control(std::vector<uint8_t>& into) const {
  into.clear();
  if (impl_->code.check_races) {
    std::span<const uint8_t> races = impl_->races.encode().span();
    into.assign(races.begin(), races.end());
  }
  auto put = [&](uint64_t number) {
    for (; number >= 0x80; number >>= 7) into.push_back(static_cast<uint8_t>(number | 0x80));
    into.push_back(static_cast<uint8_t>(number));
  };
  const Memory& memory = impl_->memory;
  uint32_t count = thread_count();
  put(count);
  for (uint32_t i = 0; i < count; ++i) {
    const Thread& t = impl_->threads[i];
    put(t.alive ? t.frames.size() : 0);
    if (!t.alive) continue;
    put(t.depth);
    for (uint32_t k = 0; k < t.frames.size(); ++k) {
      FramePosition position = frame(i, k);
      put(impl_->code.global_location(impl_->code.functions[position.function], position.location));
    }
  }
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a)) {
      put(object.address);
      put(object.size);
      into.push_back(static_cast<uint8_t>(static_cast<unsigned>(object.kind) << 2 | (object.alive ? 1u : 0u) |
                                          (object.escaped ? 2u : 0u)));
      put(object.frame);
      put(object.sequence);
      put(object.uninitialised);
      if (object.alive && object.uninitialised != 0 && object.uninitialised != object.size)
        into.insert(into.end(), memory.shadow(object), memory.shadow(object) + (object.size + 7) / 8);
    }
}

bool Machine::initialised(uint64_t address, uint64_t size) const {
  if (const StaticObject* object = impl_->code.static_at(address))
    return size <= object->size && address - object->address <= object->size - size;
  const DynamicObject* object = impl_->memory.find(address);
  if (!object || !object->alive || size > object->size || address - object->address > object->size - size) return false;
  for (uint64_t i = 0; i < size && object->uninitialised != 0; ++i)
    if (!impl_->memory.initialised(*object, static_cast<uint32_t>(address - object->address + i))) return false;
  return true;
}

std::optional<machine::ByteRange> Machine::saved_range(uint64_t address, uint64_t size) const {
  const StaticObject* object = impl_->code.static_at(address);
  if (!object || object->frozen) return std::nullopt;
  constexpr uint32_t kHeader = 2;  // mode and active thread: state.cpp
  return machine::ByteRange{kHeader + object->host + static_cast<uint32_t>(address - object->address),
                            static_cast<uint32_t>(size)};
}

}  // namespace whittle::exec
